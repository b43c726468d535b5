#include "perf/roofline.h"

#include <gtest/gtest.h>

namespace podwright::roofline_test {
namespace {

TEST(Roofline, TheLongerOfArithmeticAndTrafficBinds) {
  EXPECT_EQ(roofline_time(Flops(4e12), tflops(2), gb(1), gb_per_s(1)), Seconds(2));
  EXPECT_EQ(roofline_time(Flops(4e12), tflops(2), gb(3), gb_per_s(1)), Seconds(3));
}

TEST(Roofline, OneSequenceCannotDecodeFasterThanItsWeightsAreRead) {
  EXPECT_NEAR(Seconds(1) / transfer_time(gib(14.96), gb_per_s(1008)), 62.8,
              0.05);  // Llama-3-8B in 16 bit on an RTX 4090
}

}  // namespace
}  // namespace podwright::roofline_test
