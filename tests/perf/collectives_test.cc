#include "perf/collectives.h"

#include <gtest/gtest.h>

namespace podwright::collectives_test {
namespace {

TEST(Collectives, RingMovesAGibibyte) {
  EXPECT_EQ(all_reduce_traffic(8.0, gib(1)), gib(1.75));
  EXPECT_EQ(all_gather_traffic(8.0, gib(1)), gib(0.875));
}

TEST(Collectives, SmallMessageOfEightGpus) {
  EXPECT_NEAR(all_reduce_time(8.0, bytes(128 * 8192 * 2), gb_per_s(468), Seconds(0)).base_units() * 1e6, 7.84, 0.005);
  EXPECT_NEAR(all_reduce_time(8.0, bytes(128 * 8192 * 2), gb_per_s(468), microseconds(3)).base_units() * 1e6, 10.84,
              0.005);
}

TEST(Collectives, OneRankTakesNoTime) {
  EXPECT_EQ(all_reduce_time(1.0, gb(1), gb_per_s(400), microseconds(10)), Seconds(0));
  EXPECT_EQ(all_gather_time(1.0, gb(1), gb_per_s(400), microseconds(10)), Seconds(0));
}

TEST(Collectives, AllReduceIsScatterAndGather) {
  const Seconds two = all_gather_time(4.0, gb(2), gb_per_s(300), Seconds(0)) * 2.0;
  EXPECT_DOUBLE_EQ(all_reduce_time(4.0, gb(2), gb_per_s(300), Seconds(0)).base_units(), two.base_units());
}

}  // namespace
}  // namespace podwright::collectives_test
