#include "plan/growth.h"

#include <gtest/gtest.h>

#include <optional>

namespace podwright::growth_test {
namespace {

GrowthTerms<NoTrace> terms(double growth, double horizon_years, double first_nodes = 8) {
  return {.gpu_count = 60,
          .growth_per_year = growth,
          .horizon = horizon_of<NoTrace>(horizon_years, 0.08),
          .gpus_per_node = 8,
          .first_nodes = first_nodes,
          .node_price = usd(300000),
          .price_change_per_year = std::nullopt};
}

Growth<NoTrace> growth(const GrowthTerms<NoTrace>& of) {
  NoTrace trace;
  return growth_purchases(trace, of);
}

// 60, 90, 135 and 202.5 GPUs in machines of 8.
TEST(Growth, BuysInSteps) {
  const Growth<NoTrace> steps = growth(terms(0.5, 3.9));
  ASSERT_EQ(steps.years.size(), 4U);
  const double gpus[] = {60, 90, 135, 203};
  const double needed[] = {8, 12, 17, 26};
  const double bought[] = {8, 4, 5, 9};
  for (int i = 0; i < 4; ++i) {
    const GrowthYear<NoTrace>& year = steps.years[static_cast<std::size_t>(i)];
    EXPECT_EQ(year.year, i);
    EXPECT_EQ(year.gpus_needed, gpus[i]);
    EXPECT_EQ(year.nodes_needed, needed[i]);
    EXPECT_EQ(year.nodes_bought, bought[i]);
    EXPECT_EQ(year.nodes, needed[i]);
    EXPECT_EQ(*year.purchase, usd(300000 * bought[i]));
  }
  EXPECT_NEAR(*steps.in_steps / usd(1), 300000 * (8 + 4 / 1.08 + 5 / (1.08 * 1.08) + 9 / (1.08 * 1.08 * 1.08)), 1e-6);
  EXPECT_EQ(*steps.at_once, usd(300000 * 26));
  EXPECT_EQ(*steps.saved, *steps.at_once - *steps.in_steps);
  EXPECT_GT(*steps.saved, usd(0));
}

TEST(Growth, WhatIsThereIsNotBoughtAgain) {
  const Growth<NoTrace> steps = growth(terms(0.5, 2, 16));
  EXPECT_EQ(steps.years[0].nodes_bought, 16);
  EXPECT_EQ(steps.years[1].nodes_bought, 0);
  EXPECT_EQ(steps.years[2].nodes_bought, 1);
  EXPECT_EQ(steps.years[2].nodes, 17);
}

TEST(Growth, AShrinkingDemandBuysOnlyAtTheStart) {
  const Growth<NoTrace> steps = growth(terms(-0.3, 4));
  for (std::size_t i = 1; i < steps.years.size(); ++i) EXPECT_EQ(steps.years[i].nodes_bought, 0);
  EXPECT_EQ(steps.years.back().nodes, 8);
  EXPECT_EQ(*steps.saved, usd(0));
}

// Discounts of 8 % are 0.92593, 0.85734 and 0.79383, the annuity factor 2.57710.
TEST(Growth, LevelIsTheMeanOfTheYears) {
  NoTrace trace;
  const Horizon<NoTrace> years = horizon_of<NoTrace>(3, 0.08);
  EXPECT_NEAR(level_demand(trace, years, 0.5), (0.92593 + 1.5 * 0.85734 + 2.25 * 0.79383) / 2.57710, 1e-5);
  EXPECT_NEAR(level_demand(trace, years, 0.0), 1, 1e-12);
  EXPECT_NEAR(growth(terms(0.5, 3)).level_machines, (8 * 0.92593 + 12 * 0.85734 + 17 * 0.79383) / 8 / 2.57710, 1e-5);
  EXPECT_NEAR(growth(terms(-0.3, 3)).level_machines, 1, 1e-12);
}

// Half a year more is worth 0.5 of what is paid at its end, through the annuity.
TEST(Growth, PartOfAYearCountsAsOne) {
  NoTrace trace;
  EXPECT_NEAR(level_demand(trace, horizon_of<NoTrace>(2.5, 0.08), 0.0), 1, 1e-12);
  EXPECT_NEAR(level_demand(trace, horizon_of<NoTrace>(0.5, 0.08), 0.5), 1, 1e-12);
}

TEST(Growth, RisingPricesPunishWaiting) {
  GrowthTerms<NoTrace> of = terms(0.5, 3);
  of.price_change_per_year = 0.08;
  EXPECT_NEAR(*growth(of).saved / usd(1), 0, 1e-6);
  of.price_change_per_year = 0.2;
  EXPECT_LT(*growth(of).saved, usd(0));
  of.price_change_per_year = -0.2;
  EXPECT_GT(*growth(of).saved, *growth(terms(0.5, 3)).saved);
}

TEST(Growth, WithoutAPriceOnlyCounts) {
  GrowthTerms<NoTrace> of = terms(0.5, 3);
  of.node_price = std::nullopt;
  const Growth<NoTrace> steps = growth(of);
  EXPECT_EQ(steps.years.back().nodes, 26);
  EXPECT_FALSE(steps.years.back().purchase.has_value());
  EXPECT_FALSE(steps.in_steps.has_value());
  EXPECT_FALSE(steps.at_once.has_value());
  EXPECT_FALSE(steps.saved.has_value());
}

TEST(Growth, AHorizonBelowAYearIsTheStart) { EXPECT_EQ(growth(terms(0.5, 0.9)).years.size(), 1U); }

TEST(Growth, TracedIsTheSame) {
  Trace trace;
  GrowthTerms<Trace> of;
  of.gpu_count = trace.input("/gpu_count", 60.0);
  of.growth_per_year = trace.input("/growth", 0.5);
  of.gpus_per_node = trace.input("/gpus_per_node", 8.0);
  of.first_nodes = trace.input("/nodes", 8.0);
  of.node_price = trace.input("/price", usd(300000));
  of.horizon = horizon_of<Trace>(trace.input("/years", 3.0), trace.input("/rate", 0.08));
  of.price_change_per_year = trace.input("/change", -0.1);
  const Growth<Trace> steps = growth_purchases(trace, of);
  GrowthTerms<NoTrace> plain = terms(0.5, 3);
  plain.price_change_per_year = -0.1;
  EXPECT_EQ(steps.saved->value, *growth(plain).saved);
  EXPECT_GE(steps.saved->node, 0);
  EXPECT_GE(steps.years.back().present_value->node, 0);
}

}  // namespace
}  // namespace podwright::growth_test
