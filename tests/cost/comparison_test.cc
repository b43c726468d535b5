#include "cost/comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "cost/break_even.h"
#include "cost/owning_example.h"

namespace podwright::comparison_test {
namespace {

using Way = PricedWay<NoTrace>;

Way priced(CostWay way, Usd value) {
  Way of;
  of.way = way;
  of.present_value = value;
  return of;
}

Decision<NoTrace> decided(std::vector<Way> ways) { return decide(std::move(ways)); }

TEST(Decision, TheCheapestStandsFirstAndSavesAgainstTheSecond) {
  const auto decision =
      decided({priced(CostWay::own, usd(300)), priced(CostWay::rent, usd(400)), priced(CostWay::hosted_api, usd(240))});
  EXPECT_EQ(decision.ways[0].way, CostWay::hosted_api);
  EXPECT_EQ(decision.ways[2].way, CostWay::rent);
  EXPECT_EQ(*decision.saving, usd(60));
  EXPECT_DOUBLE_EQ(*decision.saved, 0.2);
  EXPECT_FALSE(decision.nearly_equal);
}

TEST(Decision, WithinOnePercentIsEqual) {
  EXPECT_TRUE(decided({priced(CostWay::own, usd(99.1)), priced(CostWay::rent, usd(100))}).nearly_equal);
  EXPECT_FALSE(decided({priced(CostWay::own, usd(98.9)), priced(CostWay::rent, usd(100))}).nearly_equal);
}

TEST(Decision, OneWayAloneSavesNothing) {
  EXPECT_TRUE(decided({}).ways.empty());
  const auto decision = decided({priced(CostWay::rent, usd(1))});
  EXPECT_EQ(decision.ways.size(), 1u);
  EXPECT_FALSE(decision.saving.has_value());
}

// The server whose yearly cost is known: the level amount of its value today is that cost.
TEST(Decision, TheLevelAmountOfTheValueTodayIsTheYearlyCost) {
  const auto cost = owned(one_server());
  const double factor = horizon_of<NoTrace>(5.0, 0.08).annuity;
  EXPECT_NEAR(yearly(level_of_value(cost.total->net_present_cost, factor)), 167670.90, 0.005);
  EXPECT_NEAR(idle_gpu_time(8.0, 0.6) / hours(1), 28032, 1e-9);
}

TEST(DecisionProperties, OwningWinsAtTheBreakEvenUtilisationAndAbove) {
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> any(0, 1);
  for (int i = 0; i < 2000; ++i) {
    OwnedTerms<NoTrace> inputs = one_server();
    inputs.servers.amount = usd(5e4 + 6e5 * any(random));
    inputs.discount_rate = 0.2 * any(random);
    inputs.horizon_years = 1.0 + std::floor(6 * any(random));
    const auto cost = owned(inputs);
    const double factor = horizon_of<NoTrace>(inputs.horizon_years, inputs.discount_rate).annuity;
    const UsdPerSecond rent = 8.0 * usd_per_hour(0.5 + 6 * any(random));
    const double even = break_even_utilization(cost.total->yearly, rent);
    const auto cheapest = [&](double utilization) {
      const Usd value = present_operation(rent * utilization, factor);
      return decided({priced(CostWay::own, cost.total->net_present_cost), priced(CostWay::rent, value)}).ways[0].way;
    };
    EXPECT_EQ(cheapest(even * 1.001), CostWay::own);
    EXPECT_EQ(cheapest(even * 0.999), CostWay::rent);
    EXPECT_EQ(even < 1, cheapest(1) == CostWay::own);
  }
}

}  // namespace
}  // namespace podwright::comparison_test
