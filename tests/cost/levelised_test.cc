#include "cost/levelised.h"

#include <gtest/gtest.h>

namespace podwright::levelised_test {
namespace {

double usd_per_hour_of(UsdPerSecond rate) { return rate / usd_per_hour(1); }

TEST(Levelised, CostOfAnAvailableAndAUsedGpuHour) {
  const UsdPerSecond capital = usd(75940.09) / years(1);
  const UsdPerSecond operation = usd(91730.81) / years(1);
  const UsdPerSecond available = available_gpu_price(capital, operation, 8.0);
  EXPECT_NEAR(usd_per_hour_of(available), 2.392564, 5e-7);
  EXPECT_NEAR(usd_per_hour_of(used_gpu_price(available, 0.6)), 3.987607, 5e-7);
}

}  // namespace
}  // namespace podwright::levelised_test
