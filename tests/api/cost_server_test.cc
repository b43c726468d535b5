// One server of eight H100 through the whole `cost` request, with the figures of docs/method/ownership.md.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/ask.h"

namespace podwright::cost_server_test {
namespace {

const std::string kServer =
    R"({"kind":"cost","gpu_count":8,"horizon_years":5,"discount_rate":0.08,"utilization":0.6,
        "on_premises":{"servers_usd":285000,"network_usd":32000,"storage_usd":25000,"residual_fraction":0.2,
          "it_power_kw":10.2,"load":0.75,"pue":1.3,"electricity_usd_per_kwh":0.083,"support_fraction_per_year":0.1,
          "license_usd_per_gpu_year":4500,"staff_fte":0.1,"staff_usd_per_year":200000,"facility":{"mode":"none"}},
        "cloud":{"usd_per_gpu_hour":3.99,"price_change_per_year":0.0},"uncertainty":{"draws":20000,"seed":1}})";

std::string at_rent(double usd_per_gpu_hour, double change = 0) {
  return R"({"cloud":{"usd_per_gpu_hour":)" + std::to_string(usd_per_gpu_hour) + R"(,"price_change_per_year":)" +
         std::to_string(change) + "}}";
}

std::string summary_of(const std::string& patch) { return ask(kServer, patch).answer.find("summary")->text; }
bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(CostOfAServer, OwningByParts) {
  const JsonNode answer = ask(kServer).answer;
  const auto own = [&](const std::string& key) { return number_at(answer, "/on_premises/" + key); };
  EXPECT_NEAR(own("capex_usd"), 342000, 1e-6);
  EXPECT_NEAR(own("residual_usd"), 57000, 1e-6);
  EXPECT_NEAR(own("energy_per_year_kwh"), 87118.2, 1e-6);
  EXPECT_NEAR(own("energy_usd_per_year"), 7230.81, 0.005);
  EXPECT_NEAR(own("annual_opex_usd"), 91730.81, 0.005);
  EXPECT_NEAR(own("annual_capital_usd"), 75940.09, 0.005);
  EXPECT_NEAR(own("annual_usd"), 167670.90, 0.005);
  EXPECT_NEAR(own("usd_per_gpu_hour_available"), 2.392564, 5e-7);
  EXPECT_NEAR(own("usd_per_gpu_hour_used"), 3.987607, 5e-7);
  EXPECT_NEAR(own("usd_per_gpu_hour_available_straight_line"), 2.122300, 5e-7);
  EXPECT_NEAR(own("npv_usd"), 669461.29, 0.005);
  EXPECT_NEAR(own("npv_usd"), own("annual_usd") / 0.2504564546, 0.01);
  EXPECT_NEAR(own("annual_capital_usd") + own("annual_opex_usd"), own("annual_usd"), 1e-6);
  EXPECT_NEAR(own("energy_usd_per_year") + own("support_usd_per_year") + own("license_usd_per_year") +
                  own("staff_usd_per_year") + own("facility_usd_per_year") + own("connection_usd_per_year"),
              own("annual_opex_usd"), 1e-6);
  EXPECT_NEAR(own("idle_usd_per_year"), 0.4 * 167670.90, 0.01);
  EXPECT_NEAR(own("idle_gpu_hours_per_year"), 0.4 * 8 * 8760, 1e-6);
  ASSERT_EQ(answer.find("on_premises")->find("by_year")->items.size(), 5u);
  EXPECT_NEAR(own("by_year/4/total_usd"), 167670.90, 0.005);
}

TEST(CostOfAServer, AStraightLineAddsUpToo) {
  const JsonNode answer = ask(kServer, R"({"on_premises":{"capital":"straight-line"}})").answer;
  EXPECT_NEAR(number_at(answer, "/on_premises/usd_per_gpu_hour_available"), 2.122300, 5e-7);
  EXPECT_NEAR(number_at(answer, "/on_premises/annual_usd"), 57000 + 91730.8106, 1e-3);
  EXPECT_NEAR(number_at(answer, "/on_premises/by_year/0/total_usd"), 57000 + 91730.8106, 1e-3);
  EXPECT_NEAR(number_at(answer, "/on_premises/npv_usd"), 669461.29, 0.005);
}

