#include "memory/exact_weights.h"

#include <gtest/gtest.h>

#include "catalog/catalog.h"
#include "memory/serving_weights.h"

namespace podwright::exact_weights_test {
namespace {

const Model& model_of(const char* id) { return **find_model(embedded_catalog_facts(), id); }
const WeightFormat& format_of(const char* id) {
  return *find_weight_format(embedded_catalog_facts().weight_formats, id);
}

/// Made-up bytes of every class that the model has: `part` bits for each parameter.
WeightBytes bytes_of(const Model& model, double bits) {
  NoTrace trace;
  const auto parts = parameter_parts(trace, model);
  const double parameters[kTensorClasses] = {parts.embedding,
                                             parts.output_head,
                                             parts.attention,
                                             parts.dense_mlp,
                                             parts.experts,
                                             parts.shared_experts,
                                             parts.router,
                                             parts.norms + parts.other,
                                             0};
  WeightBytes bytes;
  for (std::size_t i = 0; i < kTensorClasses; ++i)
    if (parameters[i] > 0) bytes[i] = Bytes(parameters[i] * (bits + static_cast<double>(i) / 8.0) / 8.0);
  return bytes;
}

double total_of(const WeightBytes& bytes) {
  double total = 0;
  for (const auto& part : bytes) total += part.value_or(Bytes(0)).base_units();
  return total;
}

TEST(ExactWeights, OneGpuHoldsTheFilesBytes) {
  for (const char* id : {"llama-3.1-8b", "llama-3.2-1b", "deepseek-v3", "qwen3-30b-a3b", "gemma-3-27b"}) {
    const Model& model = model_of(id);
    const WeightBytes bytes = bytes_of(model, 4.5);
    const auto format = exact_weight_format(format_of("q4-k-m"), model, bytes);
    ASSERT_TRUE(format) << id << format.error().front().message;
    NoTrace trace;
    const Bytes held = serving_weights(trace, model, layer_stack(model), *format, {}, {});
    EXPECT_NEAR(held.base_units() / total_of(bytes), 1, 1e-12) << id;
  }
}

TEST(ExactWeights, StagesAndRanksAddUpToTheFile) {
  const Model& model = model_of("llama-3.1-8b");
  const WeightBytes bytes = bytes_of(model, 5);
  const auto format = exact_weight_format(format_of("bf16"), model, bytes);
  ASSERT_TRUE(format);
  NoTrace trace;
  double held = 0;
  for (int stage = 0; stage < 4; ++stage)
    held += serving_weights(trace, model, layer_stack(model), *format, {.pipeline = 4}, {.stage = stage}).base_units();
  EXPECT_NEAR(held / total_of(bytes), 1, 1e-12);
}

TEST(ExactWeights, TensorsOutsideTheModelComeOnTop) {
  const Model& model = model_of("llama-3.1-8b");
  WeightBytes bytes = bytes_of(model, 16);
  bytes[static_cast<std::size_t>(TensorClass::other)] = gib(1);
  const auto format = exact_weight_format(format_of("bf16"), model, bytes);
  ASSERT_TRUE(format);
  NoTrace trace;
  const Bytes held = serving_weights(trace, model, layer_stack(model), *format, {.tensor = 2}, {});
  EXPECT_NEAR(held.base_units(), (total_of(bytes) - gib(1).base_units()) / 2 + gib(1).base_units(),
              2e6);  // norms are copied
}

TEST(ExactWeights, AnotherModelsFileIsRefused) {
  const Model& dense = model_of("llama-3.1-8b");
  WeightBytes bytes = bytes_of(dense, 16);
  bytes[static_cast<std::size_t>(TensorClass::experts)] = gib(1);
  bytes[static_cast<std::size_t>(TensorClass::attention)].reset();
  bytes[static_cast<std::size_t>(TensorClass::dense_mlp)] = gib(1000);
  const auto format = exact_weight_format(format_of("bf16"), dense, bytes);
  ASSERT_FALSE(format);
  ASSERT_EQ(format.error().size(), 3u);
  EXPECT_EQ(format.error()[0].path, "/weights/attention_bytes");
  EXPECT_EQ(format.error()[0].code, "missing");
  EXPECT_EQ(format.error()[1].path, "/weights/dense_mlp_bytes");
  EXPECT_EQ(format.error()[1].code, "out-of-range");
  EXPECT_EQ(format.error()[2].code, "conflict");
}

}  // namespace
}  // namespace podwright::exact_weights_test
