#pragma once
/// What failures of a fleet cost: spares, servers that are down, and the money of hours without progress.
/// docs/method/portfolio.md#fleet.
#include <optional>
#include <string>
#include <vector>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "base/units.h"
#include "cost/comparison.h"
#include "cost/rent.h"
#include "reliability/fleet.h"

namespace podwright {

/// Part of a bill that pays for hours in which no run moves on. `bill` is that of the hours in use.
constexpr auto bill_without_progress(Of<UsdPerSecond> auto bill, Of<double> auto goodput) {
  return cited("docs/method/portfolio.md#interruptions", bill * (1.0 - goodput));
}

/// `gpu_count`, `gpus_per_server` and times above 0.
template <class Tracer>
struct FleetCostTerms {
  Known<Tracer, double> gpu_count{};
  Known<Tracer, double> gpus_per_server{};
  Known<Tracer, Seconds> gpu_time_per_failure{};
  Known<Tracer, Seconds> repair{};                  ///< until a server works again, mean over all failures
  Known<Tracer, double> spare_deviations{};         ///< standard deviations of servers under repair above their mean
  std::optional<Known<Tracer, Usd>> servers_price;  ///< of all servers
};

template <class Tracer>
struct FleetCost {
  Known<Tracer, double> servers{};
  FleetNumbers<Tracer> failures;
  Known<Tracer, double> working_servers{};
  std::optional<Known<Tracer, Usd>> spares_cost;  ///< absent without a price
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
  Known<Tracer, UsdPerSecond> lost{};
  Known<Tracer, UsdPerSecond> per_gpu_of_progress{};  ///< for an hour in which the run moves on
};

/// `used_bill` pays for the hours in use, `used_price` for one of them on a GPU. `goodput` is above 0.
template <class Tracer>
FleetLoss<Tracer> fleet_loss(const Known<Tracer, UsdPerSecond>& used_bill,
                             const Known<Tracer, UsdPerSecond>& used_price, const Known<Tracer, double>& goodput) {
  const auto lost = named("cost.fleet.lost_share", 1.0 - goodput);
  return {.lost = named("cost.fleet.lost", bill_without_progress(used_bill, goodput)),
          .per_gpu_of_progress = named("cost.fleet.price_of_progress", effective_spot_price(used_price, lost))};
}

/// A run on the fleet; the time between its failures follows from its GPUs.
template <class Tracer>
struct FleetRun {
  Known<Tracer, double> gpu_count{};
  Interruptions<Tracer> interruptions;
};

/// What is asked of a fleet.
template <class Tracer>
struct FleetAsked {
  std::optional<FleetCostTerms<Tracer>> terms;  ///< absent where it is not known how often GPUs fail
  std::optional<FleetRun<Tracer>> run;
  std::vector<std::string> missing;
  std::vector<std::string> cautions;
};

template <class Tracer>
struct FleetSide {
  std::optional<FleetCost<Tracer>> numbers;
  std::optional<Known<Tracer, Seconds>> mean_time_of_run;  ///< between failures
  std::optional<Goodput<Tracer>> goodput;
  std::optional<FleetLoss<Tracer>> own;
  std::optional<FleetLoss<Tracer>> rent;
  std::vector<std::string> missing;
  std::vector<std::string> cautions;
};

namespace fleet_detail {

/// Of the bill that pays for the hours in use: that share of what is paid all the time, else the whole bill.
template <class Tracer>
void add_losses(const CostComparison<Tracer>& sides, const Known<Tracer, double>& goodput, FleetSide<Tracer>& fleet) {
  if (sides.owned && sides.owned->bill)
    fleet.own =
        fleet_loss<Tracer>(named("cost.fleet.own_in_use",
                                 paid_while_used(sides.owned->bill->yearly, *sides.owned->asked.terms.utilization)),
                           sides.owned->bill->used, goodput);
  if (!sides.rented || !sides.rented->cost.total || !sides.rented->cost.total_per_used) return;
  const CloudCost<Tracer>& cost = sides.rented->cost;
  const auto bill =
      sides.rented->asked.terms.commitment_years > 0
          ? named("cost.fleet.rent_in_use", paid_while_used(*cost.total, sides.rented->asked.terms.utilization))
          : *cost.total;
  fleet.rent = fleet_loss<Tracer>(bill, *cost.total_per_used, goodput);
}

}  // namespace fleet_detail

template <class Tracer>
FleetSide<Tracer> fleet_side(Tracer& trace, const FleetAsked<Tracer>& asked, const CostComparison<Tracer>& sides) {
  FleetSide<Tracer> fleet{.missing = asked.missing, .cautions = asked.cautions};
  if (!asked.terms) return fleet;
  fleet.numbers = fleet_cost(trace, *asked.terms);
  if (!asked.run) return fleet;
  Interruptions<Tracer> losses = asked.run->interruptions;
  losses.mean_time_between_failures =
      named("reliability.mean_time_between_failures",
            mean_time_between_failures(asked.terms->gpu_time_per_failure, asked.run->gpu_count));
  fleet.mean_time_of_run = losses.mean_time_between_failures;
  fleet.goodput = run_goodput(trace, losses);
  if (value_of(fleet.goodput->share) > 0)
    fleet_detail::add_losses(sides, fleet.goodput->share, fleet);
  else
    fleet.cautions.emplace_back(
        "The run never ends: a failure comes, on average, before a restart and one checkpoint are done.");
  return fleet;
}

}  // namespace podwright
