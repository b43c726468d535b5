#include "cost/monte_carlo.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/random.h"
#include "cost/break_even.h"
#include "cost/cloud_cost.h"
#include "cost/example_costs.h"

namespace podwright::monte_carlo_test {
namespace {

TEST(OwnOrRent, OfOneServer) {
  const OwnOrRent cost = own_or_rent_typical(example_costs());
  EXPECT_NEAR(yearly(cost.own), 167670.90, 0.005);
  EXPECT_NEAR(hourly(cost.available_gpu), 2.392564, 5e-7);
  EXPECT_NEAR(hourly(cost.used_gpu), 3.987607, 5e-7);
  EXPECT_NEAR(cost.present_cost_of_owning / usd(1), 669461.29, 0.005);
  EXPECT_NEAR(yearly(cost.rent), 8 * 3.99 * 8760 * 0.6, 1e-6);
}

TEST(OwnOrRent, CallsTheFormulasOfTheExplainedModel) {
  const double discount = discount_factor(0.08, 5.0);
  const double recovery = capital_recovery(0.08, discount);
  const UsdPerSecond capital = annuity(usd(342000), residual_value(usd(285000), 0.2), discount, recovery);
  const UncertainCosts costs = example_costs();
  EXPECT_NEAR(own_or_rent_at(costs, CostInput::electricity_price, 0).own / (capital + usd_per_year(84500)), 1, 1e-14);
}

TEST(OwnOrRent, WithoutInterestIsAStraightLine) {
  const OwnOrRent cost = own_or_rent_at(example_costs(), CostInput::discount_rate, 0);
  EXPECT_NEAR(hourly(cost.available_gpu), 2.122300, 5e-7);
  EXPECT_NEAR(own_or_rent_at(example_costs(), CostInput::discount_rate, 1e-8).own / cost.own, 1, 1e-6);
}

TEST(OwnOrRent, AgreesWithTheExplainedModelOfOwning) {
  OwnedTerms<NoTrace> inputs = one_server();
  inputs.spares.amount = usd(9000);
  inputs.installation_fraction.amount = 0.25;
  inputs.fabric_residual_fraction.amount = 0.1;
  inputs.decommissioning.amount = usd(4000);
  inputs.escalation.amount = 0.045;
  inputs.facility.amount = usd_per_year(22521.6);
  inputs.connection.amount = usd_per_year(15000);
  for (const double rate : {0.0, 0.045, 0.08, 0.13}) {
    for (const double life : {3.0, 4.5, 5.0, 6.0}) {
      inputs.discount_rate = rate;
      inputs.horizon_years = life;
      const OwningCost<NoTrace> explained = owned(inputs);
      const OwnOrRent drawn = own_or_rent_typical(*certain_owning(inputs));
      EXPECT_NEAR(drawn.own / explained.total->yearly, 1, 1e-13);
      EXPECT_NEAR(drawn.available_gpu / explained.total->available, 1, 1e-13);
      EXPECT_NEAR(drawn.used_gpu / *explained.used, 1, 1e-13);
      EXPECT_NEAR(drawn.present_cost_of_owning / explained.total->net_present_cost, 1, 1e-13);
    }
  }
  inputs.network = {.amount = {}, .absence = "No dated source for a network."};
  EXPECT_FALSE(certain_owning(inputs).has_value());
}

TEST(OwnOrRent, AgreesWithTheExplainedModelOfRenting) {
  NoTrace trace;
  for (const double term : {0.0, 1.0, 3.0}) {
    for (const double growth : {-0.2, 0.0, 0.08, 0.15}) {
      RentedTerms<NoTrace> cloud;
      cloud.commitment_years = term;
      cloud.gpu_count = 8;
      cloud.billed_gpus = 8;
      cloud.utilization = 0.6;
      cloud.price_per_gpu = usd_per_hour(3.99);
      cloud.storage = usd_per_year(6000);
      const auto cost = cloud_cost(trace, cloud);
      const auto explained = cloud_years(trace, cloud, cost, 6.0, growth, 0.08);
      UncertainCosts costs = example_costs();
      costs.commitment_years = term;
      costs[CostInput::life_years] = certain(6.0);
      costs[CostInput::rent_growth] = certain(growth);
      costs[CostInput::rent_other] = certain(usd_per_year(6000));
      const double factor = horizon_of<NoTrace>(6.0, 0.08).annuity;
      EXPECT_NEAR(own_or_rent_typical(costs).rent * years(1) * factor / explained.present_value, 1, 1e-12)
          << term << " " << growth;
    }
  }
}

TEST(OwnOrRent, ACommitmentBillsEveryHour) {
  UncertainCosts costs = example_costs();
  costs.commitment_years = 3;
  EXPECT_NEAR(yearly(own_or_rent_typical(costs).rent), 8 * 3.99 * 8760, 1e-6);
}

// c_used = 2.392564 / U, U a triangle over 0.30, 0.60, 0.80.
TEST(DrawCosts, QuantilesOfTheUtilizationAlone) {
  UncertainCosts costs = example_costs();
  costs[CostInput::utilization] = between(0.3, 0.6, 0.8);
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u}) {
    for (const std::size_t draws : {std::size_t{20000}, std::size_t{100000}}) {
      const CostSpread used = draw_costs(costs, draws, seed).used_gpu;
      EXPECT_NEAR(hourly(used.p5), 3.28068, 0.01 * 3.28068);
      EXPECT_NEAR(hourly(used.p50), 4.16924, 0.01 * 4.16924);
      EXPECT_NEAR(hourly(used.p95), 6.18869, 0.01 * 6.18869);
    }
  }
}

