#pragma once
/// What failures of a fleet cost: spares, servers that are down, and the money of hours without progress.
/// docs/method/portfolio.md#fleet.
#include <optional>

#include "base/formula.h"
#include "base/trace.h"
#include "base/units.h"
#include "cost/interruptions.h"
#include "cost/rental.h"
#include "reliability/fleet_numbers.h"

namespace podwright {

/// Servers that work on average.
constexpr double working_servers(double servers, double availability) { return servers * availability; }
inline constexpr Formula<working_servers> kWorkingServers{.id = "cost.working_servers",
                                                          .inputs = {"servers", "availability"},
                                                          .equation = "servers * availability",
                                                          .source = "definition"};

/// Price of one of several equal servers.
constexpr Usd price_of_each(Usd price, double servers) { return price / servers; }
inline constexpr Formula<price_of_each> kPriceOfEach{
    .id = "cost.price_of_each", .inputs = {"price", "servers"}, .equation = "price / servers", .source = "definition"};

/// Part of a bill that pays for hours in which no run moves on. `bill` is that of the hours in use.
constexpr UsdPerSecond bill_without_progress(UsdPerSecond bill, double goodput) { return bill * (1.0 - goodput); }
inline constexpr Formula<bill_without_progress> kBillWithoutProgress{
    .id = "cost.bill_without_progress",
    .inputs = {"bill", "goodput"},
    .equation = "bill * (1 - goodput)",
    .source = "docs/method/portfolio.md#interruptions"};

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
  fleet.servers = trace.step("cost.fleet.servers", kInstanceCount, terms.gpu_count, terms.gpus_per_server);
  fleet.failures = fleet_numbers<Tracer>(trace, {.machines = fleet.servers,
                                                 .gpus_per_machine = terms.gpus_per_server,
                                                 .gpu_time_per_failure = terms.gpu_time_per_failure,
                                                 .repair = terms.repair,
                                                 .spare_deviations = terms.spare_deviations});
  fleet.working_servers =
      trace.step("cost.fleet.working_servers", kWorkingServers, fleet.servers, *fleet.failures.availability);
  if (terms.servers_price) {
    const auto price = trace.step("cost.fleet.server_price", kPriceOfEach, *terms.servers_price, fleet.servers);
    fleet.spares_cost = trace.step("cost.fleet.spares_cost", kCostOfSpares, *fleet.failures.spares, price);
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
FleetLoss<Tracer> fleet_loss(Tracer& trace, const typename Tracer::template Known<UsdPerSecond>& used_bill,
                             const typename Tracer::template Known<UsdPerSecond>& used_price,
                             const typename Tracer::template Known<double>& goodput) {
  const auto lost = trace.step("cost.fleet.lost_share", kLostOfGoodput, goodput);
  return {.lost = trace.step("cost.fleet.lost", kBillWithoutProgress, used_bill, goodput),
          .per_gpu_of_progress = trace.step("cost.fleet.price_of_progress", kEffectiveSpotPrice, used_price, lost)};
}

}  // namespace podwright
