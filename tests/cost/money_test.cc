#include <gtest/gtest.h>

#include "cost/capital.h"
#include "cost/energy.h"
#include "cost/levelised.h"
#include "cost/rental.h"

namespace podwright::money_test {
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
  EXPECT_NEAR(break_even_utilization(available, usd_per_hour(3.99)), 0.5996, 5e-5);
  EXPECT_NEAR(break_even_utilization(available, usd_per_hour(6.88)), 0.3478, 5e-5);
  EXPECT_NEAR(break_even_utilization(available, usd_per_hour(12.29)), 0.1947, 5e-5);
}

// Lenovo LP2225 (2025) and LP2368 (2026): purchase, cloud rate, rate of running it.
TEST(Levelised, BreakEvenTimeOfPublishedServers) {
  const auto hours_of = [](double capex, double cloud, double own) {
    return break_even_time(usd(capex), usd_per_hour(cloud), usd_per_hour(own)) / hours(1);
  };
  EXPECT_NEAR(hours_of(833806, 98.32, 0.87), 8556.24, 0.86);
  EXPECT_NEAR(hours_of(833806, 77.43, 0.87), 10890.88, 1.09);
  EXPECT_NEAR(hours_of(833806, 53.95, 0.87), 15708.48, 1.57);
  EXPECT_NEAR(hours_of(250141.8, 98.32, 6.37), 2720.41, 0.27);
}

TEST(Rental, MonthAndCommitment) {
  EXPECT_NEAR(usd_per_hour(2.69) * hours(730) / usd(1), 1963.70, 1e-9);
  EXPECT_NEAR(commitment_cost(usd_per_hour(3.94), 3.0) / usd(1), 103543, 104);
  EXPECT_NEAR(commitment_cost(usd_per_hour(1.92), 3.0) / usd(1), 50458, 51);
}

// Published: 16,541.95 tokens/s at four rates per hour.
TEST(Rental, PriceOfAMillionTokens) {
  const PerSecond rate = per_second(16541.95385787464);
  EXPECT_NEAR(million_token_price(usd_per_hour(2.69), rate) / usd(1), 0.04517134, 5e-8);
  EXPECT_NEAR(million_token_price(usd_per_hour(3.49), rate) / usd(1), 0.05860520, 6e-8);
  EXPECT_NEAR(million_token_price(usd_per_hour(6.1489), rate) / usd(1), 0.10325429, 1e-7);
  EXPECT_NEAR(million_token_price(usd_per_hour(10.9791), rate) / usd(1), 0.18436456, 2e-7);
}

TEST(Rental, InterruptionsMakeSpotDearer) {
  EXPECT_NEAR(effective_spot_price(usd_per_hour(2), 0.07904) / usd_per_hour(1), 2.1717, 1e-4);
}

}  // namespace
}  // namespace podwright::money_test
