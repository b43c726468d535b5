#include "cost/rental.h"

#include <gtest/gtest.h>

namespace podwright::rental_test {
namespace {

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
}  // namespace podwright::rental_test
