#include "memory/rule_of_thumb.h"

#include <gtest/gtest.h>

namespace podwright::rule_of_thumb_test {
namespace {

TEST(RuleOfThumb, SixteenBytesIsEightTimesTheSixteenBitWeights) {
  EXPECT_EQ(rule_sixteen_bytes(70e9), rule_weight_multiple(70e9, 8.0));
  EXPECT_FALSE(kRuleSixteenBytesFails.empty());
  EXPECT_FALSE(kRuleWeightMultipleFails.empty());
}

}  // namespace
}  // namespace podwright::rule_of_thumb_test
