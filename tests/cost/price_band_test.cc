#include "cost/price_band.h"

#include <gtest/gtest.h>

#include "cost/rates_of_money.h"

namespace podwright::price_band_test {
namespace {

/// A machine of two GPUs at twice `price`.
CloudPrice offer(std::string provider, double price, CloudSegment segment = CloudSegment::neocloud) {
  CloudPrice row;
  row.provider = std::move(provider);
  row.segment = segment;
  row.gpu_id = "made-up";
  row.gpu_count = 2;
  row.on_demand = usd_per_hour(2 * price);
  row.as_of = "2026-10-01";
  return row;
}

PriceBands bands_of(const std::vector<CloudPrice>& rows, PricePolicy policy = {}) {
  return price_bands(rows, {.gpu_id = "made-up", .gpu_count = 2, .policy = std::move(policy)});
}

void expect_quartiles(const PriceBand& band, double lower, double median, double upper) {
  ASSERT_TRUE(band.quartiles);
  EXPECT_NEAR(hourly(band.quartiles->lower), lower, 1e-12);
  EXPECT_NEAR(hourly(band.quartiles->median), median, 1e-12);
  EXPECT_NEAR(hourly(band.quartiles->upper), upper, 1e-12);
}

// 2 3 4 6 20: the quartiles stand at the second, third and fourth price, the fences at 3 - 4.5 and 6 + 4.5.
TEST(PriceBand, QuartilesAndOutliersOfASegment) {
  const std::vector<CloudPrice> rows{offer("a", 20), offer("b", 4), offer("c", 2), offer("d", 6), offer("e", 3)};
  const PriceBands found = bands_of(rows);
  ASSERT_EQ(found.bands.size(), 1U);
  EXPECT_EQ(found.bands[0].segment, CloudSegment::neocloud);
  EXPECT_EQ(found.bands[0].providers, 5);
  expect_quartiles(found.bands[0], 3, 4, 6);
  ASSERT_EQ(found.outliers.size(), 1U);
  EXPECT_EQ(found.outliers[0], &rows[0]);
}

// 1 6 6.5 7: at 1 + 3 x 0.25 = 1.75 places, between 1 and 6 and so on; 1 is below 4.75 - 1.5 x 1.875.
TEST(PriceBand, QuartilesLieBetweenPricesAndOutliersBelowThemToo) {
  const std::vector<CloudPrice> rows{offer("a", 1), offer("b", 6), offer("c", 6.5), offer("d", 7)};
  const PriceBands found = bands_of(rows);
  expect_quartiles(found.bands[0], 4.75, 6.25, 6.625);
  ASSERT_EQ(found.outliers.size(), 1U);
  EXPECT_EQ(found.outliers[0]->provider, "a");
}

TEST(PriceBand, AProviderCountsOnceInEachSegmentAtItsLowestPrice) {
  const std::vector<CloudPrice> rows{offer("a", 9), offer("a", 1), offer("b", 2), offer("c", 3),
                                     offer("a", 5, CloudSegment::hyperscaler)};
  const PriceBands found = bands_of(rows);
  ASSERT_EQ(found.bands.size(), 2U);
  EXPECT_EQ(found.bands[0].providers, 1);
  EXPECT_FALSE(found.bands[0].quartiles);
  EXPECT_EQ(found.bands[1].providers, 3);
  expect_quartiles(found.bands[1], 1.5, 2, 2.5);
  EXPECT_TRUE(found.outliers.empty());
}

TEST(PriceBand, CountsMarketplacesAndSoldOutOffersButNoQuoteAndNoOldRow) {
  std::vector<CloudPrice> rows{
      offer("a", 1, CloudSegment::marketplace), offer("b", 2), offer("c", 3), offer("d", 4), offer("e", 5),
      offer("f", 6, CloudSegment::quote)};
  rows[1].sold_out = true;
  rows[2].as_of = "2026-01-01";
  rows[3].inferred = true;
  const PriceBands found = bands_of(rows);
  ASSERT_EQ(found.bands.size(), 2U);
  EXPECT_EQ(found.bands[0].segment, CloudSegment::neocloud);
  EXPECT_EQ(found.bands[0].providers, 2);  // b and e
  EXPECT_EQ(found.bands[1].providers, 1);
  EXPECT_EQ(bands_of(rows, {.most_age_days = 400}).bands[0].providers, 3);
  EXPECT_TRUE(bands_of({}).bands.empty());
}

}  // namespace
}  // namespace podwright::price_band_test
