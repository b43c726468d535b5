#include "cost/load_duration.h"
#include "base/arithmetic.h"

#include <algorithm>
#include <cmath>

namespace podwright {
namespace {

double cost_of(const LoadDuration& load, double own_gpus, UsdPerSecond own, UsdPerSecond rent) {
  return raw(own_gpus * own + mean_above(load, own_gpus) * rent);
}

/// The cheaper of the two multiples of `unit` around the best number; cost is convex in it.
double whole_units(const LoadDuration& load, double best, double unit, UsdPerSecond own, UsdPerSecond rent) {
  const double below = std::floor(best / unit) * unit;
  const double above = below + unit;
  return cost_of(load, above, own, rent) < cost_of(load, below, own, rent) ? above : below;
}

}  // namespace

LoadDuration even_load(double least, double most) { return {{least, 1.0}, {most, 0.0}}; }

std::string_view load_duration_problem(const LoadDuration& load) {
  if (load.size() < 2) return "a load-duration curve has two points or more";
  for (std::size_t i = 0; i < load.size(); ++i) {
    if (!(load[i].gpus >= 0) || !(load[i].share >= 0 && load[i].share <= 1)) return "a point lies outside the curve";
    if (i > 0 && (load[i].gpus < load[i - 1].gpus || load[i].share > load[i - 1].share))
      return "more GPUs cannot be needed for longer";
  }
  if (load.back().share > 0) return "the last point must have share 0: the peak";
  return {};
}

double gpus_exceeded(const LoadDuration& load, double share) {
  if (share >= 1.0) return 0;
  // Shares above the first point's are of times with no more than nothing.
  if (share >= load.front().share) return load.front().share < 1.0 ? 0 : load.front().gpus;
  for (std::size_t i = 1; i < load.size(); ++i) {
    const LoadPoint& from = load[i - 1];
    const LoadPoint& to = load[i];
    if (to.share > share) continue;
    if (from.share == to.share) return from.gpus;
    return from.gpus + (to.gpus - from.gpus) * (from.share - share) / (from.share - to.share);
  }
  return load.back().gpus;
}

double mean_above(const LoadDuration& load, double gpus) {
  double mean = 0;
  const LoadPoint& first = load.front();
  if (gpus < first.gpus) mean += (first.gpus - gpus) * first.share;
  for (std::size_t i = 1; i < load.size(); ++i) {
    const LoadPoint& from = load[i - 1];
    const LoadPoint& to = load[i];
    if (to.gpus <= gpus || to.gpus == from.gpus) continue;
    const double start = std::max(gpus, from.gpus);
    const double share = from.share + (to.share - from.share) * (start - from.gpus) / (to.gpus - from.gpus);
    mean += (to.gpus - start) * (share + to.share) / 2.0;
  }
  return mean;
}

template <class Tracer>
Hybrid<Tracer> best_hybrid(Tracer& trace, const LoadDuration& load, const HybridPrices<Tracer>& prices,
                           double unit_gpus) {
  const auto share = named("cost.hybrid.own_above_share", own_above_share(prices.own, prices.friction, prices.rent));
  const UsdPerSecond own = value_of(prices.own) + value_of(prices.friction);
  const UsdPerSecond rent = value_of(prices.rent);
  double best = gpus_exceeded(load, value_of(share));
  if (unit_gpus > 0) best = whole_units(load, best, unit_gpus, own, rent);
  const double peak = load.back().gpus;
  const auto found = [&](std::string_view id, double gpus) { return trace.method(id, gpus, kLoadDurationPage); };
  Hybrid<Tracer> hybrid = hybrid_cost(trace, found("cost.hybrid.own_gpus", best),
                                      found("cost.hybrid.rented_gpus_mean", mean_above(load, best)),
                                      found("cost.hybrid.rented_gpus_peak", std::max(0.0, peak - best)), prices);
  hybrid.all_rented =
      named("cost.hybrid.all_rented", found("cost.hybrid.mean_gpus", mean_above(load, 0)) * prices.rent);
  hybrid.all_owned = named("cost.hybrid.all_owned", found("cost.hybrid.peak_gpus", peak) * prices.own);
  return hybrid;
}

template Hybrid<NoTrace> best_hybrid(NoTrace&, const LoadDuration&, const HybridPrices<NoTrace>&, double);
template Hybrid<Trace> best_hybrid(Trace&, const LoadDuration&, const HybridPrices<Trace>&, double);

}  // namespace podwright
