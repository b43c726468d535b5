/// Decisions of halving from invented times; no process runs.
#include "probes/cluster/halving.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

namespace podwright::probes::halving_test {
namespace {

using End = Halving::End;

RingSlowness about(double median) { return {median, 0.99 * median, 1.01 * median}; }

std::vector<int> first_ranks(int count) {
  std::vector<int> ranks(static_cast<std::size_t>(count));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

bool holds(const std::vector<int>& ring, int rank) { return std::find(ring.begin(), ring.end(), rank) != ring.end(); }

struct Played {
  Halving halving;
  int rounds = 0;
};

/// Halves until the end; `time_of` tells how slow a ring is.
Played play(int nodes, const std::function<double(const std::vector<int>&)>& time_of) {
  Played played{Halving(first_ranks(nodes), about(time_of(first_ranks(nodes)))), 0};
  while (played.halving.end() == End::going_on) {
    for (const std::vector<int>& ring : played.halving.rings()) EXPECT_GE(ring.size(), 2U);
    const auto rings = played.halving.rings();
    played.halving.tell(about(time_of(rings[0])), about(time_of(rings[1])));
    ++played.rounds;
  }
  return played;
}

TEST(RingSeconds, IsWhatTypicalPairsTake) {
  // Four ranks: 6 steps of 1 ms and of 4 MB / 4 at 1 GB/s.
  EXPECT_DOUBLE_EQ(ring_seconds(4, 4e6, {1e-3, 1e9}), 6 * (1e-3 + 1e-3));
  EXPECT_TRUE(slow_against_pairs(about(1.6)));
  EXPECT_FALSE(slow_against_pairs(about(1.5)));
}

TEST(TypicalPair, IsNotMovedByOneSlowNodeOfFour) {
  std::vector<ProbeResult> exchanges;
  const auto add = [&](const std::string& probe, int a, int b, double bytes, double seconds) {
    ProbeResult one;
    one.probe = probe;
    one.devices = {"n" + std::to_string(a), "n" + std::to_string(b)};
    one.counted.bytes = bytes;
    one.samples_s.assign(24, seconds);
    one.time_s = summary_of(one.samples_s);
    exchanges.push_back(one);
  };
  for (int a = 0; a < 4; ++a)
    for (int b = a + 1; b < 4; ++b) {
      const double slow = b == 3 ? 50 : 1;
      add("cpu.coll.sendrecv", a, b, 1e6, slow * 1e-3);
      add("cpu.coll.sendrecv", b, a, 1e6, slow * 1e-3);
      add("cpu.coll.pingpong", a, b, 64, slow * 40e-6);
    }
  const auto pair = typical_pair(exchanges);
  ASSERT_TRUE(pair);
  EXPECT_DOUBLE_EQ(pair->delay_s, 20e-6);
  EXPECT_DOUBLE_EQ(pair->bytes_per_s, 1e9);
  EXPECT_FALSE(typical_pair({}));
}

TEST(Slower, NeedsFivePercentAndMoreThanNoise) {
  EXPECT_TRUE(slower({1.10, 1.09, 1.11}, {1.0, 0.99, 1.01}));
  EXPECT_FALSE(slower({1.04, 1.03, 1.05}, {1.0, 0.99, 1.01}));  // beyond noise, but too little
  EXPECT_FALSE(slower({1.50, 1.00, 2.00}, {1.0, 0.95, 1.05}));  // much, but within noise
}

TEST(Halving, FindsAnyOneSlowNodeInLogRounds) {
  for (const auto& [nodes, rounds] : {std::pair(4, 2), {5, 3}, {6, 3}, {7, 3}, {8, 3}, {9, 4}, {33, 6}, {64, 6}})
    for (int slow = 0; slow < nodes; ++slow) {
      const Played played = play(nodes, [&](const auto& ring) { return holds(ring, slow) ? 1.3 : 1.0; });
      EXPECT_EQ(played.halving.end(), End::one_node);
      EXPECT_EQ(played.halving.suspects(), std::vector<int>{slow});
      EXPECT_LE(played.rounds, rounds);
      EXPECT_TRUE(played.halving.found());
      EXPECT_NEAR(played.halving.slower_by(), 1.3, 1e-12);
    }
}

TEST(Halving, TwoSlowNodesOfOneHalfAreBothNamed) {
  const Played played = play(8, [](const auto& ring) { return holds(ring, 4) || holds(ring, 6) ? 1.3 : 1.0; });
  EXPECT_EQ(played.halving.end(), End::both_slow);
  EXPECT_EQ(played.halving.suspects(), (std::vector<int>{4, 5, 6, 7}));
  EXPECT_TRUE(played.halving.found());
  EXPECT_EQ(
      played.halving.sentence(),
      "An all-reduce with nodes 4-7 takes 1.3 times as long as with as many fast nodes, and both halves are slow: "
      "nodes 4-5 and nodes 6-7.");
}

TEST(Halving, BothHalvesSlowBlameNoNode) {
  const Played played = play(8, [](const auto& ring) { return holds(ring, 1) || holds(ring, 6) ? 2.0 : 1.0; });
  EXPECT_EQ(played.halving.end(), End::both_slow);
  EXPECT_EQ(played.rounds, 1);
  EXPECT_FALSE(played.halving.found());
  EXPECT_EQ(played.halving.sentence(),
            "Halving blames no node: nodes 0-3 and nodes 4-7 are alike, and neither half is faster alone than all "
            "together.");
}

TEST(Halving, SlowOnlyTogetherBlamesNoNode) {
  const Played played = play(8, [](const auto& ring) { return ring.size() == 8 ? 2.0 : 1.0; });
  EXPECT_EQ(played.halving.end(), End::none_slow);
  EXPECT_FALSE(played.halving.found());
  EXPECT_EQ(played.halving.sentence(),
            "Halving blames no node: neither of nodes 0-3 and nodes 4-7 is slow alone. What is slower together lies "
            "between them or in what they share.");
}

TEST(Halving, ASlowLinkInsideAHalfIsTheHalfs) {
  const Played played = play(8, [](const auto& ring) { return holds(ring, 1) && holds(ring, 3) ? 2.0 : 1.0; });
  EXPECT_EQ(played.halving.end(), End::none_slow);
  EXPECT_EQ(played.halving.suspects(), (std::vector<int>{0, 1, 2, 3}));
  EXPECT_TRUE(played.halving.found());
}

TEST(Halving, TimesThatDoNotTellBlameNobody) {
  Halving without(first_ranks(4), about(1));
  without.tell(about(1.3), std::nullopt);
  EXPECT_EQ(without.end(), End::unclear);
  EXPECT_FALSE(without.found());
  // One half is faster than all together, the other is not, and yet neither is slower than the other.
  Halving between(first_ranks(4), about(1.08));
  between.tell(about(1.0), about(1.04));
  EXPECT_EQ(between.end(), End::unclear);
  EXPECT_FALSE(between.found());
}

}  // namespace
}  // namespace podwright::probes::halving_test
