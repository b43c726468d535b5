#include "plan/hybrid_split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace podwright::hybrid_split_test {
namespace {

DemandLoad even(double peak) { return {.serving_mean = peak / 2, .serving_peak = peak, .runs = {}}; }

HybridUnits units(double own, double rent, double node_gpus = 8, double instance_gpus = 8) {
  return {.own = usd_per_hour(own), .rent = usd_per_hour(rent), .node_gpus = node_gpus, .instance_gpus = instance_gpus};
}

double cost(const HybridSplit& split, const HybridUnits& units) {
  return raw(split.own_gpus * units.own + split.instances_mean * units.instance_gpus * units.rent);
}

// Demand even over 0 to 100 GPUs: above 32 + 8 j for (68 - 8 j) hundredths of the time, j from 0 to 8.
TEST(HybridSplit, InstancesAreRentedWhole) {
  const HybridSplit split = split_with({.load = even(100), .bound_gpus = 0, .waiting = {}}, units(2, 3), 32);
  EXPECT_EQ(split.instances_peak, 9);
  EXPECT_NEAR(split.instances_mean, (68.0 * 9 - 8 * 36) / 100, 1e-12);
}

// One GPU above the owned node for 1 % of the time rents eight.
TEST(HybridSplit, AFractionOfAnInstanceIsAnInstance) {
  const DemandLoad load{.serving_mean = 0, .serving_peak = 0, .runs = {{.gpus = 8, .share = 1}, {1, 0.01}}};
  const HybridSplit split = split_with({.load = load, .bound_gpus = 0, .waiting = {}}, units(2, 3), 8);
  EXPECT_EQ(split.instances_peak, 1);
  EXPECT_NEAR(split.instances_mean, 0.01, 1e-15);
}

// The run has the owned node for half of the time; in the other half serving needs no more than the node.
TEST(HybridSplit, IdleNodesCarryWhatVaries) {
  const DemandLoad load{.serving_mean = 4, .serving_peak = 8, .runs = {{.gpus = 8, .share = 0.5}}};
  const HybridSplit split = split_with({.load = load, .bound_gpus = 8, .waiting = {}}, units(2, 3), 8);
  EXPECT_EQ(split.instances_mean, 0.5);
  EXPECT_EQ(split.instances_peak, 1);
}

// Serving even over 0 to 64: at most 32 are busy for half of the time, so that 72 hold a run of 40 that waits.
TEST(HybridSplit, RunsWaitForIdleNodesBeforeAnythingIsRented) {
  DemandLoad load = even(64);
  load.runs = {{.gpus = 40, .share = 0.4}};
  HybridWork work{.load = load, .bound_gpus = 0, .waiting = WaitingRuns{.gpus = 40, .needed_share = 0.5}};
  EXPECT_TRUE(split_with(work, units(2, 3), 72).runs_wait);
  EXPECT_EQ(split_with(work, units(2, 3), 72).instances_peak, 0);
  EXPECT_FALSE(split_with(work, units(2, 3), 64).runs_wait);
  work.waiting.reset();
  EXPECT_GT(split_with(work, units(2, 3), 72).instances_peak, 0);
}

TEST(HybridSplit, BoundWorkIsOwned) {
  const HybridWork work{.load = even(100), .bound_gpus = 50, .waiting = {}};
  EXPECT_EQ(best_split(work, units(9, 1)).own_gpus, 56);
  EXPECT_EQ(best_split({.load = even(100), .bound_gpus = 0, .waiting = {}}, units(9, 1)).own_gpus, 0);
  EXPECT_GE(best_split(work, units(0.001, 9)).own_gpus, 100);
}

struct Drawn {
  HybridWork work;
  HybridUnits prices;
};

Drawn drawn(const random::Stream& stream, std::uint64_t& at) {
  const auto next = [&] { return stream.uniform(at++); };
  Drawn of;
  of.work.load.serving_peak = std::floor(200 * next());
  of.work.load.serving_mean = of.work.load.serving_peak * (next() < 0.1 ? 1.0 : next());
  for (double left = std::floor(3 * next()); left > 0; left -= 1)
    of.work.load.runs.push_back({.gpus = 1 + std::floor(60 * next()), .share = next()});
  std::sort(of.work.load.runs.begin(), of.work.load.runs.end(),
            [](const RunLoad& a, const RunLoad& b) { return a.share > b.share; });
  if (!of.work.load.runs.empty() && next() < 0.5)
    of.work.waiting = WaitingRuns{.gpus = of.work.load.runs.front().gpus, .needed_share = 1.2 * next()};
  of.work.bound_gpus = next() < 0.5 ? 0 : std::floor(peak_of(of.work.load) * next());
  const double nodes[] = {4, 8, 72};
  const double instances[] = {1, 2, 8, 64};
  of.prices =
      units(3 * next(), 0.5 + 4 * next(), nodes[static_cast<int>(3 * next())], instances[static_cast<int>(4 * next())]);
  return of;
}

TEST(HybridSplit, NoOtherNumberOfNodesIsCheaper) {
  const random::Stream stream(7, 0);
  std::uint64_t at = 0;
  for (int round = 0; round < 2000; ++round) {
    const Drawn of = drawn(stream, at);
    const double found = cost(best_split(of.work, of.prices), of.prices);
    const double n = of.prices.node_gpus;
    for (double own = std::ceil(of.work.bound_gpus / n) * n; own < peak_of(of.work.load) + n; own += n)
      EXPECT_LE(found, cost(split_with(of.work, of.prices, own), of.prices) * (1 + 1e-12)) << round << " " << own;
  }
}

// Every moment of the year counted: GPUs above the owned ones in whole instances.
TEST(HybridSplit, InstancesAgreeWithAYearOfMoments) {
  const random::Stream stream(8, 0);
  std::uint64_t at = 0;
  for (int round = 0; round < 100; ++round) {
    const Drawn of = drawn(stream, at);
    const DemandLoad& load = of.work.load;
    const double own = std::floor(peak_of(load) * stream.uniform(at++));
    constexpr int kMoments = 8760;
    double counted = 0;
    for (int i = 0; i < kMoments; ++i)
      counted += std::ceil(std::max(0.0, gpus_exceeded(load, (i + 0.5) / kMoments) - own) / of.prices.instance_gpus);
    const double most = std::ceil((peak_of(load) - own) / of.prices.instance_gpus);
    EXPECT_NEAR(mean_instances_above(load, own, of.prices.instance_gpus), counted / kMoments, (1 + most) / kMoments);
  }
}

// The sum that it stands for, instance by instance.
TEST(HybridSplit, MeanInstancesAreTheSumOfShares) {
  const random::Stream stream(9, 0);
  std::uint64_t at = 0;
  for (int round = 0; round < 2000; ++round) {
    const Drawn of = drawn(stream, at);
    const DemandLoad& load = of.work.load;
    const double own = std::floor(peak_of(load) * stream.uniform(at++));
    double sum = 0;
    for (double gpus = own; gpus < peak_of(load); gpus += of.prices.instance_gpus) sum += share_above(load, gpus);
    EXPECT_NEAR(mean_instances_above(load, own, of.prices.instance_gpus), sum, 1e-9 * (1 + sum)) << round;
  }
}

}  // namespace
}  // namespace podwright::hybrid_split_test
