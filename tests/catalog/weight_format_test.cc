#include "catalog/weight_format.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "catalog/catalog.h"

namespace podwright::weight_format_test {
namespace {

TEST(WeightFormats, HoldEveryPrecisionOfTheContract) {
  const std::vector<WeightFormat>& formats = embedded_catalog_facts().weight_formats;
  std::set<std::string> ids;
  for (const WeightFormat& f : formats) {
    EXPECT_TRUE(ids.insert(f.id).second) << f.id;
    EXPECT_FALSE(f.source_of("bits_per_weight").empty()) << f.id;
    EXPECT_FALSE(f.definition.empty()) << f.id;
  }
  for (const char* id : {"fp32", "bf16", "fp16", "fp8", "fp8-block", "int8", "int4-awq", "int4-gptq", "nvfp4", "mxfp4",
                         "q4-k-m", "q8-0"})
    EXPECT_TRUE(ids.count(id)) << id;
}

TEST(WeightFormats, LinearLayersOfMixedFilesGiveThePublishedAverage) {
  // Llama-3-70B: 70,553,706,496 parameters, head and embedding of 128,256 x 8,192, 161 norms of 8,192.
  const double table = 128256.0 * 8192.0;
  const double norms = 161.0 * 8192.0;
  const double all = 70553706496.0;
  for (const WeightFormat& f : embedded_catalog_facts().weight_formats) {
    if (!f.published_average_bits) continue;
    const double bits =
        f.bits_per_weight * (all - 2 * table - norms) + (f.head_bits + f.embedding_bits) * table + f.norm_bits * norms;
    EXPECT_NEAR(bits / all, *f.published_average_bits, 0.004) << f.id;
  }
}

TEST(WeightFormats, WidthsOfMixturesDifferBesideTheirExperts) {
  struct Case {
    const char* format;
    bool mixture;
    double attention, mlp, expert;
  };
  const Case cases[] = {{"nvfp4", true, 16, 16, 4.5},        {"nvfp4", false, 4.5, 4.5, 4.5},
                        {"int4-experts", true, 16, 16, 4.5}, {"int4-awq", true, 4.15625, 4.15625, 4.15625},
                        {"mxfp4", true, 16, 4.25, 4.25},     {"bf16", true, 16, 16, 16}};
  for (const Case& c : cases) {
    const WeightFormat* format = find_weight_format(embedded_catalog_facts().weight_formats, c.format);
    ASSERT_NE(format, nullptr) << c.format;
    EXPECT_EQ(stored_width(*format, WeightPart::attention, c.mixture).bits, c.attention) << c.format;
    EXPECT_EQ(stored_width(*format, WeightPart::mlp, c.mixture).bits, c.mlp) << c.format;
    EXPECT_EQ(stored_width(*format, WeightPart::expert, c.mixture).bits, c.expert) << c.format;
  }
  const WeightFormat& nvfp4 = *find_weight_format(embedded_catalog_facts().weight_formats, "nvfp4");
  EXPECT_STREQ(stored_width(nvfp4, WeightPart::mlp, true).field, "beside_experts_bits");
  EXPECT_FALSE(nvfp4.source_of("beside_experts_bits").empty());
}

}  // namespace
}  // namespace podwright::weight_format_test
