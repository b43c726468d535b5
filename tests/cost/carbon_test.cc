#include "cost/carbon.h"

#include <gtest/gtest.h>

namespace podwright::carbon_test {
namespace {

const Gpu& gpu_of(std::string_view id) { return **find_gpu(embedded_catalog_facts(), id); }

// 87,118.2 kWh a year in the United States; 318 kg for each GPU with its share of the host.
TEST(Carbon, OfOneServer) {
  EXPECT_EQ(embodied_carbon(8.0, 318.0), 2544);
  NoTrace trace;
  const GridCarbon grid = grid_carbon(embedded_catalog_facts(), "USA");
  ASSERT_TRUE(grid.g_per_kwh.has_value());
  EXPECT_EQ(*grid.g_per_kwh, 369.5);
  CarbonInputs<NoTrace> inputs;
  inputs.gpus = 8;
  inputs.energy_per_year = kwh(87118.2);
  inputs.life_years = 5;
  inputs.utilization = 0.6;
  inputs.grid_g_per_kwh = *grid.g_per_kwh;
  inputs.embodied_kg_per_gpu = 318;
  const Carbon<NoTrace> carbon = carbon_of(trace, inputs);
  EXPECT_NEAR(*carbon.operation_kg_per_year, 32190.17, 0.01);
  EXPECT_EQ(*carbon.embodied_kg, 2544);
  EXPECT_NEAR(*carbon.embodied_kg_per_year, 508.8, 1e-9);
  EXPECT_NEAR(*carbon.kg_per_year, 32698.97, 0.01);
  EXPECT_FALSE(carbon.operation_kg_per_year_market.has_value());
  // Per token: a year at 1,000 tokens/s.
  EXPECT_NEAR(grams_each(*carbon.kg_per_year, 1000.0 * 31536000.0), 0.0010369, 1e-7);

  // Runs that fill the assumed use of a year answer for the year's embodied part.
  const auto run = carbon_of_run(inputs, kwh(87118.2), 8 * 0.6 * years(1));
  EXPECT_NEAR(*run, *carbon.kg_per_year, 1e-6);
}

TEST(Carbon, MarketBasedIsASecondView) {
  NoTrace trace;
  CarbonInputs<NoTrace> inputs;
  inputs.gpus = 8;
  inputs.energy_per_year = kwh(1000);
  inputs.life_years = 5;
  inputs.utilization = 0.5;
  inputs.grid_g_per_kwh = 400;
  inputs.contract_g_per_kwh = 0;
  inputs.embodied_kg_per_gpu = 100;
  const Carbon<NoTrace> carbon = carbon_of(trace, inputs);
  EXPECT_EQ(*carbon.operation_kg_per_year, 400);
  EXPECT_EQ(*carbon.operation_kg_per_year_market, 0);
  EXPECT_EQ(*carbon.kg_per_year, 560);
}

TEST(Carbon, WhatIsUnknownIsAbsent) {
  NoTrace trace;
  CarbonInputs<NoTrace> inputs;
  inputs.gpus = 8;
  inputs.energy_per_year = kwh(1000);
  inputs.life_years = 5;
  inputs.utilization = 0.5;
  inputs.embodied_kg_per_gpu = 100;
  EXPECT_FALSE(carbon_of(trace, inputs).kg_per_year.has_value());
  EXPECT_FALSE(carbon_of_run(inputs, kwh(1), hours(1)).has_value());
  EXPECT_FALSE(grid_carbon(embedded_catalog_facts(), "nowhere").absence.empty());
}

TEST(Carbon, FigureOfAnotherGpuIsSaid) {
  const Catalog& catalog = embedded_catalog_facts();
  const EmbodiedCarbon own = embodied_carbon_figure(catalog, gpu_of("a100-sxm4-80gb"));
  ASSERT_NE(own.figure, nullptr);
  EXPECT_EQ(own.figure->price.typical, usd(318));
  EXPECT_TRUE(own.caution.empty());
  EXPECT_FALSE(embodied_carbon_figure(catalog, gpu_of("h100-sxm5-80gb")).caution.empty());
}

}  // namespace
}  // namespace podwright::carbon_test
