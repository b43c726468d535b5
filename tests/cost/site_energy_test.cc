#include <gtest/gtest.h>

#include "cost/energy.h"

namespace podwright::site_energy_test {
namespace {

// A site of 100,000 GPUs that uses 1.59 TWh a year at 0.078 USD/kWh (docs/method/racks_and_power.md, example 26).
TEST(SiteEnergy, OfAHundredThousandGpus) {
  const Watts mean = kwh(1.59e9) / years(1);
  EXPECT_NEAR(mean / kw(1) / 1000, 181.5, 0.05);
  EXPECT_NEAR(energy_per_year(mean) / kwh(1.59e9), 1, 1e-12);
  EXPECT_NEAR(energy_cost(mean, usd_per_kwh(0.078)) * years(1) / usd(1) / 1e6, 124.0, 0.05);
}

}  // namespace
}  // namespace podwright::site_energy_test