TEST(CostOfAServer, BreakEvenUtilisationAgainstThreeClouds) {
  EXPECT_NEAR(number_at(ask(kServer, at_rent(3.99)).answer, "/break_even/utilization"), 0.5996, 5e-5);
  EXPECT_NEAR(number_at(ask(kServer, at_rent(6.88)).answer, "/break_even/utilization"), 0.3478, 5e-5);
  EXPECT_NEAR(number_at(ask(kServer, at_rent(12.29)).answer, "/break_even/utilization"), 0.1947, 5e-5);
}

TEST(CostOfAServer, BreakEvenTime) {
  const auto hours = [&](const std::string& patch) {
    return number_at(ask(kServer, patch).answer, "/break_even/hours");
  };
  EXPECT_NEAR(hours(at_rent(6.88)), 7673.6, 0.05);
  EXPECT_NEAR(hours(at_rent(12.29)), 3893.1, 0.05);
  EXPECT_NEAR(hours(at_rent(3.99)), 15945.2, 0.05);
  EXPECT_NEAR(number_at(ask(kServer).answer, "/break_even/months"), 21.843, 5e-4);
  EXPECT_NEAR(hours(at_rent(3.99, -0.1)), 18919, 0.5);
  EXPECT_NEAR(hours(at_rent(3.99, -0.2)), 27283, 0.5);
}

TEST(CostOfAServer, NeverIsAnAnswer) {
  const JsonNode answer = ask(kServer, at_rent(3.99, -0.3)).answer;
  EXPECT_EQ(answer.find("break_even")->find("hours")->type, JsonType::null);
  EXPECT_EQ(answer.find("break_even")->find("months")->type, JsonType::null);
  EXPECT_FALSE(answer.find("break_even")->find("reason")->text.empty());
  EXPECT_TRUE(says(answer.find("summary")->text, "never earns its purchase back"));
  const JsonNode cheap = ask(kServer, at_rent(1.2)).answer;
  EXPECT_EQ(cheap.find("break_even")->find("hours")->type, JsonType::null);
  EXPECT_TRUE(says(cheap.find("summary")->text, "Renting is cheaper at every utilisation"));
  EXPECT_TRUE(says(summary_of(at_rent(1.35)), "ill-conditioned"));
}

TEST(CostOfAServer, SwingsOfTheUsedHour) {
  const JsonNode answer = ask(kServer, R"({"uncertainty":{"draws":100,"ranges":{
      "utilization":{"low":0.3,"high":0.8},"servers_usd":{"low":190000,"high":350000},
      "staff_fte":{"low":0.05,"high":0.25},"license_usd_per_gpu_year":{"low":0,"high":4500},
      "support_fraction_per_year":{"low":0.05,"high":0.15},"horizon_years":{"low":4,"high":6},
      "discount_rate":{"low":0.06,"high":0.13},"residual_fraction":{"low":0.1,"high":0.35},
      "electricity_usd_per_kwh":{"low":0.075,"high":0.204},"network_usd":{"low":12800,"high":40000},
      "pue":{"low":1.09,"high":1.56}}}})")
                              .answer;
  const struct {
    const char* input;
    double swing;
  } expected[] = {{"utilization", 4.9845},
                  {"servers", 1.2038},
                  {"staff_fte", 0.9513},
                  {"license_per_gpu", 0.8562},
                  {"support_fraction", 0.6778},
                  {"life_years", 0.5802},
                  {"discount_rate", 0.4129},
                  {"residual_fraction", 0.2888},
                  {"electricity_price", 0.2673},
                  {"network", 0.1620},
                  {"pue", 0.0622}};
  const auto& bars = answer.find("tornado")->items;
  ASSERT_EQ(bars.size(), std::size(expected));
  for (std::size_t i = 0; i < bars.size(); ++i) {
    EXPECT_EQ(bars[i].find("input")->text, expected[i].input);
    EXPECT_NEAR(bars[i].find("swing_usd_per_gpu_hour")->number, expected[i].swing, 5.1e-5) << expected[i].input;
  }
}

