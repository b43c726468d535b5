#include "catalog/inline_item.h"

#include <gtest/gtest.h>

namespace podwright::inline_item_test {
namespace {

std::optional<Gpu> gpu_of(std::string_view text, Errors& problems) {
  const Result<JsonNode> node = parse_json(text);
  EXPECT_TRUE(node);
  ErrorList errors;
  std::optional<Gpu> gpu = read_inline_gpu(embedded_catalog_facts(), *node, "/gpu", errors);
  problems = errors.take();
  return gpu;
}

TEST(InlineGpu, OverridesTheFieldsItNames) {
  Errors errors;
  const auto gpu = gpu_of(R"({"base": "h100-sxm5-80gb", "memory_gb": 96, "peak_dense_tflops": {"fp8": 2000}})", errors);
  ASSERT_TRUE(gpu) << errors.front().message;
  EXPECT_EQ(gpu->id, "h100-sxm5-80gb");
  EXPECT_EQ(gpu->name, "H100 SXM5 80GB (changed)");
  EXPECT_EQ(gpu->memory, gb(96));
  EXPECT_EQ(gpu->memory_bandwidth, gb_per_s(3350));
  EXPECT_EQ(gpu->peak_dense_flops.at("fp8"), tflops(2000));
  EXPECT_EQ(gpu->peak_dense_flops.at("bf16"), tflops(989.4));
  EXPECT_EQ(gpu->source_of("memory_gb"), "request");
  EXPECT_EQ(gpu->source_of("peak_dense_tflops.fp8"), "request");
  EXPECT_NE(gpu->source_of("peak_dense_tflops.bf16"), "request");
  EXPECT_EQ(gpu->origin, "request/gpu");
}

TEST(InlineGpu, AWholeObjectNeedsNoSources) {
  Errors errors;
  const auto gpu = gpu_of(
      R"({"id": "mine", "memory_gb": 96, "memory_bandwidth_gb_per_s": 2000, "peak_dense_tflops": {"bf16": 500}})",
      errors);
  ASSERT_TRUE(gpu) << errors.front().message;
  EXPECT_EQ(gpu->id, "mine");
  EXPECT_EQ(gpu->name, "mine");
  EXPECT_EQ(gpu->source_of("memory_gb"), "request");
}

TEST(InlineGpu, ErrorsNameTheRequestsPath) {
  Errors errors;
  EXPECT_FALSE(gpu_of(R"({"base": "h100", "memory_gb": 96})", errors));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_EQ(errors[0].path, "/gpu/base");
  EXPECT_EQ(errors[0].code, "unknown-id");
  EXPECT_FALSE(gpu_of(R"({"memory_gb": 96})", errors));
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].path, "/gpu/memory_bandwidth_gb_per_s");
  EXPECT_EQ(errors[0].code, "missing");
  EXPECT_FALSE(gpu_of(R"({"base": "h100-sxm5-80gb", "memory": 96})", errors));
  EXPECT_EQ(errors[0].path, "/gpu/memory");
  EXPECT_EQ(errors[0].code, "unknown-key");
}

TEST(InlineModel, ReadsTheCatalogsOwnShape) {
  const Model& original = **find_model(embedded_catalog_facts(), "qwen3-next-80b-a3b");
  const Result<JsonNode> node = parse_json(original.json);
  ASSERT_TRUE(node);
  ErrorList errors;
  const auto copy = read_inline_model(embedded_catalog_facts(), *node, "/model", errors);
  ASSERT_TRUE(copy) << errors.take().front().message;
  EXPECT_EQ(copy->experts, original.experts);
  EXPECT_EQ(copy->layer_groups.size(), original.layer_groups.size());
  EXPECT_EQ(copy->linear_attention->value_heads, 32);
  EXPECT_EQ(copy->total_parameters, original.total_parameters);
}

TEST(InlineSystem, ChangesOneOfTheCatalog) {
  const Result<JsonNode> node = parse_json(R"({"base": "dgx-h100", "power_kw_max": 9})");
  ErrorList errors;
  const auto system = read_inline_system(embedded_catalog_facts(), *node, "/system", errors);
  ASSERT_TRUE(system);
  EXPECT_EQ(system->power_max, kw(9));
  EXPECT_EQ(system->gpu_count, 8);
  EXPECT_EQ(system->gpus, std::vector<std::string>{"h100-sxm5-80gb"});
}

}  // namespace
}  // namespace podwright::inline_item_test
