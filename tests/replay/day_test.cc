#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "replay/day_hours.h"
#include "replay/lane_support.h"
#include "replay/serve.h"

namespace podwright::replay {
namespace {

TEST(DayHours, PartAWorkThatSpansThem) {
  StepClock clock = clock_of_steps(1);
  // Served from 3590 to 3610 s and from 7190 to 7200 s, where the trace ends.
  TrafficSource source({request_at(3590, 100, 20, 1), request_at(7190, 100, 10, 2), request_at(7200, 100, 5, 3)});
  const ReplayFigures figures = replay(clock, one_slot(), source, 0);
  ASSERT_EQ(figures.hours.size(), 2U);
  EXPECT_EQ(figures.hours[0].hour, 0U);
  EXPECT_EQ(figures.hours[0].requests, 1);
  EXPECT_NEAR(figures.hours[0].busy_share, 10.0 / 3600, 1e-12);
  EXPECT_NEAR(figures.hours[0].mean_in_flight, 10.0 / 3600, 1e-12);
  EXPECT_NEAR(figures.hours[0].request.p95, 20, 1e-9);
  EXPECT_EQ(figures.hours[1].requests, 1);
  EXPECT_NEAR(figures.hours[1].busy_share, 20.0 / 3600, 1e-12);
  EXPECT_NEAR(figures.hours[1].arrived_requests_per_s, 1.0 / 3600, 1e-15);
  // The first ends in the second hour, the second at the end of what is counted.
  EXPECT_EQ(figures.hours[0].completed_requests_per_s, 0);
  EXPECT_NEAR(figures.hours[1].completed_requests_per_s, 1.0 / 3600, 1e-15);
}

TEST(DayHours, JoinTheDaysOfALongTrace) {
  StepClock clock = clock_of_steps(1);
  TrafficSource source({request_at(0, 100, 10, 1), request_at(86400, 100, 30, 2), request_at(2 * 86400.0, 100, 1, 3)});
  const ReplayFigures figures = replay(clock, one_slot(), source, 0);
  ASSERT_EQ(figures.hours.size(), kHoursOfDay);
  EXPECT_NEAR(figures.hours[0].busy_share, 40.0 / 7200, 1e-12);
  EXPECT_EQ(figures.hours[12].requests, 0);
}

ServingRun chat_with_hours() {
  ServingRun run;
  run.load = {.kind = LoadKind::request_rate, .value = 10};
  run.traffic = TrafficPattern{.turns = 4, .think_time_s = 60, .hours = std::vector<double>(kHoursOfDay, 1)};
  run.traffic->hours[9] = 4;
  return run;
}

TEST(ReplayDay, HasTheRateOfItsBusiestHour) {
  const ReplayDay day = replay_day(chat_with_hours());
  EXPECT_NEAR(day.requests_per_s, 10 * 27.0 / 96, 1e-12);
  EXPECT_EQ(day.hour_s, 3600);
}

TEST(ReplayDay, IsShorterWhereRequestsAreMany) {
  ServingRun run = chat_with_hours();
  run.load.value = 100;
  // Half a million requests in 25 hours; two sessions of 4 x 60 s take 480 s, of 4 x 120 s take 960 s.
  EXPECT_NEAR(replay_day(run).hour_s, 500000 / (25 * 100 * 27.0 / 96), 1e-9);
  run.traffic->think_time_s = 120;
  EXPECT_EQ(replay_day(run).hour_s, 960);
  run.load.value = 1e4;
  EXPECT_GT(replay_day(run).requests(), kMostRequests);
}

TEST(ReplayDay, BeginsAtMidnight) {
  DrawnTraffic drawn;
  drawn.pattern.hours.assign(kHoursOfDay, 1);
  drawn.pattern.hours[10] = 5;
  drawn.requests_per_s = 10;
  drawn.input_tokens = 100;
  drawn.output_tokens = 2;
  drawn.longest = 1e9;
  const ReplayDay day{.requests_per_s = 10, .hour_s = 100};
  drawn.duration_s = day.duration_s();
  drawn.clock = {.hour_s = day.hour_s, .first_hour = kHoursOfDay - 1};
  StepClock clock = clock_of_steps(1e-4);
  TrafficSource source(drawn);
  const ReplayFigures figures = replay(clock, one_slot(), source, day.hour_s);
  ASSERT_EQ(figures.hours.size(), kHoursOfDay);
  double requests = 0;
  for (const HourFigures& hour : figures.hours) {
    EXPECT_NEAR(hour.arrived_requests_per_s, 10 * 24.0 / 28 * (hour.hour == 10 ? 5 : 1), hour.hour == 10 ? 3 : 1.5)
        << hour.hour;
    requests += hour.requests;
  }
  EXPECT_EQ(requests, static_cast<double>(figures.requests));
}

}  // namespace
}  // namespace podwright::replay
