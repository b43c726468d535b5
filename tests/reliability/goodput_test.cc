#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "reliability/goodput.h"

namespace podwright::goodput_test {
namespace {

double per_cent(double share) { return 100 * share; }

// Llama 3 405B: 419 interruptions in 54 days on 16,384 GPUs (arXiv 2407.21783, table 5).
TEST(Failures, OfLlama3) {
  const Seconds per_failure = 16384.0 * days(54) / 419.0;
  EXPECT_NEAR(mean_time_between_failures(per_failure, 16384.0) / hours(1), 3.093, 0.0005);
}

// 6.50 failures in 1,000 node-days of 8 GPUs are printed as 1.8 h on 16,384 GPUs (arXiv 2410.21680).
TEST(Failures, OfAResearchCluster) {
  const Seconds per_failure = 8.0 * days(1000) / 6.5;
  EXPECT_NEAR(mean_time_between_failures(per_failure, 16384.0) / hours(1), 1.803, 0.0005);
}

TEST(CheckpointInterval, OfAMinuteAtLlama3sFailures) {
  const Seconds interval = young_interval(seconds(60), seconds(11135));
  EXPECT_NEAR(interval.base_units(), 1156, 0.5);
  EXPECT_NEAR(per_cent(lost_share(seconds(60), interval, seconds(11135), seconds(0))), 10.4, 0.05);
}

// 405B parameters at 14 bytes and 250 GB/s, 70B at 62 GB/s on 248 GPUs.
TEST(CheckpointInterval, OfStorageForASuperPod) {
  const Bytes per_parameter = checkpoint_bytes_per_parameter(bytes(2), bytes(4), bytes(8));
  EXPECT_EQ(per_parameter, bytes(14));
  const Seconds large = checkpoint_size(405e9, per_parameter) / gb_per_s(250);
  EXPECT_NEAR(large.base_units(), 22.68, 1e-9);
  EXPECT_NEAR(young_interval(large, seconds(11135)).base_units(), 710.7, 0.05);
  EXPECT_NEAR(daly_interval(large, seconds(11135)).base_units(), 695.7, 0.05);
  const Seconds small = checkpoint_size(70e9, per_parameter) / gb_per_s(62);
  EXPECT_NEAR(small.base_units(), 15.81, 0.005);
  EXPECT_NEAR(young_interval(small, seconds(735634)).base_units(), 4822, 0.5);
  EXPECT_NEAR(daly_interval(small, seconds(735634)).base_units(), 4812, 0.5);
  EXPECT_NEAR(per_cent(lost_share(small, young_interval(small, seconds(735634)), seconds(735634), seconds(0))), 0.656,
              0.0005);
}

TEST(CheckpointBytes, LeaveGradientsOut) {
  EXPECT_EQ(checkpoint_bytes_per_parameter(bytes(2), bytes(8), bytes(8)), bytes(14));
  EXPECT_EQ(checkpoint_bytes_per_parameter(bytes(4), bytes(0), bytes(8)), bytes(12));
}

TEST(StorageWriteRate, IsOfNodesThenOfUnits) {
  EXPECT_EQ(storage_write_rate(1.0, gb_per_s(2), 8.0 / 256.0, gb_per_s(7)), gb_per_s(2));
  EXPECT_EQ(storage_write_rate(8.0, gb_per_s(2), 64.0 / 256.0, gb_per_s(7)), gb_per_s(7));
  EXPECT_EQ(storage_write_rate(128.0, gb_per_s(2), 4.0, gb_per_s(7)), gb_per_s(28));
}

Goodput<NoTrace> goodput_of(Seconds between, Seconds write, Seconds restart, Seconds pause) {
  NoTrace trace;
  return run_goodput(trace, Interruptions<NoTrace>{.mean_time_between_failures = between,
                                                   .restart = restart,
                                                   .write = write,
                                                   .pause = pause,
                                                   .interval = std::nullopt});
}
Goodput<NoTrace> goodput_of(Seconds between, Seconds write, Seconds restart) {
  return goodput_of(between, write, restart, write);
}

// 12 s, 5 min, 3.0931 h: Young's interval of 8.616 min. Llama 3 reports more than 90 %.
TEST(RunGoodput, OfLlama3) {
  const auto goodput = goodput_of(hours(3.0931), seconds(12), seconds(300));
  EXPECT_NEAR(goodput.interval.base_units() / 60, 8.616, 0.0005);
  EXPECT_NEAR(per_cent(goodput.share), 92.66, 0.005);
}

TEST(RunGoodput, SaysWhenThereIsNoProgress) {
  const auto none = goodput_of(seconds(300), seconds(100), seconds(200));
  EXPECT_FALSE(none.progress);
  EXPECT_EQ(none.share, 0);
  const auto some = goodput_of(seconds(400), seconds(100), seconds(200));
  EXPECT_TRUE(some.progress);
  EXPECT_GT(some.share, 0.05);
  EXPECT_LT(some.share, 0.5);
}

TEST(RunGoodput, CountsOnlyThePauseOfAnAsynchronousCheckpoint) {
  const auto whole = goodput_of(hours(3), seconds(60), seconds(300));
  const auto beside = goodput_of(hours(3), seconds(60), seconds(300), seconds(2));
  EXPECT_LT(beside.interval, whole.interval);
  EXPECT_GT(beside.share, whole.share + 0.05);
  // Writing for longer than the best interval spreads the checkpoints.
  EXPECT_EQ(goodput_of(hours(3), seconds(600), seconds(300), seconds(2)).interval, seconds(600));
}

TEST(RunGoodput, LiesBetweenNothingAndAllAndFallsWithEveryLoss) {
  std::mt19937_64 generator(7);
  std::uniform_real_distribution<double> exponent(0, 1);
  const auto draw = [&](double low, double high) { return low * std::pow(high / low, exponent(generator)); };
  for (int round = 0; round < 20000; ++round) {
    const Seconds between = seconds(draw(30, 1e8));
    const Seconds write = seconds(draw(0.1, 1e4));
    const Seconds restart = seconds(draw(1, 1e4));
    const double share = goodput_of(between, write, restart).share;
    EXPECT_GE(share, 0);
    EXPECT_LT(share, 1);
    const double more = 1 + draw(0.01, 2);
    EXPECT_LE(goodput_of(between / more, write, restart).share, share) << between.base_units();
    EXPECT_LE(goodput_of(between, write, restart * more).share, share);
    EXPECT_LE(goodput_of(between, write * more, restart).share, share + 2e-4) << between.base_units();
    EXPECT_LE(goodput_of(between, write, restart, write * (1 / more)).interval, between + write);
  }
}

// Means of the largest of n standard normal numbers (Harter 1961, table 1; Pearson and Hartley).
TEST(SlowestOverMean, ComesNearTheExactMean) {
  const struct {
    double gpus;
    double deviations;
  } exact[] = {{8, 1.42360}, {16, 1.76599}, {64, 2.34373}, {100, 2.50759}, {1000, 3.24144}};
  for (const auto& row : exact) {
    const double log = std::log(row.gpus);
    EXPECT_NEAR(slowest_over_mean(1.0, log, std::log(log)) - 1, row.deviations, 0.07 * row.deviations) << row.gpus;
  }
  EXPECT_EQ(slowest_over_mean(0.0, 2.0, 1.0), 1);
}

}  // namespace
}  // namespace podwright::goodput_test
