#include "perf/pipeline.h"

#include <gtest/gtest.h>

namespace podwright::pipeline_test {
namespace {

// arXiv 2104.04473 section 2.2: 8 stages, 64 micro-batches of 3 s each. A plain schedule idles (8 - 1) x 3 s = 21 s,
// 7/64 of the ideal 192 s; with two model chunks per stage the bubble is half as long, with four a quarter.
TEST(Pipeline, BubbleOfAnInterleavedSchedule) {
  EXPECT_EQ(bubble_time(8.0, 1.0, Seconds(3)), Seconds(21));
  EXPECT_EQ(bubble_time(8.0, 2.0, Seconds(3)), Seconds(10.5));
  EXPECT_EQ(bubble_time(8.0, 4.0, Seconds(3)), Seconds(5.25));
  EXPECT_EQ(bubble_time(8.0, 1.0, Seconds(3)) / (64 * Seconds(3)), bubble_over_ideal(8.0, 64.0, 1.0));
  EXPECT_EQ(bubble_over_ideal(8.0, 64.0, 1.0), 7.0 / 64);
}

// arXiv 2205.05198 table 2 and 2104.04473 section 5.
TEST(Pipeline, BubbleOverIdealTime) {
  EXPECT_NEAR(100 * bubble_over_ideal(8.0, 64.0, 3.0), 3.646, 0.0005);
  EXPECT_NEAR(100 * bubble_over_ideal(35.0, 280.0, 3.0), 4.048, 0.0005);
  EXPECT_NEAR(100 * bubble_over_ideal(64.0, 512.0, 1.0), 12.305, 0.0005);
}

TEST(Pipeline, BubbleOverTotalTime) {
  EXPECT_NEAR(bubble_over_total(8.0, 24.0, 1.0), 0.2258, 0.00005);
  EXPECT_NEAR(bubble_over_total(8.0, 64.0, 1.0), 0.0986, 0.00005);
  EXPECT_NEAR(bubble_over_total(32.0, 96.0, 1.0), 0.2441, 0.00005);
}

TEST(Pipeline, OneStageNeverWaits) {
  EXPECT_EQ(bubble_time(1.0, 1.0, Seconds(3)), Seconds(0));
  EXPECT_EQ(bubble_time_zb_h1(1.0, Seconds(1), Seconds(1), Seconds(1)), Seconds(0));
}

TEST(Pipeline, SplitBackwardLeavesAThird) {
  EXPECT_DOUBLE_EQ(bubble_time_zb_h1(8.0, Seconds(1), Seconds(1), Seconds(1)).base_units(),
                   bubble_time(8.0, 1.0, Seconds(3)).base_units() / 3);
}

}  // namespace
}  // namespace podwright::pipeline_test
