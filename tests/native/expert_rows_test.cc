#include "probes/expert_rows.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "catalog/catalog.h"
#include "probes/catalogue.h"

namespace podwright::probes::expert_rows_test {
namespace {

std::int64_t sum_of(const std::vector<std::int64_t>& rows) {
  return std::accumulate(rows.begin(), rows.end(), std::int64_t{0});
}

TEST(ExpertRows, NothingIsLost) {
  for (const std::int64_t experts : {8, 64, 256})
    for (const std::int64_t rows : {1, 128, 512, 32768})
      for (const bool zipf : {false, true}) {
        const auto of_expert = expert_rows(experts, rows, zipf);
        EXPECT_EQ(of_expert.size(), static_cast<std::size_t>(experts));
        EXPECT_EQ(sum_of(of_expert), rows);
        for (const std::int64_t one : of_expert) EXPECT_GE(one, 0);
      }
}

TEST(ExpertRows, EvenIsEqual) {
  const auto rows = expert_rows(64, 384, false);
  for (const std::int64_t one : rows) EXPECT_EQ(one, 6);
  EXPECT_EQ(experts_touched(rows), 64);
}

TEST(ExpertRows, UnevenGivesTheFirstTwiceTheSecond) {
  // Shares of 1, 1/2, 1/3 and 1/4 of 25/12.
  EXPECT_EQ(expert_rows(4, 2500, true), (std::vector<std::int64_t>{1200, 600, 400, 300}));
  // Few tokens leave most of many experts untouched.
  EXPECT_LT(experts_touched(expert_rows(256, 64, true)), 64);
}

TEST(Catalogue, CountsTheWeightsOfTouchedExperts) {
  const Machine machine{"cuda", 141e9, 50e6, 1, 1, 90, 0, {0}};
  int cases = 0;
  for (const ProbeCase& one : gpu_cases(machine, RunMode::standard)) {
    if (one.probe != "moe.grouped") continue;
    ++cases;
    const auto rows = expert_rows(static_cast<std::int64_t>(*one.size.experts), static_cast<std::int64_t>(*one.size.m),
                                  one.variant == "zipf");
    const double weights = 2 * static_cast<double>(experts_touched(rows)) * *one.size.n * *one.size.k;
    EXPECT_GT(one.counted.bytes, weights);
    EXPECT_LT(one.counted.bytes, weights + 2 * *one.size.m * (*one.size.n + *one.size.k) + 1);
  }
  EXPECT_EQ(cases, 12);
}

TEST(Catalogue, ExpertShapesAreThoseOfModelsInTheCatalog) {
  const Machine machine{"cuda", 141e9, 50e6, 1, 1, 90, 0, {0}};
  const std::vector<ProbeCase> cases = gpu_cases(machine, RunMode::standard);
  for (const char* id : {"mixtral-8x7b-v0.1", "deepseek-v2-lite", "deepseek-v3"}) {
    const auto model = find_model(embedded_catalog_facts(), id);
    ASSERT_TRUE(model) << id;
    EXPECT_TRUE(std::any_of(cases.begin(), cases.end(), [&](const ProbeCase& one) {
      return one.probe == "moe.grouped" && one.size.experts == (*model)->experts &&
             one.size.n == 2 * (*model)->moe_ffn_hidden_size && one.size.k == (*model)->hidden_size &&
             one.size.m == 64 * (*model)->experts_per_token;
    })) << id;
  }
}

TEST(Catalogue, CachesOfOneByteCountHalf) {
  const Machine machine{"cuda", 141e9, 50e6, 1, 1, 90, 0, {0}};
  double bytes[2] = {};
  for (const ProbeCase& one : gpu_cases(machine, RunMode::standard))
    if (one.probe == "decode.attn" && one.size.batch == 16 && one.size.context_tokens == 8192)
      bytes[one.dtype == "fp8"] = one.counted.bytes;
  EXPECT_GT(bytes[1], 0);
  EXPECT_EQ(bytes[0], 2 * bytes[1]);
  // Ampere has no such format.
  for (const ProbeCase& one : gpu_cases({"cuda", 80e9, 40e6, 1, 1, 80, 0, {0}}, RunMode::standard))
    EXPECT_FALSE(one.probe == "decode.attn" && one.dtype == "fp8");
}

}  // namespace
}  // namespace podwright::probes::expert_rows_test
