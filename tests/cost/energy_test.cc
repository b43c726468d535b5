#include "cost/energy.h"

#include <gtest/gtest.h>

namespace podwright::energy_test {
namespace {

double usd_per_year(UsdPerSecond rate) { return rate * years(1) / usd(1); }
double usd_per_hour_of(UsdPerSecond rate) { return rate / usd_per_hour(1); }

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

}  // namespace
}  // namespace podwright::energy_test
