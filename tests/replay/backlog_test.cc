#include "replay/backlog.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "replay/lane_support.h"
#include "replay/replay.h"

namespace podwright::replay {
namespace {

/// One slot whose requests take `service` s each, and requests that come every `gap` s, so many.
ReplayFigures one_by_one(double gap, double service, std::size_t count) {
  StepClock clock = clock_of_steps(service);
  std::vector<Request> trace;
  for (std::size_t i = 0; i < count; ++i) trace.push_back(request_at(gap * static_cast<double>(i), 100, 1, i));
  TrafficSource source(trace);
  return replay(clock, one_slot(), source, 0);
}

TEST(Backlog, CountsWhatComesAndWhatIsCompletedInTheCountedTime) {
  // Every 2 s one comes and takes 3 s: of 400 in 798 s, 266 are completed.
  const ReplayFigures figures = one_by_one(2, 3, 400);
  EXPECT_DOUBLE_EQ(figures.flow.counted_s, 798);
  EXPECT_DOUBLE_EQ(figures.flow.arrived_requests_per_s, 400 / 798.0);
  EXPECT_DOUBLE_EQ(figures.flow.completed_requests_per_s, 266 / 798.0);
  // All are served in the end: the last one ends at 1200 s.
  EXPECT_EQ(figures.requests, 400U);
  EXPECT_DOUBLE_EQ(figures.drain_s, 1200 - 798);
  // At t, t/2 have come and t/3 ended: t/6 on average, and one that has just come.
  EXPECT_NEAR(figures.flow.mean_in_flight, 798 / 12.0 + 1, 0.6);
  EXPECT_FALSE(figures.flow.keeps_up);
  EXPECT_NEAR(static_cast<double>(figures.flow.waiting), 798 / 6.0, 2);
}

TEST(Backlog, MeanInFlightIsLittlesLawWhereItIsSteady) {
  const ReplayFigures figures = one_by_one(2, 1.5, 400);
  EXPECT_TRUE(figures.flow.keeps_up);
  EXPECT_NEAR(figures.flow.mean_in_flight, 1.5 / 2, 1e-9);
  EXPECT_EQ(figures.flow.waiting, 0U);
}

TEST(Backlog, ABurstThatIsServedInTimeIsNoOverload) {
  StepClock clock = clock_of_steps(1);
  std::vector<Request> trace;
  for (std::size_t i = 0; i < 300; ++i) trace.push_back(request_at(100, 100, 1, i));
  for (std::size_t i = 0; i < 40; ++i) trace.push_back(request_at(20.0 * static_cast<double>(i), 100, 1, 1000 + i));
  std::sort(trace.begin(), trace.end(), [](const Request& a, const Request& b) { return a.at < b.at; });
  TrafficSource source(trace);
  EXPECT_TRUE(replay(clock, one_slot(), source, 0).flow.keeps_up);
}

TEST(Backlog, ABurstAtTheVeryEndIsNoOverload) {
  StepClock clock = clock_of_steps(1);
  std::vector<Request> trace;
  for (std::size_t i = 0; i < 400; ++i) trace.push_back(request_at(2.0 * static_cast<double>(i), 100, 1, i));
  for (std::size_t i = 0; i < 100; ++i) trace.push_back(request_at(790, 100, 1, 1000 + i));
  std::stable_sort(trace.begin(), trace.end(), [](const Request& a, const Request& b) { return a.at < b.at; });
  TrafficSource source(trace);
  const ReplayFigures figures = replay(clock, one_slot(), source, 0);
  EXPECT_TRUE(figures.flow.keeps_up);
  EXPECT_GT(figures.flow.waiting, 80U);
}

/// Poisson arrivals at one slot that completes 10 a second.
ReplayFigures at_load(double load, std::uint64_t seed) {
  StepClock clock = clock_of_steps(0.1);
  DrawnTraffic drawn;
  drawn.requests_per_s = 10 * load;
  drawn.input_tokens = 100;
  drawn.output_tokens = 1;
  drawn.longest = 1e9;
  drawn.duration_s = 4000;
  drawn.seed = seed;
  TrafficSource source(drawn);
  return replay(clock, one_slot(), source, 400);
}

TEST(Backlog, TellsLoadsAboveTheCapacityFromThoseBelow) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    for (const double below : {0.5, 0.9, 0.98}) EXPECT_TRUE(at_load(below, seed).flow.keeps_up) << below << " " << seed;
    for (const double above : {1.04, 1.2, 3.0}) {
      const ReplayFigures figures = at_load(above, seed);
      EXPECT_FALSE(figures.flow.keeps_up) << above << " " << seed;
      EXPECT_NEAR(figures.flow.completed_requests_per_s, 10, 0.02);
    }
  }
}

TEST(Backlog, ClientsThatWaitForAnswersNeverOutrunAnything) {
  StepClock clock = clock_of_steps(0.1);
  DrawnTraffic drawn;
  drawn.clients = 500;
  drawn.input_tokens = 100;
  drawn.output_tokens = 10;
  drawn.longest = 1e9;
  drawn.duration_s = 2000;
  TrafficSource source(drawn);
  const ReplayFigures figures = replay(clock, one_slot(), source, 0);
  EXPECT_TRUE(figures.flow.keeps_up);
  EXPECT_NEAR(figures.flow.mean_in_flight, 500, 1e-6);
}

TEST(Backlog, ADayThatEndsWithALineDoesNotKeepUp) {
  DrawnTraffic drawn;
  drawn.pattern.hours.assign(kHoursOfDay, 1);
  for (std::size_t hour = 8; hour < 20; ++hour) drawn.pattern.hours[hour] = 9;
  drawn.input_tokens = 100;
  drawn.output_tokens = 1;
  drawn.longest = 1e9;
  drawn.whole_day = true;
  drawn.clock = {.hour_s = 100, .first_hour = kHoursOfDay - 1};
  drawn.duration_s = (kHoursOfDay + 1) * 100;
  const auto keeps_up = [&](double mean) {
    StepClock clock = clock_of_steps(0.1);
    drawn.requests_per_s = mean;
    TrafficSource source(drawn);
    return replay(clock, one_slot(), source, 100).flow.keeps_up;
  };
  // 10 a second are completed: 12 come in the busy hours, which the quiet ones make up for; or 20, which they do not.
  EXPECT_TRUE(keeps_up(12 * 5 / 9.0));
  EXPECT_FALSE(keeps_up(20 * 5 / 9.0));
}

TEST(Backlog, WhatCameBeforeTheWarmUpIsCompletedInTheCountedTime) {
  StepClock clock = clock_of_steps(1);
  TrafficSource source({request_at(0, 100, 15, 1), request_at(20, 100, 3, 2)});
  const ReplayFigures figures = replay(clock, one_slot(), source, 10);
  EXPECT_EQ(figures.requests, 1U);
  EXPECT_DOUBLE_EQ(figures.flow.counted_s, 10);
  EXPECT_DOUBLE_EQ(figures.flow.completed_requests_per_s, 1 / 10.0);
  EXPECT_DOUBLE_EQ(figures.flow.output_tokens_per_s, 15 / 10.0);
  EXPECT_DOUBLE_EQ(figures.flow.mean_in_flight, 5 / 10.0);
}

}  // namespace
}  // namespace podwright::replay