// The rent is lognormal about 3.99 USD/h; owning is cheaper above 2.392564 / 0.6.
TEST(DrawCosts, QuantilesAndProbabilityOfThePriceAlone) {
  UncertainCosts costs = example_costs();
  costs[CostInput::rent_per_gpu] = between(usd_per_hour(2.5), usd_per_hour(3.99), usd_per_hour(6.88));
  const double spread = std::log(6.88 / 2.5) / (2 * 1.6448536269514729);
  const CostDistribution distribution = draw_costs(costs, 100000, 1);
  const double typical = 8 * 3.99 * 8760 * 0.6;
  const double outer = 1.6448536269514729;
  EXPECT_NEAR(yearly(distribution.rent.p5), typical * std::exp(-outer * spread), 0.01 * typical);
  EXPECT_NEAR(yearly(distribution.rent.p50), typical, 0.01 * typical);
  EXPECT_NEAR(yearly(distribution.rent.p95), typical * std::exp(outer * spread), 0.01 * typical);
  EXPECT_NEAR(distribution.probability_owning_is_cheaper,
              0.5 * std::erfc(std::log(3.987607 / 3.99) / spread / std::sqrt(2.0)), 0.01);
  EXPECT_EQ(distribution.own.p5, distribution.own.p95);
}

// Fully linked, the quantile of the product is the product of the quantiles.
TEST(DrawCosts, LinksUtilizationAndRent) {
  UncertainCosts costs = example_costs();
  costs[CostInput::utilization] = between(0.3, 0.6, 0.8);
  costs[CostInput::rent_per_gpu] = between(usd_per_hour(2.5), usd_per_hour(3.99), usd_per_hour(6.88));
  const double spread = std::log(6.88 / 2.5) / (2 * 1.6448536269514729);
  const auto linked = [&](double p, double z) {
    return 8 * 3.99 * 8760 * std::exp(z * spread) * triangle_quantile({.low = 0.3, .typical = 0.6, .high = 0.8}, p);
  };
  costs.utilization_rent_correlation = 1;
  const CostSpread together = draw_costs(costs, 100000, 1).rent;
  EXPECT_NEAR(yearly(together.p5), linked(0.05, -1.6448536269514729), 0.01 * linked(0.05, -1.64));
  EXPECT_NEAR(yearly(together.p50), linked(0.5, 0), 0.01 * linked(0.5, 0));
  EXPECT_NEAR(yearly(together.p95), linked(0.95, 1.6448536269514729), 0.01 * linked(0.95, 1.64));
  costs.utilization_rent_correlation = 0;
  const CostSpread apart = draw_costs(costs, 100000, 1).rent;
  costs.utilization_rent_correlation = -0.9;
  const CostSpread against = draw_costs(costs, 100000, 1).rent;
  EXPECT_GT(together.p95 - together.p5, 1.2 * (apart.p95 - apart.p5));
  EXPECT_GT(apart.p95 - apart.p5, 1.2 * (against.p95 - against.p5));
  // The link moves the rent, not what owning costs.
  EXPECT_EQ(draw_costs(costs, 100000, 1).used_gpu.p50, [&] {
    costs.utilization_rent_correlation = 0;
    return draw_costs(costs, 100000, 1).used_gpu.p50;
  }());
}

TEST(DrawCosts, WithNothingUncertainIsTheTypicalCost) {
  const OwnOrRent typical = own_or_rent_typical(example_costs());
  const CostDistribution distribution = draw_costs(example_costs(), 1000, 9);
  for (const UsdPerSecond quantile : {distribution.own.p5, distribution.own.p50, distribution.own.p95})
    EXPECT_EQ(quantile, typical.own);
  EXPECT_EQ(distribution.used_gpu.p50, typical.used_gpu);
  EXPECT_EQ(distribution.probability_owning_is_cheaper, 1);
}

