#pragma once
/// Owning what is nearly always needed and renting the peaks. docs/method/portfolio.md#hybrid.
#include <algorithm>
#include <optional>
#include <vector>

#include "base/formula.h"
#include "base/math.h"
#include "base/trace.h"
#include "base/units.h"

namespace podwright {

/// Share of the time in which a GPU must be needed before owning it pays. `friction` is what moving work between the
/// two sides costs for each owned GPU and time. At most 1: owning nothing.
constexpr double own_above_share(UsdPerSecond own, UsdPerSecond friction, UsdPerSecond rent) {
  return std::min(1.0, (own + friction) / rent);
}
inline constexpr Formula<own_above_share> kOwnAboveShare{.id = "cost.own_above_share",
                                                         .inputs = {"own", "friction", "rent"},
                                                         .equation = "min(1, (own + friction) / rent)",
                                                         .source = "docs/method/portfolio.md#hybrid"};

/// Exponent of a demand with a peak and a mean: it exceeds peak * (1 - share ^ exponent) for `share` of the time. Half
/// of the peak as the mean gives 1, an even spread from nothing to the peak. The mean is below the peak.
constexpr double demand_exponent(double mean, double peak) { return mean / (peak - mean); }
inline constexpr Formula<demand_exponent> kDemandExponent{.id = "cost.demand_exponent",
                                                          .inputs = {"mean", "peak"},
                                                          .equation = "mean / (peak - mean)",
                                                          .source = "docs/method/portfolio.md#demand"};

/// Mean demand of what needs `peak` GPUs for a share of the time and none else.
constexpr double mean_of_peak(double peak, double share_of_time) { return peak * share_of_time; }
inline constexpr Formula<mean_of_peak> kMeanOfPeak{.id = "cost.mean_of_peak",
                                                   .inputs = {"peak", "share_of_time"},
                                                   .equation = "peak * share_of_time",
                                                   .source = "definition"};

/// Demand that is exceeded for `share` of the time.
inline double exceeded_demand(double peak, double share, double exponent) {
  return peak * (1.0 - math::pow(share, exponent));
}
inline constexpr Formula<exceeded_demand> kExceededDemand{.id = "cost.exceeded_demand",
                                                          .inputs = {"peak", "share", "exponent"},
                                                          .equation = "peak * (1 - share ^ exponent)",
                                                          .source = "docs/method/portfolio.md#demand"};

/// Share of the time in which demand reaches into the upper `rest` of its peak.
inline double share_exceeding(double rest, double peak, double exponent) {
  return math::pow(rest / peak, 1.0 / exponent);
}
inline constexpr Formula<share_exceeding> kShareExceeding{.id = "cost.share_exceeding",
                                                          .inputs = {"rest", "peak", "exponent"},
                                                          .equation = "(rest / peak) ^ (1 / exponent)",
                                                          .source = "docs/method/portfolio.md#demand"};

/// Mean over all time of what lies above the demand that is exceeded for `share` of it.
inline double demand_above(double peak, double share, double exponent) {
  return peak * math::pow(share, exponent + 1.0) * exponent / (exponent + 1.0);
}
inline constexpr Formula<demand_above> kDemandAbove{
    .id = "cost.demand_above",
    .inputs = {"peak", "share", "exponent"},
    .equation = "peak * share ^ (exponent + 1) * exponent / (exponent + 1)",
    .source = "docs/method/portfolio.md#demand"};

/// Money per time for GPUs at a price each.
constexpr UsdPerSecond cost_of_gpus(double gpus, UsdPerSecond price) { return gpus * price; }
inline constexpr Formula<cost_of_gpus> kCostOfGpus{
    .id = "cost.cost_of_gpus", .inputs = {"gpus", "price"}, .equation = "gpus * price", .source = "definition"};

/// What is left of a demand above a part of it.
constexpr double rest_of_demand(double demand, double part) { return demand - part; }
inline constexpr Formula<rest_of_demand> kRestOfDemand{
    .id = "cost.rest_of_demand", .inputs = {"demand", "part"}, .equation = "demand - part", .source = "definition"};

/// Prices of one GPU and time: owned and ready, rented while it is used, and what moving work costs.
template <class Tracer>
struct HybridPrices {
  typename Tracer::template Known<UsdPerSecond> own{};
  typename Tracer::template Known<UsdPerSecond> rent{};
  typename Tracer::template Known<UsdPerSecond> friction{};
};

template <class Tracer>
struct Hybrid {
  using Gpus = typename Tracer::template Known<double>;
  using Rate = typename Tracer::template Known<UsdPerSecond>;
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
Hybrid<Tracer> hybrid_cost(Tracer& trace, const typename Tracer::template Known<double>& own_gpus,
                           const typename Tracer::template Known<double>& rented_mean,
                           const typename Tracer::template Known<double>& rented_peak,
                           const HybridPrices<Tracer>& prices) {
  Hybrid<Tracer> hybrid;
  hybrid.own_gpus = own_gpus;
  hybrid.rented_gpus_mean = rented_mean;
  hybrid.rented_gpus_peak = rented_peak;
  const auto owned = trace.sum("cost.hybrid.own_price", std::vector{prices.own, prices.friction});
  hybrid.own_cost = trace.step("cost.hybrid.own", kCostOfGpus, own_gpus, owned);
  hybrid.rent_cost = trace.step("cost.hybrid.rent", kCostOfGpus, rented_mean, prices.rent);
  hybrid.total = trace.sum("cost.hybrid.total", std::vector{hybrid.own_cost, hybrid.rent_cost});
  return hybrid;
}

}  // namespace podwright
