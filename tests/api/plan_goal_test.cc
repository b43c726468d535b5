// The most that limits give, a yearly budget, a reserve, and growth inside the yearly costs.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "api/plan_example.h"

namespace podwright::plan_goal_test {
namespace {

using namespace plan_example;

const std::string kQuick = R"({"top":1,"draws":0})";

JsonNode asked(const std::string& constraints, const std::string& goal = "", const std::string& economics = "{}") {
  const std::string base = chat(R"({"gpus":["h100-sxm5-80gb","l40s"]})", economics, kQuick);
  const std::string patch =
      "{" + (goal.empty() ? "" : "\"goal\":\"" + goal + "\",") + "\"constraints\":" + constraints + "}";
  return answer_of(json_text(merged(parsed(base), parsed(patch))));
}

double load_of(const JsonNode& answer) { return number(answer, {"goal", "values", "peak_requests_per_s"}); }

bool feasible_at(double peak, const std::string& constraints) {
  const JsonNode request = parsed(chat(R"({"gpus":["h100-sxm5-80gb","l40s"]})", "{}", kQuick));
  JsonNode workload = request.find("workloads")->items.front();
  for (std::size_t i = 0; i < workload.keys.size(); ++i) {
    if (workload.keys[i] == "peak_requests_per_s") workload.items[i].number = peak;
    if (workload.keys[i] == "mean_requests_per_s") workload.items[i].number = peak * 25 / 60;
  }
  const std::string patch = "{\"workloads\":[" + json_text(workload) + "],\"constraints\":" + constraints + "}";
  const JsonNode answer = answer_of(json_text(merged(request, parsed(patch))));
  return !answer.find("plans")->items.empty();
}

TEST(PlanGoal, LargestLoadOfAYearlyBudgetIsTheEdge) {
  const std::string budget = R"({"budget_usd_per_year":300000})";
  const JsonNode answer = asked(budget, "largest-load");
  const double most = load_of(answer);
  EXPECT_GT(most, 60);
  EXPECT_LE(yearly_cost(answer), 300000);
  EXPECT_TRUE(feasible_at(most, budget));
  EXPECT_FALSE(feasible_at(most * 1.05, budget));
  // Three digits, and more for more money.
  EXPECT_NEAR(most * std::pow(10, 2 - std::floor(std::log10(most))),
              std::round(most * std::pow(10, 2 - std::floor(std::log10(most)))), 1e-6);
  EXPECT_GT(load_of(asked(R"({"budget_usd_per_year":600000})", "largest-load")), most);
  EXPECT_LT(load_of(asked(R"({"budget_usd_per_year":30000})", "largest-load")), 60);
}

TEST(PlanGoal, PurchaseAndPowerBoundOnlyOwning) {
  for (const char* limit : {R"({"budget_usd":1500000})", R"({"site_power_kw":40})"}) {
    const JsonNode answer = asked(limit, "largest-load");
    EXPECT_EQ(find(answer, {"plans", "0", "way"})->text, "own") << limit;
  }
  EXPECT_LE(
      number(asked(R"({"budget_usd":1500000})", "largest-load"), {"plans", "0", "cost", "on_premises", "capex_usd"}),
      1500000);
  EXPECT_LE(number(asked(R"({"site_power_kw":40})", "largest-load"), {"plans", "0", "energy", "facility_power_max_kw"}),
            40);
}

TEST(PlanGoal, LargestModelIsAtLeastTheOneNamed) {
  const JsonNode little = asked(R"({"budget_usd_per_year":200000})", "largest-model");
  const JsonNode much = asked(R"({"budget_usd_per_year":5000000})", "largest-model");
  const auto parameters = [](const JsonNode& answer) {
    return number(answer, {"plans", "0", "estimates", "0", "model_parameters", "total"});
  };
  EXPECT_GE(parameters(little), 8.03e9);
  EXPECT_GT(parameters(much), parameters(little));
  EXPECT_LE(yearly_cost(much), 5000000);
}

// With money for more than the search tries the answer says where the search ended.
TEST(PlanGoal, SaysWhereTheLargestClusterEndsTheSearch) {
  const auto shortest = [](const std::string& budget) {
    return answer_of(R"({"kind":"plan","goal":"shortest-run","workloads":[{"name":"t","type":"training",
        "model":"llama-3.1-8b","tokens":2e12,"deadline_days":60,"sequence_length":8192,"global_batch_size":2048}],
        "constraints":{"gpus":["h100-sxm5-80gb"],"ownership":"oem","budget_usd_per_year":)" +
                     budget + R"(},"options":{"draws":0,"top":1}})");
  };
  const JsonNode ended = shortest("1e9");
  EXPECT_EQ(find(ended, {"goal", "code"})->text, "goal/shortest-run-tried");
  EXPECT_GT(2 * number(ended, {"plans", "0", "gpu_count"}), number(ended, {"goal", "most_gpus_tried"}));
  const JsonNode paid = shortest("2e7");
  EXPECT_EQ(find(paid, {"goal", "code"})->text, "goal/shortest-run");
  EXPECT_EQ(find(paid, {"goal", "most_gpus_tried"}), nullptr);
}