// 342,000 USD once and 91,730.81 a year against 167,771.52 a year, at 8 %.
TEST(DrawCosts, TheFanStartsAtThePurchaseAndAddsTheYears) {
  const std::vector<PaidFan> paid = draw_costs(example_costs(), 100, 9, 5).paid;
  ASSERT_EQ(paid.size(), 6U);
  EXPECT_EQ(paid[0].years, 0);
  for (std::size_t i = 0; i < kFanShares.size(); ++i) {
    EXPECT_NEAR(paid[0].own[i] / usd(1), 342000, 1e-6);
    EXPECT_EQ(paid[0].rent[i], usd(0));
    EXPECT_NEAR(paid[1].own[i] / usd(1), 342000 + 91730.8106 / 1.08, 0.01);
    EXPECT_NEAR(paid[5].own[i] / usd(1), 669461.29 + 57000 / (1.08 * 1.08 * 1.08 * 1.08 * 1.08), 0.01);
    EXPECT_NEAR(paid[1].rent[i] / usd(1), 155344.00, 0.01);
    EXPECT_NEAR(paid[5].rent[i] / usd(1), 669863.03, 0.01);
  }
}

TEST(DrawCosts, BandsOfTheFanNeverCross) {
  UncertainCosts costs = example_uncertain_costs();
  costs[CostInput::rent_per_gpu] = between(usd_per_hour(2.5), usd_per_hour(3.99), usd_per_hour(6.88));
  costs[CostInput::rent_growth] = between(-0.3, -0.1, 0.2);
  costs[CostInput::electricity_growth] = between(-0.02, 0.03, 0.1);
  const CostDistribution drawn = draw_costs(costs, 20000, 1, 6);
  ASSERT_EQ(drawn.paid.size(), 7U);
  for (std::size_t year = 0; year < drawn.paid.size(); ++year)
    for (const FanQuantiles& fan : {drawn.paid[year].own, drawn.paid[year].rent})
      EXPECT_TRUE(std::is_sorted(fan.begin(), fan.end())) << year;
  for (std::size_t year = 1; year < drawn.paid.size(); ++year)
    for (std::size_t i = 0; i < kFanShares.size(); ++i) {
      EXPECT_GT(drawn.paid[year].own[i], drawn.paid[year - 1].own[i]);  // what was paid stays paid
      EXPECT_GT(drawn.paid[year].rent[i], drawn.paid[year - 1].rent[i]);
    }
  EXPECT_EQ(drawn.paid[3].rent, draw_costs(costs, 20000, 1, 6).paid[3].rent);
  // The fan leaves the draws as they are.
  EXPECT_EQ(drawn.own_minus_rent.p95, draw_costs(costs, 20000, 1).own_minus_rent.p95);
  EXPECT_TRUE(draw_costs(costs, 100, 1).paid.empty());
}

// The rent alone is uncertain: its quantiles in closed form, the same share of every year.
TEST(DrawCosts, QuantilesOfTheFanInClosedForm) {
  UncertainCosts costs = example_costs();
  costs[CostInput::rent_per_gpu] = between(usd_per_hour(2.5), usd_per_hour(3.99), usd_per_hour(6.88));
  const double spread = std::log(6.88 / 2.5) / (2 * 1.6448536269514729);
  const PaidFan year = draw_costs(costs, 100000, 1, 2).paid[2];
  const double typical = 167771.52 * (1 / 1.08 + 1 / (1.08 * 1.08));
  const std::array<double, 5> z{-1.6448536269514729, -0.6744897501960817, 0, 0.6744897501960817, 1.6448536269514729};
  for (std::size_t i = 0; i < z.size(); ++i)
    EXPECT_NEAR(year.rent[i] / usd(1), typical * std::exp(z[i] * spread), 0.01 * typical);
  EXPECT_EQ(year.own.front(), year.own.back());
}

TEST(DrawCosts, AnInputMoreLeavesTheOtherDrawsAsTheyAre) {
  UncertainCosts costs = example_costs();
  costs[CostInput::utilization] = between(0.3, 0.6, 0.8);
  const CostSpread before = draw_costs(costs, 5000, 4).rent;
  costs[CostInput::servers] = between(usd(190000), usd(285000), usd(350000));
  EXPECT_EQ(draw_costs(costs, 5000, 4).rent.p95, before.p95);
}

// A part of each: alone with either share it is that cost, and half of both is between them.
TEST(DrawCosts, MixesOwningAndRentingInEachDraw) {
  UncertainCosts costs = example_uncertain_costs();
  costs[CostInput::rent_per_gpu] = between(usd_per_hour(2.5), usd_per_hour(3.99), usd_per_hour(6.88));
  const auto mixed_of = [&](double own, double rent) {
    costs.mixed = MixedShares{.own = own, .rent = rent};
    return draw_costs(costs, 5000, 3);
  };
  EXPECT_EQ(mixed_of(1, 0).mixed->p95, mixed_of(1, 0).own.p95);
  EXPECT_EQ(mixed_of(0, 1).mixed->p5, mixed_of(0, 1).rent.p5);
  const CostDistribution half = mixed_of(0.5, 0.5);
  EXPECT_LT(half.mixed->p95 - half.mixed->p5, 0.5 * (half.own.p95 - half.own.p5 + half.rent.p95 - half.rent.p5));
  costs.mixed.reset();
  EXPECT_FALSE(draw_costs(costs, 100, 3).mixed);
}

