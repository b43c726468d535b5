#include "plan/day_demand.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.h"

namespace podwright::day_demand_test {
namespace {

ServingDay<NoTrace> day_of(const std::vector<double>& gpus, double start_s = 0, double mean_gpus = 24) {
  ServingDay<NoTrace> day{.start = Seconds(start_s), .hours = {}, .mean_gpus = mean_gpus};
  for (const double one : gpus) day.hours.push_back({.rate = {}, .replicas = {}, .gpus = one});
  return day;
}

std::vector<double> hours_with(double night, double noon) {
  std::vector<double> gpus(24, night);
  gpus[12] = gpus[13] = noon;
  return gpus;
}

/// 8 GPUs, and 24 in two hours of the day.
std::vector<RunLoad> two_busy_hours(double start_s, double mean) {
  DayDemand day;
  day.add(day_of(hours_with(8, 24), start_s, 12), 24, mean);
  return day.steps();
}

TEST(DayDemand, StepsLastForTheirHours) {
  const auto steps = two_busy_hours(0, 12);
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].gpus, 8);
  EXPECT_EQ(steps[0].share, 1);
  EXPECT_EQ(steps[1].gpus, 16);
  EXPECT_EQ(steps[1].share, 2.0 / 24);
}

// Half an hour of start, once a day.
TEST(DayDemand, WhatRisesStartsEarlier) {
  EXPECT_EQ(two_busy_hours(1800, 12)[1].share, 2.5 / 24);
  EXPECT_EQ(two_busy_hours(1800, 12)[0].share, 1);
}

// The hours have 12 of 24 GPUs on average: 6 is half of that way to none, 18 half of the way to the peak.
TEST(DayDemand, AnotherMeanMovesEveryShareAlike) {
  EXPECT_NEAR(two_busy_hours(0, 6)[1].share, 1.0 / 24, 1e-15);
  EXPECT_NEAR(two_busy_hours(0, 18)[1].share, 13.0 / 24, 1e-15);
  EXPECT_EQ(two_busy_hours(0, 24)[1].share, 1);
}

// One workload is busy at noon, the other at midnight: 32 GPUs never, though both peaks are 24.
TEST(DayDemand, WorkloadsAreAddedHourByHour) {
  DayDemand day;
  day.add(day_of(hours_with(8, 24)), 24, 24);
  std::vector<double> night = hours_with(8, 8);
  night[0] = 24;
  day.add(day_of(night), 24, 24);
  const auto steps = day.steps();
  ASSERT_EQ(steps.size(), 3U);
  EXPECT_EQ(steps[0].gpus, 16);
  EXPECT_EQ(steps[1].gpus, 16);
  EXPECT_EQ(steps[1].share, 3.0 / 24);
  EXPECT_EQ(steps[2].gpus, 16);
  EXPECT_EQ(steps[2].share, 0);
}

// Random days, minute by minute: GPUs that stand, each from `start` before its hour on.
TEST(DayDemand, IsWhatStandsMinuteByMinute) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const random::Stream stream(seed, 0);
    std::vector<double> gpus;
    double most = 0;
    for (std::uint64_t hour = 0; hour < 24; ++hour) {
      gpus.push_back(std::floor(stream.uniform(hour) * 6) * 4);
      most = std::max(most, gpus.back());
    }
    const int start = static_cast<int>(stream.uniform(24) * 61);
    DayDemand day;
    day.add(day_of(gpus, start * 60, most / 2), most, most / 2);
    double stand = 0;
    for (int minute = 0; minute < 24 * 60; ++minute)
      stand += std::max(gpus[minute / 60], gpus[(minute + start) / 60 % 24]);
    double sum = 0;
    double longest = 1;
    for (const RunLoad& step : day.steps()) {
      sum += step.gpus * step.share;
      EXPECT_LE(step.share, longest) << seed;
      longest = step.share;
    }
    EXPECT_NEAR(sum, stand / (24 * 60), 1e-9) << seed;
  }
}

TEST(DayDemand, WithoutHoursHasNoSteps) { EXPECT_TRUE(DayDemand().steps().empty()); }

TEST(DayDemand, AnHourTakesWholeReplicasAndNeverNone) {
  EXPECT_EQ(replicas_of_hour(12.0, 7.0, 12.0, 1.0), 7);
  EXPECT_EQ(replicas_of_hour(3.0, 0.5, 1.0, 1.0), 2);
  EXPECT_EQ(replicas_of_hour(3.0, 0.0, 1.0, 1.0), 1);
  // Twelve that carry half as much again: seven twelfths of the peak take five.
  EXPECT_EQ(replicas_of_hour(12.0, 7.0, 12.0, 1.5), 5);
  EXPECT_EQ(replicas_of_hour(12.0, 12.0, 12.0, 1.05), 12);
}

// A replica carries 10 requests/s and has 8 GPUs. As many requests on average take as many GPUs, whatever the peak is.
static_assert(mean_serving_gpus(16.0, 15.0 / 20, 20.0 / 20) == 12);
static_assert(mean_serving_gpus(40.0, 15.0 / 50, 50.0 / 50) == 12);
static_assert(mean_serving_gpus(40.0, 15.0 / 41, 50.0 / 41) > 11.999999);

}  // namespace
}  // namespace podwright::day_demand_test
