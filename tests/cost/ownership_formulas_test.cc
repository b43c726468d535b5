#include "cost/ownership_formulas.h"

#include <gtest/gtest.h>

namespace podwright::ownership_formulas_test {
namespace {

double usd_per_year(UsdPerSecond rate) { return rate * years(1) / usd(1); }
double usd_per_hour_of(UsdPerSecond rate) { return rate / usd_per_hour(1); }

// SemiAnalysis 2023: 7,025.6 USD a month at 13 %, over 48 and 60 months.
TEST(Capital, PresentValueOfMonthlyPayments) {
  const double rate = 0.13 / 12;
  EXPECT_NEAR(7025.6 / capital_recovery(rate, discount_factor(rate, 48.0)), 261880.6, 26);
  EXPECT_NEAR(7025.6 / capital_recovery(rate, discount_factor(rate, 60.0)), 308775.9, 31);
}

// The Datacenter as a Computer, 4th ed., ch. 8: 12 USD/W over 12 years and 14.545 USD/W over 6 years at 8 %, printed
// 0.13 and 0.25 per month.
TEST(Capital, MonthlyFormOfADataCentre) {
  const double rate = 0.08 / 12;
  EXPECT_NEAR(12.0 * capital_recovery(rate, discount_factor(rate, 144.0)), 0.1299, 0.1299 * 0.005);
  EXPECT_NEAR(14.545 * capital_recovery(rate, discount_factor(rate, 72.0)), 0.2550, 0.2550 * 0.005);
}

// Eight H100 in one server: 285,000 for the server, 32,000 network, 25,000 storage, a fifth of the server left after
// five years at 8 %.
TEST(Capital, AnnuityOfOneServer) {
  const double discount = discount_factor(0.08, 5.0);
  const double recovery = capital_recovery(0.08, discount);
  EXPECT_NEAR(recovery, 0.2504564546, 5e-11);
  const Usd residual = residual_value(usd(285000), 0.2);
  EXPECT_NEAR(usd_per_year(annuity(usd(342000), residual, discount, recovery)), 75940.09, 0.005);
  EXPECT_NEAR(usd_per_year(straight_line(usd(342000), residual, 5.0)), 57000, 1e-6);
}

TEST(Energy, OfOneServerForAYear) {
  const Watts power = facility_power(kw(10.2), 0.75, 1.3);
  EXPECT_NEAR(energy_per_year(power) / kwh(1), 87118.2, 0.05);
  EXPECT_NEAR(usd_per_year(energy_cost(power, usd_per_kwh(0.083))), 7230.81, 0.005);
}

// 8 GPUs of 0.7 kW and a host of 2 kW at full load, PUE 1.4, 0.10 USD/kWh.
TEST(Energy, PerHourAtFullLoad) {
  EXPECT_NEAR(usd_per_hour_of(energy_cost(facility_power(kw(8 * 0.7 + 2.0), 1.0, 1.4), usd_per_kwh(0.10))), 1.064,
              1e-12);
}

TEST(Levelised, CostOfAnAvailableAndAUsedGpuHour) {
  const UsdPerSecond capital = usd(75940.09) / years(1);
  const UsdPerSecond operation = usd(91730.81) / years(1);
  const UsdPerSecond available = available_gpu_price(capital, operation, 8.0);
  EXPECT_NEAR(usd_per_hour_of(available), 2.392564, 5e-7);
  EXPECT_NEAR(usd_per_hour_of(used_gpu_price(available, 0.6)), 3.987607, 5e-7);
}

// A site of 100,000 GPUs that uses 1.59 TWh a year at 0.078 USD/kWh (docs/method/racks_and_power.md, example 26).
TEST(SiteEnergy, OfAHundredThousandGpus) {
  const Watts mean = kwh(1.59e9) / years(1);
  EXPECT_NEAR(mean / kw(1) / 1000, 181.5, 0.05);
  EXPECT_NEAR(energy_per_year(mean) / kwh(1.59e9), 1, 1e-12);
  EXPECT_NEAR(energy_cost(mean, usd_per_kwh(0.078)) * years(1) / usd(1) / 1e6, 124.0, 0.05);
}

}  // namespace
}  // namespace podwright::ownership_formulas_test
