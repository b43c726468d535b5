/// Draws over the model of owning against renting. The goal is 60 ms for 100,000 draws.
#include <benchmark/benchmark.h>

#include "cost/monte_carlo.h"
#include "cost/tornado.h"

namespace podwright {
namespace {

/// Every input of the model is uncertain.
UncertainCosts wholly_uncertain() {
  UncertainCosts costs;
  costs.gpu_count = 8;
  costs.utilization_rent_correlation = 0.5;
  for (std::size_t i = 0; i < kCostInputCount; ++i) {
    const CostInputWord& word = kCostInputWords[i];
    costs.inputs[i] =
        word.shape == CostInputShape::lognormal ? between(20000.0, 25000.0, 40000.0) : between(0.05, 0.1, 0.2);
  }
  costs[CostInput::servers] = between(190000.0, 285000.0, 350000.0);
  costs[CostInput::life_years] = between(4.0, 5.0, 6.0);
  costs[CostInput::pue] = between(1.09, 1.3, 1.56);
  costs[CostInput::electricity_price] = between(usd_per_kwh(0.075), usd_per_kwh(0.083), usd_per_kwh(0.204));
  costs[CostInput::rent_per_gpu] = between(usd_per_hour(2.5), usd_per_hour(3.99), usd_per_hour(6.88));
  return costs;
}

void draw_the_whole_model(benchmark::State& state) {
  const UncertainCosts costs = wholly_uncertain();
  for (auto _ : state) benchmark::DoNotOptimize(draw_costs(costs, static_cast<std::size_t>(state.range(0)), 1));
}
BENCHMARK(draw_the_whole_model)->Arg(20000)->Arg(100000)->Unit(benchmark::kMillisecond);

void find_what_matters(benchmark::State& state) {
  const UncertainCosts costs = wholly_uncertain();
  for (auto _ : state) {
    benchmark::DoNotOptimize(tornado(costs, CostResult::own_minus_rent));
    benchmark::DoNotOptimize(decision_flips(costs));
  }
}
BENCHMARK(find_what_matters)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace podwright