TEST(CostOfAServer, QuantilesOfTheUtilisationAlone) {
  std::string fixed;
  for (const char* key : {"horizon_years", "discount_rate", "servers_usd", "network_usd", "pue",
                          "electricity_usd_per_kwh", "support_fraction_per_year", "staff_fte"}) {
    const JsonNode request = *parse_json(kServer);
    const JsonNode* top = request.find(key);
    const double number = (top != nullptr ? top : request.find("on_premises")->find(key))->number;
    fixed += ",\"" + std::string(key) + R"(":{"low":)" + std::to_string(number) + R"(,"high":)" +
             std::to_string(number) + "}";
  }
  const JsonNode answer =
      ask(kServer, R"({"uncertainty":{"draws":100000,"ranges":{"utilization":{"low":0.3,"high":0.8})" + fixed + "}}}")
          .answer;
  EXPECT_NEAR(number_at(answer, "/distribution/usd_per_gpu_hour_used/p5"), 3.28068, 0.01 * 3.28068);
  EXPECT_NEAR(number_at(answer, "/distribution/usd_per_gpu_hour_used/p50"), 4.16924, 0.01 * 4.16924);
  EXPECT_NEAR(number_at(answer, "/distribution/usd_per_gpu_hour_used/p95"), 6.18869, 0.01 * 6.18869);
}

TEST(CostOfAServer, SpotWithInterruptions) {
  const JsonNode answer = ask(kServer, R"({"cloud":{"usd_per_gpu_hour":2,"term":"spot",
      "spot":{"interruptions_per_hour":0.05,"checkpoint_s":180,"restart_s":600}}})")
                              .answer;
  EXPECT_NEAR(number_at(answer, "/cloud/spot/checkpoint_interval_s"), 1.414 * 3600, 0.0005 * 3600);
  EXPECT_NEAR(1 - number_at(answer, "/cloud/spot/goodput"), 0.07904, 5e-6);
  EXPECT_NEAR(number_at(answer, "/cloud/spot/usd_per_gpu_hour_effective"), 2.1717, 5e-5);
  EXPECT_NEAR(1000 / number_at(answer, "/cloud/spot/goodput"), 1085.8, 0.05);
  EXPECT_NEAR(number_at(answer, "/break_even/utilization"), 2.392564 / 2.1717, 5e-5);
}

// Demand spread evenly from 0 to 100 GPUs, owned at 2 and rented at 3 USD per GPU-hour.
TEST(CostOfAServer, OwningSomeAndRentingTheRest) {
  const JsonNode answer = ask(R"({"kind":"cost","gpu_count":100,"horizon_years":1,"discount_rate":0,"utilization":0.5,
      "on_premises":{"servers_usd":1752000},"cloud":{"usd_per_gpu_hour":3},
      "demand":{"curve":[{"gpus":0,"share_of_time":1},{"gpus":100,"share_of_time":0}]}})")
                              .answer;
  EXPECT_NEAR(number_at(answer, "/on_premises/usd_per_gpu_hour_available"), 2, 1e-12);
  EXPECT_NEAR(number_at(answer, "/hybrid/own_gpus"), 33.33, 0.005);
  EXPECT_NEAR(number_at(answer, "/hybrid/own_usd_per_year"), 584000, 0.5);
  EXPECT_NEAR(number_at(answer, "/hybrid/rent_usd_per_year"), 584000, 0.5);
  EXPECT_NEAR(number_at(answer, "/hybrid/usd_per_year"), 1168000, 0.5);
  EXPECT_NEAR(number_at(answer, "/hybrid/all_rented_usd_per_year"), 1314000, 0.5);
  EXPECT_NEAR(number_at(answer, "/hybrid/all_owned_usd_per_year"), 1752000, 0.5);
}

TEST(CostOfAServer, TaxShields) {
  const auto shield = [&](const std::string& tax) {
    return number_at(ask(R"({"kind":"cost","gpu_count":8,"horizon_years":5,"discount_rate":0.08,
        "on_premises":{"servers_usd":250000,"tax":")" +
                         tax + R"(","tax_rate":0.21}})")
                         .answer,
                     "/on_premises/tax/shield_usd");
  };
  EXPECT_NEAR(shield("macrs"), 42594.60, 0.005);
  EXPECT_NEAR(shield("bonus"), 48611.11, 0.005);
  EXPECT_NEAR(shield("straight-line"), 41923.46, 0.005);
}

