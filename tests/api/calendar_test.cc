#include <gtest/gtest.h>

#include <string>

#include "support/ask.h"

namespace podwright::calendar_test {
namespace {

double in_calendar(const Reply& asked, std::string_view key) {
  const JsonNode* calendar = asked.answer.find("calendar");
  const JsonNode* value = calendar == nullptr ? nullptr : calendar->find(key);
  EXPECT_NE(value, nullptr) << key;
  return value == nullptr ? 0 : value->number;
}
TEST(Calendar, StandsInTheAnswerWhenTokensAreNamed) {
  EXPECT_EQ(ask(kTrainingRun, "{}").answer.find("calendar"), nullptr);
  const Reply asked = ask(kTrainingRun, R"({"tokens":1e12,"gpu_price_usd_per_hour":2,"power_kw_per_gpu":1.5})");
  EXPECT_EQ(asked.outcome, Outcome::answer);
  const double hours = in_calendar(asked, "gpu_hours");
  EXPECT_NEAR(hours, 64 * 24 * in_calendar(asked, "run_time_days"), 1e-9 * hours);
  EXPECT_NEAR(in_calendar(asked, "energy_kwh"), 1.5 * hours, 1e-9 * hours);
  EXPECT_NEAR(in_calendar(asked, "cost_usd"), 2 * hours, 1e-9 * hours);
  const double rate = asked.answer.find("throughput")->find("tokens_per_s")->number;
  EXPECT_NEAR(in_calendar(asked, "run_time_days_without_interruptions"), 1e12 / rate / 86400, 1e-6);
  EXPECT_NEAR(in_calendar(asked, "goodput") * in_calendar(asked, "run_time_days"),
              in_calendar(asked, "run_time_days_without_interruptions"), 1e-6);
}

TEST(Calendar, TakesThePowerOfTheMachine) {
  const Reply asked = ask(kTrainingRun, R"({"tokens":1e12,"load":1,"pue":1})");
  EXPECT_NEAR(in_calendar(asked, "power_kw_per_gpu"), 10.2 / 8, 1e-12);
  EXPECT_NEAR(in_calendar(ask(kTrainingRun, R"({"tokens":1e12,"load":0.5,"pue":1.2})"), "power_kw_per_gpu"),
              0.6 * 10.2 / 8, 1e-12);
}

// 60 s and 11,135 s between failures: an interval of 1,156 s and 10.4 % lost.
TEST(Calendar, FollowsYoungAndDaly) {
  const Reply asked =
      ask(kTrainingRun,
          R"({"tokens":1e12,"checkpoint":{"write_s":60},"restart_s":0,"gpu_hours_per_failure":197.95555555555555})");
  EXPECT_NEAR(in_calendar(asked, "mean_time_between_failures_h") * 3600, 11135, 0.5);
  EXPECT_NEAR(in_calendar(asked, "checkpoint_interval_s"), 1156, 0.5);
  EXPECT_NEAR(in_calendar(asked, "goodput"), 0.896, 0.0005);
}

TEST(Calendar, WaysOutOfAMissedDeadlineMeetIt) {
  const std::string late = R"({"tokens":1e12,"deadline_days":14})";
  const Reply asked = ask(kTrainingRun, late);
  ASSERT_EQ(asked.outcome, Outcome::infeasible);
  const JsonNode& reason = asked.answer.find("reasons")->items[0];
  EXPECT_EQ(reason.find("code")->text, "deadline");
  ASSERT_GE(reason.find("ways_out")->items.size(), 2u);
  bool more_gpus = false;
  for (const JsonNode& way_out : reason.find("ways_out")->items) {
    more_gpus = more_gpus || way_out.find("gpu_count") != nullptr;
    EXPECT_EQ(ask(kTrainingRun, json_text(merged(*parse_json(late), way_out))).outcome, Outcome::answer)
        << json_text(way_out);
  }
  EXPECT_TRUE(more_gpus);
}

TEST(Calendar, SaysThatARunDoesNotMoveOn) {
  const std::string stuck = R"({"tokens":1e12,"checkpoint":{"write_s":120},"restart_s":300,"gpu_hours_per_failure":5})";
  const Reply asked = ask(kTrainingRun, stuck);
  ASSERT_EQ(asked.outcome, Outcome::infeasible);
  EXPECT_EQ(in_calendar(asked, "goodput"), 0);
  EXPECT_EQ(asked.answer.find("calendar")->find("run_time_days"), nullptr);
  const JsonNode& reason = asked.answer.find("reasons")->items[0];
  EXPECT_EQ(reason.find("code")->text, "no-progress");
  ASSERT_FALSE(reason.find("ways_out")->items.empty());
  for (const JsonNode& way_out : reason.find("ways_out")->items)
    EXPECT_EQ(ask(kTrainingRun, json_text(merged(*parse_json(stuck), way_out))).outcome, Outcome::answer)
        << json_text(way_out);
}

}  // namespace
}  // namespace podwright::calendar_test
