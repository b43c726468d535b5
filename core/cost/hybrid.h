#pragma once
/// Owning what is nearly always needed and renting the peaks. docs/method/portfolio.md#hybrid.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "base/arithmetic.h"
#include "base/math.h"
#include "base/trace.h"
#include "base/units.h"

namespace podwright {

/// Share of the time in which a GPU must be needed before owning it pays. `friction` is what moving work between the
/// two sides costs for each owned GPU and time. At most 1: owning nothing.
constexpr auto own_above_share(Of<UsdPerSecond> auto own, Of<UsdPerSecond> auto friction, Of<UsdPerSecond> auto rent) {
  return cited("docs/method/portfolio.md#hybrid", min(1.0, (own + friction) / rent));
}

/// Exponent of a demand with a peak and a mean: it exceeds peak * (1 - share ^ exponent) for `share` of the time. Half
/// of the peak as the mean gives 1, an even spread from nothing to the peak. The mean is below the peak.
constexpr auto demand_exponent(Of<double> auto mean, Of<double> auto peak) {
  return cited("docs/method/portfolio.md#demand", mean / (peak - mean));
}

/// Demand that is exceeded for `share` of the time.
auto exceeded_demand(Of<double> auto peak, Of<double> auto share, Of<double> auto exponent) {
  return cited("docs/method/portfolio.md#demand", peak * (1.0 - math::pow(share, exponent)));
}

/// Share of the time in which demand reaches into the upper `rest` of its peak.
auto share_exceeding(Of<double> auto rest, Of<double> auto peak, Of<double> auto exponent) {
  return cited("docs/method/portfolio.md#demand", math::pow(rest / peak, 1.0 / exponent));
}

/// Mean over all time of what lies above the demand that is exceeded for `share` of it.
auto demand_above(Of<double> auto peak, Of<double> auto share, Of<double> auto exponent) {
  return cited("docs/method/portfolio.md#demand",
               peak * math::pow(share, exponent + 1.0) * exponent / (exponent + 1.0));
}

/// Money per time for GPUs at a price each.
constexpr auto cost_of_gpus(Of<double> auto gpus, Of<UsdPerSecond> auto price) { return gpus * price; }

/// Prices of one GPU and time: owned and ready, rented while it is used, and what moving work costs.
template <class Tracer>
struct HybridPrices {
  Known<Tracer, UsdPerSecond> own{};
  Known<Tracer, UsdPerSecond> rent{};
  Known<Tracer, UsdPerSecond> friction{};
};

template <class Tracer>
struct Hybrid {
  using Gpus = Known<Tracer, double>;
  using Rate = Known<Tracer, UsdPerSecond>;
  Gpus own_gpus{};
  Gpus rented_gpus_mean{};
  Gpus rented_gpus_peak{};
  std::optional<Gpus> rented_instances_mean;  ///< where instances are rented whole; the GPUs are then those of them
  std::optional<Gpus> rented_instances_peak;
  Rate own_cost{};  ///< friction included
  Rate rent_cost{};
  Rate total{};
  std::optional<Rate> all_rented;  ///< absent where something must be owned
  std::optional<Rate> all_owned;   ///< absent where something must be rented
};

/// What owning so many GPUs and renting the rest costs.
template <class Tracer>
Hybrid<Tracer> hybrid_cost(Tracer& trace, const Known<Tracer, double>& own_gpus,
                           const Known<Tracer, double>& rented_mean, const Known<Tracer, double>& rented_peak,
                           const HybridPrices<Tracer>& prices) {
  Hybrid<Tracer> hybrid;
  hybrid.own_gpus = own_gpus;
  hybrid.rented_gpus_mean = rented_mean;
  hybrid.rented_gpus_peak = rented_peak;
  const auto owned = trace.sum("cost.hybrid.own_price", std::vector{prices.own, prices.friction});
  hybrid.own_cost = named("cost.hybrid.own", own_gpus * owned);
  hybrid.rent_cost = named("cost.hybrid.rent", rented_mean * prices.rent);
  hybrid.total = trace.sum("cost.hybrid.total", std::vector{hybrid.own_cost, hybrid.rent_cost});
  return hybrid;
}

// How long how many GPUs are needed, from measured or assumed points. docs/method/portfolio.md#load-duration.

/// For `share` of the time more than `gpus` GPUs are needed.
struct LoadPoint {
  double gpus = 0;
  double share = 0;
};
/// Straight between its points. The first point has the most share, the last has share 0 and the peak; GPUs do not fall
/// and shares do not rise along it. Before the first point all time needs its GPUs.
using LoadDuration = std::vector<LoadPoint>;

/// GPUs that are exceeded for `share` of the time: the fewest where a step crosses it.
double gpus_exceeded(const LoadDuration& load, double share);
/// Mean over all time of the GPUs needed beyond `gpus`.
double mean_above(const LoadDuration& load, double gpus);

inline constexpr const char* kLoadDurationPage = "docs/method/portfolio.md#load-duration";

/// The cheapest split.
template <class Tracer>
Hybrid<Tracer> best_hybrid(Tracer& trace, const LoadDuration& load, const HybridPrices<Tracer>& prices) {
  const auto share = named("cost.hybrid.own_above_share", own_above_share(prices.own, prices.friction, prices.rent));
  const double best = gpus_exceeded(load, value_of(share));
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

// How long how many GPUs are needed by serving of which mean and peak are known and by runs that need theirs for a
// share of the time; all peaks come together. docs/method/portfolio.md#demand.

/// Work that needs its GPUs for a share of the time and none else; the share is at most 1.
struct RunLoad {
  double gpus = 0;
  double share = 0;
};

/// Serving with a mean of at most its peak, both 0 without any, and runs, the longest share first.
struct DemandLoad {
  double serving_mean = 0;
  double serving_peak = 0;
  std::vector<RunLoad> runs;
};

/// Share of the time in which serving needs more than `gpus` GPUs.
inline double serving_share_above(const DemandLoad& load, double gpus) {
  if (gpus >= load.serving_peak || load.serving_peak <= 0) return gpus < 0 ? 1.0 : 0.0;
  if (gpus < 0 || load.serving_mean >= load.serving_peak) return 1.0;
  if (load.serving_mean <= 0) return 0.0;
  return share_exceeding(load.serving_peak - gpus, load.serving_peak,
                         demand_exponent(load.serving_mean, load.serving_peak));
}

/// GPUs of serving that are exceeded for `share` of the time.
inline double serving_gpus_exceeded(const DemandLoad& load, double share) {
  if (share >= 1.0 || load.serving_mean <= 0) return 0.0;
  if (load.serving_mean >= load.serving_peak) return load.serving_peak;
  return exceeded_demand(load.serving_peak, share, demand_exponent(load.serving_mean, load.serving_peak));
}

/// Share of the time in which all work together needs more than `gpus` GPUs.
inline double share_above(const DemandLoad& load, double gpus) {
  double running = 0;
  for (std::size_t on = 0; on <= load.runs.size(); ++on) {
    // With so many runs on there is this stretch of the time; serving is the busier the shorter the share.
    const double longest = on == 0 ? 1.0 : load.runs[on - 1].share;
    const double shortest = on == load.runs.size() ? 0.0 : load.runs[on].share;
    if (on > 0) running += load.runs[on - 1].gpus;
    const double share = serving_share_above(load, gpus - running);
    if (share > shortest) return std::min(share, longest);
  }
  return 0.0;
}

/// GPUs of all work together that are exceeded for `share` of the time.
inline double gpus_exceeded(const DemandLoad& load, double share) {
  double gpus = serving_gpus_exceeded(load, share);
  for (const RunLoad& run : load.runs)
    if (share < run.share) gpus += run.gpus;
  return gpus;
}

inline double peak_of(const DemandLoad& load) {
  double gpus = load.serving_peak;
  for (const RunLoad& run : load.runs) gpus += run.gpus;
  return gpus;
}

/// Instances of `instance_gpus` that are rented on average for what lies above `own_gpus`, each whole: the j-th stands
/// for as long as more than j - 1 of them do not suffice.
double mean_instances_above(const DemandLoad& load, double own_gpus, double instance_gpus);

// A hybrid for several workloads of which only mean and peak are known, some bound to one side.
// docs/method/portfolio.md#demand.

/// Where a workload may run.
enum class Placement {
  anywhere,
  owned,   ///< data that must not leave, or a site without a line out
  rented,  ///< needed so rarely or so soon that nothing is bought for it
};

/// GPUs that a workload needs: on average over all hours and at its busiest. Peaks of workloads come together.
template <class Tracer>
struct Demand {
  Known<Tracer, double> mean_gpus{};
  Known<Tracer, double> peak_gpus{};  ///< at least the mean
  Placement placement = Placement::anywhere;
};

/// The cheapest split. `demands` must not be empty.
template <class Tracer>
Hybrid<Tracer> best_hybrid_of_demands(Tracer& trace, const std::vector<Demand<Tracer>>& demands,
                                      const HybridPrices<Tracer>& prices) {
  using Gpus = Known<Tracer, double>;
  const auto share = named("cost.hybrid.own_above_share", own_above_share(prices.own, prices.friction, prices.rent));
  std::vector<Gpus> own{0.0};
  std::vector<Gpus> rented_mean{0.0};
  std::vector<Gpus> rented_peak{0.0};
  std::vector<Gpus> means;
  std::vector<Gpus> peaks;
  bool must_own = false;
  bool must_rent = false;
  for (const Demand<Tracer>& demand : demands) {
    means.push_back(demand.mean_gpus);
    peaks.push_back(demand.peak_gpus);
    const bool steady = !(value_of(demand.mean_gpus) < value_of(demand.peak_gpus));
    const bool owned = demand.placement == Placement::owned ||
                       (demand.placement == Placement::anywhere && steady && value_of(share) < 1.0);
    const bool rented =
        demand.placement == Placement::rented || (demand.placement == Placement::anywhere && !(value_of(share) < 1.0));
    must_own = must_own || demand.placement == Placement::owned;
    must_rent = must_rent || demand.placement == Placement::rented;
    if (owned) {
      own.push_back(demand.peak_gpus);
    } else if (rented) {
      rented_mean.push_back(demand.mean_gpus);
      rented_peak.push_back(demand.peak_gpus);
    } else {
      const auto exponent = named("cost.hybrid.demand_exponent", demand_exponent(demand.mean_gpus, demand.peak_gpus));
      const auto exceeded = named("cost.hybrid.owned_of_demand", exceeded_demand(demand.peak_gpus, share, exponent));
      own.push_back(exceeded);
      rented_mean.push_back(named("cost.hybrid.rented_of_demand", demand_above(demand.peak_gpus, share, exponent)));
      rented_peak.push_back(named("cost.hybrid.rented_peak_of_demand", demand.peak_gpus - exceeded));
    }
  }
  Hybrid<Tracer> hybrid =
      hybrid_cost(trace, trace.sum("cost.hybrid.own_gpus", own), trace.sum("cost.hybrid.rented_gpus_mean", rented_mean),
                  trace.sum("cost.hybrid.rented_gpus_peak", rented_peak), prices);
  if (!must_own)
    hybrid.all_rented = named("cost.hybrid.all_rented", trace.sum("cost.hybrid.mean_gpus", means) * prices.rent);
  if (!must_rent)
    hybrid.all_owned = named("cost.hybrid.all_owned", trace.sum("cost.hybrid.peak_gpus", peaks) * prices.own);
  return hybrid;
}

}  // namespace podwright
