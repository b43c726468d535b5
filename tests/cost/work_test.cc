#include "cost/work.h"

#include <gtest/gtest.h>

#include "architecture/design_size.h"
#include "cost/ownership_formulas.h"
#include "cost/ownership_prices.h"
#include "cost/owning_example.h"
#include "cost/purchase.h"
#include "cost/rent.h"

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
  EXPECT_EQ(node_count(instances * 2, 8.0), 1);
  const UsdPerSecond server = usd_per_year(87500);
  expect_relative(server / (43.8e6 / years(1)) * 1000.0 / usd(1), 1.998, 0.001, 5e-4);
  expect_relative(million_token_price(server, 153.3e9 / years(1)) / usd(1), 0.5708, 0.001, 5e-5);
}

// Llama-3 405B on 15 T tokens at an MFU of 0.50 and 1.42 an hour; printed 29.1 M.
TEST(Work, PublishedPriceOfLlama405b) {
  const Seconds gpu_time = Flops(6 * 405e9 * 15e12) / (0.5 * tflops(989));
  expect_relative(gpu_time * usd_per_hour(1.42) / usd(1e6), 29.07, 0.005, 0.005);
}

// 8 B parameters on 100 B tokens with eight A100 in one instance, a statement of eight days in a study document.
TEST(Work, ARunThatWouldNeedMoreThanThePeak) {
  const Flops work(6 * 8e9 * 100e9);
  const Seconds gpu_time = work / (0.40 * tflops(312));
  expect_relative(gpu_time / 8 / days(1), 55.64, 0.001, 0.005);
  expect_relative(gpu_time * usd_per_hour(32.77 / 8) / usd(1), 43763, 0.001, 0.5);
  expect_relative(gpu_time * usd_per_hour(21.9576 / 8) / usd(1), 29324, 0.001, 0.5);
  expect_relative(work / (days(8) * 8.0) / tflops(1), 868.1, 0.001, 0.05);
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
}

TEST(Work, PublishedSavings) {
  // RunPod: four GPUs for three years.
  expect_relative(hourly(gpu_hour_price(usd(122478) / years(3), 4.0)), 1.1651, 1e-4, 5e-5);
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
    EXPECT_NEAR(*found->utility_power_per_gpu / rate / Joules(1), row.joules, 1e-9);
    EXPECT_NEAR(tokens_per_s_per_megawatt(rate, *found->utility_power_per_gpu), row.per_megawatt, 0.5);
  }
}

TEST(Work, TokensAreToldApart) {
  const WorkPrices<NoTrace> prices =
      work_prices<NoTrace>(usd_per_hour(3.6), 1, {.input_tokens = per_second(900), .output_tokens = per_second(100)});
  const double total = *prices.million_tokens / usd(1);
  EXPECT_NEAR(total, 1, 1e-12);
  EXPECT_NEAR(*prices.million_output_tokens / usd(1), 10, 1e-12);
  EXPECT_NEAR(usd(1) / *prices.million_input_tokens + usd(1) / *prices.million_output_tokens, 1 / total, 1e-12);
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
