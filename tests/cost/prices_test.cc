#include <gtest/gtest.h>

#include <set>

#include "catalog/price_problems.h"
#include "cost/provider_name.h"
#include "cost/purchase.h"
#include "cost/rates_of_money.h"
#include "cost/rent.h"

namespace podwright::prices_test {
namespace {

CloudPrice offer(std::string provider, std::string region, double gpus, std::optional<double> on_demand,
                 std::optional<double> spot = {}, std::string as_of = "2026-07-01") {
  CloudPrice row;
  row.provider = std::move(provider);
  row.instance = "machine";
  row.region = std::move(region);
  row.gpu_id = "made-up";
  row.gpu_count = gpus;
  row.gpu_memory_gb = 80;
  if (on_demand) row.on_demand = usd_per_hour(*on_demand);
  if (spot) row.spot = usd_per_hour(*spot);
  row.as_of = std::move(as_of);
  row.origin = "catalog/prices_cloud.csv/2";
  row.source = "made-up";
  return row;
}

RentFilter made_up(double gpus) {
  RentFilter filter;
  filter.gpu_id = "made-up";
  filter.gpu_count = gpus;
  return filter;
}

TEST(ProviderName, EveryProviderOfThePriceTableHasOne) {
  std::set<std::string> ids;
  for (const CloudPrice& row : embedded_catalog_facts().cloud_prices) ids.insert(row.provider);
  EXPECT_EQ(ids.size(), kProviderNames.size());
  for (const std::string& id : ids) EXPECT_NE(provider_name(id), id);
  EXPECT_EQ(provider_name("verda"), "Verda");
  EXPECT_EQ(provider_name("a-provider-of-a-pack"), "a-provider-of-a-pack");
}

TEST(RentMarket, WholeInstancesAndOrdersDecideWhatIsLowest) {
  std::vector<CloudPrice> rows{offer("a", "r1", 8, 16), offer("b", "r1", 1, 3)};
  const RentMarket one = rent_market(rows, made_up(1));
  ASSERT_NE(one.lowest, nullptr);
  EXPECT_EQ(one.lowest->provider, "b");  // 3 an hour beats an instance of 16
  const RentMarket six = rent_market(rows, made_up(6));
  EXPECT_EQ(six.lowest->provider, "a");  // 16 beats six times 3
  EXPECT_DOUBLE_EQ(hourly(*six.lowest_per_gpu), 2);
  rows[1].min_gpus = 8;
  EXPECT_EQ(rent_market(rows, made_up(1)).lowest->provider, "a");  // 16 beats an order of eight
}

TEST(RentMarket, EveryProviderCountsOnce) {
  const std::vector<CloudPrice> rows{offer("a", "r1", 8, 80), offer("a", "r2", 8, 88), offer("a", "r3", 8, 96),
                                     offer("b", "r1", 8, 16), offer("c", "r1", 8, 24)};
  const RentMarket market = rent_market(rows, made_up(8));
  EXPECT_EQ(market.offers, 5);
  EXPECT_EQ(market.providers, 3);
  EXPECT_DOUBLE_EQ(hourly(*market.median_per_gpu), 3);
}

TEST(RentMarket, ThePolicySaysWhichOfferSetsThePrice) {
  std::vector<CloudPrice> rows;
  for (const double price : {5, 1, 4, 2, 3, 9}) rows.push_back(offer("p" + std::to_string(rows.size()), "r", 1, price));
  const auto chosen = [&](PriceChoice choice) {
    RentFilter filter = made_up(1);
    filter.policy.choice = choice;
    return hourly(*rent_market(rows, filter).chosen_per_gpu);
  };
  EXPECT_DOUBLE_EQ(chosen(PriceChoice::three_lowest), 2);
  EXPECT_DOUBLE_EQ(chosen(PriceChoice::median), 4);  // the upper one of the two in the middle
  EXPECT_DOUBLE_EQ(chosen(PriceChoice::lowest), 1);
  rows.resize(2);
  EXPECT_DOUBLE_EQ(chosen(PriceChoice::three_lowest), 5);
}

TEST(RentMarket, OldInferredSoldOutAndMarketplaceOffersSetNoPrice) {
  std::vector<CloudPrice> rows{offer("a", "r", 1, 9), offer("b", "r", 1, 1), offer("c", "r", 1, 2),
                               offer("d", "r", 1, 3, {}, "2026-06-11"), offer("e", "r", 1, 4)};
  rows[1].segment = CloudSegment::marketplace;
  rows[2].sold_out = true;
  rows[4].inferred = true;
  RentFilter filter = made_up(1);
  EXPECT_EQ(rent_market(rows, filter).offers, 1);
  EXPECT_TRUE(too_old(filter, rows[3]));
  filter.policy.all_offers = true;
  EXPECT_EQ(rent_market(rows, filter).offers, 3);
  filter.policy.as_of = "2026-10-09";  // the same row is 120 days old
  EXPECT_EQ(rent_market(rows, filter).offers, 4);
  filter.policy.not_before = "2026-07-01";
  EXPECT_EQ(rent_market(rows, filter).offers, 3);
  filter.policy.providers = {"b", "c"};
  EXPECT_EQ(rent_market(rows, filter).offers, 2);
}

TEST(RentMarket, MachinesMustJoinAndReachWhatTheWorkNeeds) {
  std::vector<CloudPrice> rows{offer("a", "r", 1, 1), offer("b", "r", 8, 32), offer("c", "r", 1, 5)};
  for (CloudPrice& row : rows) row.machine_gpus = row.gpu_count;
  rows[2].machine_gpus = 8;  // sold by the GPU, of machines of eight
  rows[2].network = "InfiniBand";
  RentFilter filter = made_up(16);
  EXPECT_EQ(rent_market(rows, filter).offers, 3);
  filter.joined_gpus = 4;
  EXPECT_EQ(rent_market(rows, filter).offers, 2);
  filter.cluster_gpus = 16;
  EXPECT_EQ(rent_market(rows, filter).chosen, &rows[2]);
}

TEST(RentMarket, ASmallerMarketIsNotACheaperOne) {
  std::vector<CloudPrice> rows{offer("a", "r", 1, 1), offer("b", "r", 1, 2), offer("c", "r", 1, 3),
                               offer("d", "r", 1, 4)};
  rows[0].country = rows[3].country = "FRA";
  RentFilter filter = made_up(1);
  EXPECT_EQ(rent_market(rows, filter).chosen, &rows[1]);
  filter.country = "FRA";
  EXPECT_EQ(rent_market(rows, filter).chosen, &rows[3]);
  filter.country = "DEU";
  EXPECT_EQ(rent_market(rows, filter).chosen, nullptr);
  rows[1].country = "DE";  // no part of a code is one
  filter.country = "EU27";
  filter.members = "DEU FRA";
  EXPECT_EQ(rent_market(rows, filter).offers, 2);
}

TEST(RentMarket, FiltersRegionProviderAndTerm) {
  const std::vector<CloudPrice> rows{offer("a", "r1", 8, 40, 20, "2026-07-01"),
                                     offer("a", "r2", 8, 32, {}, "2026-09-01"), offer("b", "r1", 1, 3, 1)};
  RentFilter filter = made_up(8);
  filter.region = "r2";
  EXPECT_EQ(rent_market(rows, filter).lowest, &rows[1]);
  filter = made_up(8);
  filter.policy.providers = {"a"};
  EXPECT_EQ(rent_market(rows, filter).offers, 2);
  filter.term = RentTerm::spot;
  EXPECT_EQ(rent_market(rows, filter).lowest, &rows[0]);
  filter = made_up(8);
  EXPECT_EQ(rent_market(rows, filter).oldest_as_of, "2026-07-01");
  EXPECT_EQ(rent_market(rows, filter).newest_as_of, "2026-09-01");
}

TEST(RentMarket, TheDayOfThePolicyIsThatOfTheNewestRow) {
  std::string newest;
  for (const CloudPrice& row : embedded_catalog_facts().cloud_prices) newest = std::max(newest, row.as_of);
  EXPECT_EQ(newest, kPriceDay);
}

TEST(RentMarket, WithoutOffersThereIsNoPrice) {
  RentFilter filter = made_up(8);
  filter.term = RentTerm::reserved_3y;
  const std::vector<CloudPrice> rows{offer("a", "r1", 8, 40)};
  const RentMarket market = rent_market(rows, filter);
  EXPECT_EQ(market.chosen, nullptr);
  EXPECT_FALSE(market.chosen_per_gpu.has_value());
  EXPECT_FALSE(market.median_per_gpu.has_value());
  EXPECT_EQ(market.offers, 0);
}

TEST(RentCost, BillsWholeInstancesAndExplainsItself) {
  const CloudPrice row = offer("a", "r1", 8, 31.92);
  NoTrace plain;
  const RentCost<NoTrace> cost = rent_cost(plain, row, RentTerm::on_demand, 12.0);
  EXPECT_EQ(cost.instances, 2);
  EXPECT_EQ(cost.billed_gpus, 16);
  EXPECT_NEAR(hourly(cost.per_gpu), 3.99, 1e-12);
  EXPECT_NEAR(hourly(cost.rent), 63.84, 1e-12);
  EXPECT_NEAR(cost.rent * years(1) / usd(1), 63.84 * 8760, 1e-6);

  Trace trace;
  const RentCost<Trace> traced = rent_cost(trace, row, RentTerm::on_demand, trace.input("/gpu_count", 12.0));
  EXPECT_EQ(traced.rent.value, cost.rent);
  const TraceNode& node = trace.nodes()[static_cast<std::size_t>(traced.rent.node)];
  EXPECT_EQ(node.equation, "instances * on_demand");
  const TraceNode& price = trace.nodes()[static_cast<std::size_t>(node.inputs[1])];
  EXPECT_EQ(price.id, "catalog/prices_cloud.csv/2/on_demand_usd_per_hour");
  EXPECT_EQ(price.source, "made-up");
}

TEST(RentMarket, RealRowsGiveThePublishedH100Price) {
  RentFilter filter;
  filter.gpu_id = "h100-sxm5-80gb";
  filter.gpu_count = 8;
  filter.policy.providers = {"aws"};
  filter.region = "us-east-1";
  filter.joined_gpus = 8;
  const RentMarket market = rent_market(embedded_catalog_facts().cloud_prices, filter);
  ASSERT_NE(market.chosen, nullptr);
  EXPECT_EQ(market.chosen->instance, "p5.48xlarge");
  EXPECT_DOUBLE_EQ(hourly(*market.chosen_per_gpu), 6.88);
  EXPECT_EQ(market.newest_as_of, "2026-10-10");
}

TEST(PriceProblems, RealRowsHaveNone) {
  std::size_t rows = 0;
  for (const CloudPrice& row : embedded_catalog_facts().cloud_prices) {
    ++rows;
    EXPECT_TRUE(price_problems(row).empty()) << row.origin << ": " << price_problems(row).front();
  }
  EXPECT_GT(rows, 700u);
}

TEST(PriceProblems, EveryKnownFaultIsFound) {
  const auto first = [](const CloudPrice& row) {
    const std::vector<std::string> problems = price_problems(row);
    return problems.empty() ? std::string("none") : problems.front();
  };
  EXPECT_EQ(first(offer("a", "r", 8, 32, 16)), "none");
  EXPECT_EQ(first(offer("a", "r", 8, 0)), "The on-demand price is not above 0.");
  EXPECT_EQ(first(offer("a", "r", 8, 32, 40)), "The spot price is above the on-demand price.");
  EXPECT_EQ(first(offer("a", "r", 8, 32, 32)), "The spot price repeats the on-demand price.");
  EXPECT_EQ(first(offer("a", "r", 8, 700)), "The on-demand price is the placeholder 700 USD/h.");
  EXPECT_EQ(first(offer("a", "r", 8, {}, {})), "The row has no price.");
  EXPECT_EQ(first(offer("a", "r", 0, 32)), "The instance has no GPU.");
  EXPECT_EQ(first(offer("a", "r", 8, 0.32)),
            "The on-demand price of 0.04 USD/h per GPU lies outside 0.05 USD/h to 60 USD/h.");
  EXPECT_EQ(first(offer("a", "r", 1, 60.5)),
            "The on-demand price of 60.5 USD/h per GPU lies outside 0.05 USD/h to 60 USD/h.");
  CloudPrice row = offer("a", "r", 8, 32);
  row.reserved_1y = usd_per_hour(33);
  EXPECT_EQ(first(row), "The 1-year price is above the on-demand price.");
  row.reserved_1y = std::nullopt;
  row.reserved_3y = usd_per_hour(33);
  EXPECT_EQ(first(row), "The 3-year price is above the on-demand price.");
  row = offer("a", "r", 8, 32);
  row.gpu_memory_gb = 0;
  EXPECT_EQ(first(row), "The GPU has no memory.");
}

const System* system_named(std::string_view id) {
  for (const System& system : embedded_catalog_facts().systems)
    if (system.id == id) return &system;
  return nullptr;
}
const Gpu& gpu_of(std::string_view id) {
  const Result<const Gpu*> gpu = find_gpu(embedded_catalog_facts(), id);
  PODWRIGHT_ASSERT(gpu.has_value());
  return **gpu;
}

TEST(MachinePricing, FindsTheRowOfTheSystem) {
  const Catalog& catalog = embedded_catalog_facts();
  NoTrace trace;
  const MachinePricing dgx = machine_pricing(catalog, system_named("dgx-h100"), gpu_of("h100-sxm5-80gb"));
  ASSERT_NE(dgx.system_price, nullptr);
  EXPECT_EQ(dgx.system_price->item, "dgx-h100-8xh100");
  const auto cost = machine_cost(trace, dgx, 4, 32);
  ASSERT_TRUE(cost.has_value());
  EXPECT_EQ(cost->low, usd(1.2e6));
  EXPECT_EQ(cost->typical, usd(1.5e6));
  EXPECT_EQ(cost->high, usd(1.8e6));
  const MachinePricing oem = machine_pricing(catalog, system_named("oem-hgx-8-gpu"), gpu_of("h100-sxm5-80gb"));
  EXPECT_EQ(machine_cost(trace, oem, 1, 8)->typical, usd(285000));
}

TEST(MachinePricing, BareBoardsAreMarked) {
  NoTrace trace;
  Gpu gpu;
  gpu.name = "Board";
  gpu.price = Price{.low = usd(1), .typical = usd(2), .high = usd(3)};
  const MachinePricing pricing = machine_pricing(embedded_catalog_facts(), nullptr, gpu);
  EXPECT_EQ(pricing.system_price, nullptr);
  EXPECT_NE(pricing.caution.find("Bare boards only"), std::string::npos);
  EXPECT_EQ(machine_cost(trace, pricing, 1, 8)->high, usd(24));
}

TEST(MachinePricing, AbsenceIsNamed) {
  NoTrace trace;
  Gpu gpu;
  gpu.name = "Board";
  const MachinePricing pricing = machine_pricing(embedded_catalog_facts(), nullptr, gpu);
  EXPECT_EQ(pricing.absence, "No dated source for the price of a computer with Board.");
  EXPECT_FALSE(machine_cost(trace, pricing, 1, 8).has_value());
}

TEST(ServerPrices, NameRowsThatExistAndArePerSystem) {
  const Catalog& catalog = embedded_catalog_facts();
  EXPECT_GE(catalog.server_prices.size(), 10u);
  for (const ServerPrice& link : catalog.server_prices) {
    EXPECT_NE(system_named(link.system_id), nullptr) << link.origin;
    EXPECT_TRUE(find_gpu(catalog, link.gpu_id).has_value()) << link.origin;
    const PurchasePrice* price = nullptr;
    for (const PurchasePrice& row : catalog.purchase_prices)
      if (row.id == link.price_item) price = &row;
    ASSERT_NE(price, nullptr) << link.origin;
    EXPECT_EQ(price->category, "system") << link.origin;
    EXPECT_TRUE(price->unit == "per system" || price->unit == "per server" || price->unit == "per rack") << link.origin;
    EXPECT_NE(find_source(catalog, link.source), nullptr) << link.origin;
  }
}

TEST(ElectricityPricing, KnowsRegionsCurrenciesAndFallbacks) {
  const Catalog& catalog = embedded_catalog_facts();
  const ElectricityPricing usa = electricity_pricing(catalog, "USA");
  ASSERT_TRUE(usa.price.has_value());
  EXPECT_NEAR(*usa.price / usd_per_kwh(1), 0.083, 1e-15);
  EXPECT_TRUE(usa.caution.empty());
  EXPECT_FALSE(electricity_pricing(catalog, "CAN").caution.empty());
  const ElectricityPricing germany = electricity_pricing(catalog, "DEU");
  EXPECT_FALSE(germany.price.has_value());
  EXPECT_NE(germany.absence.find("EUR"), std::string::npos);
  EXPECT_NEAR(*electricity_pricing(catalog, "DEU", 1.08).price / usd_per_kwh(1), 0.233 * 1.08, 1e-12);
  EXPECT_FALSE(electricity_pricing(catalog, "nowhere").absence.empty());
}

TEST(MachineEnergy, IsTracedFromPowerToTheYear) {
  Trace trace;
  const MachineEnergy<Trace> energy = machine_energy<Trace>(trace.input("/it_power_kw", kw(10.2)),
                                                            trace.input("/load", 0.75), trace.input("/pue", 1.3));
  EXPECT_NEAR(energy.facility_power_max.value / kw(1), 13.26, 1e-12);
  EXPECT_NEAR(energy.per_year.value / kwh(1), 87118.2, 0.05);
}

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
}  // namespace podwright::prices_test
