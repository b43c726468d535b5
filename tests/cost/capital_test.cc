#include "cost/capital.h"

#include <gtest/gtest.h>

namespace podwright::capital_test {
namespace {

double usd_per_year(UsdPerSecond rate) { return rate * years(1) / usd(1); }

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

}  // namespace
}  // namespace podwright::capital_test