// The same bits from every compiler and in the browser's engine, where this test runs too.
TEST(DrawCosts, AgreesBitForBit) {
  UncertainCosts costs = example_uncertain_costs();
  costs[CostInput::rent_per_gpu] = between(usd_per_hour(2.5), usd_per_hour(3.99), usd_per_hour(6.88));
  costs[CostInput::rent_growth] = between(-0.3, -0.1, 0.2);
  costs.utilization_rent_correlation = 0.5;
  const CostDistribution distribution = draw_costs(costs, 20000, 1);
  const auto expect = [](const CostSpread& spread, double p5, double p50, double p95) {
    EXPECT_EQ(spread.p5.base_units(), p5);
    EXPECT_EQ(spread.p50.base_units(), p50);
    EXPECT_EQ(spread.p95.base_units(), p95);
  };
  expect(distribution.used_gpu, 0x1.ab95d8ce07042p-11, 0x1.2f05ac0b7a6a4p-10, 0x1.d35d522a3f651p-10);
  expect(distribution.own, 0x1.108345316345fp-8, 0x1.587bcf0cf3bdcp-8, 0x1.af0a86bad680cp-8);
  expect(distribution.rent, 0x1.e74eb9eb83eap-10, 0x1.17d0ce211d30dp-8, 0x1.2f12c316586fap-7);
  expect(distribution.own_minus_rent, -0x1.10c88cf6accbfp-8, 0x1.fccd95412c70ep-11, 0x1.eaedd13a536e2p-9);
  EXPECT_EQ(distribution.probability_owning_is_cheaper, 0.34435);
}

// Many clusters and prices: break-even below 1 exactly where owning wins at full use, more use never makes a used hour
// dearer, the present cost is the yearly cost times the annuity factor.
TEST(OwnOrRent, KeepsItsInvariants) {
  const random::Stream stream(5, 0);
  for (std::uint64_t round = 0; round < 2000; ++round) {
    std::uint64_t at = round * 16;
    const auto draw = [&](double low, double high) { return low + (high - low) * stream.uniform(at++); };
    UncertainCosts costs = example_costs();
    costs[CostInput::servers] = certain(usd(draw(1e5, 1e6)));
    costs[CostInput::life_years] = certain(draw(1, 10));
    costs[CostInput::discount_rate] = certain(draw(0, 0.3));
    costs[CostInput::electricity_growth] = certain(draw(-0.05, 0.2));
    costs[CostInput::rent_per_gpu] = certain(usd_per_hour(draw(0.5, 12)));
    const OwnOrRent full = own_or_rent_at(costs, CostInput::utilization, 1.0);
    const double break_even =
        break_even_utilization(full.available_gpu, UsdPerSecond(costs[CostInput::rent_per_gpu].typical));
    EXPECT_EQ(break_even < 1, full.own < full.rent);
    const double less = draw(0.05, 0.9);
    EXPECT_LE(own_or_rent_at(costs, CostInput::utilization, less + 0.1).used_gpu,
              own_or_rent_at(costs, CostInput::utilization, less).used_gpu);
    const double rate = costs[CostInput::discount_rate].typical;
    const double life = costs[CostInput::life_years].typical;
    const double factor = annuity_factor(rate, discount_factor(rate, life));
    EXPECT_NEAR(full.present_cost_of_owning / (full.own * years(1) * factor), 1, 1e-12);
  }
}

TEST(UncertainCosts, ProblemsNameTheInput) {
  CostInput input{};
  EXPECT_TRUE(uncertain_costs_problem(example_uncertain_costs(), input).empty());
  UncertainCosts costs = example_uncertain_costs();
  costs[CostInput::utilization] = between(0.0, 0.6, 0.8);
  EXPECT_FALSE(uncertain_costs_problem(costs, input).empty());
  EXPECT_EQ(input, CostInput::utilization);
  costs = example_uncertain_costs();
  costs[CostInput::network] = between(usd(0), usd(1), usd(2));
  EXPECT_EQ(uncertain_costs_problem(costs, input), "an uncertain price must be above 0");
  EXPECT_EQ(input, CostInput::network);
  costs = example_uncertain_costs();
  costs[CostInput::pue] = between(1.5, 1.3, 1.6);
  EXPECT_EQ(uncertain_costs_problem(costs, input), "low, typical and high must rise");
}

}  // namespace
}  // namespace podwright::monte_carlo_test
