#include "perf/attention.h"

#include <gtest/gtest.h>

namespace podwright::attention_test {
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

}  // namespace
}  // namespace podwright::attention_test
