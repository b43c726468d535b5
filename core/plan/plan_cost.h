#pragma once
/// What a plan costs rented, committed, owned, or both ways at once, each with everything that the catalog has a dated
/// price for. A part without one is named, and the sum that it belongs to is absent. docs/method/decision.md#ways.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "architecture/design.h"
#include "base/append.h"
#include "base/arithmetic.h"
#include "cost/break_even.h"
#include "cost/ownership_prices.h"
#include "cost/price_band.h"
#include "plan/asked_load.h"
#include "plan/growth.h"
#include "plan/hybrid_split.h"
#include "plan/plan_demand.h"
#include "plan/plan_load.h"
#include "plan/plan_network.h"
#include "plan/plan_rent.h"
#include "plan/plan_use.h"

namespace podwright {

/// The prices that a plan takes.
struct PlanPricing {
  RentFilter filter;                         ///< of `market`
  RentMarket market;                         ///< on demand
  PriceBands bands;                          ///< of the same filter; of plans that are shown
  std::vector<CommitmentOffer> commitments;  ///< with a row each
  MachinePricing machines;
  bool rents = true;  ///< renting is a way that may be taken
  bool owns = true;
};

/// Machines rented by the hour that follow the hours of the day.
template <class Tracer>
struct FollowedDay {
  Known<Tracer, double> mean_gpus{};    ///< that stand
  Known<Tracer, double> idle{};         ///< share of the GPU-hours that are paid
  Known<Tracer, UsdPerSecond> saved{};  ///< level, against all GPUs standing all the time
};

template <class Tracer>
struct PlanCost {
  std::optional<RentCost<Tracer>> rent;  ///< of all GPUs, while they stand
  std::optional<Known<Tracer, UsdPerSecond>> lowest_per_gpu;
  std::optional<Known<Tracer, UsdPerSecond>> median_per_gpu;
  std::optional<Known<Tracer, double>> level_demand;    ///< over that of the start; absent: no growth
  std::optional<Known<Tracer, PerSecond>> output_rate;  ///< of a single serving workload, on average, at the start
  std::optional<RentedWay<Tracer>> on_demand;           ///< GPUs are given back while nobody needs them
  std::optional<FollowedDay<Tracer>> followed;          ///< by these; absent where no hours are known
  std::optional<Commitment<Tracer>> committed;          ///< the cheapest one
  std::optional<MachineCost<Tracer>> machines;
  std::optional<Known<Tracer, double>> utilization;  ///< of the owned GPUs
  std::optional<MachineEnergy<Tracer>> energy;
  OwnedTerms<Tracer> owning_inputs;                             ///< only where there is a design
  OwningCost<Tracer> owning;                                    ///< its total with the growth
  std::optional<Known<Tracer, UsdPerSecond>> growth_of_owning;  ///< part of the total; absent: nothing is bought later
  Message left_out;  ///< offers that do not name their country, where data may not leave it; empty: none
  Message no_offer;  ///< why nothing can be rented by the hour; empty where something can, or nothing may
  NetworkBasis network;
  std::optional<PlanUse> use;                   ///< absent where owning or renting on demand has no sum
  std::optional<BreakEven<Tracer>> break_even;  ///< of owning against renting on demand
  std::optional<Hybrid<Tracer>> hybrid;
  std::optional<Known<Tracer, Usd>> hybrid_capex;    ///< of its owned part
  std::optional<Known<Tracer, Watts>> hybrid_power;  ///< of the same at full load, at the meter
  RentMarket hybrid_market;                          ///< of its rented part
  std::vector<std::string> missing;
  std::vector<std::string> cautions;
};

/// Price of a million output tokens where `bill`, level over the horizon, pays for all of them; absent without a rate.
template <class Tracer>
std::optional<Known<Tracer, Usd>> million_output_tokens(const PlanCost<Tracer>& cost,
                                                        const Known<Tracer, UsdPerSecond>& bill) {
  if (!cost.output_rate) return std::nullopt;
  const auto rate = cost.level_demand ? named("plan.level_output_tokens_per_s", *cost.output_rate * *cost.level_demand)
                                      : *cost.output_rate;
  return named("cost.million_output_tokens", million_token_price(bill, rate));
}

/// What no sum of a plan holds.
inline std::vector<std::string> plan_costs_left_out() {
  return {
      "owned: the networks of storage and management, management servers, spare parts, lines to the outside and taking "
      "the machines down",
      "rented: data leaving the cloud and support, unless they are asked for",
      "both: value-added tax and taxes on profit"};
}

namespace plan_detail {

/// What stands on average of rented machines.
template <class Tracer>
StandingMachines standing_machines(const PlanRequest& request, const std::vector<PlacedWorkload>& placed,
                                   const PlanDemand<Tracer>& demand) {
  StandingMachines standing{.load = hybrid_work(request, placed, demand).load, .replicas = {}};
  for (const PlacedWorkload& item : placed)
    if (const ServingRun* run = item.serving())
      standing.replicas.push_back(std::min(item.gpu_count, replica_gpus(*run)));
  return standing;
}

/// Of the run that all machines are for; absent where some stand beside it or serve.
template <class Tracer>
std::optional<Known<Tracer, Seconds>> only_run_time(const PlanDemand<Tracer>& demand) {
  if (demand.workloads.size() > 1 || demand.reserve) return std::nullopt;
  return demand.workloads.front().run_time;
}

template <class Tracer>
void add_followed_day(Tracer& trace, const PlanRequest& request, const PlanDemand<Tracer>& demand,
                      const Known<Tracer, double>& instances, const CloudPrice& row, PlanCost<Tracer>& cost) {
  const auto has_day = [](const WorkloadNumbers<Tracer>& workload) { return workload.day.has_value(); };
  if (!cost.on_demand->yearly || std::none_of(demand.workloads.begin(), demand.workloads.end(), has_day)) return;
  const auto gpus = named("plan.mean_rented_gpus", instances * trace.fact(row, "gpu_count", row.gpu_count));
  const TraceScope scope(trace, "/economics");
  const auto all = level_of_machines(trace, request.economics, *cost.on_demand, cost.rent->billed_gpus);
  cost.followed = {.mean_gpus = gpus,
                   .idle = named("plan.idle_of_rented", 1.0 - demand.mean_gpus / gpus),
                   .saved = named("plan.saved_by_following", all * (1.0 - cost.on_demand->inputs.utilization))};
}

/// Rented by the hour or for whole terms, and what the first makes a million output tokens or a run.
template <class Tracer>
void add_rent(Tracer& trace, const Catalog& catalog, const PlanRequest& request,
              const std::vector<PlacedWorkload>& placed, const PlanPricing& pricing, PlanDemand<Tracer>& demand,
              PlanCost<Tracer>& cost) {
  const RentMarket& market = pricing.market;
  if (market.chosen != nullptr) {
    cost.rent = rent_cost(trace, *market.chosen, RentTerm::on_demand, demand.peak_gpus);
    const auto told = [&](std::string_view id, UsdPerSecond price) { return trace.method(id, price, kPricePage); };
    cost.lowest_per_gpu = told("cost.lowest_rent_per_gpu", *market.lowest_per_gpu);
    cost.median_per_gpu = told("cost.median_rent_per_gpu", *market.median_per_gpu);
    const auto mean =
        trace.method("plan.mean_instances", standing_machines(request, placed, demand).instances(*market.chosen),
                     "docs/method/decision.md#ways");
    const RentedWork<Tracer> work{.gpus = demand.peak_gpus,
                                  .use = named("plan.use_of_instances", mean / cost.rent->instances)};
    cost.on_demand = rented_way(trace, catalog, request.economics, *market.chosen, *cost.rent, work, nullptr);
    append_once(cost.cautions, cost.on_demand->inputs.cautions);
    add_followed_day(trace, request, demand, mean, *market.chosen, cost);
  }
  const RentedWork<Tracer> work{.gpus = demand.peak_gpus,
                                .use = named("plan.use_of_rented", demand.mean_gpus / demand.peak_gpus)};
  cost.committed = cheapest_commitment(trace, catalog, request.economics, pricing.commitments, work,
                                       cost.on_demand ? &*cost.on_demand : nullptr, only_run_time(demand));
  if (cost.committed) append_once(cost.cautions, cost.committed->way.inputs.cautions);
  if (!cost.rent) return;
  for (WorkloadNumbers<Tracer>& workload : demand.workloads)
    if (workload.gpu_time) workload.run_rent = named("plan.run_rent", *workload.gpu_time * cost.rent->per_gpu);
}

/// Mean demand over the horizon, over that of the start; absent without growth.
template <class Tracer>
std::optional<Known<Tracer, double>> demand_over_years(Tracer& trace, const PlanEconomics& economics) {
  const TraceScope scope(trace, "/economics");
  const auto growth = demand_growth(trace, economics);
  if (!growth) return std::nullopt;
  return level_demand(trace, plan_horizon(trace, economics), *growth);
}

/// Absent where several workloads share the bill, or nothing is written.
template <class Tracer>
std::optional<Known<Tracer, PerSecond>> output_rate(Tracer& trace, const PlanRequest& request) {
  const ServingNeed* only = request.workloads.front().serving();
  if (request.workloads.size() != 1 || only == nullptr) return std::nullopt;
  std::optional<Known<Tracer, double>> sites;
  if (request.constraints.sites > 1) sites = trace.input("/constraints/sites", request.constraints.sites);
  const TraceScope scope(trace, "/workloads/0");
  const auto mean = mean_requests(trace, *only);
  auto requests = mean ? *mean : peak_requests(trace, *only);
  if (sites) requests = named("plan.requests_of_site", requests / *sites);
  if (value_of(requests) <= per_second(0)) return std::nullopt;
  return named("plan.mean_output_tokens_per_s", requests * trace.input("/output_tokens", only->output_tokens));
}

/// The cost of owning at the start, times the machines of every year. Inside the scope /economics.
template <class Tracer>
void grow_owned(const Growth<Tracer>& growth, PlanCost<Tracer>& cost) {
  if (!cost.owning.total) return;
  OwnedTotal<Tracer>& total = *cost.owning.total;
  cost.growth_of_owning = named("plan.growth_of_owning", total.yearly * (growth.level_machines - 1.0));
  total.yearly = named("plan.owning_with_growth", total.yearly + *cost.growth_of_owning);
  total.net_present_cost = named("plan.owning_with_growth_present", total.net_present_cost * growth.level_machines);
}

/// Inside the scope /economics.
template <class Tracer>
CostPart<Tracer, UsdPerJoule> electricity_part(Tracer& trace, const Catalog& catalog, const PlanEconomics& economics,
                                               PlanCost<Tracer>& cost) {
  if (economics.electricity_usd_per_kwh)
    return {.amount = trace.input("/electricity_usd_per_kwh", usd_per_kwh(*economics.electricity_usd_per_kwh)),
            .absence = {}};
  auto part = region_electricity<Tracer>(trace, catalog, economics.region, std::nullopt, cost.cautions, cost.cautions);
  if (!part.amount) part.absence += " Give electricity_usd_per_kwh in economics.";
  return part;
}

/// What is known of the owned site. Inside the scope /economics.
template <class Tracer>
OwnedSite<Tracer> owned_site(Tracer& trace, const Catalog& catalog, const Gpu& gpu, const PlanRequest& request,
                             const PlanPricing& pricing, const PlanDemand<Tracer>& demand, const DesignParts& parts,
                             const Design<Tracer>& design, PlanCost<Tracer>& cost) {
  const PlanEconomics& economics = request.economics;
  OwnedSite<Tracer> site{.gpu = &gpu};
  OwnedTerms<Tracer>& terms = site.terms;
  terms.gpu_count = *design.size.gpus;
  terms.horizon_years = trace.input("/horizon_years", economics.horizon_years);
  terms.discount_rate = trace.input("/discount_rate", economics.discount_rate);
  terms.load.amount = plan_load(trace, catalog, economics, gpu, parts.system, demand, &terms.gpu_count);
  terms.pue.amount = trace.input("/pue", economics.pue);
  terms.servers = servers_part(trace, pricing.machines, *design.size.nodes, *design.size.gpus);
  if (pricing.machines.system_price != nullptr) {
    std::optional<Known<Tracer, double>> discount;
    if (economics.servers_discount > 0) discount = trace.input("/servers_discount", economics.servers_discount);
    cost.machines = machine_cost(trace, pricing.machines, *design.size.nodes, *design.size.gpus, discount);
    terms.servers.amount = cost.machines->typical;
  }
  if (design.power)
    terms.it_power.amount = design.power->it.total;
  else
    terms.it_power.absence = "The power of the machines is not known, so their electricity is absent.";
  terms.electricity_price = electricity_part(trace, catalog, economics, cost);
  if (economics.storage_tb) site.storage = trace.input("/storage_tb", tb(*economics.storage_tb));
  if (value_of(demand.mean_gpus) > 0) {
    cost.utilization = named("plan.utilization", demand.mean_gpus / terms.gpu_count);
    terms.utilization = cost.utilization;
  }
  cost.network = add_network(trace, catalog, parts, design, site);
  cost.network.given = economics.network_usd_per_gpu && cost.network.exists();
  if (!cost.network.given && !cost.network.caution.empty()) cost.cautions.push_back(cost.network.caution);
  site.facility = economics.facility;
  if (economics.facility == FacilityMode::colocation &&
      std::any_of(request.workloads.begin(), request.workloads.end(),
                  [&](const auto& w) { return stays_on_own_ground(sovereignty_of(request, w)); }))
    cost.cautions.emplace_back(
        "The facility of your own premises is priced as a colocation cage; set economics.facility to own-building, or "
        "to sunk where the building is paid for.");
  if (economics.colocation_usd_per_kw_month)
    site.colocation_price =
        trace.input("/colocation_usd_per_kw_month", usd_per_kw_month(*economics.colocation_usd_per_kw_month));
  site.licence = economics.license;
  return site;
}

/// What the request says of owning, before what the catalog does. Installation stays what it is beside the catalog's
/// price of the network, which the same uplift covers. Inside the scope /economics.
template <class Tracer>
void take_given(Tracer& trace, const PlanEconomics& economics, bool network, OwnedTerms<Tracer>& terms) {
  const auto take = [&](auto& term, std::string_view name, const std::optional<double>& given) {
    if (given) term = {.amount = trace.input(name, *given), .absence = {}};
  };
  if (network) {
    const auto price = trace.input("/network_usd_per_gpu", usd(*economics.network_usd_per_gpu));
    terms.network = {.amount = named("cost.network", purchase_cost(terms.gpu_count, price)), .absence = {}};
  }
  take(terms.installation_fraction, "/installation_fraction", economics.installation_fraction);
  take(terms.residual_fraction, "/residual_fraction", economics.residual_fraction);
  take(terms.support_fraction, "/support_fraction_per_year", economics.support_fraction_per_year);
  take(terms.staff, "/staff_fte", economics.staff_fte);
  if (economics.staff_usd_per_year)
    terms.salary = {.amount = trace.input("/staff_usd_per_year", usd(*economics.staff_usd_per_year) / years(1)),
                    .absence = {}};
  if (economics.spares_fraction && terms.servers.amount)
    terms.spares = {
        .amount = named("cost.spares", spares_cost(*terms.servers.amount,
                                                   trace.input("/spares_fraction", *economics.spares_fraction))),
        .absence = {}};
}

/// Machines rented from `row` at every use, where `standing` GPUs are there for the work.
template <class Tracer>
PlanUse use_of_rented(const PlanRequest& request, const std::vector<PlacedWorkload>& placed, const CloudPrice& row,
                      const PlanDemand<Tracer>& demand, double standing) {
  PlanUse use{.standing = standing_machines(request, placed, demand),
              .row = &row,
              .utilization = value_of(demand.mean_gpus) / standing};
  if (demand.reserve) use.reserve_gpus = value_of(*demand.reserve);
  use.most_utilization = (value_of(demand.peak_gpus) - use.reserve_gpus) / standing;
  return use;
}

/// Owning, with its growth, and renting on demand at every use; both have a sum. `rent_of_gpu` is level.
template <class Tracer>
PlanUse use_of_plan(const Catalog& catalog, const PlanRequest& request, const Gpu& gpu, const System* system,
                    const std::vector<PlacedWorkload>& placed, const CloudPrice& row, const PlanDemand<Tracer>& demand,
                    UsdPerSecond rent_of_gpu, const PlanCost<Tracer>& cost) {
  const double standing = value_of(cost.owning_inputs.gpu_count);
  PlanUse use = use_of_rented(request, placed, row, demand, standing);
  use.own = value_of(cost.owning.total->yearly);
  use.rent = value_of(*cost.on_demand->yearly);
  use.rent_of_gpu = rent_of_gpu;
  use.energy = value_of(cost.owning.operation->energy);
  if (cost.growth_of_owning) use.energy = use.energy * (use.own / (use.own - value_of(*cost.growth_of_owning)));
  NoTrace none;
  for (std::size_t i = 0; i < kUsePlaces.size(); ++i) {
    std::vector<LoadOfWorkload<NoTrace>> loads;
    for (const LoadOfWorkload<Tracer>& of : loads_of(demand)) {
      loads.push_back({.gpu_power = {},
                       .mean_share = mean_at(kUsePlaces[i], value_of(of.mean_share), 1),
                       .peak_gpus = value_of(of.peak_gpus)});
      if (of.gpu_power) loads.back().gpu_power = value_of(*of.gpu_power);
    }
    use.loads[i] = plan_load(none, catalog, request.economics, gpu, system, loads, &standing);
  }
  return use;
}

/// GPUs that are owned or rented together: those of the largest replica that serves; where nothing does those of the
/// smallest run, since no run is spread over owned and rented machines.
inline double owned_whole(const std::vector<PlacedWorkload>& placed) {
  if (const auto replica = largest_replica(placed)) return *replica;
  double run = placed.front().gpu_count;
  for (const PlacedWorkload& item : placed) run = std::min(run, item.gpu_count);
  return run;
}

/// GPUs of the cluster that the budget and the power of the site admit, in proportion.
template <class Tracer>
double most_owned(const PlanConstraints& site, const PlanCost<Tracer>& cost, double gpus) {
  double share = 1;
  if (site.budget_usd && cost.owning.capital)
    share = std::min(share, usd(*site.budget_usd / site.sites) / value_of(cost.owning.capital->capex));
  if (site.site_power_kw && cost.energy)
    share = std::min(share, kw(*site.site_power_kw) / value_of(cost.energy->facility_power_max));
  return share < 1 ? share * gpus : 1e18;
}

/// A part of the cluster on its own, which as a smaller one costs more for each GPU: `parts` and `design` are its own.
/// Inside the scope /economics.
template <class Tracer>
OwningCost<Tracer> owned_part(Tracer& trace, const Catalog& catalog, const PlanEconomics& economics,
                              OwnedSite<Tracer> site, const DesignParts& parts, const Design<Tracer>& design) {
  OwnedTerms<Tracer>& terms = site.terms;
  const auto share = named("plan.owned_share", *design.size.gpus / terms.gpu_count);
  const auto take_part = [&](auto& amount) {
    if (amount) amount = named("plan.owned_part", *amount * share);
  };
  take_part(terms.servers.amount);
  take_part(site.storage);
  terms.gpu_count = *design.size.gpus;
  terms.network = {};
  const NetworkBasis network = add_network(trace, catalog, parts, design, site);
  if (design.power) terms.it_power.amount = design.power->it.total;
  std::vector<std::string> told;  // as of the whole
  OwnedTerms<Tracer> inputs = ownership_from_catalog(trace, catalog, site, told);
  take_given(trace, economics, economics.network_usd_per_gpu && network.exists(), inputs);
  return owning_cost(trace, inputs);
}

/// Instances of the smallest order; 0: any number.
inline double smallest_order(const CloudPrice& row) {
  return row.min_gpus > row.gpu_count ? std::ceil(row.min_gpus / row.gpu_count) : 0;
}

/// The offer for what a hybrid rents, which `beside` gives for the GPUs and the smallest order of its instances.
template <class Beside>
RentMarket market_of_part(const Catalog& catalog, const PlanPricing& pricing, const Beside& beside) {
  RentFilter filter = pricing.filter;
  const double instance = pricing.market.chosen->gpu_count;
  filter.gpu_count = beside(instance, 0).instances_peak * instance;
  filter.mean_instances =
      of_size([&](const CloudPrice& row) { return beside(row.gpu_count, smallest_order(row)).instances_mean; });
  RentMarket market = rent_market(catalog.cloud_prices, filter);
  return market.chosen == nullptr ? pricing.market : market;
}

}  // namespace plan_detail

/// A cluster of so many GPUs by itself; without a design where the catalog has none.
template <class Tracer>
struct PartDesign {
  DesignParts parts;
  std::optional<Design<Tracer>> design;
  std::optional<Known<Tracer, double>> level_machines;  ///< owned over the horizon, over those of the start
};

namespace plan_detail {

/// Owned in part and rented for the rest, each part at its own size; `design_of` builds the owned one.
template <class Tracer, class DesignOf>
void add_hybrid(Tracer& trace, const Catalog& catalog, const PlanRequest& request,
                const std::vector<PlacedWorkload>& placed, const PlanPricing& pricing, const PlanDemand<Tracer>& demand,
                const OwnedSite<Tracer>& site, HybridMachines<Tracer> machines, const HybridPrices<Tracer>& prices,
                const DesignOf& design_of, PlanCost<Tracer>& cost) {
  const PlanEconomics& economics = request.economics;
  std::optional<Known<Tracer, UsdPerSecond>> beside;
  const auto price_of_owned = [&](const Known<Tracer, double>& gpus) -> std::optional<Known<Tracer, UsdPerSecond>> {
    const PartDesign<Tracer> part = design_of(gpus);
    const TraceScope scope(trace, "/economics");
    const auto owning = owned_part(trace, catalog, economics, site, part.parts, *part.design);
    if (!owning.total) return std::nullopt;
    cost.hybrid_capex = owning.capital->capex;
    cost.hybrid_power.reset();
    if (part.design->power && cost.energy)
      cost.hybrid_power =
          machine_energy<Tracer>(part.design->power->it.total, *site.terms.load.amount, *site.terms.pue.amount)
              .facility_power_max;
    // A design may have more GPUs than were asked for.
    const auto price = named("plan.own_per_gpu", owning.total->yearly / gpus);
    return part.level_machines ? named("plan.own_per_gpu_with_growth", price * *part.level_machines) : price;
  };
  const auto rented_beside = [&](const auto& of_instances) {
    cost.hybrid_market = market_of_part(catalog, pricing, of_instances);
    const CloudPrice& row = *cost.hybrid_market.chosen;
    const auto gpus = trace.method("plan.rented_gpus_of_hybrid",
                                   of_instances(row.gpu_count, smallest_order(row)).instances_peak * row.gpu_count,
                                   "docs/method/decision.md#hybrid");
    const auto rent = rent_cost(trace, row, RentTerm::on_demand, gpus);
    const auto way = rented_way(trace, catalog, economics, row, rent,
                                {.gpus = gpus, .use = cost.on_demand->inputs.utilization}, nullptr);
    const TraceScope scope(trace, "/economics");
    beside = rent_beside(trace, way.inputs);
    return RentedPart<Tracer>{
        .price = named("cost.level_rent_per_gpu", level_of_machines(trace, economics, way, gpus) / gpus),
        .instance_gpus = trace.fact(row, "gpu_count", row.gpu_count),
        .least_instances = smallest_order(row)};
  };
  // A small part takes more money and power for each GPU than its share of the whole: what is too much is taken off
  // once.
  const PlanConstraints& site_limits = request.constraints;
  for (int round = 0; round < 2; ++round) {
    cost.hybrid = plan_hybrid<Tracer>(trace, request, placed, demand, machines, prices, price_of_owned, rented_beside);
    if (!cost.hybrid) break;
    double over = 1;
    if (site_limits.budget_usd)
      over = std::max(over, value_of(*cost.hybrid_capex) / usd(*site_limits.budget_usd / site_limits.sites));
    if (site_limits.site_power_kw && cost.hybrid_power)
      over = std::max(over, value_of(*cost.hybrid_power) / kw(*site_limits.site_power_kw));
    if (over == 1) break;
    machines.most_own_gpus = value_of(cost.hybrid->own_gpus) / over;
  }
  // How much of the data falls on the rented part is not known: all of it is counted.
  if (cost.hybrid && beside) cost.hybrid->total = named("cost.hybrid.with_data", cost.hybrid->total + *beside);
}

}  // namespace plan_detail

/// `design` (may be null) is what `parts` build for the demand, `growth` what is bought later (may be null).
/// `design_of` gives the PartDesign of so many GPUs.
template <class Tracer, class DesignOf>
PlanCost<Tracer> plan_cost(Tracer& trace, const Catalog& catalog, const PlanRequest& request, const Gpu& gpu,
                           const std::vector<PlacedWorkload>& placed, const PlanPricing& pricing,
                           PlanDemand<Tracer>& demand, const DesignParts& parts, const Design<Tracer>* design,
                           const Growth<Tracer>* growth, const DesignOf& design_of) {
  PlanCost<Tracer> cost;
  cost.level_demand = plan_detail::demand_over_years(trace, request.economics);
  cost.output_rate = plan_detail::output_rate(trace, request);
  plan_detail::add_rent(trace, catalog, request, placed, pricing, demand, cost);
  if (pricing.rents) cost.left_out = offers_left_out(catalog, pricing.filter);
  if (!cost.rent && pricing.rents) cost.no_offer = no_offer(gpu, pricing.filter, cost.left_out);
  if (design == nullptr) {
    if (pricing.owns)
      cost.missing.push_back(gpu.vendor == "NVIDIA"
                                 ? "No system of the catalog holds this GPU, so owning it has no price."
                                 : gpu.name + " is made by " + gpu.vendor +
                                       " and outside the designs of this catalog: only renting it has a price.");
    return cost;
  }
  const PlanEconomics& economics = request.economics;
  std::optional<TraceScope<Tracer>> scope(std::in_place, trace, "/economics");
  const OwnedSite<Tracer> site =
      plan_detail::owned_site(trace, catalog, gpu, request, pricing, demand, parts, *design, cost);
  const OwnedTerms<Tracer>& terms = site.terms;
  if (terms.it_power.amount)
    cost.energy = machine_energy<Tracer>(*terms.it_power.amount, *terms.load.amount, *terms.pue.amount);
  cost.owning_inputs = ownership_from_catalog(trace, catalog, site, cost.cautions);
  plan_detail::take_given(trace, economics, cost.network.given, cost.owning_inputs);
  cost.owning = owning_cost(trace, cost.owning_inputs);
  if (growth != nullptr) plan_detail::grow_owned(*growth, cost);
  append(cost.missing, cost.owning.missing);
  if (!cost.owning.total) return cost;
  if (!cost.on_demand || !cost.on_demand->yearly) return cost;
  const auto level_of_machines = plan_detail::level_of_machines(trace, economics, *cost.on_demand, terms.gpu_count);
  cost.use = plan_detail::use_of_plan(catalog, request, gpu, parts.system, placed, *pricing.market.chosen, demand,
                                      value_of(level_of_machines / terms.gpu_count), cost);
  const auto break_even_use =
      trace.method("cost.break_even_utilization", cost.use->break_even(), "docs/method/decision.md#use");
  const auto compared =
      plan_detail::compared_rent(trace, economics, *cost.on_demand, cost.rent->billed_gpus, break_even_use);
  cost.break_even = break_even_with(trace, cost.owning, compared, economics.horizon_years);
  const auto grown = [&](const Known<Tracer, UsdPerSecond>& price) {
    return growth == nullptr ? price : named("plan.own_per_gpu_with_growth", price * growth->level_machines);
  };
  const HybridPrices<Tracer> prices{
      .own = grown(cost.owning.total->available),
      .rent = named("cost.level_rent_per_gpu", level_of_machines / terms.gpu_count),
      .friction = trace.input("/migration_friction_usd_per_gpu_hour",
                              usd_per_hour(economics.migration_friction_usd_per_gpu_hour))};
  const HybridMachines<Tracer> machines{
      .node_gpus = trace.fact(*parts.system, "gpu_count", parts.system->gpu_count),
      .instance_gpus = trace.fact(*pricing.market.chosen, "gpu_count", pricing.market.chosen->gpu_count),
      .replica_gpus = plan_detail::owned_whole(placed),
      .most_own_gpus = plan_detail::most_owned(request.constraints, cost, value_of(terms.gpu_count))};
  scope.reset();
  plan_detail::add_hybrid(trace, catalog, request, placed, pricing, demand, site, machines, prices, design_of, cost);
  return cost;
}

}  // namespace podwright
