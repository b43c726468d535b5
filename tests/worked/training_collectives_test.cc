/// Bytes that collectives move, exact.
#include <gtest/gtest.h>

#include "perf/collectives.h"

namespace podwright::training_collectives_test {
namespace {

TEST(WorkedCollectives, OneGibibyteOverEightRanks) {
  EXPECT_EQ(all_reduce_traffic(8.0, gib(1)), gib(1.75));
  EXPECT_EQ(all_gather_traffic(8.0, gib(1)), gib(0.875));
}

TEST(WorkedCollectives, OneRankMovesNothing) {
  EXPECT_EQ(all_reduce_traffic(1.0, gib(1)), bytes(0));
  EXPECT_EQ(all_gather_traffic(1.0, gib(1)), bytes(0));
}

}  // namespace
}  // namespace podwright::training_collectives_test
