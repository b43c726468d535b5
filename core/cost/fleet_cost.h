#pragma once
/// What failures of a fleet cost: spares, servers that are down, and the money of hours without progress.
/// docs/method/portfolio.md#fleet.
#include <optional>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "base/units.h"
#include "cost/interruptions.h"
#include "cost/rental.h"
#include "reliability/fleet_numbers.h"

namespace podwright {

/// Part of a bill that pays for hours in which no run moves on. `bill` is that of the hours in use.
constexpr auto bill_without_progress(Of<UsdPerSecond> auto bill, Of<double> auto goodput) {
  return cited("docs/method/portfolio.md#interruptions", bill * (1.0 - goodput));
}

/// `gpu_count`, `gpus_per_server` and times above 0.
template <class Tracer>
struct FleetCostTerms {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  Known<double> gpu_count{};
  Known<double> gpus_per_server{};
  Known<Seconds> gpu_time_per_failure{};
  Known<Seconds> repair{};                  ///< until a server works again, mean over all failures
  Known<double> spare_deviations{};         ///< standard deviations of servers under repair above their mean
  std::optional<Known<Usd>> servers_price;  ///< of all servers
};

template <class Tracer>
struct FleetCost {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  Known<double> servers{};
  FleetNumbers<Tracer> failures;
  Known<double> working_servers{};
  std::optional<Known<Usd>> spares_cost;  ///< absent without a price
};

/// Every failure takes one server out until it is repaired; failures are independent and come at a constant rate.
template <class Tracer>
FleetCost<Tracer> fleet_cost(Tracer& trace, const FleetCostTerms<Tracer>& terms) {
  FleetCost<Tracer> fleet;
  fleet.servers = named("cost.fleet.servers", instance_count(terms.gpu_count, terms.gpus_per_server));
  fleet.failures = fleet_numbers<Tracer>(trace, {.machines = fleet.servers,
                                                 .gpus_per_machine = terms.gpus_per_server,
                                                 .gpu_time_per_failure = terms.gpu_time_per_failure,
                                                 .repair = terms.repair,
                                                 .spare_deviations = terms.spare_deviations});
  fleet.working_servers = named("cost.fleet.working_servers", fleet.servers * *fleet.failures.availability);
  if (terms.servers_price) {
    const auto price = named("cost.fleet.server_price", *terms.servers_price / fleet.servers);
    fleet.spares_cost = named("cost.fleet.spares_cost", *fleet.failures.spares * price);
  }
  return fleet;
}

/// What one way of paying loses to failures.
template <class Tracer>
struct FleetLoss {
  typename Tracer::template Known<UsdPerSecond> lost{};
  typename Tracer::template Known<UsdPerSecond> per_gpu_of_progress{};  ///< for an hour in which the run moves on
};

/// `used_bill` pays for the hours in use, `used_price` for one of them on a GPU. `goodput` is above 0.
template <class Tracer>
FleetLoss<Tracer> fleet_loss(const typename Tracer::template Known<UsdPerSecond>& used_bill,
                             const typename Tracer::template Known<UsdPerSecond>& used_price,
                             const typename Tracer::template Known<double>& goodput) {
  const auto lost = named("cost.fleet.lost_share", lost_of_goodput(goodput));
  return {.lost = named("cost.fleet.lost", bill_without_progress(used_bill, goodput)),
          .per_gpu_of_progress = named("cost.fleet.price_of_progress", effective_spot_price(used_price, lost))};
}

}  // namespace podwright
