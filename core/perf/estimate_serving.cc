#include "perf/estimate_serving.h"

#include <cmath>

namespace podwright {
namespace {

/// A rate with a little room below what the deployment completes: a whole number, or three digits below 10.
double stable_rate_below(double capacity) {
  const double room = 0.97 * capacity;
  return room >= 10 ? std::floor(room) : std::floor(room * 1000) / 1000;
}

}  // namespace

const Engine* find_engine_conventions(const Catalog& catalog, std::string_view id) {
  for (const Engine& engine : catalog.engines)
    if (engine.id == id) return &engine;
  return nullptr;
}

Infeasible unstable(const ServingRun& run, double capacity) {
  std::vector<Patch> ways_out{{"/load/request_rate_per_s", stable_rate_below(capacity)}};
  if (!run.disaggregated)
    ways_out.emplace_back("/parallelism/data", std::ceil(run.parallelism.data * run.load.value / capacity));
  return {.code = "unstable",
          .message = say("unstable", "capacity_per_s"_v = capacity),
          .shortfall = run.load.value - capacity,
          .unit = "requests/s",
          .ways_out = std::move(ways_out)};
}

}  // namespace podwright
