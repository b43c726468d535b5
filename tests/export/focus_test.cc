#include "export/focus_csv.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <set>

#include "base/civil_day.h"
#include "base/csv_read.h"
#include "cost/owning_example.h"

namespace podwright::focus_test {
namespace {

FocusPlan plan_of_november() {
  FocusPlan plan;
  plan.account_id = "plan-1";
  plan.account_name = "Plan 1";
  plan.owner = "Example university";
  plan.first_day = *day_number("2026-11-29");
  plan.days = 4;
  plan.owned.push_back({.id = "rack-1",
                        .name = "Rack 1",
                        .type = "DGX H100",
                        .region_id = "USA",
                        .region_name = "United States",
                        .gpus = 8,
                        .utilization = 0.6,
                        .cost_per_gpu = usd_per_hour(2.392564),
                        .rent = usd_per_hour(3.99)});
  plan.overheads.push_back(
      {.id = "fabric", .name = "Fabric", .service_category = "Networking", .cost = usd(8000) / years(1)});
  RentedResource rented{.id = "burst",
                        .name = "Burst",
                        .provider = "Cloud",
                        .instance = "gpu-8x",
                        .region_id = "us-1",
                        .region_name = "US 1",
                        .kind = RentTerm::on_demand,
                        .gpus = 16,
                        .utilization = 0.25,
                        .price = usd_per_hour(3.99),
                        .list_price = usd_per_hour(3.99)};
  plan.rented.push_back(rented);
  rented.id = "base";
  rented.kind = RentTerm::reserved_3y;
  rented.utilization = 0.75;
  rented.price = usd_per_hour(2);
  plan.rented.push_back(rented);
  rented.id = "night";
  rented.kind = RentTerm::spot;
  rented.utilization = 1;
  rented.price = usd_per_hour(1.5);
  plan.rented.push_back(rented);
  return plan;
}

CsvTable table_of(const FocusPlan& plan) { return *parse_csv(focus_csv(plan)); }
double number(const CsvTable& table, const CsvTable::Row& row, std::string_view column) {
  const std::string& cell = table.cell(row, column);
  EXPECT_FALSE(cell.empty()) << column;
  return std::strtod(cell.c_str(), nullptr);
}

/// Columns of the dataset Cost and Usage of FOCUS 1.3, in its order, and whether a cell may be null; from
/// specification/datasets/cost_and_usage/columns of github.com/FinOps-Open-Cost-and-Usage-Spec/FOCUS_Spec.
struct SpecifiedColumn {
  const char* name;
  bool nullable;
};
constexpr SpecifiedColumn kSpecified[] = {{"AllocatedMethodDetails", true},
                                          {"AllocatedMethodId", true},
                                          {"AllocatedResourceId", true},
                                          {"AllocatedResourceName", true},
                                          {"AllocatedTags", true},
                                          {"AvailabilityZone", true},
                                          {"BilledCost", false},
                                          {"BillingAccountId", false},
                                          {"BillingAccountName", true},
                                          {"BillingAccountType", false},
                                          {"BillingCurrency", false},
                                          {"BillingPeriodEnd", false},
                                          {"BillingPeriodStart", false},
                                          {"CapacityReservationId", true},
                                          {"CapacityReservationStatus", true},
                                          {"ChargeCategory", false},
                                          {"ChargeClass", true},
                                          {"ChargeDescription", true},
                                          {"ChargeFrequency", false},
                                          {"ChargePeriodEnd", false},
                                          {"ChargePeriodStart", false},
                                          {"CommitmentDiscountCategory", true},
                                          {"CommitmentDiscountId", true},
                                          {"CommitmentDiscountName", true},
                                          {"CommitmentDiscountQuantity", true},
                                          {"CommitmentDiscountStatus", true},
                                          {"CommitmentDiscountType", true},
                                          {"CommitmentDiscountUnit", true},
                                          {"ConsumedQuantity", true},
                                          {"ConsumedUnit", true},
                                          {"ContractApplied", true},
                                          {"ContractedCost", false},
                                          {"ContractedUnitPrice", true},
                                          {"EffectiveCost", false},
                                          {"HostProviderName", true},
                                          {"InvoiceId", true},
                                          {"InvoiceIssuerName", false},
                                          {"ListCost", false},
                                          {"ListUnitPrice", true},
                                          {"PricingCategory", true},
                                          {"PricingCurrency", true},
                                          {"PricingCurrencyContractedUnitPrice", true},
                                          {"PricingCurrencyEffectiveCost", true},
                                          {"PricingCurrencyListUnitPrice", true},
                                          {"PricingQuantity", true},
                                          {"PricingUnit", true},
                                          {"ProviderName", false},
                                          {"PublisherName", false},
                                          {"RegionId", true},
                                          {"RegionName", true},
                                          {"ResourceId", true},
                                          {"ResourceName", true},
                                          {"ResourceType", true},
                                          {"ServiceCategory", false},
                                          {"ServiceName", false},
                                          {"ServiceProviderName", false},
                                          {"ServiceSubcategory", false},
                                          {"SkuId", true},
                                          {"SkuMeter", true},
                                          {"SkuPriceDetails", true},
                                          {"SkuPriceId", true},
                                          {"SubAccountId", true},
                                          {"SubAccountName", true},
                                          {"SubAccountType", true},
                                          {"Tags", true}};

/// Checks one row by the rules of the columns.
void expect_specified(const CsvTable& table, const CsvTable::Row& row) {
  const auto cell = [&](const char* column) { return table.cell(row, column); };
  for (const SpecifiedColumn& column : kSpecified) {
    EXPECT_TRUE(column.nullable || !cell(column.name).empty()) << column.name;
  }
  // No cost of this plan is split by a provider, and the plan has no table of contracts to point at.
  for (const char* empty : {"AllocatedMethodDetails", "AllocatedMethodId", "AllocatedResourceId",
                            "AllocatedResourceName", "AllocatedTags", "ContractApplied", "InvoiceId"})
    EXPECT_EQ(cell(empty), "") << empty;
  EXPECT_EQ(cell("ProviderName"), cell("ServiceProviderName"));
  EXPECT_EQ(cell("PublisherName"), cell("ServiceProviderName"));
  EXPECT_TRUE(cell("HostProviderName").empty() || cell("HostProviderName") == cell("ServiceProviderName"));
  // Nothing is consumed by a purchase, nor of what a commitment leaves unused.
  const bool consumes = cell("ChargeCategory") == "Usage" && cell("CommitmentDiscountStatus") != "Unused";
  EXPECT_EQ(cell("ConsumedQuantity").empty(), !consumes);
  EXPECT_EQ(cell("ConsumedUnit").empty(), !consumes);
}

TEST(Focus, HasTheColumnsOfTheSpecificationInItsOrder) {
  const CsvTable table = table_of(plan_of_november());
  std::vector<std::string> columns;
  for (const SpecifiedColumn& column : kSpecified) columns.emplace_back(column.name);
  EXPECT_TRUE(std::is_sorted(columns.begin(), columns.end()));
  columns.emplace_back("x_CostClass");
  EXPECT_EQ(table.columns, columns);
}

TEST(Focus, RowsOfRandomPlansKeepTheRulesOfTheColumns) {
  std::mt19937_64 random(13);
  const auto share = [&] { return static_cast<double>(random() % 1001) / 1000; };
  const auto name = [&] {
    constexpr const char* kNames[] = {"rack",       "=1+1", "a,b", "\"quoted\"",
                                      "two\nlines", "-x",   "\t",  "\xc3\xa9t\xc3\xa9"};
    return std::string(kNames[random() % std::size(kNames)]) + std::to_string(random() % 100);
  };
  std::size_t rows = 0;
  for (int round = 0; round < 200 && !HasFailure(); ++round) {
    FocusPlan plan = plan_of_november();
    plan.first_day += static_cast<std::int64_t>(random() % 400);
    plan.days = 1 + static_cast<std::int64_t>(random() % 3);
    plan.owner = name();
    for (OwnedResource& resource : plan.owned) {
      resource.name = name();
      resource.utilization = 1.2 * share();
      if (random() % 2 == 0) resource.rent.reset();
    }
    for (OverheadCost& overhead : plan.overheads) overhead.hosted = random() % 2 == 0;
    for (RentedResource& resource : plan.rented) {
      resource.provider = name();
      resource.instance = name();
      resource.kind = static_cast<RentTerm>(random() % kRentTermWords.size());
      resource.utilization = random() % 4 == 0 ? 0.5 : share();  // one half: as much used as unused
    }
    plan.services.push_back({.id = "licences",
                             .name = name(),
                             .provider = name(),
                             .service_category = "Other",
                             .hosted = random() % 2 == 0,
                             .cost = usd(share()) / days(1)});
    const CsvTable table = table_of(plan);
    for (const CsvTable::Row& row : table.rows) {
      expect_specified(table, row);
      for (const SpecifiedColumn& column : kSpecified) {
        const std::string& cell = table.cell(row, column.name);
        EXPECT_TRUE(cell.empty() || std::string("=+-@\t\r\n").find(cell[0]) == std::string::npos) << cell;
      }
    }
    rows += table.rows.size();
  }
  EXPECT_GT(rows, 200u * 8);
}

TEST(Focus, HasARowForEachResourceDayAndClass) {
  const FocusPlan plan = plan_of_november();
  const CsvTable table = table_of(plan);
  EXPECT_EQ(table.rows.size(), 4u * (2 + 1 + 1 + 3 + 1));
  std::set<std::string> seen;
  for (const auto& row : table.rows)
    EXPECT_TRUE(seen.insert(table.cell(row, "ResourceId") + "|" + table.cell(row, "ChargePeriodStart") + "|" +
                            table.cell(row, "ChargeCategory") + "|" + table.cell(row, "x_CostClass"))
                    .second);
  EXPECT_EQ(table.cell(table.rows.front(), "ChargePeriodStart"), "2026-11-29T00:00:00Z");
  EXPECT_EQ(table.cell(table.rows.front(), "ChargePeriodEnd"), "2026-11-30T00:00:00Z");
  EXPECT_EQ(table.cell(table.rows.front(), "BillingPeriodEnd"), "2026-12-01T00:00:00Z");
  EXPECT_EQ(table.cell(table.rows.back(), "BillingPeriodStart"), "2026-12-01T00:00:00Z");
}

TEST(Focus, TotalIsWorkloadAndIdleAndOverhead) {
  const CsvTable table = table_of(plan_of_november());
  std::map<std::string, double> by_class;
  double billed = 0;
  double effective = 0;
  for (const auto& row : table.rows) {
    const double cost = number(table, row, "EffectiveCost");
    EXPECT_GE(cost, 0);
    by_class[table.cell(row, "x_CostClass")] += cost;
    effective += cost;
    billed += number(table, row, "BilledCost");
  }
  const double own = 4 * 24 * 8 * 2.392564;
  const double commitment = 4 * 24 * 16 * 2.0;
  const double flexible = 4 * 24 * 16 * (0.25 * 3.99 + 1.5);
  EXPECT_NEAR(by_class["Workload"], 0.6 * own + 0.75 * commitment + flexible, 1e-9);
  EXPECT_NEAR(by_class["Idle"], 0.4 * own + 0.25 * commitment, 1e-9);
  EXPECT_NEAR(by_class["Overhead"], 4 * 8000 / 365.0, 1e-9);
  EXPECT_EQ(by_class[""], 0);
  EXPECT_NEAR(effective, own + commitment + flexible + 4 * 8000 / 365.0, 1e-9);
  // Nobody bills a day of one's own machines; a commitment is billed in full.
  EXPECT_NEAR(billed, commitment + flexible, 1e-9);
}

TEST(Focus, WhatACloudBillsBesideTheGpusIsARowOfItsOwn) {
  FocusPlan plan = plan_of_november();
  const CsvTable before = table_of(plan);
  plan.services.push_back({.id = "archive",
                           .name = "Archive",
                           .provider = "Cloud",
                           .service_category = "Storage",
                           .cost = usd(3650) / years(1)});
  const CsvTable table = table_of(plan);
  ASSERT_EQ(table.rows.size(), before.rows.size() + 4);
  const auto& row = table.rows[table.rows.size() - 1];
  EXPECT_EQ(table.cell(row, "ResourceId"), "archive");
  EXPECT_EQ(table.cell(row, "x_CostClass"), "Workload");
  EXPECT_NEAR(number(table, row, "BilledCost"), 10, 1e-9);
  EXPECT_NEAR(number(table, row, "EffectiveCost"), 10, 1e-9);
}

TEST(Focus, CostsAreUnitPricesTimesQuantities) {
  const CsvTable table = table_of(plan_of_november());
  for (const auto& row : table.rows) {
    const double quantity = number(table, row, "PricingQuantity");
    EXPECT_NEAR(number(table, row, "ContractedCost"), number(table, row, "ContractedUnitPrice") * quantity, 1e-9);
    EXPECT_NEAR(number(table, row, "ListCost"), number(table, row, "ListUnitPrice") * quantity, 1e-9);
  }
}

TEST(Focus, WordsAreThoseOfTheSpecification) {
  const std::map<std::string, std::set<std::string>> allowed{
      {"ChargeCategory", {"Usage", "Purchase"}},
      {"ChargeFrequency", {"One-Time", "Recurring", "Usage-Based"}},
      {"PricingCategory", {"Standard", "Dynamic", "Committed", "Other"}},
      {"CommitmentDiscountStatus", {"", "Used", "Unused"}},
      {"CommitmentDiscountCategory", {"", "Spend", "Usage"}},
      {"ServiceCategory", {"Compute", "Networking", "Storage", "Management and Governance", "Other"}}};
  const CsvTable table = table_of(plan_of_november());
  for (const auto& row : table.rows) {
    for (const auto& [column, words] : allowed)
      EXPECT_EQ(words.count(table.cell(row, column)), 1u) << column << " " << table.cell(row, column);
    const bool committed = !table.cell(row, "CommitmentDiscountId").empty();
    const bool purchase = table.cell(row, "ChargeCategory") == "Purchase";
    EXPECT_EQ(table.cell(row, "PricingCategory") == "Committed", committed && !purchase);
    EXPECT_EQ(table.cell(row, "CommitmentDiscountQuantity").empty(), !committed);
    EXPECT_EQ(table.cell(row, "CommitmentDiscountStatus").empty(), !committed || purchase);
    EXPECT_EQ(table.cell(row, "EffectiveCost") == "0", purchase);
    for (const char* needed : {"BillingAccountId", "BillingCurrency", "ProviderName", "PublisherName", "ResourceId",
                               "InvoiceIssuerName", "ServiceName", "SkuId", "SkuPriceId"})
      EXPECT_FALSE(table.cell(row, needed).empty()) << needed;
  }
}

TEST(Focus, UseAboveAllIsClamped) {
  FocusPlan plan = plan_of_november();
  plan.overheads.clear();
  plan.rented.clear();
  plan.owned[0].utilization = 1.3;
  plan.owned[0].rent.reset();
  plan.days = 1;
  const CsvTable table = table_of(plan);
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.cell(table.rows[0], "ConsumedQuantity"), "192");
  EXPECT_EQ(table.cell(table.rows[1], "EffectiveCost"), "0");
  EXPECT_EQ(table.cell(table.rows[0], "ListUnitPrice"), "");
  EXPECT_EQ(table.cell(table.rows[0], "ListCost"), table.cell(table.rows[0], "EffectiveCost"));
}

TEST(Focus, AnOwnedClusterAddsUpToItsLevelCost) {
  OwnedTerms<NoTrace> inputs = one_server();
  inputs.fabric_residual_fraction.amount = 0.1;
  inputs.facility.amount = usd_per_year(22521.6);
  FocusPlan plan;
  plan.first_day = *day_number("2027-01-01");
  plan.days = 365;
  ASSERT_TRUE(add_owned_cluster(plan, inputs, {.id = "rack-1", .name = "Rack 1", .type = "DGX H100"}));
  EXPECT_EQ(plan.overheads.size(), 4u);  // network, storage, staff, building
  const CsvTable table = table_of(plan);
  double effective = 0;
  for (const auto& row : table.rows) effective += number(table, row, "EffectiveCost");
  EXPECT_NEAR(effective, yearly(owned(inputs).total->yearly), 1e-6);

  inputs.network = {.amount = {}, .absence = "No dated source for a network."};
  FocusPlan none;
  EXPECT_FALSE(add_owned_cluster(none, inputs, {.id = "rack-1"}));
  EXPECT_TRUE(none.owned.empty() && none.overheads.empty());
}

TEST(Focus, NamesAreNotRunBySpreadsheets) {
  FocusPlan plan = plan_of_november();
  plan.owned[0].name = "=1+1, \"x\"";
  const CsvTable table = table_of(plan);
  EXPECT_EQ(table.cell(table.rows[0], "ResourceName"), "'=1+1, \"x\"");
}

}  // namespace
}  // namespace podwright::focus_test
