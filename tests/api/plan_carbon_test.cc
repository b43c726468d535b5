#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "api/plan_example.h"
#include "catalog/catalog.h"

namespace podwright::plan_carbon_test {
namespace {

using namespace plan_example;

double own_of(const JsonNode& answer, std::string_view key) {
  return number(answer, {"plans", "0", "carbon", "own", key});
}

TEST(PlanCarbon, OfTheOwnedCluster) {
  const JsonNode answer = answer_of(chat(kH100, R"({"region":"USA","horizon_years":5})"));
  const double gpus = number(answer, {"plans", "0", "architecture", "gpus"});
  const double energy = number(answer, {"plans", "0", "energy", "energy_per_year_kwh"});
  EXPECT_NEAR(own_of(answer, "operation_kg_per_year"), energy * 0.3695, 1e-6);
  EXPECT_NEAR(own_of(answer, "embodied_kg"), 318 * gpus, 1e-9);
  EXPECT_NEAR(own_of(answer, "embodied_kg_per_year"), 318 * gpus / 5, 1e-9);
  EXPECT_NEAR(own_of(answer, "kg_co2e_per_year"), energy * 0.3695 + 318 * gpus / 5, 1e-6);
  const double millions = 25.0 * 400 * 31536000 / 1e6;
  EXPECT_NEAR(own_of(answer, "g_co2e_per_million_output_tokens"), own_of(answer, "kg_co2e_per_year") * 1000 / millions,
              1e-9);
}

TEST(PlanCarbon, AMissingRegionOrFigureIsNamedAndLeavesNoSum) {
  const JsonNode world = answer_of(chat(kH100, R"({"region":"WORLD"})"));
  Catalog catalog = embedded_catalog_facts();
  auto& rows = catalog.purchase_prices;
  rows.erase(std::remove_if(rows.begin(), rows.end(), [](const auto& row) { return row.category == "carbon"; }),
             rows.end());
  const JsonNode no_making = answer_of(catalog, chat(kH100));
  for (const JsonNode* answer : {&world, &no_making}) {
    EXPECT_EQ(find(*answer, {"plans", "0", "carbon", "own", "kg_co2e_per_year"}), nullptr);
    EXPECT_EQ(find(*answer, {"plans", "0", "carbon", "own", "g_co2e_per_million_output_tokens"}), nullptr);
    ASSERT_NE(find(*answer, {"plans", "0", "carbon", "own", "missing", "0"}), nullptr);
  }
  EXPECT_EQ(find(world, {"plans", "0", "carbon", "own", "operation_kg_per_year"}), nullptr);
  EXPECT_GT(own_of(world, "embodied_kg_per_year"), 0);
  EXPECT_GT(own_of(no_making, "operation_kg_per_year"), 0);
}

// Runs answer for the energy of their time and, all of a year together, for the year's part of the making.
TEST(PlanCarbon, RunsOfAYearAnswerForTheMaking) {
  const JsonNode answer = answer_of(
      R"({"kind":"plan","workloads":[{"name":"adapt","type":"training","method":"lora","model":"llama-3.1-8b",
      "tokens":2e9,"deadline_days":30,"runs_per_year":6}],"constraints":{"gpus":["h100-sxm5-80gb"]},
      "options":{"draws":0}})");
  const double use = number(answer, {"plans", "0", "cost", "on_premises", "utilization"});
  const double run = number(answer, {"plans", "0", "carbon", "own", "runs", "0", "kg_co2e_per_run"});
  // While they run, machines draw more than on average.
  const double power = 0.75 / number(answer, {"plans", "0", "energy", "load"});
  EXPECT_GT(power, 1);
  EXPECT_NEAR(6 * run, use * power * own_of(answer, "operation_kg_per_year") + own_of(answer, "embodied_kg_per_year"),
              1e-9 * own_of(answer, "kg_co2e_per_year"));
}

TEST(PlanCarbon, OfRentedMachinesStandsOnTheRegionOfTheProvider) {
  Catalog catalog = embedded_catalog_facts();
  auto& rows = catalog.cloud_prices;
  const auto keep = [&](std::string_view provider) {
    catalog.cloud_prices = embedded_catalog_facts().cloud_prices;
    rows.erase(std::remove_if(rows.begin(), rows.end(), [&](const auto& row) { return row.provider != provider; }),
               rows.end());
    return answer_of(catalog, chat(kH100));
  };
  const JsonNode google = keep("gcp");
  EXPECT_GT(number(google, {"plans", "0", "carbon", "rent_on_demand", "operation_kg_per_year"}), 0);
  EXPECT_EQ(find(google, {"plans", "0", "carbon", "rent_on_demand", "kg_co2e_per_year"}), nullptr);
  const JsonNode other = keep("aws");
  EXPECT_EQ(find(other, {"plans", "0", "carbon", "rent_on_demand", "operation_kg_per_year"}), nullptr);
  ASSERT_NE(find(other, {"plans", "0", "carbon", "rent_on_demand", "missing", "0"}), nullptr);
  EXPECT_NE(find(other, {"plans", "0", "carbon", "rent_on_demand", "missing", "0"})->text.find("region"),
            std::string::npos);
}

}  // namespace
}  // namespace podwright::plan_carbon_test
