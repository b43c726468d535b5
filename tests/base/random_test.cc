#include "base/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace podwright::random::random_test {
namespace {

// First outputs of SplitMix64 with state 1234567, as in its reference implementation.
TEST(Mixed, IsTheFinaliserOfSplitMix64) {
  constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15ULL;
  EXPECT_EQ(mixed(1234567 + kStep), 6457827717110365317ULL);
  EXPECT_EQ(mixed(1234567 + 2 * kStep), 3203168211198807973ULL);
  EXPECT_EQ(mixed(1234567 + 3 * kStep), 9817491932198370423ULL);
}

TEST(Stream, GivesTheSameNumberAtAPlaceInAnyOrder) {
  const Stream stream(7, 3);
  const double later = stream.uniform(1000);
  EXPECT_NE(stream.uniform(0), later);
  EXPECT_EQ(Stream(7, 3).uniform(1000), later);
  static_assert(Stream(7, 3).bits(5) == Stream(7, 3).bits(5));
}

TEST(Stream, NeverReachesTheEnds) {
  // The smallest and the largest number that 52 bits make.
  const auto number = [](std::uint64_t bits) {
    return (__builtin_bit_cast(double, (bits >> 12U) | 0x3ff0000000000000ULL) - 1.0) + 0x1p-53;
  };
  EXPECT_EQ(number(0), 0x1p-53);
  EXPECT_EQ(number(~0ULL), 1.0 - 0x1p-53);
}

TEST(Stream, IsEvenAndItsStreamsAreUnlinked) {
  constexpr int kDraws = 200000;
  for (const std::uint64_t seed : {0ULL, 1ULL, 2ULL, 12345ULL}) {
    double sum = 0;
    double squares = 0;
    double of_streams = 0;
    double of_neighbours = 0;
    int tenths[10] = {};
    const Stream a(seed, 0);
    const Stream b(seed, 1);
    for (int i = 0; i < kDraws; ++i) {
      const double x = a.uniform(static_cast<std::uint64_t>(i)) - 0.5;
      sum += x;
      squares += x * x;
      of_streams += x * (b.uniform(static_cast<std::uint64_t>(i)) - 0.5);
      of_neighbours += x * (a.uniform(static_cast<std::uint64_t>(i) + 1) - 0.5);
      ++tenths[static_cast<int>((x + 0.5) * 10)];
    }
    // Four standard deviations each.
    const double root = std::sqrt(static_cast<double>(kDraws));
    EXPECT_LT(std::fabs(sum / kDraws), 4 * std::sqrt(1.0 / 12) / root);
    EXPECT_LT(std::fabs(squares / kDraws - 1.0 / 12), 4 * std::sqrt(1.0 / 180) / root);
    EXPECT_LT(std::fabs(of_streams / kDraws), 4.0 / 12 / root);
    EXPECT_LT(std::fabs(of_neighbours / kDraws), 4.0 / 12 / root);
    for (const int count : tenths) EXPECT_LT(std::fabs(count - kDraws / 10.0), 4 * std::sqrt(kDraws * 0.09));
  }
}

TEST(Stream, SeedsAndStreamsStartApart) {
  std::set<std::uint64_t> starts;
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    for (std::uint64_t stream = 0; stream < 50; ++stream) starts.insert(Stream(seed, stream).bits(0));
  EXPECT_EQ(starts.size(), 2500u);
}

}  // namespace
}  // namespace podwright::random::random_test