// Published cost and power of a GPU-hour at 1,000 tokens per second: H100, B200, GB200.
TEST(CostOfAServer, PublishedCostOfTokens) {
  const struct {
    double usd_per_hour;
    double kw;
    double usd_per_million;
    double joules;
    double tokens_per_s_per_mw;
  } rows[] = {
      {1.30, 1.73, 0.36111, 1.73, 578035}, {1.95, 2.17, 0.54167, 2.17, 460829}, {2.21, 2.10, 0.61389, 2.10, 476190}};
  for (const auto& row : rows) {
    const JsonNode answer =
        ask(R"({"kind":"cost","gpu_count":1,"utilization":1,"workload":{"input_tokens_per_s":400,"output_tokens_per_s":600},
            "on_premises":{"it_power_kw":)" +
            std::to_string(row.kw) + R"(,"load":1,"pue":1},
            "cloud":{"usd_per_gpu_hour":)" +
            std::to_string(row.usd_per_hour) + "}}")
            .answer;
    EXPECT_NEAR(number_at(answer, "/cloud/usd_per_million_tokens"), row.usd_per_million, 5e-6);
    EXPECT_NEAR(number_at(answer, "/on_premises/joules_per_token"), row.joules, 1e-9);
    EXPECT_NEAR(number_at(answer, "/on_premises/tokens_per_s_per_mw"), row.tokens_per_s_per_mw, 0.5);
  }
}

TEST(CostOfAServer, TheDecisionComparesInTheMoneyOfToday) {
  const JsonNode answer = ask(kServer, at_rent(6.88)).answer;
  const JsonNode& decision = *answer.find("decision");
  EXPECT_EQ(decision.find("cheapest")->text, "own");
  EXPECT_FALSE(decision.find("nearly_equal")->boolean);
  const double rent = number_at(answer, "/cloud/npv_usd");
  const double own = number_at(answer, "/on_premises/npv_usd");
  EXPECT_NEAR(number_at(answer, "/decision/saving_usd"), rent - own, 1e-6);
  EXPECT_NEAR(number_at(answer, "/decision/saving_fraction"), 1 - own / rent, 1e-12);
  EXPECT_NEAR(number_at(answer, "/decision/ways/1/usd_per_year"), number_at(answer, "/cloud/usd_per_year"), 1e-6);
  EXPECT_EQ(ask(kServer, at_rent(2)).answer.find("decision")->find("cheapest")->text, "rent");
  EXPECT_TRUE(ask(kServer).answer.find("decision")->find("nearly_equal")->boolean);
}

TEST(CostOfAServer, TheFirstSentencesSayWhichWayByHowMuchFromWhenOnAndHowSure) {
  const std::string own = summary_of(at_rent(6.88));
  EXPECT_TRUE(says(own, "owning is cheaper than renting by $485,591 (42 %)")) << own;
  EXPECT_TRUE(says(own, "Owning is cheaper above 34.8 % utilisation.")) << own;
  EXPECT_TRUE(says(own, "earned back after 10.5 months")) << own;
  EXPECT_TRUE(says(own, " % of 20,000 draws")) << own;
  EXPECT_TRUE(says(own, "$67,068 a year pays for unused hours")) << own;
  EXPECT_TRUE(says(summary_of(at_rent(2)), "renting is cheaper than owning by")) << summary_of(at_rent(2));
  EXPECT_TRUE(says(summary_of("{}"), "cost the same to within 1 %"));
  EXPECT_TRUE(says(summary_of("{}"), "unlike with the typical numbers"));
  EXPECT_FALSE(says(summary_of(R"({"utilization":1})"), "unused hours"));
  EXPECT_TRUE(says(summary_of(R"({"cloud":{"egress_gb_per_month":10}})"), "Renting has no total: No dated source"));
}

TEST(CostOfAServer, ASplitThatIsNotKnownSaysWhy) {
  const std::string demand = R"({"demand":{"workloads":[{"gpus":4}]},"cloud":{"storage_gb":10}})";
  EXPECT_TRUE(says(ask(kServer, demand).answer.find("hybrid")->find("missing")->items[0].text, "No dated source"));
}