TEST(PlanGoal, NothingIsFoundWhereNothingFits) {
  const JsonNode answer = asked(R"({"budget_usd":100})", "largest-load");
  EXPECT_EQ(find(answer, {"goal", "code"})->text, "goal/none");
  EXPECT_TRUE(answer.find("plans")->items.empty());
}

TEST(PlanGoal, ShortestRunEndsInTime) {
  const std::string request =
      R"({"kind":"plan","goal":"shortest-run","workloads":[{"name":"tune","type":"training","model":"llama-3.1-8b",
      "tokens":2e10,"deadline_days":30,"runs_per_year":4}],
      "constraints":{"gpus":["h100-sxm5-80gb"],"budget_usd_per_year":)";
  const auto shortest = [&](const char* budget) {
    const JsonNode answer = answer_of(request + budget + R"(},"options":{"draws":0,"top":1}})");
    const double days = number(answer, {"goal", "values", "deadline_days"});
    EXPECT_LE(number(answer, {"plans", "0", "estimates", "0", "run", "time_days"}), days);
    return days;
  };
  const double poor = shortest("40000");
  EXPECT_LT(poor, 30);
  EXPECT_LE(shortest("400000"), poor);
}

TEST(PlanGoal, NeedsABoundAndAFittingWorkload) {
  const auto first_error = [](const JsonNode& answer) {
    return answer.find("errors")->items.front().find("path")->text;
  };
  EXPECT_EQ(first_error(asked("{}", "largest-load")), "/goal");
  EXPECT_EQ(first_error(asked(R"({"budget_usd":1e6})", "shortest-run")), "/goal");
}

TEST(PlanBudget, OfAYearBoundsEveryWay) {
  const double cost = yearly_cost(asked("{}"));
  const JsonNode enough = asked(R"({"budget_usd_per_year":)" + std::to_string(std::ceil(cost)) + "}");
  EXPECT_DOUBLE_EQ(yearly_cost(enough), cost);
  const JsonNode little = asked(R"({"budget_usd_per_year":)" + std::to_string(std::floor(cost) / 2) + "}");
  ASSERT_TRUE(little.find("plans")->items.empty());
  double least = 1e18;
  for (const JsonNode& item : little.find("rejected")->items) {
    EXPECT_EQ(item.find("code")->text, "yearly-budget");
    least = std::min(least, number(item, {"ways_out", "0", "constraints", "budget_usd_per_year"}));
  }
  EXPECT_NEAR(least, cost, 1);
}

TEST(PlanReserve, IsWholeMachinesAndMaintenance) {
  const JsonNode plain = asked("{}");
  const double gpus = number(plain, {"plans", "0", "gpu_count"});
  const JsonNode spare = asked(R"({"spare_machines":2,"gpus":["h100-sxm5-80gb"]})");
  EXPECT_EQ(number(spare, {"plans", "0", "demand", "reserve_gpus"}), 16);
  EXPECT_GT(yearly_cost(spare), yearly_cost(asked(R"({"gpus":["h100-sxm5-80gb"]})")));
  const JsonNode out = asked(R"({"maintenance_share":0.1})");
  const double needed =
      number(out, {"plans", "0", "gpu_count"}) - number(out, {"plans", "0", "demand", "reserve_gpus"});
  EXPECT_EQ(number(out, {"plans", "0", "gpu_count"}), std::ceil(needed / 0.9));
  EXPECT_EQ(find(plain, {"plans", "0", "demand", "reserve_gpus"}), nullptr);
  EXPECT_GT(gpus, 0);
}

