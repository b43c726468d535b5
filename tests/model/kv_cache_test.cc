#include "model/kv_cache.h"

#include <gtest/gtest.h>

#include "catalog/catalog.h"

namespace podwright::kv_cache_test {
namespace {

const Model& model_of(const char* id) {
  const auto model = find_model(embedded_catalog_facts(), id);
  EXPECT_TRUE(model) << id;
  return **model;
}

double sequence_bytes(const Model& model, const KvStore& store, double tokens) {
  NoTrace trace;
  const LayerStack stack = layer_stack(model);
  return raw(kv_bytes_per_sequence(trace, model, stack, all_layers(stack), store, tokens));
}

// Heads of a rank x (width of a key + width of a value) x bytes of an element.
TEST(KvCache, HeadsAreRepeatedOnceThereAreMoreRanksThanHeads) {
  // 1 rank: 8 heads x (128 + 128) x 2 bytes.
  EXPECT_EQ(kv_bytes_per_layer(8.0, 1.0, 128.0, 128.0, bytes(2)), bytes(4096));
  // 8 ranks: 8 / 8 = 1 head x (128 + 128) x 2 bytes.
  EXPECT_EQ(kv_bytes_per_layer(8.0, 8.0, 128.0, 128.0, bytes(2)), bytes(512));
  // 16 ranks: half a head each, so a whole one: 1 head x (128 + 128) x 2 bytes.
  EXPECT_EQ(kv_bytes_per_layer(8.0, 16.0, 128.0, 128.0, bytes(2)), bytes(512));
  // 4 ranks: 6 / 4 = 1.5 heads, so 2 heads x (128 + 128) x 2 bytes.
  EXPECT_EQ(kv_bytes_per_layer(6.0, 4.0, 128.0, 128.0, bytes(2)), bytes(1024));
}

TEST(KvCache, LatentsAreOnEveryRank) {
  const Model& model = model_of("deepseek-v3");
  EXPECT_EQ(sequence_bytes(model, {.tensor = 8}, 1000), sequence_bytes(model, {}, 1000));
  EXPECT_EQ(sequence_bytes(model, {}, 1), 70272.0);
  EXPECT_EQ(sequence_bytes(model, {.latent_token_layer = bytes(656)}, 1), 61.0 * 656.0);
}

TEST(KvCache, SelectorKeysComeOnTop) {
  const Model& model = model_of("deepseek-v3.2");
  EXPECT_EQ(sequence_bytes(model, {}, 1), 85888.0);
  EXPECT_EQ(sequence_bytes(model, {.indexer = false}, 1), 70272.0);
}

TEST(KvCache, WindowedLayersKeepTheirWindow) {
  const Model& model = model_of("gemma-4-31b");
  EXPECT_EQ(sequence_bytes(model, {}, 262144), 22313697280.0);
  EXPECT_GT(sequence_bytes(model, {.hybrid_allocator = false}, 262144), 10.0 * 22313697280.0);
  EXPECT_EQ(sequence_bytes(model, {.hybrid_allocator = false}, 512), sequence_bytes(model, {}, 512));
}

TEST(KvCache, BlocksAreWhole) {
  EXPECT_EQ(stored_tokens(17.0, 16.0), 32);
  EXPECT_EQ(stored_tokens(16.0, 16.0), 16);
  EXPECT_EQ(windowed_tokens(100.0, 30.0, 0.0, 16.0), 32);
  EXPECT_EQ(windowed_tokens(100.0, 30.0, 20.0, 1.0), 50);
  EXPECT_EQ(windowed_tokens(10.0, 30.0, 20.0, 1.0), 10);
}

TEST(KvCache, ConstantStatesDoNotGrow) {
  Model model;
  model.layers = 2;
  model.hidden_size = 512;
  model.layer_groups = {{.count = 2, .attention = AttentionKind::linear}};
  model.linear_attention = LinearAttention{.kind = LinearAttention::Kind::mamba_2,
                                           .heads = 16,
                                           .head_dim = 64,
                                           .groups = 1,
                                           .state_size = 128,
                                           .conv_kernel = 4};
  const double state = 16.0 * 64 * 128 * 4 + (16 * 64 + 2 * 128) * 3.0 * 2;
  EXPECT_EQ(sequence_bytes(model, {}, 1), 2 * state);
  EXPECT_EQ(sequence_bytes(model, {}, 100000), 2 * state);
  EXPECT_EQ(sequence_bytes(model, {.tensor = 2}, 1), state);
}

TEST(KvCache, MoreTokensNeverTakeLess) {
  for (const Model& model : embedded_catalog_facts().models) {
    double before = 0;
    for (const double tokens : {1.0, 100.0, 4096.0, 100000.0}) {
      const double bytes_now = sequence_bytes(model, {.block_tokens = 16}, tokens);
      EXPECT_GE(bytes_now, before) << model.id;
      before = bytes_now;
    }
  }
}

}  // namespace
}  // namespace podwright::kv_cache_test
