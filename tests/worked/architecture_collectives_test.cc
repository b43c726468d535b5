// Ring all-reduce of 140 GB, as the sizing of networks quotes it: whole, and cut over the eight rails of a node.
#include <gtest/gtest.h>

#include "perf/collectives.h"

namespace podwright::architecture_collectives_test {
namespace {

TEST(RingExamples, BytesOfEachRank) {
  const double ranks[] = {8, 64, 256, 1024};
  const double gigabytes[] = {245.000, 275.625, 278.906, 279.727};
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(all_reduce_traffic(ranks[i], gb(140)).base_units() / 1e9, gigabytes[i], 0.0005) << ranks[i];
}

TEST(RingExamples, TimeWholeAndCutOverRails) {
  const BytesPerSecond link = gb_per_s(50);
  EXPECT_NEAR((all_reduce_traffic(1024.0, gb(140)) / link).base_units(), 5.595, 0.0005);
  const Bytes of_rail = all_reduce_traffic(128.0, gb(140) / 8);
  EXPECT_NEAR(of_rail.base_units() / 1e9, 34.73, 0.005);
  EXPECT_NEAR((of_rail / link).base_units(), 0.695, 0.0005);
}

}  // namespace
}  // namespace podwright::architecture_collectives_test
