// Asking for more never costs less: each test holds a request whose answer became cheaper with a requirement.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>

#include "api/plan_example.h"
#include "support/ask.h"

namespace podwright::plan_monotone_test {
namespace {

using namespace plan_example;

std::string serving(const std::string& model, const std::string& work, const std::string& constraints) {
  return R"({"kind":"plan","workloads":[{"name":"w","type":"serving","model":")" + model + R"(",)" + work +
         R"(}],"constraints":{)" + constraints + R"(},"options":{"draws":0,"top":3}})";
}

void expect_no_cheaper(const std::string& request, const std::string& more) {
  const double before = yearly_cost(ask(request, "{}").answer);
  const double after = yearly_cost(ask(request, more).answer);
  ASSERT_GT(before, 0) << request;
  ASSERT_GT(after, 0) << more;
  EXPECT_GE(after, before * (1 - 1e-9)) << more;
}

TEST(MoreIsNoCheaper, StorageAtAProviderWithoutAPrice) {
  expect_no_cheaper(serving("gpt-oss-120b",
                            R"("peak_requests_per_s":0.866,"mean_requests_per_s":0.3,"input_tokens":1000,
                               "output_tokens":300)",
                            R"("gpus":["gb200"])"),
                    R"({"economics":{"storage_tb":10}})");
}

// Little data do not turn the choice of a provider, and much go where a price of them is printed.
TEST(MoreIsNoCheaper, TheWholeBillChoosesTheProvider) {
  const auto rented = [](double terabytes) {
    return ask(serving("llama-3.1-70b", R"("peak_requests_per_s":20,"input_tokens":2000,"output_tokens":500)",
                       R"("gpus":["h100-sxm5-80gb"],"ownership":"cloud")"),
               R"({"economics":{"storage_tb":)" + std::to_string(terabytes) + "}}")
        .answer;
  };
  const auto price = [](const JsonNode& answer, const char* key) {
    return find(answer, {"plans", "0", "cost", "cloud", key})->number;
  };
  EXPECT_LT(price(rented(0.01), "usd_per_gpu_hour"), price(rented(500), "usd_per_gpu_hour"));
  EXPECT_LT(price(rented(500), "storage_usd_per_year"), 500e3 * 0.29 * 12 / 2);
}

TEST(MoreIsNoCheaper, EgressOfMachinesThatMustBeOwned) {
  expect_no_cheaper(serving("mixtral-8x7b",
                            R"("peak_requests_per_s":30,"mean_requests_per_s":7,"input_tokens":4000,
                               "output_tokens":1000,"ttft_s_p95_max":1,"tpot_s_p95_max":0.06)",
                            R"("gpus":["h200-sxm5-141gb"],"ownership":"dgx")"),
                    R"({"economics":{"egress_gb_per_month":1}})");
}

// As many requests on average, with higher peaks: the GPUs on average stay, and owning or mixing costs more.
TEST(MoreIsNoCheaper, TheSameMeanWithAHigherPeak) {
  double cost = 0;
  std::optional<double> mean_gpus;
  for (const double peak : {40, 50, 60, 80, 100, 200}) {
    const JsonNode answer = ask(serving("qwen3-32b",
                                        R"("peak_requests_per_s":)" + std::to_string(peak) +
                                            R"(,"mean_requests_per_s":30,"input_tokens":2048,"output_tokens":512,
                                     "ttft_s_p95_max":2,"tpot_s_p95_max":0.05)",
                                        R"("gpus":["h100-sxm5-80gb","h200-sxm5-141gb","b200-sxm"])"),
                                R"({"economics":{"region":"DEU"}})")
                                .answer;
    const double mean = number(answer, {"plans", "0", "demand", "mean_gpus"});
    EXPECT_NEAR(mean, mean_gpus.value_or(mean), 0.005 * mean) << peak;
    EXPECT_GT(yearly_cost(answer), cost) << peak;
    mean_gpus = mean;
    cost = yearly_cost(answer);
  }
}

TEST(MoreIsNoCheaper, ConfidenceWhereJoinedMachinesCostMore) {
  expect_no_cheaper(serving("gpt-oss-20b",
                            R"("peak_requests_per_s":3.164,"mean_requests_per_s":0.2128,"input_tokens":1000,
                               "output_tokens":300,"ttft_s_p95_max":1,"tpot_s_p95_max":0.03)",
                            R"("gpus":["l40s"])"),
                    R"({"constraints":{"confidence":0.95}})");
}

// Pools of one GPU may be cheaper than the replicas of all others.
TEST(MoreIsNoCheaper, LooserLimitsAndMoreGpus) {
  const auto cost = [](const char* tpot, const char* gpus) {
    return yearly_cost(ask(serving("llama-3.1-70b",
                                   R"("peak_requests_per_s":50,"mean_requests_per_s":30,"input_tokens":2048,
                                      "output_tokens":512,"ttft_s_p95_max":2,"tpot_s_p95_max":)" +
                                       std::string(tpot),
                                   gpus),
                           "{}")
                           .answer);
  };
  const double tight = cost("0.013", "");
  const double loose = cost("0.014", "");
  ASSERT_GT(tight, 0);
  EXPECT_LE(loose, tight);
  EXPECT_LE(loose, cost("0.014", R"("gpus":["b200-sxm"])"));
}

TEST(MoreIsNoCheaper, TwiceTheLoadOwnsWholeReplicas) {
  const std::string work = R"("input_tokens":1000,"output_tokens":1000,"peak_requests_per_s":)";
  const std::string gpus = R"("gpus":["h200-sxm5-141gb"])";
  const auto at = [&](const char* rates) { return ask(serving("llama-3.1-405b", work + rates, gpus), "{}").answer; };
  const JsonNode half = at(R"(6.875,"mean_requests_per_s":0.4093)");
  const JsonNode whole = at(R"(13.75,"mean_requests_per_s":0.8186)");
  EXPECT_GE(yearly_cost(whole), yearly_cost(half));
  const JsonNode* layout = find(whole, {"plans", "0", "layouts", "0", "parallelism"});
  ASSERT_NE(layout, nullptr);
  const double replica = layout->find("tensor")->number * layout->find("pipeline")->number;
  if (const JsonNode* own = find(whole, {"plans", "0", "cost", "hybrid", "own_gpus"})) {
    EXPECT_EQ(std::fmod(own->number, replica), 0);
  }
}

}  // namespace
}  // namespace podwright::plan_monotone_test
