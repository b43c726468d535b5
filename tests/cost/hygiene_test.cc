#include "cost/hygiene.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "base/csv_read.h"
#include "catalog/catalog.h"
#include "cost/purchase.h"
#include "support/test_data.h"

namespace podwright::hygiene_test {
namespace {

std::string joined(const std::vector<std::string>& problems) {
  std::string text;
  for (const std::string& problem : problems) text += (text.empty() ? "" : "; ") + problem;
  return text;
}

// Made-up rows with the faults that price tables have had.
TEST(Hygiene, DirtyRowsAreRefusedForTheRightReason) {
  const auto table = parse_csv(podwright_test_data("tests/cost/data/dirty_prices.csv"));
  ASSERT_TRUE(table.has_value());
  ASSERT_EQ(table->rows.size(), 40u);
  for (const CsvTable::Row& row : table->rows) {
    const auto number = [&](std::string_view column) -> std::optional<double> {
      const std::string& cell = table->cell(row, column);
      if (cell.empty()) return std::nullopt;
      return std::strtod(cell.c_str(), nullptr);
    };
    const auto price = [&](std::string_view column) -> std::optional<UsdPerSecond> {
      const auto hourly = number(column);
      if (!hourly) return std::nullopt;
      return usd_per_hour(*hourly);
    };
    CloudPrice offer;
    offer.gpu_count = *number("gpu_count");
    offer.gpu_memory_gb = number("gpu_memory_gb");
    offer.on_demand = price("on_demand_usd_per_hour");
    offer.spot = price("spot_usd_per_hour");
    offer.reserved_1y = price("reserved_1y_usd_per_hour");
    offer.reserved_3y = price("reserved_3y_usd_per_hour");
    offer.as_of = table->cell(row, "as_of");
    EXPECT_EQ(joined(offer_problems(offer, table->cell(row, "currency"))), table->cell(row, "problems"))
        << table->cell(row, "fault");
  }
}

TEST(Hygiene, StoredRowsPass) {
  const Catalog& catalog = embedded_catalog_facts();
  for (const CloudPrice& row : catalog.cloud_prices) EXPECT_EQ(joined(offer_problems(row, "USD")), "") << row.origin;
  for (const PurchasePrice& row : catalog.purchase_prices) EXPECT_EQ(joined(purchase_problems(row)), "") << row.id;
  for (const EnergyRegion& row : catalog.energy_regions) EXPECT_EQ(joined(energy_problems(row)), "") << row.id;
  EXPECT_GE(catalog.cloud_prices.size(), 871u);
}

TEST(Hygiene, CurrenciesAreNeverMixed) {
  const std::vector<ExchangeRate> none;
  const std::vector<ExchangeRate> euro{{.currency = "EUR", .usd_per_unit = 1.08}};
  EXPECT_EQ(in_usd(100, "USD", none), usd(100));
  EXPECT_FALSE(in_usd(100, "EUR", none).has_value());
  EXPECT_EQ(in_usd(100, "EUR", euro), usd(108));
  EXPECT_FALSE(in_usd(100, "CNY", euro).has_value());
  EXPECT_FALSE(in_usd(100, "", euro).has_value());
  EXPECT_FALSE(in_usd(100, "kgCO2e", {{{.currency = "kgCO2e", .usd_per_unit = 1}}}).has_value());
  // Every region in another currency stays absent without a rate.
  const Catalog& catalog = embedded_catalog_facts();
  int foreign = 0;
  for (const EnergyRegion& region : catalog.energy_regions) {
    if (!region.electricity_price_kwh || region.price_currency == "USD") continue;
    ++foreign;
    EXPECT_FALSE(electricity_pricing(catalog, region.id).price.has_value()) << region.id;
  }
  EXPECT_EQ(foreign, 8);
}

TEST(Hygiene, FaultsOfPurchasesAndEnergy) {
  PurchasePrice row;
  row.category = "gpu";
  row.currency = "USD";
  row.as_of = "2026";
  row.price = {.low = usd(1), .typical = usd(2), .high = usd(3)};
  EXPECT_TRUE(purchase_problems(row).empty());
  row.price.typical = usd(4);
  EXPECT_EQ(joined(purchase_problems(row)), "The typical price is outside its range.");
  row.price = {};
  EXPECT_EQ(joined(purchase_problems(row)), "The price of hardware is not above 0.");
  row.category = "software";  // bundled licences are free
  EXPECT_TRUE(purchase_problems(row).empty());
  row.as_of.clear();
  EXPECT_EQ(joined(purchase_problems(row)), "The price has no date.");
  EnergyRegion region;
  region.electricity_price_kwh = 83;
  region.price_currency = "USD";
  EXPECT_EQ(joined(energy_problems(region)), "The price of electricity of 83 per kWh is above 2.");
  region.electricity_price_kwh = 0.083;
  region.price_currency = "cents";
  EXPECT_EQ(joined(energy_problems(region)), "The price of electricity has no currency.");
}

}  // namespace
}  // namespace podwright::hygiene_test