// Machines that stand by are not in use.
TEST(PlanReserve, IsNoUse) {
  const std::string h100 = R"({"gpus":["h100-sxm5-80gb"])";
  const JsonNode without = asked(h100 + "}");
  const JsonNode with = asked(h100 + R"(,"spare_machines":1})");
  EXPECT_LT(number(with, {"plans", "0", "cost", "on_premises", "utilization"}),
            number(without, {"plans", "0", "cost", "on_premises", "utilization"}));
  EXPECT_DOUBLE_EQ(number(with, {"plans", "0", "demand", "mean_gpus"}),
                   number(without, {"plans", "0", "demand", "mean_gpus"}));
}

// Without a run time nothing is known of the deadline.
TEST(PlanGoal, ARunOfUnknownTimeKeepsNoDeadline) {
  Catalog catalog = embedded_catalog_facts();
  for (System& system : catalog.systems) system.compute_nic_bandwidth = {};
  const JsonNode answer = answer_of(catalog, R"({"kind":"plan","workloads":[{"name":"tune","type":"training",
      "model":"llama-3.1-70b","tokens":2e10,"deadline_days":3}],"constraints":{"gpus":["b300-sxm"]},
      "options":{"draws":0,"top":1}})");
  for (const JsonNode& plan : answer.find("plans")->items)
    if (find(plan, {"estimates", "0", "run", "time_days"}) == nullptr) {
      EXPECT_EQ(find(plan, {"unchecked", "0", "limit"})->text, "/workloads/0/deadline_days");
    }
}

// A reserve stands all the time, so that it is rented for whole years.
TEST(PlanReserve, IsRentedAllTheTime) {
  const std::string cloud = R"({"ownership":"cloud","gpus":["h100-sxm5-80gb"])";
  const JsonNode without = asked(cloud + "}");
  const JsonNode with = asked(cloud + R"(,"spare_machines":1})");
  const double hour = number(with, {"plans", "0", "cost", "cloud", "usd_per_gpu_hour"});
  EXPECT_NEAR(number(with, {"plans", "0", "cost", "cloud", "compute_usd_per_year"}) -
                  number(without, {"plans", "0", "cost", "cloud", "compute_usd_per_year"}),
              8 * hour * 8760, 0.2 * 8 * hour * 8760);
}

TEST(PlanGrowth, IsInTheYearlyCosts) {
  const auto with = [](const char* growth) {
    return asked(R"({"gpus":["h100-sxm5-80gb"]})", "", std::string(R"({"demand_growth_per_year":)") + growth + "}");
  };
  const JsonNode flat = with("0");
  const JsonNode grows = with("0.5");
  const JsonNode shrinks = with("-0.3");
  const auto rent = [](const JsonNode& answer) {
    return number(answer, {"plans", "0", "cost", "cloud", "as_needed_usd_per_year"});
  };
  // Years of 1, 1.5, 2.25 and 3.375 times the demand, at 8 %.
  const double level = (1 / 1.08 + 1.5 / std::pow(1.08, 2) + 2.25 / std::pow(1.08, 3) + 3.375 / std::pow(1.08, 4)) /
                       ((1 - std::pow(1.08, -4)) / 0.08);
  EXPECT_NEAR(rent(grows), level * rent(flat), 1e-6 * rent(grows));
  EXPECT_LT(rent(shrinks), rent(flat));
  const auto own = [](const JsonNode& answer, const char* key) {
    return number(answer, {"plans", "0", "cost", "on_premises", key});
  };
  EXPECT_GT(own(grows, "growth_usd_per_year"), 0);
  EXPECT_EQ(find(shrinks, {"plans", "0", "cost", "on_premises", "growth_usd_per_year"}), nullptr);
  EXPECT_DOUBLE_EQ(own(shrinks, "annual_usd"), own(flat, "annual_usd"));
  // The same tokens for the same money: a token of a rented plan costs what it did.
  const auto token = [](const JsonNode& answer) {
    return number(answer, {"plans", "0", "cost", "cloud", "usd_per_million_output_tokens"});
  };
  EXPECT_NEAR(token(grows), token(flat), 1e-9 * token(flat));
}

}  // namespace
}  // namespace podwright::plan_goal_test
