#include "cost/work.h"

#include <gtest/gtest.h>

#include "architecture/sizes.h"
#include "cost/capital.h"
#include "cost/energy.h"
#include "cost/licence_price.h"
#include "cost/network_rule.h"
#include "cost/owning_example.h"
#include "cost/purchase.h"
#include "cost/rental.h"
#include "cost/token_price.h"
#include "cost/training_price.h"

namespace podwright::work_test {
namespace {

void expect_relative(double value, double expected, double tolerance, double half_digit = 0) {
  EXPECT_NEAR(value, expected, expected * tolerance + half_digit);
}

// NVIDIA's inference cost of 2025-06 with a request volume of ours: 6.7 requests/s at the peak, 2.5 per instance of two
// GPUs, servers of eight; a server-year of 87,500.
TEST(Work, ServersForAPeakAndTheirPricePerRequest) {
  const double instances = instances_for_peak(per_second(6.7), per_second(2.5));
  EXPECT_EQ(instances, 3);
  const double gpus = billed_gpus(instances, 2.0);
  EXPECT_EQ(gpus, 6);
  EXPECT_EQ(node_count(gpus, 8.0), 1);
  const UsdPerSecond server = usd_per_year(87500);
  expect_relative(price_per_piece(server, 43.8e6 / years(1)) * 1000.0 / usd(1), 1.998, 0.001, 5e-4);
  expect_relative(million_token_price(server, 153.3e9 / years(1)) / usd(1), 0.5708, 0.001, 5e-5);
}

// SemiAnalysis 2025: GPT-3 175B in FP8 on 300 B tokens at 72 and 54.2 cents a million; printed 218 k and 162 k.
TEST(Work, PublishedPricesOfARun) {
  expect_relative(tokens_price(usd(0.72), 300e9) / usd(1), 216000, 0.015);
  expect_relative(tokens_price(usd(0.542), 300e9) / usd(1), 162600, 0.015);
  expect_relative(tokens_price(usd(0.72), 300e9) / usd(1), 218000, 0.015);
  expect_relative(tokens_price(usd(0.542), 300e9) / usd(1), 162000, 0.015);
}

TrainingPriceTerms<NoTrace> llama_405b() {
  return {.work = Flops(6 * 405e9 * 15e12),
          .mfu = 0.5,
          .peak = tflops(989),
          .gpu_count = 16384,
          .price = usd_per_hour(1.42),
          .claimed_time = {}};
}

// Llama-3 405B on 15 T tokens at an MFU of 0.50 and 1.42 an hour; printed 29.1 M.
TEST(Work, PublishedPriceOfLlama405b) {
  const TrainingPrice<NoTrace> price = training_price(llama_405b());
  expect_relative(*price.price / usd(1e6), 29.07, 0.005, 0.005);
  expect_relative(*price.price / usd(1) / 15e6, 1.938, 0.005, 5e-4);
  EXPECT_TRUE(price.refusal.empty());
}

// 8 B parameters on 100 B tokens with eight A100 in one instance, a statement of eight days in a study document.
TEST(Work, ARunThatNeedsMoreThanThePeakIsRefused) {
  TrainingPriceTerms<NoTrace> terms{.work = Flops(6 * 8e9 * 100e9),
                                    .mfu = 0.40,
                                    .peak = tflops(312),
                                    .gpu_count = 8,
                                    .price = usd_per_hour(32.77 / 8),
                                    .claimed_time = {}};
  const TrainingPrice<NoTrace> possible = training_price(terms);
  expect_relative(*possible.wall_time / days(1), 55.64, 0.001, 0.005);
  expect_relative(*possible.price / usd(1), 43763, 0.001, 0.5);
  terms.price = usd_per_hour(21.9576 / 8);
  expect_relative(*training_price(terms).price / usd(1), 29324, 0.001, 0.5);
  terms.claimed_time = days(8);
  const TrainingPrice<NoTrace> refused = training_price(terms);
  expect_relative(*refused.needed_mfu * 312, 868.1, 0.001, 0.05);
  EXPECT_FALSE(refused.price.has_value());
  EXPECT_EQ(refused.refusal, "The claimed time needs an MFU of 2.78, more than the peak of the GPUs.");
  terms.claimed_time = days(60);
  EXPECT_TRUE(training_price(terms).price.has_value());
  terms.mfu = 1.2;
  EXPECT_FALSE(training_price(terms).price.has_value());
}

// The same document's bill: 192 hours at 32.77, of which 30 %, and at 11.60.
TEST(Work, BillOfAStudyDocument) {
  const Usd list = usd_per_hour(32.77) * hours(192);
  EXPECT_NEAR(list / usd(1), 6291.84, 0.005);
  EXPECT_NEAR(list * 0.3 / usd(1), 1887.55, 0.005);
  EXPECT_NEAR(usd_per_hour(11.60) * hours(192) / usd(1), 2227.20, 0.005);
}

TEST(Work, TokensOfAHouseholdYear) {
  expect_relative(kwh(10791) / Joules(2.46) / 1e9, 15.79, 0.001, 0.005);
  EXPECT_EQ(energy_per_token(watts(1730), per_second(1000)), Joules(1.73));
}

// A published cluster of 1,024 H100 over 43,800 hours.
TEST(Work, PublishedClusterAndItsElectricity) {
  const Usd gpus = purchase_cost(1024.0, usd(30000));
  const Usd energy = energy_cost(facility_power(1024.0 * kw(0.7), 0.7, 1.2), usd_per_kwh(0.08)) * hours(43800);
  EXPECT_EQ(gpus, usd(30720000));
  expect_relative(energy / usd(1), 2109800.448, 1e-4);
  expect_relative((gpus + energy) / usd(1), 32829800, 1e-4, 0.5);
}

// Silybench prints eight digits.
TEST(Work, PublishedTokenPrices) {
  const auto price = [](double rent, double rate) {
    return million_token_price(usd_per_hour(rent), per_second(rate)) / usd(1);
  };
  const double rate = 16541.95385787464;
  const double rents[] = {2.69, 3.49, 3.85, 4.29, 6.1489, 10.9791};
  const double expected[] = {0.04517134, 0.05860520, 0.06465043, 0.07203905, 0.10325429, 0.18436456};
  for (int i = 0; i < 6; ++i) expect_relative(price(rents[i], rate), expected[i], 1e-6, 5e-9);
  expect_relative(price(2.69, 14539.52687496298), 0.05139247, 1e-6, 5e-9);
  expect_relative(price(2.69, 3017.6797771705747), 0.24761482, 1e-6, 5e-9);
  expect_relative(price(10.9791, 3017.6797771705747), 1.01062744, 1e-6, 5e-9);
  expect_relative(price_per_piece(usd_per_hour(2.69), per_second(129.23401451464562)) * 1000.0 / usd(1), 0.00578193,
                  1e-6, 5e-9);
}

// 500 tokens in at 1.5 and 200 out at 2 a million.
TEST(Work, PriceOfARequest) {
  const Usd request = tokens_price(usd(1.5), 500.0) + tokens_price(usd(2), 200.0);
  EXPECT_NEAR(request * 1000.0 / usd(1), 1.15, 1e-12);
}

TEST(Work, HoursOfACommitmentAndOfAPartOfTheWeek) {
  expect_relative(commitment_cost(usd_per_hour(3.94), 3.0) / usd(1), 103543, 0.001, 0.5);
  expect_relative(usd_per_hour(3.94) * hours(20.0 * 52 * 3) / usd(1), 12293, 0.001, 0.5);
  expect_relative(commitment_cost(usd_per_hour(1.92), 3.0) / usd(1), 50458, 0.001, 0.5);
}

TEST(Work, PublishedSavings) {
  // RunPod: four GPUs for three years.
  expect_relative(saved_share(122478.0, 246624.0), 0.5034, 1e-4, 5e-5);
  EXPECT_EQ(246624 - 122478, 124146);
  expect_relative(hourly(gpu_hour_price(usd(122478) / years(3), 4.0)), 1.1651, 1e-4, 5e-5);
  // Solidigm and VAST: ten years of an exabyte, hardware, power and space.
  expect_relative(29.06 + 3.13 + 3.00, 35.19, 1e-4);
  expect_relative(40.77 + 13.65 + 31.20, 85.62, 1e-4);
  expect_relative(saved_share(35.19, 85.62), 0.589, 1e-4, 5e-4);
}

// Constants of the InferenceX dashboard of 2026-04-03 at 1,000 tokens/s per GPU.
TEST(Work, PublishedCostAndPowerOfAGpuHour) {
  struct Row {
    const char* gpu;
    double price;
    double joules;
    double per_megawatt;
  };
  const PerSecond rate = per_second(1000);
  for (const Row& row : {Row{"h100-sxm5-80gb", 0.36111, 1.73, 578035}, Row{"b200-sxm", 0.54167, 2.17, 460829},
                         Row{"gb200", 0.61389, 2.10, 476190}}) {
    const GpuHourCost* found = nullptr;
    for (const GpuHourCost& cost : embedded_catalog_facts().gpu_hour_costs)
      if (cost.gpu_id == row.gpu && cost.as_of == "2026-04-03") found = &cost;
    ASSERT_NE(found, nullptr) << row.gpu;
    EXPECT_NEAR(million_token_price(*found->owner_hyperscaler, rate) / usd(1), row.price, 5e-6);
    EXPECT_NEAR(energy_per_token(*found->utility_power_per_gpu, rate) / Joules(1), row.joules, 1e-9);
    EXPECT_NEAR(tokens_per_s_per_megawatt(rate, *found->utility_power_per_gpu), row.per_megawatt, 0.5);
  }
}

TEST(Work, TokensAreToldApart) {
  const TokenPrices<NoTrace> prices = token_prices<NoTrace>(
      usd_per_hour(3.6), {.input = per_second(900), .output = per_second(100), .total = per_second(1000)});
  EXPECT_NEAR(prices.total / usd(1), 1, 1e-12);
  EXPECT_NEAR(prices.output / usd(1), 10, 1e-12);
  EXPECT_NEAR(1 / (prices.input / usd(1)) + 1 / (prices.output / usd(1)), 1 / (prices.total / usd(1)), 1e-12);
}

// H100 Freakonomics: 64, 256 and 4,096 nodes of eight GPUs, 360,000 a node with its share of the site, switches of
// 36,000, links of all tiers 1,320, 2,560 and 3,800 per GPU.
TEST(NetworkRule, PublishedClusters) {
  struct Row {
    double nodes;
    int tiers;
    double switches;
    double links_per_gpu;
    double total;
    double per_gpu;
  };
  for (const Row& row : {Row{64, 1, 8, 1320, 24003840, 46882.5}, Row{256, 2, 96, 2560, 100858880, 49247.5},
                         Row{4096, 3, 2560, 3800, 1691238400, 51612.5}}) {
    EXPECT_EQ(rule_tiers(row.nodes, 64), row.tiers);
    const double switches = row.tiers == 1   ? rule_one_tier_switches(row.nodes, 8.0, 64.0)
                            : row.tiers == 2 ? rule_two_tier_switches(row.nodes, 8.0, 64.0)
                                             : rule_three_tier_switches(row.nodes, 8.0, 64.0);
    EXPECT_EQ(switches, row.switches);
    const double gpus = row.nodes * 8;
    const double links = rule_links(gpus, double(row.tiers));
    const Usd network = network_cost(switches, usd(36000), links, usd(row.links_per_gpu / row.tiers));
    EXPECT_NEAR((purchase_cost(row.nodes, usd(360000)) + network) / usd(1), row.total, 1e-3);
    EXPECT_NEAR((purchase_cost(row.nodes, usd(360000)) + network) / usd(gpus), row.per_gpu, 1e-9);
  }
  EXPECT_EQ(rule_tiers(65536, 64), 3);
  EXPECT_EQ(rule_tiers(65537, 64), 0);
}

TEST(Storage, ProtectionTakesItsShare) {
  EXPECT_NEAR(storage_cost(tb(100), usd_per_tb(250), 0.0) / usd(1), 25000, 1e-6);
  EXPECT_NEAR(storage_cost(tb(100), usd_per_tb(250), 0.2) / usd(1), 31250, 1e-6);
}

TEST(Installation, IsAShareOfTheServers) { EXPECT_EQ(installation_cost(usd(285000), 0.25), usd(71250)); }

TEST(Staff, ComesWithServersAndWithoutThem) { EXPECT_DOUBLE_EQ(staff_count(20.0, 0.1, 1.0), 3); }

const Gpu& gpu_of(std::string_view id) {
  const Result<const Gpu*> gpu = find_gpu(embedded_catalog_facts(), id);
  PODWRIGHT_ASSERT(gpu.has_value());
  return **gpu;
}

double licence_a_year(std::string_view gpu, double horizon_years, bool prepaid) {
  NoTrace trace;
  const LicencePricing pricing = licence_pricing(embedded_catalog_facts(), gpu_of(gpu), horizon_years, prepaid);
  EXPECT_NE(pricing.price, nullptr);
  return pricing.price == nullptr ? -1 : yearly(licence_per_gpu(trace, pricing));
}

TEST(Licence, IsSoldByTheYearOrForFiveOrBroughtAlong) {
  EXPECT_NEAR(licence_a_year("h100-sxm5-80gb", 5, false), 4500, 1e-9);
  EXPECT_NEAR(licence_a_year("h100-sxm5-80gb", 5, true), 3600, 1e-9);
  EXPECT_EQ(licence_a_year("h100-pcie-80gb", 5, false), 0);
  EXPECT_EQ(licence_a_year("h100-nvl-94gb", 3, false), 0);
  EXPECT_EQ(licence_a_year("h200-nvl-141gb", 5, true), 0);
  EXPECT_NEAR(licence_a_year("h200-nvl-141gb", 6, false), 4500, 1e-9);
  const LicencePricing absent = licence_pricing(Catalog{}, gpu_of("h100-sxm5-80gb"), 5, false);
  EXPECT_EQ(absent.price, nullptr);
  EXPECT_FALSE(absent.absence.empty());
}

TEST(Electricity, EurosAreConvertedAndTold) {
  const Catalog& catalog = embedded_catalog_facts();
  const EnergyRegion* euro = nullptr;
  for (const EnergyRegion& region : catalog.energy_regions)
    if (region.price_currency == "EUR" && region.electricity_price_kwh) euro = &region;
  ASSERT_NE(euro, nullptr);
  EXPECT_FALSE(electricity_pricing(catalog, euro->id).price.has_value());
  const ElectricityPricing pricing = electricity_pricing(catalog, euro->id, 1.08);
  Trace trace;
  std::vector<std::string> assumptions;
  const auto price = electricity_price<Trace>(trace, pricing, trace.input("/usd_per_eur", 1.08), assumptions);
  EXPECT_NEAR(price.value / usd_per_kwh(*euro->electricity_price_kwh), 1.08, 1e-12);
  EXPECT_NEAR(price.value / *pricing.price, 1, 1e-12);
  ASSERT_EQ(assumptions.size(), 1u);
  EXPECT_NE(assumptions[0].find("converted at 1.08 USD for 1 EUR"), std::string::npos);
  assumptions.clear();
  const ElectricityPricing dollars = electricity_pricing(catalog, "USA", 1.08);
  ASSERT_TRUE(dollars.price.has_value());
  EXPECT_EQ((electricity_price<Trace>(trace, dollars, trace.input("/usd_per_eur", 1.08), assumptions).value),
            *dollars.price);
  EXPECT_TRUE(assumptions.empty());
}

}  // namespace
}  // namespace podwright::work_test
