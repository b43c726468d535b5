#include "model/parameters.h"

#include <gtest/gtest.h>

#include "catalog/catalog.h"
#include "model/kv_cache.h"
#include "model/linear_weights.h"

namespace podwright::parameters_test {
namespace {

TEST(Parameters, EveryModelOfTheCatalogCountsAsItStates) {
  NoTrace trace;
  for (const Model& model : embedded_catalog_facts().models) {
    const ParameterParts<NoTrace> parts = parameter_parts(trace, model);
    if (model.total_parameters) {
      EXPECT_EQ(parts.total, *model.total_parameters) << model.id;
    }
    if (model.active_parameters) {
      EXPECT_EQ(parts.active, *model.active_parameters) << model.id;
    }
  }
}

TEST(Parameters, LinearWeightsAreAllButTablesNormsAndBiases) {
  NoTrace trace;
  for (const Model& model : embedded_catalog_facts().models) {
    const LayerStack stack = layer_stack(model);
    double linear = 0;
    for (const LayerKind& kind : stack.kinds) {
      for (const LinearWeight& weight : linear_weights(model, kind))
        linear += kind.count * weight.copies * weight.parameters();
    }
    const ParameterParts<NoTrace> parts = parameter_parts(trace, model, stack);
    const double blocks = parts.attention + parts.dense_mlp + parts.experts + parts.shared_experts;
    EXPECT_LE(linear, blocks) << model.id;
    EXPECT_GE(linear, 0.995 * blocks) << model.id;
  }
}

TEST(Parameters, TraceGivesTheSameNumbers) {
  NoTrace quiet;
  for (const char* const id : {"llama-3-8b", "deepseek-v3", "gpt-oss-120b", "qwen3-next-80b-a3b"}) {
    const auto model = find_model(embedded_catalog_facts(), id);
    if (!model) continue;
    Trace trace;
    const auto traced = parameter_parts(trace, **model);
    const auto plain = parameter_parts(quiet, **model);
    EXPECT_EQ(traced.total.value, plain.total) << id;
    EXPECT_EQ(traced.active.value, plain.active) << id;
    EXPECT_GE(traced.total.node, 0);
  }
}

TEST(Parameters, LatentAttentionOfDeepseekV3) {
  Model model;
  model.hidden_size = 7168;
  model.attention_heads = 128;
  model.head_dim = 192;
  model.v_head_dim = 128;
  model.q_lora_rank = 1536;
  model.kv_lora_rank = 512;
  model.qk_rope_dim = 64;
  model.qk_nope_dim = 128;
  model.layers = 1;
  NoTrace trace;
  const LayerStack stack = layer_stack(model);
  EXPECT_EQ(layer_parameters(trace, model, stack.kinds[0]).attention, 187105280.0);
}

TEST(Parameters, KvBytesPerTokenAreWhatTheCatalogStates) {
  NoTrace trace;
  const KvStore store{.indexer = false};
  for (const Model& model : embedded_catalog_facts().models) {
    const LayerStack stack = layer_stack(model);
    if (model.kv_bytes_per_token_bf16) {
      EXPECT_EQ(raw(kv_bytes_per_token(trace, model, stack, all_layers(stack), store)), *model.kv_bytes_per_token_bf16)
          << model.id;
    }
    if (model.kv_growing_bytes_per_token_bf16) {
      EXPECT_EQ(raw(growing_kv_bytes_per_token(trace, model, stack, all_layers(stack), store)),
                *model.kv_growing_bytes_per_token_bf16)
          << model.id;
    }
  }
}

}  // namespace
}  // namespace podwright::parameters_test
