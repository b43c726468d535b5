// Cases of The Datacenter as a Computer, 4th ed., chapter 8: a server and the building around it over six years.
#include <gtest/gtest.h>

#include "cost/building.h"
#include "cost/ownership_formulas.h"
#include "cost/owning_example.h"

namespace podwright::building_test {
namespace {

struct Case {
  double server;
  double watts;
  double electricity;
  double pue;
  double occupancy;
};
struct Sums {
  double finance;
  double repairs;
  double power;
  double overhead;
  double building_finance;
  double building_operation;
  double total() const { return finance + repairs + power + overhead + building_finance + building_operation; }
  double building() const { return building_finance + building_operation; }
};

/// Sums in USD over six years at 8 %, 75 % load, repairs of 5 % of the yearly depreciation.
Sums six_years(const Case& of) {
  const Watts peak = watts(of.watts);
  const double recovery = monthly_recovery(0.08, 6.0);
  const UsdPerJoule price = usd_per_kwh(of.electricity);
  const UsdPerSecond power = energy_cost(facility_power(peak, 0.75, 1.0), price);
  const BuildingNumbers<NoTrace> building = building_numbers<NoTrace>(peak, {.price = usd_per_watt(10),
                                                                             .life_years = 20,
                                                                             .interest = 0.08,
                                                                             .operation = usd_per_kw_month(50),
                                                                             .occupancy = of.occupancy});
  const auto sum = [](UsdPerSecond rate) { return rate * years(6) / usd(1); };
  return {.finance = usd(of.server) * recovery * 72.0 / usd(1),
          .repairs = sum(straight_line(usd(of.server), usd(0), 6.0)) * 0.05,
          .power = sum(power),
          .overhead = sum(energy_cost(facility_power(peak, 0.75, of.pue), price) - power),
          .building_finance = sum(building.capital),
          .building_operation = sum(building.operation)};
}

void expect_within(double value, double expected) { EXPECT_NEAR(value, expected, expected * 0.001 + 0.5); }

TEST(Building, CaseA) {
  const Sums sums = six_years({.server = 29000, .watts = 950, .electricity = 0.08, .pue = 1.5, .occupancy = 1});
  expect_within(sums.finance, 36609);
  expect_within(sums.repairs, 1450);
  expect_within(sums.power, 2996);
  expect_within(sums.overhead, 1498);
  expect_within(sums.building_finance, 5721);
  expect_within(sums.building_operation, 3420);
  expect_within(sums.total(), 51694);
  EXPECT_NEAR(sums.total(), 51000, 51000 * 0.015);
  EXPECT_NEAR(sums.finance / sums.total(), 0.708, 0.0005 + 0.001 * 0.708);
  EXPECT_NEAR((sums.repairs + sums.power + sums.overhead) / sums.total(), 0.115, 0.0005 + 0.001 * 0.115);
}

TEST(Building, CaseB) {
  const Sums sums = six_years({.server = 16000, .watts = 1100, .electricity = 0.10, .pue = 1.1, .occupancy = 1});
  expect_within(sums.finance, 20198);
  expect_within(sums.repairs, 800);
  expect_within(sums.power, 4336);
  expect_within(sums.overhead, 434);
  expect_within(sums.building_finance, 6625);
  expect_within(sums.building_operation, 3960);
  expect_within(sums.total(), 36353);
  EXPECT_NEAR(sums.total(), 36000, 36000 * 0.015);
  EXPECT_NEAR(sums.building() / sums.total(), 0.2912, 0.00005 + 0.001 * 0.2912);
  EXPECT_NEAR(sums.power / sums.total(), 0.1193, 0.00005 + 0.001 * 0.1193);
}

TEST(Building, HalfEmptyBuilding) {
  const Sums sums = six_years({.server = 16000, .watts = 1100, .electricity = 0.10, .pue = 1.1, .occupancy = 0.5});
  expect_within(sums.building(), 21169);
  expect_within(sums.total(), 46937);
  EXPECT_NEAR(sums.building() / sums.total(), 0.451, 0.0005 + 0.001 * 0.451);
}

TEST(Building, PaidBackWithoutInterest) {
  EXPECT_DOUBLE_EQ(monthly_recovery(0.0, 6.0), 1.0 / 72.0);
  EXPECT_NEAR(monthly_recovery(1e-5, 6.0), 1.0 / 72.0, 1e-6);
}

TEST(Building, OneServerAtAColocation) {
  EXPECT_NEAR(yearly(colocation_cost(kw(10.2), usd_per_kw_month(184))), 10.2 * 184 * 12, 1e-6);
}

// SemiAnalysis 2023: hosting 1,871.5 and capital 7,025.6 a month for eight GPUs; published 1.525.
TEST(Building, PublishedHostingAndCapital) {
  const UsdPerSecond month = usd(1871.5 + 7025.6) / (years(1) / 12.0);
  const double available = hourly(available_gpu_price(month, UsdPerSecond(0), 8.0));
  EXPECT_NEAR(available, 1.5235, 1.5235 * 0.002);
  EXPECT_NEAR(available, 1.525, 1.525 * 0.002);
}

}  // namespace
}  // namespace podwright::building_test
