#pragma once
/// Failures of a fleet in a year: servers under repair, spares, what is up, and the money of hours without progress.
/// docs/method/portfolio.md#fleet.
#include <optional>

#include "base/formula.h"
#include "base/trace.h"
#include "base/units.h"
#include "cost/interruptions.h"
#include "cost/rental.h"
#include "reliability/failures.h"
#include "reliability/fleet.h"

namespace podwright {

/// Failures of one server in a year.
constexpr double failures_of_each(double failures_per_year, double servers) { return failures_per_year / servers; }
inline constexpr Formula<failures_of_each> kFailuresOfEach{.id = "cost.failures_of_each",
                                                           .inputs = {"failures_per_year", "servers"},
                                                           .equation = "failures_per_year / servers",
                                                           .source = "definition"};

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
struct FleetTerms {
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
struct FleetNumbers {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  Known<double> servers{};
  Known<Seconds> mean_time_of_server{};
  Known<double> failures_per_year{};
  Known<double> availability{};  ///< of a server
  Known<double> working_servers{};
  Known<double> in_repair{};
  Known<double> spares{};
  Known<double> spares_suffice{};         ///< share of the time
  std::optional<Known<Usd>> spares_cost;  ///< absent without a price
};

/// Every failure takes one server out until it is repaired; failures are independent and come at a constant rate.
template <class Tracer>
FleetNumbers<Tracer> fleet_numbers(Tracer& trace, const FleetTerms<Tracer>& terms) {
  FleetNumbers<Tracer> fleet;
  fleet.servers = trace.step("cost.fleet.servers", kInstanceCount, terms.gpu_count, terms.gpus_per_server);
  fleet.mean_time_of_server = trace.step("cost.fleet.mean_time_of_server", kMeanTimeBetweenFailures,
                                         terms.gpu_time_per_failure, terms.gpus_per_server);
  fleet.failures_per_year =
      trace.step("cost.fleet.failures_per_year", kYearlyFailures, fleet.servers, fleet.mean_time_of_server);
  fleet.availability = trace.step("cost.fleet.availability", kAvailability, fleet.mean_time_of_server, terms.repair);
  fleet.working_servers = trace.step("cost.fleet.working_servers", kWorkingServers, fleet.servers, fleet.availability);
  const auto each = trace.step("cost.fleet.failures_of_each", kFailuresOfEach, fleet.failures_per_year, fleet.servers);
  fleet.in_repair = trace.step("cost.fleet.in_repair", kMachinesInRepair, fleet.servers, each, terms.repair);
  fleet.spares = trace.step("cost.fleet.spares", kSpareMachines, fleet.in_repair, terms.spare_deviations);
  fleet.spares_suffice = trace.method(
      "cost.fleet.spares_suffice", spares_suffice(value_of(fleet.in_repair), value_of(fleet.spares)), kReliabilityPage);
  if (terms.servers_price) {
    const auto price = trace.step("cost.fleet.server_price", kPriceOfEach, *terms.servers_price, fleet.servers);
    fleet.spares_cost = trace.step("cost.fleet.spares_cost", kCostOfSpares, fleet.spares, price);
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
