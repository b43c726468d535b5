#include "catalog/weight_format.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "catalog/catalog.h"

namespace podwright {
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

}  // namespace
}  // namespace podwright
