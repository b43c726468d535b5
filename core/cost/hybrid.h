#pragma once
/// Owning what is nearly always needed and renting the peaks. docs/method/portfolio.md#hybrid.
#include <optional>
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

}  // namespace podwright
