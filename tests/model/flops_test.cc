#include "model/flops.h"

#include <gtest/gtest.h>

#include "catalog/catalog.h"

namespace podwright::flops_test {
namespace {

Model dense() {
  Model model;
  model.layers = 2;
  model.hidden_size = 64;
  model.attention_heads = model.kv_heads = 4;
  model.head_dim = 16;
  model.ffn_hidden_size = 256;
  model.vocab_size = 1000;
  return model;
}

double total(const Model& model, const FlopsConvention& convention, double sequence) {
  NoTrace trace;
  return raw(flops_per_token(trace, model, convention, sequence).total);
}

TEST(Flops, SixPerWeightAndTwelvePerKeyInFull) {
  // Per layer 4 x 64 x 64 + 3 x 64 x 256 weights; head 64 x 1000; attention 12 L s a d.
  const double weights = 2 * (4 * 64 * 64 + 3 * 64 * 256) + 64 * 1000;
  EXPECT_EQ(matmul_training_flops(weights), Flops(6 * weights));
  EXPECT_EQ(total(dense(), {.attention = FlopsConvention::Attention::full}, 128), 6 * weights + 12 * 2 * 128 * 64);
  EXPECT_EQ(total(dense(), {}, 128), 6 * weights + 6 * 2 * 128 * 64);
}

TEST(Flops, AWindowAsLongAsTheSequenceChangesNothing) {
  Model windowed = dense();
  windowed.layer_groups = {{.count = 2, .attention = AttentionKind::sliding, .window_tokens = 128}};
  EXPECT_EQ(total(windowed, {}, 128), total(dense(), {}, 128));
  EXPECT_LT(total(windowed, {}, 256), total(dense(), {}, 256));
  EXPECT_EQ(total(windowed, {.window_counted = false}, 256), total(dense(), {}, 256));
}

TEST(Flops, AWindowIsTheSumOverPositions) {
  // Positions 1..8 read min(position, 4) keys less half of the diagonal: 4 (1 - 4 / 16) = 3 on average.
  EXPECT_EQ(causal_window_keys(8.0, 4.0), 3.0);
  EXPECT_EQ(causal_chunk_keys(8.0, 4.0), 2.0);
}

TEST(Flops, GateNotCountedIsTwoMatrices) {
  Model ungated = dense();
  ungated.mlp_matrices = 2;
  EXPECT_EQ(total(dense(), {.gate_counted = false}, 128), total(ungated, {}, 128));
}

TEST(Flops, AnUntiedTableCountsOnlyWhereTheConventionSaysSo) {
  EXPECT_EQ(total(dense(), {.embedding_counted = true}, 128) - total(dense(), {}, 128), 6.0 * 64 * 1000);
  Model tied = dense();
  tied.tied_embeddings = true;
  EXPECT_EQ(total(tied, {.embedding_counted = true}, 128), total(tied, {}, 128));
}

TEST(Flops, AMixtureComputesItsChosenExpertsOnly) {
  Model mixture = dense();
  mixture.experts = 64;
  mixture.experts_per_token = 2;
  mixture.moe_ffn_hidden_size = 128;
  EXPECT_EQ(total(mixture, {}, 128), total(dense(), {}, 128));
}

TEST(Flops, RecomputeAddsAForwardOfWhatItRepeats) {
  EXPECT_EQ(hardware_flops_full_recompute(Flops(3)), Flops(4));
  EXPECT_EQ(hardware_flops_selective_recompute(Flops(30), Flops(3)), Flops(31));
}

TEST(Flops, EveryModelOfTheCatalogNeedsMoreThanSixPerActiveWeightOfItsLayers) {
  NoTrace trace;
  for (const Model& model : embedded_catalog_facts().models) {
    const double flops = raw(flops_per_token(trace, model, {}, 4096.0).total);
    EXPECT_GT(flops, 0) << model.id;
    if (model.active_parameters) {
      const double per_parameter = flops / *model.active_parameters;
      EXPECT_GT(per_parameter, 3.0) << model.id;
      EXPECT_LT(per_parameter, 20.0) << model.id;
    }
  }
}

}  // namespace
}  // namespace podwright::flops_test
