#include "api/cost_terms.h"

#include <cmath>

#include "base/arithmetic.h"
#include "base/number_text.h"
#include "cost/cost_inputs.h"
#include "cost/uncertainty_numbers.h"
#include "reliability/failures.h"

namespace podwright {
namespace {

/// Rates of the request's workload. Absent without a workload.
std::optional<WorkRates<Trace>> work_rates(Trace& trace, const CostRequest& r) {
  if (!r.workload) return std::nullopt;
  const CostWorkload& w = *r.workload;
  TraceScope scope(trace, "/workload");
  WorkRates<Trace> rates;
  if (w.input_tokens_per_s) rates.input_tokens = trace.input("/input_tokens_per_s", PerSecond(*w.input_tokens_per_s));
  if (w.output_tokens_per_s)
    rates.output_tokens = trace.input("/output_tokens_per_s", PerSecond(*w.output_tokens_per_s));
  if (w.requests_per_s) rates.requests = trace.input("/requests_per_s", PerSecond(*w.requests_per_s));
  if (w.training_gpu_hours) {
    rates.run_gpu_time = trace.input("/training_gpu_hours", hours(*w.training_gpu_hours));
    rates.run_goodput = trace.input("/goodput", w.goodput);
  }
  return rates;
}

HostedInputs<Trace> hosted_terms(Trace& trace, const CostRequest& r, const std::optional<WorkRates<Trace>>& rates) {
  const CostHostedApi& h = *r.hosted_api;
  HostedInputs<Trace> in;
  in.input = trace.input("/hosted_api/input_usd_per_million_tokens", usd(h.input_usd_per_million_tokens));
  in.cached_input =
      h.cached_input_usd_per_million_tokens
          ? trace.input("/hosted_api/cached_input_usd_per_million_tokens", usd(*h.cached_input_usd_per_million_tokens))
          : in.input;
  in.output = trace.input("/hosted_api/output_usd_per_million_tokens", usd(h.output_usd_per_million_tokens));
  const bool both = rates && rates->input_tokens && rates->output_tokens;
  in.output_share = h.output_share
                        ? trace.input("/hosted_api/output_share", *h.output_share)
                        : named("cost.output_share", output_share(*rates->input_tokens, *rates->output_tokens));
  in.cached_share = trace.input("/hosted_api/cached_share", h.cached_share);
  in.discount = trace.input("/hosted_api/discount", h.discount);
  if (h.tokens_per_month)
    in.tokens_per_s = named("cost.hosted_tokens_per_s",
                            monthly_flow(trace.input("/hosted_api/tokens_per_month", *h.tokens_per_month)));
  else if (both)
    in.tokens_per_s =
        named("cost.hosted_tokens_per_s", named("cost.tokens_per_s", *rates->input_tokens + *rates->output_tokens) *
                                              trace.input("/utilization", r.utilization));
  if (h.input_tokens_per_request && h.output_tokens_per_request) {
    in.request_input_tokens = trace.input("/hosted_api/input_tokens_per_request", *h.input_tokens_per_request);
    in.request_output_tokens = trace.input("/hosted_api/output_tokens_per_request", *h.output_tokens_per_request);
  }
  return in;
}

Placement placement_of(const CostDemandWorkload& workload) {
  if (workload.sovereignty != Sovereignty::none) return Placement::owned;
  return workload.burst ? Placement::rented : Placement::anywhere;
}

DemandTerms<Trace> demand_terms(Trace& trace, const CostDemand& demand) {
  DemandTerms<Trace> terms;
  terms.friction = trace.input("/demand/migration_friction_usd_per_gpu_hour",
                               usd_per_hour(demand.migration_friction_usd_per_gpu_hour));
  for (std::size_t i = 0; i < demand.workloads.size(); ++i) {
    const TraceScope scope(trace, "/demand/workloads/" + std::to_string(i));
    const CostDemandWorkload& workload = demand.workloads[i];
    const auto peak = trace.input("/gpus", workload.gpus);
    terms.workloads.push_back({.mean_gpus = named("cost.hybrid.mean_of_workload",
                                                  peak * trace.input("/share_of_time", workload.share_of_time)),
                               .peak_gpus = peak,
                               .placement = placement_of(workload)});
  }
  for (const CostDemandPoint& point : demand.curve) terms.curve.push_back({point.gpus, point.share_of_time});
  return terms;
}

}  // namespace

CostTerms<Trace> cost_terms(Trace& trace, const Catalog& catalog, const CostRequest& r) {
  CostTerms<Trace> terms;
  terms.horizon_years = trace.input("/horizon_years", r.horizon_years);
  terms.discount_rate = trace.input("/discount_rate", r.discount_rate);
  terms.utilization = trace.input("/utilization", r.utilization);
  terms.work = work_rates(trace, r);
  if (r.on_premises) terms.owned = owned_terms(trace, catalog, r);
  if (r.cloud) terms.rented = rented_terms(trace, catalog, r);
  if (r.hosted_api) terms.hosted = hosted_terms(trace, r, terms.work);
  if (r.demand) terms.demand = demand_terms(trace, *r.demand);
  return terms;
}

namespace {

/// The run of a fleet; absent where it is not known how long a restart takes.
std::optional<FleetRun<Trace>> run_terms(Trace& trace, const Catalog& catalog, const CostFleetRun& run,
                                         const Traced<double>& all_gpus, std::vector<std::string>& missing,
                                         std::vector<std::string>& assumed) {
  const TraceScope scope(trace, "/run");
  FleetRun<Trace> terms{.gpu_count = run.gpu_count ? trace.input("/gpu_count", *run.gpu_count) : all_gpus};
  Interruptions<Trace>& losses = terms.interruptions;
  if (run.restart_s) {
    losses.restart = trace.input("/restart_s", seconds(*run.restart_s));
  } else {
    const OperatingFigure* figure = find_operating_figure(catalog.operating_figures, "restart-time");
    if (figure == nullptr) {
      missing.emplace_back("No dated source for the time of a restart; set run.restart_s.");
      return std::nullopt;
    }
    assumed.push_back("From a failure to the first new step " + human_number(figure->typical) + " s pass (" +
                      figure->source_of("typical") + "); set fleet.run.restart_s.");
    losses.restart = trace.fact(*figure, "typical", seconds(figure->typical));
  }
  losses.write = trace.input("/checkpoint_s", seconds(run.checkpoint_s));
  losses.pause = losses.write;
  if (run.checkpoint_interval_s)
    losses.interval = trace.input("/checkpoint_interval_s", seconds(*run.checkpoint_interval_s));
  return terms;
}

}  // namespace

FleetAsked<Trace> fleet_terms(Trace& trace, const Catalog& catalog, const CostRequest& r,
                              const std::optional<Traced<Usd>>& servers_price, std::vector<std::string>& assumed) {
  FleetAsked<Trace> asked;
  const CostFleet& fleet = *r.fleet;
  const auto gpu_count = trace.input("/gpu_count", r.gpu_count);
  const TraceScope scope(trace, "/fleet");
  std::optional<Traced<Seconds>> per_failure;
  if (fleet.gpu_hours_per_failure)
    per_failure = trace.input("/gpu_hours_per_failure", hours(*fleet.gpu_hours_per_failure));
  else
    per_failure = known_time_per_failure(trace, catalog, *r.gpu, per_failure, assumed);
  if (!per_failure) {
    asked.missing.emplace_back("No dated source for how often GPUs fail; set gpu_hours_per_failure.");
    return asked;
  }
  asked.terms = FleetCostTerms<Trace>{.gpu_count = gpu_count,
                                      .gpus_per_server = trace.input("/gpus_per_server", fleet.gpus_per_server),
                                      .gpu_time_per_failure = *per_failure,
                                      .repair = trace.input("/repair_hours", hours(fleet.repair_hours)),
                                      .spare_deviations = trace.input("/spare_deviations", fleet.spare_deviations),
                                      .servers_price = servers_price};
  if (servers_price && r.on_premises->spares_usd == 0)
    asked.cautions.emplace_back(
        "The spares of the fleet are in no total: set on_premises.spares_usd where they are bought.");
  if (fleet.run) asked.run = run_terms(trace, catalog, *fleet.run, gpu_count, asked.missing, assumed);
  return asked;
}

namespace {

/// "No range is given for utilization: 0.3 to 0.8 of the row ... stand in."
std::string default_text(CostInput input, const DefaultRange& range) {
  const CostInputWord& word = kCostInputWords[index_of(input)];
  const std::string unit =
      std::string_view(word.unit.sign) == unit::kNone.sign ? "" : " " + std::string(word.unit.sign);
  return "No range is given for " + std::string(word.name) + "; drawn from " +
         human_number(range.number.low / word.unit.base_units) + " to " +
         human_number(range.number.high / word.unit.base_units) + unit + ", from \"" + range.row->name + "\" (" +
         range.row->source_of("typical") + ").";
}

/// An end in base units. One that is the typical number itself must not lie beside it by rounding.
double end_of_range(double asked, double base_units, double typical) {
  const double end = asked * base_units;
  return std::fabs(end - typical) <= 1e-12 * std::fabs(typical) ? typical : end;
}

void add_ranges(const Catalog& catalog, const CostRequest& request, UncertainCosts& costs,
                std::vector<std::string>& assumed) {
  for (std::size_t i = 0; i < kCostRanges.size(); ++i) {
    const CostInput input = kCostRanges[i].input;
    const double base = kCostInputWords[index_of(input)].unit.base_units;
    UncertainNumber& number = costs[input];
    const CostRange& asked = request.uncertainty.ranges[i];
    if (asked.low || asked.high) {
      number = between(asked.low ? end_of_range(*asked.low, base, number.typical) : number.typical, number.typical,
                       asked.high ? end_of_range(*asked.high, base, number.typical) : number.typical);
    } else if (number.typical != 0) {
      const DefaultRange range = default_range(catalog, input, number.typical);
      number = range.number;
      if (range.row != nullptr && !number.certain()) assumed.push_back(default_text(input, range));
    }
  }
  if (costs[CostInput::rent_per_gpu].typical > 0 && costs[CostInput::rent_per_gpu].certain())
    assumed.emplace_back("No range is given for the rent: the draws take it as certain.");
  costs.utilization_rent_correlation = request.uncertainty.price_utilization_correlation.value_or(0);
}

}  // namespace

std::optional<UncertainCosts> uncertain_terms(const Catalog& catalog, const CostRequest& request,
                                              const CostComparison<Trace>& sides, std::vector<std::string>& assumed) {
  if (!sides.owned) return std::nullopt;
  std::optional<UncertainCosts> costs = certain_owning(sides.owned->asked.terms);
  if (!costs) return std::nullopt;
  if (sides.rented && sides.rented->years)
    add_certain_rent(sides.rented->asked.terms, sides.rented->cost, request.cloud->price_change_per_year, *costs);
  add_ranges(catalog, request, *costs, assumed);
  return costs;
}

CarbonSide carbon_side(Trace& trace, const Catalog& catalog, const CostRequest& request,
                       const OwnedSide<Trace>& owned) {
  CarbonInputs<Trace> inputs;
  CarbonSide side;
  const CostCarbon& asked = *request.carbon;
  inputs.gpus = owned.asked.terms.gpu_count;
  inputs.energy_per_year = owned.cost.operation->energy_per_year;
  inputs.life_years = owned.asked.terms.horizon_years;
  inputs.utilization = *owned.asked.terms.utilization;
  if (asked.grid_gco2_per_kwh)
    inputs.grid_g_per_kwh = trace.input("/carbon/grid_gco2_per_kwh", *asked.grid_gco2_per_kwh);
  else
    add_grid(trace, grid_carbon(catalog, request.on_premises->region), inputs, side.missing);
  if (asked.embodied_kg_per_gpu)
    inputs.embodied_kg_per_gpu = trace.input("/carbon/embodied_kg_per_gpu", *asked.embodied_kg_per_gpu);
  else if (request.gpu)
    add_embodied(trace, catalog, *request.gpu, inputs, side.missing, side.cautions);
  else
    side.missing.emplace_back("Carbon of making the machines: name the \"gpu\" or give \"embodied_kg_per_gpu\".");
  side.year = carbon_of(trace, inputs);
  return side;
}

namespace {

/// The draws, or why there are none.
UncertaintyAnswer uncertainty_of(Trace& trace, const CostRequest& request, const UncertainCosts& costs) {
  CostInput input{};
  if (const std::string_view problem = uncertain_costs_problem(costs, input); !problem.empty())
    return {.numbers = {},
            .problems = {std::string(kCostInputWords[index_of(input)].name) + ": " + std::string(problem) + "."}};
  return {.numbers = uncertainty_numbers(trace, costs,
                                         draw_costs(costs, static_cast<std::size_t>(request.uncertainty.draws),
                                                    static_cast<std::uint64_t>(request.uncertainty.seed),
                                                    static_cast<int>(request.horizon_years))),
          .problems = {},
          .rented = costs[CostInput::rent_per_gpu].typical > 0};
}

}  // namespace

CostSides cost_sides(Trace& trace, const Catalog& catalog, const CostRequest& request) {
  CostSides sides{compare_costs(trace, cost_terms(trace, catalog, request))};
  if (sides.owned) sides.assumed = sides.owned->asked.assumed;
  if (const auto costs = uncertain_terms(catalog, request, sides, sides.assumed))
    sides.uncertainty = uncertainty_of(trace, request, *costs);
  if (request.fleet)
    sides.fleet =
        fleet_side(trace,
                   fleet_terms(trace, catalog, request,
                               sides.owned ? sides.owned->asked.terms.servers.amount : std::nullopt, sides.assumed),
                   sides);
  if (request.carbon && sides.owned && sides.owned->cost.operation)
    sides.carbon = carbon_side(trace, catalog, request, *sides.owned);
  sides.markets = cost_markets(trace, catalog, request);
  sides.published = published_rents(trace, request);
  return sides;
}

}  // namespace podwright
