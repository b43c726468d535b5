#include "cost/ownership_prices.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "cost/building.h"
#include "cost/owning_example.h"

namespace podwright::ownership_prices_test {
namespace {

const Gpu& h100() {
  const Result<const Gpu*> gpu = find_gpu(embedded_catalog_facts(), "h100-sxm5-80gb");
  PODWRIGHT_ASSERT(gpu.has_value());
  return **gpu;
}

/// Four DGX H100 in a region.
OwnedSite<NoTrace> four_servers(const Catalog& catalog, FacilityMode facility) {
  NoTrace trace;
  const Result<const System*> system = find_system(catalog, "dgx-h100");
  PODWRIGHT_ASSERT(system.has_value());
  const MachinePricing machines = machine_pricing(catalog, *system, h100());
  OwnedSite<NoTrace> site;
  site.gpu = &h100();
  site.terms.gpu_count = 32;
  site.terms.horizon_years = 5;
  site.terms.discount_rate = 0.08;
  site.terms.load.amount = 0.75;
  site.terms.pue.amount = 1.3;
  site.terms.utilization = 0.6;
  site.terms.servers = servers_part(trace, machines, 4.0, 32.0);
  site.terms.it_power.amount = *(*system)->power_max * 4.0;
  const ElectricityPricing electricity = electricity_pricing(catalog, "USA");
  site.terms.electricity_price = {.amount = electricity.price, .absence = electricity.absence};
  site.storage = tb(400);
  site.network = NetworkKind::infiniband;
  site.facility = facility;
  return site;
}

OwningCost<NoTrace> cost_of(const Catalog& catalog, FacilityMode facility) {
  NoTrace trace;
  std::vector<std::string> cautions;
  return owned(ownership_from_catalog(trace, catalog, four_servers(catalog, facility), cautions));
}

TEST(OwnershipFromCatalog, FourServersAtAColocation) {
  const OwningCost<NoTrace> cost = cost_of(embedded_catalog_facts(), FacilityMode::colocation);
  ASSERT_TRUE(cost.total.has_value()) << (cost.missing.empty() ? "" : cost.missing[0]);
  // Servers 4 x 375,000, 400 TB at 250; the uplift for installation, which holds the network, and the support go from
  // 25 to 15 % and from 10 to 5 % between 8 and 1,000 GPUs.
  const double way = std::log(32.0 / 8) / std::log(1000.0 / 8);
  EXPECT_NEAR(cost.capital->capex / usd(1), 1500000 * (1.25 - 0.1 * way) + 100000, 1e-3);
  EXPECT_NEAR(cost.capital->residual / usd(1), 225000, 1e-6);  // 15 % after 60 months
  EXPECT_NEAR(yearly(cost.operation->facility), 40.8 * 200 * 12, 1e-3);
  EXPECT_NEAR(yearly(cost.operation->support), 1500000 * (0.1 - 0.05 * way), 1e-3);
  EXPECT_NEAR(yearly(cost.operation->licences), 144000, 1e-6);
  EXPECT_NEAR(yearly(cost.operation->staff), 200000 * std::pow(32.0 / 80, std::log(881) / std::log(250000.0 / 80)),
              1e-3);
  EXPECT_NEAR(yearly(cost.operation->energy_first_year), 40.8 * 0.75 * 1.3 * 8760 * 0.083, 1e-3);
}

TEST(OwnershipFromCatalog, ThreeKindsOfSite) {
  const Catalog& catalog = embedded_catalog_facts();
  const UsdPerSecond sunk = cost_of(catalog, FacilityMode::sunk).total->yearly;
  EXPECT_LT(sunk, cost_of(catalog, FacilityMode::own_building).total->yearly);
  EXPECT_LT(sunk, cost_of(catalog, FacilityMode::colocation).total->yearly);
  EXPECT_EQ(cost_of(catalog, FacilityMode::sunk).operation->facility, UsdPerSecond(0));
}

TEST(OwnershipFromCatalog, TracedNumbersAreThePlainOnes) {
  const Catalog& catalog = embedded_catalog_facts();
  for (const FacilityMode facility : {FacilityMode::sunk, FacilityMode::colocation, FacilityMode::own_building}) {
    const OwnedSite<NoTrace> plain = four_servers(catalog, facility);
    Trace trace;
    OwnedSite<Trace> site;
    site.gpu = plain.gpu;
    site.terms.gpu_count = trace.input("/gpu_count", plain.terms.gpu_count);
    site.terms.horizon_years = trace.input("/horizon_years", plain.terms.horizon_years);
    site.terms.discount_rate = trace.input("/discount_rate", plain.terms.discount_rate);
    site.terms.load.amount = trace.input("/load", *plain.terms.load.amount);
    site.terms.pue.amount = trace.input("/pue", *plain.terms.pue.amount);
    site.terms.utilization = trace.input("/utilization", *plain.terms.utilization);
    site.terms.servers.amount = trace.input("/servers_usd", *plain.terms.servers.amount);
    site.terms.it_power.amount = trace.input("/it_power_kw", *plain.terms.it_power.amount);
    site.terms.electricity_price.amount =
        trace.input("/electricity_usd_per_kwh", *plain.terms.electricity_price.amount);
    site.storage = trace.input("/storage_tb", *plain.storage);
    site.network = plain.network;
    site.facility = facility;
    std::vector<std::string> cautions;
    const OwningCost<Trace> cost = owning_cost(trace, ownership_from_catalog(trace, catalog, site, cautions));
    const OwningCost<NoTrace> expected = cost_of(catalog, facility);
    ASSERT_TRUE(cost.total.has_value());
    EXPECT_EQ(cost.total->net_present_cost.value, expected.total->net_present_cost);
    EXPECT_EQ(cost.used->value, *expected.used);
    for (const TraceNode& node : trace.nodes()) {
      EXPECT_FALSE(node.source.empty()) << node.id;
      for (const NodeId input : node.inputs) EXPECT_GE(input, 0) << node.id;
    }
  }
}

// Without a price the total is absent and says why; it never gets smaller.
TEST(OwnershipFromCatalog, NoPriceCanBeTakenAwayUnnoticed) {
  for (const FacilityMode facility : {FacilityMode::sunk, FacilityMode::colocation, FacilityMode::own_building}) {
    Catalog catalog = embedded_catalog_facts();
    const UsdPerSecond whole = cost_of(catalog, facility).total->yearly;
    std::set<std::string> needed;
    const auto look = [&](const std::string& row) {
      const OwningCost<NoTrace> cost = cost_of(catalog, facility);
      if (cost.total) {
        EXPECT_EQ(cost.total->yearly, whole) << row;
      } else {
        needed.insert(row);
        EXPECT_FALSE(cost.missing.empty()) << row;
        EXPECT_FALSE(cost.used.has_value()) << row;
      }
    };
    for (std::size_t i = 0; i < catalog.purchase_prices.size(); ++i) {
      const PurchasePrice row = catalog.purchase_prices[i];
      catalog.purchase_prices.erase(catalog.purchase_prices.begin() + static_cast<std::ptrdiff_t>(i));
      look(row.id);
      catalog.purchase_prices.insert(catalog.purchase_prices.begin() + static_cast<std::ptrdiff_t>(i), row);
    }
    for (std::size_t i = 0; i < catalog.resale_values.size(); ++i) {
      const ResaleValue row = catalog.resale_values[i];
      catalog.resale_values.erase(catalog.resale_values.begin() + static_cast<std::ptrdiff_t>(i));
      look(row.origin);
      catalog.resale_values.insert(catalog.resale_values.begin() + static_cast<std::ptrdiff_t>(i), row);
    }
    for (EnergyRegion& region : catalog.energy_regions) {
      const std::optional<double> price = region.electricity_price_kwh;
      region.electricity_price_kwh = std::nullopt;
      look(region.id);
      region.electricity_price_kwh = price;
    }
    for (std::size_t i = 0; i < catalog.operating_figures.size(); ++i) {
      const OperatingFigure row = catalog.operating_figures[i];
      catalog.operating_figures.erase(catalog.operating_figures.begin() + static_cast<std::ptrdiff_t>(i));
      look(row.id);
      catalog.operating_figures.insert(catalog.operating_figures.begin() + static_cast<std::ptrdiff_t>(i), row);
    }
    // Servers, network, storage, installation, escalation, support, licence, salary; five resale rows; one region;
    // three figures of the staff and one of large buyers.
    EXPECT_EQ(needed.size(), 18u + (facility == FacilityMode::colocation     ? 1u
                                    : facility == FacilityMode::own_building ? 4u
                                                                             : 0u));
  }
}

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
}  // namespace podwright::ownership_prices_test
