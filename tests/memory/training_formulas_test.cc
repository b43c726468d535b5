#include <gtest/gtest.h>

#include "memory/activations.h"
#include "memory/in_flight.h"
#include "memory/model_states.h"
#include "memory/rule_of_thumb.h"

namespace podwright::training_formulas_test {
namespace {

TEST(Activations, GptLayerIsThirtyFourPerTokenAndUnit) {
  // 16-bit values, dropout, fused attention without its statistics: u (34) with a d = g d = h and f = 4 h.
  const double hidden = 1024;
  const Bytes element = bytes(2);
  const Bytes norms = norm_input_bytes(2.0, hidden, element) + dropout_mask_bytes(2.0, hidden);
  const Bytes inputs = column_input_bytes(2.0, hidden, element);
  const Bytes inside =
      attention_value_bytes(16.0, 16.0, 64.0, 64.0, element) + mlp_value_bytes(2.0, 4.0 * hidden, element, element);
  EXPECT_EQ(raw(norms + inputs + inside), 34 * hidden);
}

TEST(Activations, DroppedScoresAreFiveBytesPerHeadAndToken) {
  EXPECT_EQ(raw(dropped_score_bytes(8.0, 2048.0, bytes(2))), 5.0 * 8 * 2048);
}

TEST(Activations, SequenceParallelismDividesWhatStandsBetweenSublayers) {
  EXPECT_EQ(raw(layer_activation_bytes(10.0, bytes(6), 1.0, bytes(4), 1.0, bytes(24), 8.0)), 10 * (10 + 3.0));
  EXPECT_EQ(raw(layer_activation_bytes(10.0, bytes(6), 8.0, bytes(4), 8.0, bytes(24), 8.0)), 10 * 34 / 8.0);
}

TEST(ModelStates, MegatronsThreeRecipes) {
  // 18 or 6 + 12/d, 20 or 4 + 16/d, 16 or 8 + 8/d bytes per parameter.
  const auto per_parameter = [](double weight, double gradient, double optimizer, double ranks) {
    const StateShards shards = state_shards(1, ranks);
    return raw(sharded_bytes(1.0, bytes(weight), shards.weights) +
               sharded_bytes(1.0, bytes(gradient), shards.gradients) +
               sharded_bytes(1.0, bytes(optimizer), shards.optimizer));
  };
  EXPECT_EQ(per_parameter(2, 4, 12, 1), 18);
  EXPECT_EQ(per_parameter(2, 4, 12, 4), 9);
  EXPECT_EQ(per_parameter(2, 2, 16, 4), 8);
  EXPECT_EQ(per_parameter(4, 4, 8, 4), 10);
}

TEST(ModelStates, HybridShardingStaysInsideTheFastDomain) {
  EXPECT_EQ(ranks_inside(64, 8), 8);
  EXPECT_EQ(ranks_inside(64, 8.0 / 3), 2);
  EXPECT_EQ(ranks_inside(4, 8), 4);
  EXPECT_EQ(ranks_inside(64, 0.5), 1);
  EXPECT_EQ(ranks_inside(12, 8), 6);  // every group has as many
}

TEST(RuleOfThumb, SixteenBytesIsEightTimesTheSixteenBitWeights) {
  EXPECT_EQ(rule_sixteen_bytes(70e9), rule_weight_multiple(70e9, 8.0));
  EXPECT_FALSE(kRuleSixteenBytesFails.empty());
  EXPECT_FALSE(kRuleWeightMultipleFails.empty());
}

}  // namespace
}  // namespace podwright::training_formulas_test
