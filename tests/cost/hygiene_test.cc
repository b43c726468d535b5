#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "base/csv_read.h"
#include "catalog/catalog.h"
#include "catalog/price_problems.h"
#include "cost/purchase.h"
#include "support/test_data.h"

namespace podwright::hygiene_test {
namespace {

std::string joined(const std::vector<std::string>& problems) {
  std::string text;
  for (const std::string& problem : problems) text += (text.empty() ? "" : "; ") + problem;
  return text;
}

bool is_currency(std::string_view text) {
  return text.size() == 3 && std::all_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

// Made-up rows with the faults that price tables have had.
TEST(Hygiene, DirtyRowsAreRefusedForTheRightReason) {
  const auto table = parse_csv(podwright_test_data("tests/cost/data/dirty_prices.csv"));
  ASSERT_TRUE(table.has_value());
  ASSERT_EQ(table->rows.size(), 36u);
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
    EXPECT_EQ(joined(price_problems(offer)), table->cell(row, "problems")) << table->cell(row, "fault");
  }
}

TEST(Hygiene, StoredRowsPass) {
  const Catalog& catalog = embedded_catalog_facts();
  EXPECT_GE(catalog.cloud_prices.size(), 700u);
  for (const CloudPrice& row : catalog.cloud_prices) {
    EXPECT_EQ(joined(price_problems(row)), "") << row.origin;
    EXPECT_FALSE(row.as_of.empty()) << row.origin;
  }
  for (const PurchasePrice& row : catalog.purchase_prices) {
    EXPECT_FALSE(row.as_of.empty()) << row.id;
    EXPECT_GE(row.price.low, Usd(0)) << row.id;
    EXPECT_TRUE(row.price.low <= row.price.typical && row.price.typical <= row.price.high) << row.id;
    if (row.category != "gpu" && row.category != "system") continue;
    EXPECT_GT(row.price.low, Usd(0)) << row.id;
    EXPECT_TRUE(is_currency(row.currency)) << row.id;
  }
  // Beyond these a table has been misread: a price per MWh or in cents, tonnes for grams.
  for (const EnergyRegion& row : catalog.energy_regions) {
    EXPECT_TRUE(!row.electricity_price_kwh || is_currency(row.price_currency)) << row.id;
    EXPECT_TRUE(!row.electricity_price_kwh || (*row.electricity_price_kwh > 0 && *row.electricity_price_kwh <= 2))
        << row.id;
    EXPECT_TRUE(!row.grid_gco2_per_kwh || (*row.grid_gco2_per_kwh >= 0 && *row.grid_gco2_per_kwh <= 2000)) << row.id;
  }
}

// Every region in another currency stays absent without a rate.
TEST(Hygiene, CurrenciesAreNeverMixed) {
  const Catalog& catalog = embedded_catalog_facts();
  int foreign = 0;
  for (const EnergyRegion& region : catalog.energy_regions) {
    if (!region.electricity_price_kwh || region.price_currency == "USD") continue;
    ++foreign;
    EXPECT_FALSE(electricity_pricing(catalog, region.id).price.has_value()) << region.id;
  }
  EXPECT_EQ(foreign, 8);
}

}  // namespace
}  // namespace podwright::hygiene_test
