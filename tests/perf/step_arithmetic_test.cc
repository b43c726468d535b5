#include "perf/step_arithmetic.h"

#include <gtest/gtest.h>

namespace podwright::step_arithmetic_test {
namespace {

TEST(Experts, TouchedByATokenBatch) {
  const auto touched = [](double tokens) { return experts_touched(256.0, untouched_expert_share(256.0, 8.0, tokens)); };
  EXPECT_DOUBLE_EQ(touched(1), 8);
  EXPECT_NEAR(touched(32), 163.3, 0.05);
  EXPECT_NEAR(touched(64), 222.4, 0.05);
  EXPECT_NEAR(touched(128), 251.6, 0.05);
  EXPECT_EQ(untouched_expert_share(8.0, 8.0, 1.0), 0);
}

}  // namespace
}  // namespace podwright::step_arithmetic_test
