// The `fleet` part of the `cost` request: failures, spares, availability, goodput and what it costs.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/ask.h"

namespace podwright::cost_fleet_test {
namespace {

/// 2,048 GPUs in 256 servers; every failure takes one out for two days.
const std::string kFleet =
    R"({"kind":"cost","gpu_count":2048,"horizon_years":4,"discount_rate":0.08,"utilization":0.8,
        "on_premises":{"servers_usd":72960000,"residual_fraction":0.2},"cloud":{"usd_per_gpu_hour":2.99},
        "uncertainty":{"draws":100},
        "fleet":{"gpu_hours_per_failure":50677,"repair_hours":48,
          "run":{"gpu_count":2048,"checkpoint_s":30,"restart_s":300}}})";

double fleet(const JsonNode& answer, const std::string& key) { return number_at(answer, "/fleet/" + key); }

// 2,048 * 8,760 / 50,677 failures; 354.0 * 48 / 8,760 servers under repair; 1.9398 + 1.645 * 1.3928, rounded up.
TEST(CostOfAFleet, FailuresAndSpares) {
  const JsonNode answer = ask(kFleet).answer;
  EXPECT_EQ(fleet(answer, "servers"), 256);
  EXPECT_NEAR(fleet(answer, "failures_per_year"), 354.0162, 1e-3);
  EXPECT_NEAR(fleet(answer, "server_mean_time_between_failures_hours"), 6334.625, 1e-9);
  EXPECT_NEAR(fleet(answer, "availability"), 6334.625 / 6382.625, 1e-12);
  EXPECT_NEAR(fleet(answer, "servers_working_mean"), 256 * 6334.625 / 6382.625, 1e-9);
  EXPECT_NEAR(fleet(answer, "servers_in_repair_mean"), 1.939817, 1e-5);
  EXPECT_EQ(fleet(answer, "spares"), 5);
  EXPECT_EQ(fleet(answer, "spares_usd"), 5 * 72960000.0 / 256);
  // Poisson with that mean, at most five.
  double suffice = 0;
  double term = std::exp(-fleet(answer, "servers_in_repair_mean"));
  for (int k = 0; k <= 5; ++k) {
    suffice += term;
    term *= fleet(answer, "servers_in_repair_mean") / (k + 1);
  }
  EXPECT_NEAR(fleet(answer, "spares_suffice"), suffice, 1e-12);
  EXPECT_NE(answer.find("fleet")->find("cautions"), nullptr);
}

// M = 24.7446 h; Young's interval of a pause of 30 s; first-order loss with 300 s of restart.
TEST(CostOfAFleet, GoodputAndItsPrice) {
  const JsonNode answer = ask(kFleet).answer;
  const double between = 50677.0 / 2048 * 3600;
  EXPECT_NEAR(fleet(answer, "run/mean_time_between_failures_hours"), 50677.0 / 2048, 1e-12);
  const double interval = std::sqrt(2 * 30 * between);
  EXPECT_NEAR(fleet(answer, "run/checkpoint_interval_s"), interval, 1e-9);
  const double goodput = 1 - (30 / interval + interval / (2 * between) + 300 / between);
  EXPECT_NEAR(fleet(answer, "run/goodput"), goodput, 1e-12);
  const double own = number_at(answer, "/on_premises/annual_usd") * 0.8;
  EXPECT_NEAR(fleet(answer, "run/on_premises/lost_usd_per_year"), own * (1 - goodput), 1e-6 * own);
  EXPECT_NEAR(fleet(answer, "run/on_premises/usd_per_gpu_hour_of_progress"),
              number_at(answer, "/on_premises/usd_per_gpu_hour_used") / goodput, 1e-9);
  const double rent = 2048 * 2.99 * 8760 * 0.8;
  EXPECT_NEAR(fleet(answer, "run/cloud/lost_usd_per_year"), rent * (1 - goodput), 1e-9 * rent);
  EXPECT_NEAR(fleet(answer, "run/cloud/usd_per_gpu_hour_of_progress"), 2.99 / goodput, 1e-9);
}

// Idle hours of a commitment lose nothing to failures.
TEST(CostOfAFleet, OfACommitmentOnlyTheHoursInUseAreLost) {
  const JsonNode needed = ask(kFleet).answer;
  const JsonNode committed = ask(kFleet, R"({"cloud":{"term":"reserved-1y","commitment_years":1}})").answer;
  EXPECT_NEAR(fleet(committed, "run/cloud/lost_usd_per_year"), fleet(needed, "run/cloud/lost_usd_per_year"), 1e-3);
}

TEST(CostOfAFleet, MoreFailuresCostMore) {
  double failures = 0;
  double lost = 0;
  for (const char* per_failure : {"1e6", "1e5", "3e4", "1e4"}) {
    const JsonNode answer =
        ask(kFleet, std::string(R"({"fleet":{"gpu_hours_per_failure":)") + per_failure + "}}").answer;
    EXPECT_GT(fleet(answer, "failures_per_year"), failures);
    EXPECT_GT(fleet(answer, "run/on_premises/lost_usd_per_year"), lost);
    failures = fleet(answer, "failures_per_year");
    lost = fleet(answer, "run/on_premises/lost_usd_per_year");
  }
}

TEST(CostOfAFleet, APublishedFleetStandsInAndIsTold) {
  const JsonNode answer =
      ask(kFleet, R"({"gpu":"h100-sxm5-80gb","fleet":{"gpu_hours_per_failure":null,"run":{"restart_s":null}}})").answer;
  EXPECT_NEAR(fleet(answer, "failures_per_year"), 354.0162, 1e-3);
  const std::string assumptions = json_text(*answer.find("assumptions"));
  EXPECT_NE(assumptions.find("50,677 GPU-hours, as in Meta Llama 3 405B"), std::string::npos);
  EXPECT_NE(assumptions.find("first new step 300 s"), std::string::npos);
  Catalog catalog = embedded_catalog_facts();
  catalog.failure_rates.clear();
  const auto without = parse_json(
      answer_request(catalog, R"({"kind":"cost","gpu":"h100-sxm5-80gb","gpu_count":8,"cloud":{"usd_per_gpu_hour":2},
                                  "fleet":{"repair_hours":48}})")
          .text);
  ASSERT_TRUE(without);
  EXPECT_EQ(without->find("fleet")->find("failures_per_year"), nullptr);
  EXPECT_FALSE(without->find("fleet")->find("missing")->items.empty());
}

TEST(CostOfAFleet, ARunThatNeverMovesHasNoPrice) {
  const JsonNode answer = ask(kFleet, R"({"fleet":{"gpu_hours_per_failure":100}})").answer;
  EXPECT_EQ(fleet(answer, "run/goodput"), 0);
  EXPECT_EQ(answer.find("fleet")->find("run")->find("cloud"), nullptr);
  EXPECT_NE(json_text(*answer.find("fleet")).find("never ends"), std::string::npos);
}

}  // namespace
}  // namespace podwright::cost_fleet_test
