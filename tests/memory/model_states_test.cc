#include "memory/model_states.h"

#include <gtest/gtest.h>

#include "memory/training_run.h"

namespace podwright::model_states_test {
namespace {

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

}  // namespace
}  // namespace podwright::model_states_test
