#include "perf/step_arithmetic.h"

#include <gtest/gtest.h>

namespace podwright::step_arithmetic_test {
namespace {

TEST(Attention, CausalPairs) {
  EXPECT_EQ(causal_pairs(1000.0, 1000.0), 500000);
  EXPECT_EQ(causal_pairs(1000.0, 4000.0), 500000);        // a window longer than the sequence
  EXPECT_EQ(causal_pairs(1000.0, 100.0), 100000 - 5000);  // s w - w^2 / 2
  EXPECT_EQ(chunked_pairs(1000.0, 400.0), 2 * 80000 + 20000);
}

TEST(Attention, PromptOfASeventyBillionModel) {
  // 2 * heads * head_dim * layers * s^2 = 2 * 64 * 128 * 80 * 1024^2
  EXPECT_EQ(attention_work(80.0 * causal_pairs(1024.0, 1024.0), 64.0, 128.0, 128.0),
            Flops(2.0 * 64 * 128 * 80 * 1024 * 1024));
}

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
