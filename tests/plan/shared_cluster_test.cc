#include "plan/shared_cluster.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "base/random.h"

namespace podwright::shared_cluster_test {
namespace {

ServingShare<NoTrace> serving(double peak, double mean) { return {.peak_gpus = peak, .mean_gpus = mean}; }

TrainingShare<NoTrace> training(double gpus, double run_days, double deadline_days, double runs_per_year = 1) {
  return {.gpus = gpus, .run_time = days(run_days), .deadline = days(deadline_days), .runs_per_year = runs_per_year};
}

SharedCluster<NoTrace> share(const ClusterDemand<NoTrace>& demand) {
  NoTrace trace;
  return shared_cluster(trace, demand);
}

double in_days(Seconds time) { return time / days(1); }

// Half of the peak on average: demand is even from nothing to the peak.
TEST(SharedCluster, TrainingFillsTheNight) {
  // Needed for 25 % of the time; demand is above 16 for the other 75 %, and 16 + 40 GPUs are fewer than the peak.
  const auto fits = share({{serving(64, 32)}, {training(40, 10, 40)}});
  EXPECT_EQ(fits.gpu_count, 64);
  EXPECT_EQ(fits.extra_gpus, 0);
  EXPECT_EQ(fits.side_by_side, 104);
  EXPECT_EQ(fits.saved_gpus, 40);
  EXPECT_TRUE(fits.shared);
  EXPECT_EQ(fits.sharing, Sharing::valleys);
  // 40 of 64 are free while demand is at most 24: 1 - 40/64 of the time.
  EXPECT_NEAR(in_days(fits.training_times[0]), 10 / 0.375, 1e-9);
  EXPECT_NEAR(fits.mean_gpus, 32 + 40 * 10.0 / 365, 1e-12);
  EXPECT_NEAR(fits.utilization, fits.mean_gpus / 64, 1e-15);
  // Needed for half of the time; demand is above 32 for the other half: 40 GPUs beside 32.
  const auto tight = share({{serving(64, 32)}, {training(40, 20, 40)}});
  EXPECT_EQ(tight.gpu_count, 72);
  EXPECT_EQ(tight.extra_gpus, 8);
  EXPECT_NEAR(in_days(tight.training_times[0]), 40, 1e-9);
  EXPECT_EQ(tight.reason.text(),
            "Training needs 40 GPUs for 50 % of the time. It takes the GPUs that serving leaves free (serving needs 64 "
            "GPUs at the peak and 32 GPUs on average), plus 8 more GPUs: 72 GPUs in all, which saves 32 GPUs.");
}

TEST(SharedCluster, RunsOfAYearCount) {
  // 73 days of running a year are 20 % of it, though a run has ten times its own time.
  const auto cluster = share({{serving(64, 32)}, {training(8, 1, 10, 73)}});
  EXPECT_NEAR(cluster.free_share_needed, 0.2, 1e-12);
}

TEST(SharedCluster, SideBySideWhereNothingCanBeShared) {
  const auto steady = share({{serving(64, 64)}, {training(16, 10, 40)}});
  EXPECT_EQ(steady.gpu_count, 80);
  EXPECT_FALSE(steady.shared);
  EXPECT_EQ(steady.sharing, Sharing::side_by_side);
  EXPECT_EQ(in_days(steady.training_times[0]), 10);
  const auto late = share({{serving(64, 32)}, {training(16, 30, 40), training(8, 20, 40)}});
  EXPECT_EQ(late.gpu_count, 88);
  EXPECT_EQ(late.sharing, Sharing::side_by_side);
  EXPECT_EQ(in_days(late.training_times[1]), 20);
  const auto urgent = share({{serving(64, 32)}, {training(16, 0.1, 0.9)}});
  EXPECT_EQ(urgent.gpu_count, 80);
  EXPECT_EQ(urgent.sharing, Sharing::side_by_side);
  EXPECT_NE(urgent.reason, steady.reason);
  EXPECT_NE(urgent.reason, late.reason);
}

TEST(SharedCluster, PeaksOfServingAdd) {
  const auto cluster = share({{serving(10, 4), serving(6, 6)}, {}});
  EXPECT_EQ(cluster.gpu_count, 16);
  EXPECT_EQ(cluster.mean_gpus, 10);
  EXPECT_EQ(cluster.utilization, 0.625);
  EXPECT_EQ(cluster.free_share_needed, 0);
  EXPECT_FALSE(cluster.shared);
  EXPECT_EQ(cluster.sharing, Sharing::peaks_together);
  EXPECT_EQ(share({{serving(10, 4)}, {}}).sharing, Sharing::one_workload);
}

TEST(SharedCluster, TrainingsTakeTurns) {
  const auto turns = share({{}, {training(16, 10, 40), training(32, 20, 40)}});
  EXPECT_EQ(turns.gpu_count, 32);
  EXPECT_EQ(turns.saved_gpus, 16);
  EXPECT_EQ(turns.sharing, Sharing::turns);
  // A third and two thirds of the time.
  EXPECT_NEAR(in_days(turns.training_times[0]), 30, 1e-9);
  EXPECT_NEAR(in_days(turns.training_times[1]), 30, 1e-9);
  const auto full = share({{}, {training(16, 20, 40), training(32, 20, 40)}});
  EXPECT_EQ(full.gpu_count, 32);
  EXPECT_NEAR(in_days(full.training_times[0]), 40, 1e-9);
  EXPECT_EQ(share({{}, {training(16, 21, 40), training(32, 20, 40)}}).gpu_count, 48);
  EXPECT_EQ(share({{}, {training(16, 10, 40)}}).sharing, Sharing::one_workload);
  // Steady serving leaves nothing, but turns still save.
  EXPECT_EQ(share({{serving(64, 64)}, {training(16, 10, 40), training(32, 20, 40)}}).gpu_count, 96);
}

TEST(SharedCluster, LimitsOfTheDeadline) {
  EXPECT_EQ(share({{serving(64, 20)}, {training(24, 10, 10)}}).gpu_count, 88);
  EXPECT_EQ(share({{serving(64, 20)}, {training(24, 10, 1e9, 0)}}).gpu_count, 64);
  // Serving is never quite without demand: whole GPUs, so one beside the hundred.
  EXPECT_EQ(share({{serving(64, 20)}, {training(100, 1e-6, 1e9, 0)}}).gpu_count, 101);
  EXPECT_EQ(share({{serving(64, 64 - 1e-9)}, {training(24, 10, 40)}}).gpu_count, 88);
}

TEST(SharedCluster, ServingThatIsHardlyThereLendsAll) {
  const auto idle = share({{serving(64, 0)}, {training(24, 10, 40)}});
  EXPECT_EQ(idle.gpu_count, 64);
  EXPECT_EQ(in_days(idle.training_times[0]), 10);
}

/// A share of the time whose every moment is looked at, against what was promised.
double simulated_free_share(double peak, double mean, double free_gpus, double gpu_count) {
  constexpr int kMoments = 20000;
  int free = 0;
  const double exponent = demand_exponent(mean, peak);
  for (int i = 0; i < kMoments; ++i)
    if (exceeded_demand(peak, (i + 0.5) / kMoments, exponent) <= gpu_count - free_gpus) ++free;
  return static_cast<double>(free) / kMoments;
}

double largest_training(const ClusterDemand<NoTrace>& demand) {
  double largest = 0;
  for (const auto& t : demand.training) largest = std::max(largest, t.gpus);
  return largest;
}

/// Day after day the same demand, its busiest hour first. Every free minute goes to the run that is furthest behind its
/// share. Minutes until each run is done.
std::vector<int> minutes_of_runs(const ClusterDemand<NoTrace>& demand, double gpu_count, double largest) {
  constexpr int kDay = 1440;
  const auto& [peak, mean] = demand.serving[0];
  const double exponent = demand_exponent(mean, peak);
  std::vector<double> done(demand.training.size(), 0.0);
  std::vector<int> end(demand.training.size(), 0);
  for (int minute = 0; std::count(end.begin(), end.end(), 0) > 0 && minute < 400 * kDay; ++minute) {
    if (exceeded_demand(peak, (minute % kDay + 0.5) / kDay, exponent) > gpu_count - largest) continue;
    std::size_t next = 0;
    double behind = std::numeric_limits<double>::max();
    for (std::size_t i = 0; i < done.size(); ++i) {
      const auto& run = demand.training[i];
      const double pace = done[i] / training_share(run.run_time, whole_days(run.deadline), run.runs_per_year);
      if (end[i] != 0 || pace >= behind) continue;
      behind = pace;
      next = i;
    }
    done[next] += 1;
    if (seconds(60 * done[next]) >= demand.training[next].run_time) end[next] = minute + 1;
  }
  return end;
}

ClusterDemand<NoTrace> drawn(const random::Stream& stream, std::uint64_t& at) {
  ClusterDemand<NoTrace> demand;
  const double peak = 1 + std::floor(100 * stream.uniform(at++));
  demand.serving.push_back(serving(peak, peak * (0.02 + 0.96 * stream.uniform(at++))));
  for (double left = 1 + std::floor(3 * stream.uniform(at++)); left > 0; --left) {
    const double deadline = 1 + 100 * stream.uniform(at++);
    const double gpus = 1 + std::floor(80 * stream.uniform(at++));
    const double run = deadline * stream.uniform(at++);
    demand.training.push_back(training(gpus, run, deadline, 1 + std::floor(10 * stream.uniform(at++))));
  }
  return demand;
}

TEST(SharedCluster, LeavesTheTimeThatItPromises) {
  const random::Stream stream(7, 0);
  std::uint64_t at = 0;
  int valleys = 0;
  for (int round = 0; round < 500; ++round) {
    const ClusterDemand<NoTrace> demand = drawn(stream, at);
    const auto& [peak, mean] = demand.serving[0];
    const double k = largest_training(demand);
    const SharedCluster<NoTrace> cluster = share(demand);
    EXPECT_GE(cluster.gpu_count, peak);
    EXPECT_GE(cluster.gpu_count, k);
    EXPECT_LE(cluster.gpu_count, cluster.side_by_side);
    EXPECT_EQ(cluster.shared, cluster.gpu_count < cluster.side_by_side);
    ASSERT_EQ(cluster.training_times.size(), demand.training.size());
    for (std::size_t i = 0; i < demand.training.size(); ++i) {
      EXPECT_LE(cluster.training_times[i], demand.training[i].deadline * (1 + 1e-9));
      EXPECT_GE(cluster.training_times[i], demand.training[i].run_time * (1 - 1e-9));
    }
    if (cluster.sharing != Sharing::valleys) continue;
    ++valleys;
    EXPECT_GE(simulated_free_share(peak, mean, k, cluster.gpu_count), cluster.free_share_needed - 1e-4);
    // One GPU less would not do, unless serving itself needs it.
    if (cluster.extra_gpus > 0) {
      EXPECT_LT(simulated_free_share(peak, mean, k, cluster.gpu_count - 1), cluster.free_share_needed + 1e-4);
    }
  }
  EXPECT_GT(valleys, 100);
}

// Deadlines of no whole number of days, runs that start at the worst hour.
TEST(SharedCluster, RunsEndByTheirDeadlines) {
  const random::Stream stream(9, 0);
  std::uint64_t at = 0;
  int valleys = 0;
  for (int round = 0; round < 150; ++round) {
    ClusterDemand<NoTrace> demand = drawn(stream, at);
    for (auto& t : demand.training) {
      t.deadline = days(1 + 9 * stream.uniform(at++));
      t.run_time = t.deadline * (0.6 * stream.uniform(at++));
      t.runs_per_year = 1;
    }
    const SharedCluster<NoTrace> cluster = share(demand);
    if (cluster.sharing != Sharing::valleys) continue;
    ++valleys;
    const auto ends = minutes_of_runs(demand, cluster.gpu_count, largest_training(demand));
    // A minute of every run and of every day is the grain of the simulation.
    for (std::size_t i = 0; i < ends.size(); ++i)
      EXPECT_LE(ends[i], demand.training[i].deadline / seconds(60) + 15) << round;
  }
  EXPECT_GT(valleys, 30);
}

TEST(SharedCluster, OnlyWholeDaysHaveTheirValleys) {
  const auto cluster = share({{serving(64, 32)}, {training(40, 0.5, 1.9)}});
  EXPECT_EQ(cluster.free_share_needed, 0.5);
  // Not enough time in valleys, but enough beside serving.
  const auto tight = share({{serving(64, 32)}, {training(16, 0.7, 1.9), training(8, 0.7, 1.9)}});
  EXPECT_EQ(tight.sharing, Sharing::turns);
  EXPECT_EQ(tight.gpu_count, 80);
}

TEST(SharedCluster, MoreDemandNeverShrinksItAndMoreTimeNeverGrowsIt) {
  const random::Stream stream(8, 0);
  std::uint64_t at = 0;
  for (int round = 0; round < 300; ++round) {
    const ClusterDemand<NoTrace> demand = drawn(stream, at);
    const double now = share(demand).gpu_count;
    ClusterDemand<NoTrace> busier = demand;
    busier.serving[0].mean_gpus += (demand.serving[0].peak_gpus - demand.serving[0].mean_gpus) * stream.uniform(at++);
    EXPECT_GE(share(busier).gpu_count, now);
    ClusterDemand<NoTrace> later = demand;
    later.training[0].deadline += days(50 * stream.uniform(at++));
    EXPECT_LE(share(later).gpu_count, now);
    ClusterDemand<NoTrace> sooner = demand;
    sooner.training[0].deadline = demand.training[0].deadline * (0.01 + 0.99 * stream.uniform(at++));
    EXPECT_GE(share(sooner).gpu_count, now);
    ClusterDemand<NoTrace> more = demand;
    more.training[0].runs_per_year += 5;
    EXPECT_GE(share(more).gpu_count, now);
  }
}

TEST(SharedCluster, TracedIsTheSame) {
  const ClusterDemand<NoTrace> plain{{serving(64, 32)}, {training(40, 20, 60), training(8, 5, 60, 3)}};
  Trace trace;
  ClusterDemand<Trace> traced;
  traced.serving.push_back({.peak_gpus = trace.input("/peak", 64.0), .mean_gpus = trace.input("/mean", 32.0)});
  for (const auto& t : plain.training)
    traced.training.push_back({.gpus = trace.input("/gpus", t.gpus),
                               .run_time = trace.input("/run_time", t.run_time),
                               .deadline = trace.input("/deadline", t.deadline),
                               .runs_per_year = trace.input("/runs", t.runs_per_year)});
  const SharedCluster<Trace> cluster = shared_cluster(trace, traced);
  const SharedCluster<NoTrace> expected = share(plain);
  EXPECT_EQ(cluster.gpu_count.value, expected.gpu_count);
  EXPECT_EQ(cluster.utilization.value, expected.utilization);
  EXPECT_EQ(cluster.reason, expected.reason);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(cluster.training_times[i].value, expected.training_times[i]);
    EXPECT_GE(cluster.training_times[i].node, 0);
  }
  for (const auto& number : {cluster.gpu_count, cluster.extra_gpus, cluster.free_share_needed, cluster.mean_gpus,
                             cluster.utilization, cluster.side_by_side, cluster.saved_gpus})
    EXPECT_GE(number.node, 0);
}

}  // namespace
}  // namespace podwright::shared_cluster_test
