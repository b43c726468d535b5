#include "model/layers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace podwright::layers_test {
namespace {

Model stack_of(double layers, double experts, double first_dense, double every) {
  Model model;
  model.layers = layers;
  model.experts = experts;
  model.first_dense_layers = first_dense;
  model.moe_every_n_layers = every;
  return model;
}

double layers_on(const LayerStack& stack, const StageSplit& split, int stage) {
  const std::vector<double> counts = stage_layers(stack, split, stage);
  return std::accumulate(counts.begin(), counts.end(), 0.0);
}

TEST(Layers, FirstLayersOfAMixtureAreDense) {
  const LayerStack stack = layer_stack(stack_of(61, 256, 3, 1));
  ASSERT_EQ(stack.kinds.size(), 2u);
  EXPECT_EQ(stack.kinds[0].mlp, MlpKind::dense);
  EXPECT_EQ(stack.kinds[0].count, 3);
  EXPECT_EQ(stack.kinds[1].mlp, MlpKind::moe);
  EXPECT_EQ(stack.kinds[1].count, 58);
}

TEST(Layers, EverySecondLayerIsAMixture) {
  const LayerStack stack = layer_stack(stack_of(24, 128, 0, 2));
  EXPECT_EQ(stack.kinds[static_cast<std::size_t>(stack.order[0])].mlp, MlpKind::dense);
  EXPECT_EQ(stack.kinds[static_cast<std::size_t>(stack.order[1])].mlp, MlpKind::moe);
  EXPECT_EQ(stack.kinds[1].count, 12);
}

TEST(Layers, GroupsWithoutOrderAreInterleavedEvenly) {
  Model model = stack_of(6, 0, 0, 1);
  model.head_dim = 64;
  model.layer_groups = {{.count = 4, .attention = AttentionKind::sliding, .window_tokens = 1024},
                        {.count = 2, .attention = AttentionKind::full, .head_dim = 128}};
  const LayerStack stack = layer_stack(model);
  ASSERT_EQ(stack.kinds.size(), 2u);
  EXPECT_EQ(stack.order, (std::vector<int>{0, 1, 0, 0, 1, 0}));
  EXPECT_EQ(stack.kinds[0].head_dim, 64);
  EXPECT_EQ(stack.kinds[1].head_dim, 128);
  EXPECT_EQ(stack.kinds[1].v_head_dim, 128);
}

TEST(Layers, StagesHoldAllLayersOnce) {
  const LayerStack stack = layer_stack(stack_of(61, 256, 3, 1));
  for (const StageSplit split : {StageSplit{.pipeline = 4}, StageSplit{.pipeline = 8, .virtual_pipeline = 2},
                                 StageSplit{.pipeline = 9, .embedding_and_loss_as_layers = true}}) {
    double total = 0;
    for (int stage = 0; stage < static_cast<int>(split.pipeline); ++stage) total += layers_on(stack, split, stage);
    EXPECT_EQ(total, 61);
  }
}

TEST(Layers, EmbeddingAndLossTakeThePlaceOfOneLayerEach) {
  const LayerStack stack = layer_stack(stack_of(22, 0, 0, 1));
  const StageSplit split{.pipeline = 8, .embedding_and_loss_as_layers = true};
  EXPECT_EQ(layers_on(stack, split, 0), 2);
  EXPECT_EQ(layers_on(stack, split, 1), 3);
  EXPECT_EQ(layers_on(stack, split, 7), 2);
}

TEST(Layers, TheLastStageGetsWhatTheOthersLeave) {
  const auto expect = [](double layers, const StageSplit& split, const std::vector<double>& stages) {
    const LayerStack stack = layer_stack(stack_of(layers, 0, 0, 1));
    std::vector<double> found;
    for (int stage = 0; stage < static_cast<int>(split.pipeline); ++stage)
      found.push_back(layers_on(stack, split, stage));
    EXPECT_EQ(found, stages);
  };
  expect(10, {.pipeline = 4}, {3, 3, 3, 1});
  expect(30, {.pipeline = 4}, {8, 8, 8, 6});
  expect(9, {.pipeline = 6}, {1, 2, 2, 2, 2, 0});  // the head alone
  expect(14, {.pipeline = 4, .virtual_pipeline = 2}, {4, 4, 4, 2});
  expect(7, {.pipeline = 4, .embedding_and_loss_as_layers = true}, {1, 3, 3, 0});  // places 2, 3, 3, 1
}

TEST(Layers, TotalsOfStagesAgreeWithTheStagesThemselves) {
  int seen = 0;
  for (const double layers : {22.0, 30.0, 32.0, 61.0, 78.0, 126.0})
    for (const double pipeline : {1.0, 2.0, 3.0, 4.0, 6.0, 8.0, 16.0, 24.0})
      for (const double chunks : {1.0, 2.0, 3.0, 5.0})
        for (const bool as_layers : {false, true}) {
          const StageSplit split{
              .pipeline = pipeline, .virtual_pipeline = chunks, .embedding_and_loss_as_layers = as_layers};
          if (layers < pipeline * chunks) continue;
          SCOPED_TRACE(testing::Message() << layers << " layers, " << pipeline << " x " << chunks << ", " << as_layers);
          const LayerStack stack = layer_stack(stack_of(layers, 0, 0, 1));
          const int stages = static_cast<int>(pipeline);
          double middle = 0;
          for (int stage = 0; stage + 1 < stages; ++stage) middle = std::max(middle, layers_on(stack, split, stage));
          const StageTotals totals = stage_totals(layers, split);
          EXPECT_EQ(totals.middle, middle);
          EXPECT_EQ(totals.last, layers_on(stack, split, stages - 1));
          ++seen;
        }
  EXPECT_GT(seen, 250);
}

}  // namespace
}  // namespace podwright::layers_test
