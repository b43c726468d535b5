#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "cost/hybrid.h"
#include "cost/rates_of_money.h"

namespace podwright::hybrid_test {
namespace {

const LoadDuration kEvenLoad{{0, 1.0}, {100, 0.0}};

HybridPrices<NoTrace> prices(double own, double rent, double friction = 0) {
  return {.own = usd_per_hour(own), .rent = usd_per_hour(rent), .friction = usd_per_hour(friction)};
}

// Demand even over 0 to 100 GPUs, owning 2 and renting 3 USD per GPU-hour.
TEST(BestHybrid, OfAnEvenLoad) {
  NoTrace trace;
  const Hybrid<NoTrace> hybrid = best_hybrid(trace, kEvenLoad, prices(2, 3));
  EXPECT_NEAR(hybrid.own_gpus, 100.0 / 3, 1e-12);
  EXPECT_NEAR(yearly(hybrid.own_cost), 584000, 1e-6);
  EXPECT_NEAR(yearly(hybrid.rent_cost), 584000, 1e-6);
  EXPECT_NEAR(yearly(hybrid.total), 1168000, 1e-6);
  EXPECT_NEAR(yearly(*hybrid.all_rented), 1314000, 1e-6);
  EXPECT_NEAR(yearly(*hybrid.all_owned), 1752000, 1e-6);
}

TEST(BestHybrid, FrictionMovesWorkToTheCloud) {
  NoTrace trace;
  const Hybrid<NoTrace> hybrid = best_hybrid(trace, kEvenLoad, prices(2, 3, 0.4));
  // Owned only where 3 L(k) - 2 > 0.4.
  EXPECT_NEAR(hybrid.own_gpus, 20, 1e-12);
  EXPECT_EQ(best_hybrid(trace, kEvenLoad, prices(2, 3, 1.5)).own_gpus, 0);
  EXPECT_EQ(best_hybrid(trace, kEvenLoad, prices(4, 3)).own_gpus, 0);
}

// 20 GPUs always, 60 for half of the time, 100 for a tenth.
TEST(BestHybrid, OfSteps) {
  const LoadDuration steps{{20, 1}, {20, 0.5}, {60, 0.5}, {60, 0.1}, {100, 0.1}, {100, 0}};
  EXPECT_NEAR(mean_above(steps, 0), 20 + 40 * 0.5 + 40 * 0.1, 1e-12);
  NoTrace trace;
  EXPECT_EQ(best_hybrid(trace, steps, prices(2, 3)).own_gpus, 20);
  EXPECT_EQ(best_hybrid(trace, steps, prices(1, 3)).own_gpus, 60);
  EXPECT_EQ(best_hybrid(trace, steps, prices(0.2, 3)).own_gpus, 100);
}

TEST(BestHybrid, NoOtherSplitIsCheaper) {
  NoTrace trace;
  const random::Stream stream(1, 0);
  std::uint64_t at = 0;
  for (int round = 0; round < 300; ++round) {
    LoadDuration load{{std::floor(10 * stream.uniform(at++)), 1}};
    while (load.back().share > 0) {
      LoadPoint next = load.back();
      next.gpus += std::floor(20 * stream.uniform(at++));
      next.share -= 0.4 * stream.uniform(at++);
      if (next.share < 0.05) next.share = 0;
      load.push_back(next);
    }
    const double own_price = 4 * stream.uniform(at++);
    const double friction = 0.2 * stream.uniform(at++);
    const auto price = prices(own_price, 3, friction);
    const Hybrid<NoTrace> best = best_hybrid(trace, load, price);
    for (double own = 0; own <= load.back().gpus + 5; own += 0.5) {
      const UsdPerSecond cost = own * (price.own + price.friction) + mean_above(load, own) * price.rent;
      EXPECT_LE(yearly(best.total), yearly(cost) + 1e-6) << own;
    }
  }
}

Demand<NoTrace> demand(double mean, double peak, Placement placement = Placement::anywhere) {
  return {.mean_gpus = mean, .peak_gpus = peak, .placement = placement};
}

TEST(HybridOfDemands, HalfOfThePeakIsAnEvenLoad) {
  NoTrace trace;
  const Hybrid<NoTrace> hybrid = best_hybrid_of_demands(trace, {demand(50, 100)}, prices(2, 3));
  EXPECT_NEAR(hybrid.own_gpus, 100.0 / 3, 1e-12);
  EXPECT_NEAR(yearly(hybrid.total), 1168000, 1e-6);
  EXPECT_NEAR(yearly(*hybrid.all_rented), 1314000, 1e-6);
  EXPECT_NEAR(hybrid.rented_gpus_peak, 200.0 / 3, 1e-12);
}

TEST(HybridOfDemands, SteadyWorkIsOwnedAndRareWorkRented) {
  NoTrace trace;
  const Hybrid<NoTrace> steady = best_hybrid_of_demands(trace, {demand(64, 64)}, prices(2, 3));
  EXPECT_EQ(steady.own_gpus, 64);
  EXPECT_EQ(steady.rented_gpus_mean, 0);
  const Hybrid<NoTrace> rare = best_hybrid_of_demands(trace, {demand(2, 64)}, prices(2, 3));
  EXPECT_LT(rare.own_gpus, 1);
  EXPECT_EQ(best_hybrid_of_demands(trace, {demand(64, 64)}, prices(4, 3)).own_gpus, 0);
}

TEST(HybridOfDemands, KeepsWhatIsBound) {
  NoTrace trace;
  const Hybrid<NoTrace> hybrid = best_hybrid_of_demands(
      trace, {demand(5, 40, Placement::owned), demand(10, 30, Placement::rented), demand(50, 100)}, prices(2, 3));
  EXPECT_NEAR(hybrid.own_gpus, 40 + 100.0 / 3, 1e-12);
  EXPECT_NEAR(hybrid.rented_gpus_peak, 30 + 200.0 / 3, 1e-12);
  EXPECT_FALSE(hybrid.all_rented.has_value());
  EXPECT_FALSE(hybrid.all_owned.has_value());
}

// The closed forms against sums over the hours of a year.
TEST(HybridOfDemands, IntegratesItsCurve) {
  for (const double mean : {10.0, 35.0, 50.0, 80.0}) {
    const double exponent = demand_exponent(mean, 100.0);
    double sum = 0;
    double above = 0;
    const double kept = exceeded_demand(100.0, 0.4, exponent);
    constexpr int kHours = 200000;
    for (int hour = 0; hour < kHours; ++hour) {
      const double need = exceeded_demand(100.0, (hour + 0.5) / kHours, exponent);
      sum += need;
      above += std::max(0.0, need - kept);
    }
    EXPECT_NEAR(sum / kHours, mean, 0.01);
    EXPECT_NEAR(above / kHours, demand_above(100.0, 0.4, exponent), 0.01);
  }
}

TEST(BestHybrid, IsTraced) {
  Trace trace;
  const HybridPrices<Trace> price{.own = trace.input("/own", usd_per_hour(2)),
                                  .rent = trace.input("/rent", usd_per_hour(3)),
                                  .friction = trace.input("/friction", usd_per_hour(0))};
  const Hybrid<Trace> hybrid = best_hybrid(trace, kEvenLoad, price);
  EXPECT_NEAR(yearly(hybrid.total.value), 1168000, 1e-6);
  EXPECT_GE(hybrid.all_owned->node, 0);
}

}  // namespace
}  // namespace podwright::hybrid_test
