#include "cost/colocation_price.h"

#include <gtest/gtest.h>

#include "cost/building.h"

namespace podwright::colocation_price_test {
namespace {

double typical(double committed_kw) {
  const ColocationPricing pricing = colocation_pricing(embedded_catalog_facts(), kw(committed_kw), false);
  EXPECT_NE(pricing.price, nullptr) << committed_kw;
  return pricing.price == nullptr ? 0 : pricing.price->price.typical / usd(1);
}

TEST(ColocationPrice, IsThatOfTheBand) {
  EXPECT_EQ(typical(10.2), 200);
  EXPECT_EQ(typical(249), 200);
  EXPECT_EQ(typical(250), 184.06);
  EXPECT_EQ(typical(999), 184.06);
  EXPECT_EQ(typical(1000), 120);
  EXPECT_EQ(typical(50000), 120);
}

TEST(ColocationPrice, SaysWhatIsKnownOfElectricity) {
  const Catalog& catalog = embedded_catalog_facts();
  const ColocationPricing wholesale = colocation_pricing(catalog, kw(300), false);
  EXPECT_EQ(wholesale.power, ColocationPower::extra);
  EXPECT_EQ(wholesale.caution, "");
  EXPECT_EQ(colocation_pricing(catalog, kw(10), false).caution,
            "Whether the price of \"Colocation, retail cage\" includes electricity is not known; electricity is "
            "counted in addition.");
  EXPECT_NE(colocation_pricing(catalog, kw(700), false).caution, "");
}

// No row holds electricity: taking one that does not would lose it.
TEST(ColocationPrice, WithElectricityIsAbsent) {
  const ColocationPricing pricing = colocation_pricing(embedded_catalog_facts(), kw(300), true);
  EXPECT_EQ(pricing.price, nullptr);
  EXPECT_EQ(pricing.absence,
            "No dated source for colocation of 300 kW per kW and month with electricity in its price; give "
            "usd_per_kw_month.");
}

TEST(ColocationPrice, IsAbsentWithoutItsRow) {
  Catalog catalog = embedded_catalog_facts();
  std::erase_if(catalog.purchase_prices, [](const PurchasePrice& row) { return row.category == "facility"; });
  const ColocationPricing pricing = colocation_pricing(catalog, kw(300), false);
  EXPECT_EQ(pricing.price, nullptr);
  EXPECT_EQ(pricing.absence, "No dated source for colocation of 300 kW per kW and month.");
}

}  // namespace
}  // namespace podwright::colocation_price_test
