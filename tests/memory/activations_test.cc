#include "memory/activations.h"

#include <gtest/gtest.h>

namespace podwright::activations_test {
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

}  // namespace
}  // namespace podwright::activations_test