TEST(CostOfAServer, WhatIsLeftOutAndCountsNothingIsTold) {
  const auto cautions = [](const std::string& patch) {
    std::string all;
    const JsonNode answer = ask(kServer, patch).answer;
    for (const JsonNode& text : answer.find("on_premises")->find("cautions")->items) all += text.text;
    return all;
  };
  EXPECT_TRUE(says(cautions(R"({"on_premises":{"electricity_usd_per_kwh":null}})"), "Electricity costs nothing"));
  EXPECT_TRUE(says(cautions(R"({"on_premises":{"it_power_kw":null}})"), "No energy is counted"));
  EXPECT_TRUE(says(cautions(R"({"on_premises":{"servers_usd":null}})"), "No servers are bought"));
  EXPECT_EQ(ask(kServer).answer.find("on_premises")->find("cautions"), nullptr);
}

TEST(CostOfAServer, WhereRentingIsNotWholeThereIsNoBreakEven) {
  const JsonNode answer = ask(kServer, R"({"cloud":{"term":"spot"}})").answer;
  EXPECT_EQ(answer.find("break_even")->find("utilization")->type, JsonType::null);
  EXPECT_TRUE(says(answer.find("break_even")->find("reason")->text, "The cost of renting is not whole"));
  EXPECT_EQ(answer.find("decision")->find("ways")->items.size(), 1u);
  EXPECT_TRUE(says(answer.find("decision")->find("not_compared")->items[0].text, "rent: No rate of interruptions"));
  EXPECT_NEAR(number_at(answer, "/decision/idle_usd_per_year"), 0.4 * 167670.90, 0.01);
  EXPECT_EQ(answer.find("distribution")->find("probability_owning_is_cheaper"), nullptr);
}

TEST(CostOfAServer, WhatOwningSavesBesideTheGpusCountsInTheBreakEven) {
  const JsonNode answer = ask(kServer, R"({"cloud":{"storage_gb":100000,"storage_usd_per_gb_month":0.02,
      "license_usd_per_gpu_hour":1}})")
                              .answer;
  const double saved = 100000 * 0.02 * 12;
  const double rent = (3.99 + 1) * 8 * 8760;
  EXPECT_NEAR(number_at(answer, "/break_even/utilization"), (167670.900151548 - saved) / rent, 1e-9);
  EXPECT_NEAR(number_at(answer, "/break_even/hours"), 342000 / (rent - 91730.8106 + saved) * 8760, 1e-4);
  // At that utilisation both ways cost the same, everything counted.
  const double even = number_at(answer, "/break_even/utilization");
  const JsonNode there = ask(kServer, R"({"utilization":)" + std::to_string(even) + R"(,"cloud":{"storage_gb":100000,
      "storage_usd_per_gb_month":0.02,"license_usd_per_gpu_hour":1}})")
                             .answer;
  EXPECT_NEAR(number_at(there, "/cloud/npv_usd"), number_at(there, "/on_premises/npv_usd"), 2);
}

TEST(CostOfAServer, AHostedInterfaceIsComparedAtTheUseAskedFor) {
  // A card of 2,000 USD and 13.20 USD of electricity a month against 816 USD a month: 2.49 months (Pan and Wang).
  const JsonNode answer = ask(R"({"kind":"cost","gpu_count":1,"utilization":0.22,"discount_rate":0.08,
      "on_premises":{"servers_usd":2000,"network_usd_per_year":158.4},
      "hosted_api":{"input_usd_per_million_tokens":1.25,"output_usd_per_million_tokens":10,
        "output_share":0.66666666666667,"tokens_per_month":115.2e6}})")
                              .answer;
  EXPECT_NEAR(number_at(answer, "/hosted_api/usd_per_month"), 816, 0.01);
  EXPECT_NEAR(number_at(answer, "/break_even/months"), 2.49, 0.01);
  const double own = number_at(answer, "/on_premises/annual_usd");
  EXPECT_NEAR(number_at(answer, "/break_even/utilization"), 0.22 * own / (12 * 816), 1e-6);
  EXPECT_TRUE(
      says(answer.find("summary")->text, "At the requested utilisation the purchase is earned back after 2.49 months"));
}

}  // namespace
}  // namespace podwright::cost_server_test
