// The FOCUS tables of a `cost` request.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/csv_read.h"
#include "support/ask.h"

namespace podwright::cost_export_test {
namespace {

const std::string kRequest =
    R"({"kind":"cost","gpu_count":8,"horizon_years":5,"utilization":0.6,"as_of":"2026-11-21","exports":["focus"],
        "uncertainty":{"draws":100},
        "on_premises":{"servers_usd":285000,"network_usd":32000,"storage_usd":25000,"residual_fraction":0.2,
          "it_power_kw":10.2,"electricity_usd_per_kwh":0.083,"support_fraction_per_year":0.1,
          "license_usd_per_gpu_year":4500,"staff_fte":0.1,"staff_usd_per_year":200000},
        "cloud":{"usd_per_gpu_hour":3.99,"license_usd_per_gpu_hour":1,"storage_gb":10000,
          "storage_usd_per_gb_month":0.07,"egress_gb_per_month":500,"egress_usd_per_gb":0.09,
          "support_fraction":0.1}})";

CsvTable table_of(const JsonNode& answer, const std::string& name) {
  for (const JsonNode& file : answer.find("exports")->items)
    if (file.find("name")->text == name) return *parse_csv(file.find("text")->text);
  ADD_FAILURE() << name << " is not there";
  return {};
}
double sum_of(const CsvTable& table, std::string_view column) {
  double sum = 0;
  for (const CsvTable::Row& row : table.rows) sum += std::strtod(table.cell(row, column).c_str(), nullptr);
  return sum;
}
double sum_of_class(const CsvTable& table, std::string_view cost_class) {
  double sum = 0;
  for (const CsvTable::Row& row : table.rows)
    if (table.cell(row, "x_CostClass") == cost_class)
      sum += std::strtod(table.cell(row, "EffectiveCost").c_str(), nullptr);
  return sum;
}

TEST(CostExport, RowsOfAYearAddUpToTheYearlyCosts) {
  const JsonNode answer = ask(kRequest).answer;
  const CsvTable own = table_of(answer, "focus_own.csv");
  const CsvTable rent = table_of(answer, "focus_rent.csv");
  EXPECT_EQ(own.columns.size(), 66u);
  EXPECT_EQ(rent.columns, own.columns);
  const double owned = number_at(answer, "/on_premises/annual_usd");
  const double bill = number_at(answer, "/cloud/usd_per_year");
  EXPECT_NEAR(sum_of(own, "EffectiveCost"), owned, 1e-6 * owned);
  EXPECT_EQ(sum_of(own, "BilledCost"), 0);  // nobody bills a day of one's own machines
  EXPECT_NEAR(sum_of(rent, "EffectiveCost"), bill, 1e-6 * bill);
  EXPECT_NEAR(sum_of(rent, "BilledCost"), bill, 1e-6 * bill);
  EXPECT_NEAR(sum_of_class(own, "Idle") / (sum_of_class(own, "Idle") + sum_of_class(own, "Workload")), 0.4, 1e-9);
  EXPECT_EQ(own.cell(own.rows.front(), "ChargePeriodStart"), "2026-11-21T00:00:00Z");
  EXPECT_EQ(own.cell(own.rows.front(), "PricingCategory"), "Other");
  EXPECT_EQ(own.cell(own.rows.front(), "ListUnitPrice"), "3.99");
}

TEST(CostExport, ACommitmentFillsItsColumns) {
  const JsonNode answer = ask(kRequest, R"({"export_days":30,"on_premises":null,
      "cloud":{"term":"reserved-3y","license_usd_per_gpu_hour":0}})")
                              .answer;
  const CsvTable rent = table_of(answer, "focus_rent.csv");
  const double days = number_at(answer, "/cloud/usd_per_year") / 365 * 30;
  EXPECT_NEAR(sum_of(rent, "EffectiveCost"), days, 1e-6 * days);
  EXPECT_NEAR(sum_of(rent, "BilledCost"), days, 1e-6 * days);
  const double idle = number_at(answer, "/cloud/idle_usd_per_year") / 365 * 30;
  EXPECT_NEAR(sum_of_class(rent, "Idle"), idle, 1e-6 * idle);
  EXPECT_TRUE(std::any_of(rent.rows.begin(), rent.rows.end(), [&](const CsvTable::Row& row) {
    return rent.cell(row, "CommitmentDiscountStatus") == "Unused";
  }));
}

TEST(CostExport, AStraightLineAddsUpToo) {
  const JsonNode answer = ask(kRequest, R"({"on_premises":{"capital":"straight-line"}})").answer;
  const double owned = number_at(answer, "/on_premises/annual_usd");
  EXPECT_NEAR(sum_of(table_of(answer, "focus_own.csv"), "EffectiveCost"), owned, 1e-6 * owned);
}

TEST(CostExport, WhatCannotBeWrittenIsNamed) {
  const JsonNode unpriced =
      ask(kRequest, R"({"cloud":{"storage_usd_per_gb_month":null,"egress_usd_per_gb":null}})").answer;
  EXPECT_EQ(unpriced.find("exports")->items.size(), 1u);
  EXPECT_EQ(unpriced.find("not_exported")->items.size(), 1u);
  EXPECT_EQ(ask(kRequest, R"({"exports":null})").answer.find("exports"), nullptr);
}

}  // namespace
}  // namespace podwright::cost_export_test
