#include "cost/tornado.h"

#include <gtest/gtest.h>

#include <map>

#include "cost/example_costs.h"
#include "cost/uncertainty_numbers.h"

namespace podwright::tornado_test {
namespace {

TEST(Tornado, SwingsOfOneServer) {
  const struct {
    CostInput input;
    double swing;
  } expected[] = {{CostInput::utilization, 4.9845},
                  {CostInput::servers, 1.2038},
                  {CostInput::staff_fte, 0.9513},
                  {CostInput::license_per_gpu, 0.8562},
                  {CostInput::support_fraction, 0.6778},
                  {CostInput::life_years, 0.5802},
                  {CostInput::discount_rate, 0.4129},
                  {CostInput::residual_fraction, 0.2888},
                  {CostInput::electricity_price, 0.2673},
                  {CostInput::network, 0.1620},
                  {CostInput::pue, 0.0622}};
  const std::vector<TornadoBar> bars = tornado(example_uncertain_costs(), CostResult::used_gpu);
  ASSERT_EQ(bars.size(), std::size(expected));
  for (std::size_t i = 0; i < bars.size(); ++i) {
    EXPECT_EQ(bars[i].input, expected[i].input) << i;
    EXPECT_NEAR(hourly(bars[i].swing), expected[i].swing, 5e-5) << i;
  }
  EXPECT_GT(bars[0].at_low, bars[0].at_high);  // more use makes a used hour cheaper
}

TEST(Tornado, LeavesOutWhatDoesNotMoveTheResult) {
  const std::vector<TornadoBar> bars = tornado(example_uncertain_costs(), CostResult::rent);
  ASSERT_EQ(bars.size(), 1u);
  EXPECT_EQ(bars[0].input, CostInput::utilization);
}

std::map<CostInput, DecisionFlip> flips_of(const UncertainCosts& costs) {
  std::map<CostInput, DecisionFlip> flips;
  for (const DecisionFlip& flip : decision_flips(costs)) flips[flip.input] = flip;
  return flips;
}

// Owning costs 2.392564 USD per available GPU-hour.
TEST(DecisionFlips, OfOneServer) {
  const UncertainCosts costs = example_uncertain_costs();
  const auto flips = flips_of(costs);
  EXPECT_NEAR(*flips.at(CostInput::utilization).value, 2.392564 / 3.99, 1e-6);
  EXPECT_TRUE(flips.at(CostInput::utilization).inside_range);
  EXPECT_NEAR(*flips.at(CostInput::rent_per_gpu).value / usd_per_hour(1).base_units(), 3.987607, 1e-6);
  EXPECT_FALSE(flips.at(CostInput::rent_per_gpu).inside_range);
  for (const auto& [input, flip] : flips) {
    if (!flip.value) continue;
    const OwnOrRent cost = own_or_rent_at(costs, input, *flip.value);
    EXPECT_NEAR(cost.own / cost.rent, 1, 1e-12) << kCostInputWords[index_of(input)].name;
  }
}

TEST(DecisionFlips, SayWhenNothingHelps) {
  UncertainCosts costs = example_uncertain_costs();
  costs[CostInput::rent_per_gpu] = certain(usd_per_hour(98.32 / 8));
  const auto flips = flips_of(costs);
  // Owning wins so clearly that neither free nor wasteful cooling matters.
  EXPECT_FALSE(flips.at(CostInput::pue).value.has_value());
  EXPECT_FALSE(flips.at(CostInput::residual_fraction).value.has_value());
  EXPECT_NEAR(*flips.at(CostInput::utilization).value, 2.392564 / 12.29, 1e-6);
  // Power would have to cost this much.
  EXPECT_GT(*flips.at(CostInput::electricity_price).value, usd_per_kwh(2).base_units());
}

TEST(UncertaintyNumbers, AreTheSameWithAndWithoutExplanation) {
  const UncertainCosts costs = example_uncertain_costs();
  NoTrace plain;
  Trace trace;
  const auto without = uncertainty_numbers(plain, costs, draw_costs(costs, 2000, 1));
  const auto with = uncertainty_numbers(trace, costs, draw_costs(costs, 2000, 1));
  EXPECT_EQ(with.own.p95.value, without.own.p95);
  EXPECT_EQ(with.own.p95.value, draw_costs(costs, 2000, 1).own.p95);
  ASSERT_EQ(with.tornado.size(), 11u);
  EXPECT_EQ(with.tornado[1].input, CostInput::servers);
  const TraceNode& node = trace.nodes()[static_cast<std::size_t>(with.tornado[1].swing.node)];
  EXPECT_EQ(node.id, "method/cost.tornado.servers.swing");
  EXPECT_EQ(node.source, kTornadoPage);
  for (const auto& flip : with.flips) {
    if (flip.input == CostInput::rent_per_gpu) {
      EXPECT_NEAR(flip.value->value, 3.987607, 1e-6);
    }
  }
}

}  // namespace
}  // namespace podwright::tornado_test
