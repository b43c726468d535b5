#include "cost/level_rent.h"

#include <gtest/gtest.h>

#include <cmath>

#include "cost/own_or_rent.h"

namespace podwright::level_rent_test {
namespace {

RentedTerms<NoTrace> four_gpus(double term) {
  RentedTerms<NoTrace> in;
  in.gpu_count = in.billed_gpus = 4;
  in.utilization = 0.4;
  in.price_per_gpu = usd_per_hour(3);
  in.commitment_years = term;
  in.storage = usd(1000) / years(1);
  return in;
}

double yearly(const RentedTerms<NoTrace>& in, double horizon_years, double change, double rate = 0.08) {
  NoTrace trace;
  const auto horizon = horizon_of<NoTrace>(horizon_years, rate);
  return level_rent(trace, in, cloud_cost(trace, in), horizon, change) * years(1) / usd(1);
}

/// What the draws take for the same.
double drawn(const RentedTerms<NoTrace>& in, double horizon_years, double change, double rate = 0.08) {
  UncertainCosts costs;
  costs.gpu_count = in.gpu_count;
  costs.commitment_years = in.commitment_years;
  costs[CostInput::utilization] = certain(in.utilization);
  costs[CostInput::life_years] = certain(horizon_years);
  costs[CostInput::discount_rate] = certain(rate);
  costs[CostInput::rent_per_gpu] = certain(*in.price_per_gpu);
  costs[CostInput::rent_growth] = certain(change);
  costs[CostInput::rent_other] = certain(*in.storage);
  return own_or_rent_typical(costs).rent * years(1) / usd(1);
}

TEST(LevelRent, IsTheOneThatTheDrawsTake) {
  for (const double change : {-0.4, -0.1, 0.0, 0.08, 0.5})
    for (const double rate : {0.0, 0.08, 0.3}) {
      for (const double horizon : {1.0, 4.0, 9.0})
        EXPECT_NEAR(yearly(four_gpus(0), horizon, change, rate) / drawn(four_gpus(0), horizon, change, rate), 1, 1e-9);
      for (const double horizon : {3.0, 6.0})
        EXPECT_NEAR(yearly(four_gpus(3), horizon, change, rate) / drawn(four_gpus(3), horizon, change, rate), 1, 1e-9);
      // In a last part of a year the bill of that part stands for its drift within.
      EXPECT_NEAR(yearly(four_gpus(0), 2.5, change, rate) / drawn(four_gpus(0), 2.5, change, rate), 1, 0.01);
    }
}

TEST(LevelRent, ALevelBillIsItsOwnLevel) {
  for (const double horizon : {0.1, 0.5, 1.0, 2.5, 7.25}) {
    const double start = 0.4 * 4 * 3 * 8760 + 1000;
    EXPECT_NEAR(yearly(four_gpus(0), horizon, 0), start, 1e-6);
    EXPECT_NEAR(yearly(four_gpus(0), horizon, 1e-9), start, 1e-3);
  }
}

TEST(LevelRent, RisesWithThePriceAndWithTermsThatOutlastTheHorizon) {
  double before = 0;
  for (double change = -0.8; change < 1; change += 0.1) {
    const double now = yearly(four_gpus(0), 4, change);
    EXPECT_GT(now, before);
    before = now;
  }
  EXPECT_GT(yearly(four_gpus(3), 4, 0), yearly(four_gpus(3), 6, 0));
  EXPECT_NEAR(yearly(four_gpus(3), 6, 0), yearly(four_gpus(1), 6, 0), 1e-6);
  EXPECT_GT(yearly(four_gpus(1), 3.5, 0), yearly(four_gpus(1), 3, 0));
}

}  // namespace
}  // namespace podwright::level_rent_test
