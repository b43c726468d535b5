#include "api/plan_table.h"

#include "api/answer_shape.h"
#include "api/answer_writer.h"
#include "api/cost_table.h"
#include "api/design_table.h"
#include "api/estimate_table.h"
#include "api/headlines.h"
#include "api/launch_table.h"
#include "api/search_table.h"
#include "api/training_exports.h"
#include "architecture/design_words.h"
#include "base/words.h"

namespace podwright {
namespace {

constexpr DisplayUnit kGrams{"", "gCO2e", 1.0};

void describe_layout(auto& v, auto& tracer, const PlanWorkload& workload, const Gpu* gpu,
                     const PlacedWorkload& placed) {
  v.text({"workload"}, workload.name);
  v.text({"model"}, [&] { return workload.model->id; });
  v.text({"gpu"}, [&] { return gpu->id; });
  describe_chosen(v, tracer, {"gpu_count", "GPUs"}, placed.gpu_count);
  v.fields(placed.serving(), [&](const ServingRun& run) {
    describe_arrangement(v, tracer, run);
    v.text({"engine"}, run.engine);
    v.text({"weight_precision"}, run.weight_precision);
    v.text({"kv_precision", "KV cache precision"}, unless_empty(run.kv_precision));
    if (const auto part = v.when(run.max_batched_tokens.has_value()))
      describe_chosen(v, tracer, {"max_batched_tokens", "Maximum tokens of a step"},
                      run.max_batched_tokens.value_or(0));
    const TraceScope scope(tracer, "/workloads/" + std::to_string(placed.index));
    describe_limits(v, tracer, placed.limits);
    const auto carried = [&](const std::optional<PerSecond>& rate) {
      return rate ? std::optional(tracer.method("plan.carried_requests_per_s", *rate, kCertaintyPage)) : std::nullopt;
    };
    v.number({"max_requests_per_s", "Maximum requests", unit::kPerSecond},
             [&] { return carried(placed.max_requests_per_s); });
    v.number({"max_requests_per_s_at_90", "Maximum requests, with a probability of 90 %", unit::kPerSecond},
             [&] { return carried(placed.max_requests_per_s_at_90); });
  });
  v.fields(placed.training(), [&](const TrainingRun& run) {
    v.group({"parallelism"}, [&] { describe_sizes(v, tracer, run.parallelism); });
    v.word({"precision"}, run.precision, kPrecisionWords);
    v.word({"method"}, run.method, kTrainingMethodWords);
    v.word({"activation_recompute"}, run.activation_recompute, kRecomputeWords);
    describe_chosen(v, tracer, {"micro_batch_size", "Micro-batch"}, run.micro_batch_size);
    describe_chosen(v, tracer, {"global_batch_size", "Global batch"}, run.global_batch_size);
    describe_chosen(v, tracer, {"sequence_length"}, run.sequence_length);
  });
}

void describe_launch(auto& v, const Catalog& catalog, const PlanWorkload& workload, const PlanDecision& decision,
                     const PlacedWorkload& placed, const WorkloadNumbers<NoTrace>& numbers) {
  const Model* model = workload.model ? &*workload.model : nullptr;
  v.fields(placed.serving(), [&](const ServingRun& run) {
    describe_serving_launch(v, catalog, model, decision.gpu, decision.system(), &run, placed.places);
  });
  v.fields(placed.training(), [&](const TrainingRun& run) {
    sizing::TrainingLength length;
    if (v.real()) length = length_of(workload.training()->tokens, *numbers.training, numbers.calendar);
    describe_training_launch(v, catalog, model, decision.gpu, decision.system(), &run, placed.gpu_count, length);
  });
}

template <class Table, class Tracer>
void describe_estimate(Table& v, Tracer& trace, const PlanRequest& request, const PlanWorkload& workload,
                       const Gpu* gpu, const PlacedWorkload& placed, const WorkloadNumbers<Tracer>& numbers) {
  const Model* model = workload.model ? &*workload.model : nullptr;
  v.text({"workload"}, workload.name);
  describe_model_parameters(v, trace, model);
  describe_unread_fields(v, model);
  v.fields(numbers.serving, [&](const auto& serving) { describe(v, serving); });
  v.fields(numbers.training, [&](const auto& training) { describe(v, training); });
  v.object({"run", "The run"}, numbers.run_time, [&](const auto& time) {
    const Calendar<Tracer>& calendar = or_empty(numbers.calendar);
    using RunBounds = Bounds<Tracer, Seconds>;
    v.number({"time_days", unit::kDays}, time, [&] {
      return numbers.training->step_bounds
                 ? std::optional<RunBounds>(numbers.training->step_bounds->factors.of("plan.run_time_bound", time))
                 : std::nullopt;
    });
    v.number({"time_without_interruptions_days", "Time without failures", unit::kDays}, calendar.without_interruptions);
    describe_interruptions(v, calendar);
    v.number({"expected_failures"}, or_empty(calendar.expected_failures));
    v.number({"gpu_hours", "GPU-hours", unit::kHours}, or_empty(numbers.gpu_time));
    v.number({"rent_usd", unit::kUsd}, numbers.run_rent);
    v.number({"deadline_probability", "Probability that the deadline is kept"}, numbers.deadline_probability);
  });
  v.object({"day", "Replicas over the day"}, numbers.day, [&](const ServingDay<Tracer>& day) {
    v.number({"replica_start_s", "Start of a rented replica", unit::kSeconds}, day.start);
    double hour = 0;
    v.list({"hours_of_day", "Hours of the day"}, day.hours, [&](const ServingHour<Tracer>& of) {
      v.number({"hour", "Hour of the day"}, hour++);
      v.number({"requests_per_s", unit::kPerSecond}, of.rate);
      v.number({"replicas"}, of.replicas);
      v.number({"gpu_count", "GPUs"}, of.gpus);
    });
  });
  if (const auto part = v.when(request.options.roofline))
    v.fields(numbers.serving, [&](const auto& serving) {
      const TraceScope scope(trace, "/workloads/" + std::to_string(placed.index));
      describe_roofline(v, trace, gpu, or_empty(placed.serving()), serving);
    });
}

/// `architecture` in words, the fields of its design, and `energy`, as far as they are known.
template <class Table, class Tracer>
void describe_plan_design(Table& v, Tracer& trace, const PlanDecision& decision, const PlanNumbers<Tracer>& numbers,
                          const std::optional<Design<NoTrace>>& plain) {
  v.object({"architecture"}, decision.design, [&](const ArchitectureDesign& design) {
    v.text({"architecture"}, design.architecture_id);
    v.text({"title", "Design"}, design.title);
    const ArchitectureNeed& need = decision.site.need;
    v.text({"workload"}, need.workload);
    const auto chosen_for = [&](const char* id, const std::optional<double>& gpus) {
      return gpus ? std::optional(trace.method(id, *gpus, "docs/method/architecture_bands.md")) : std::nullopt;
    };
    v.number({"replica_gpus", "GPUs of a replica"}, [&] { return chosen_for("plan.replica_gpus", need.replica_gpus); });
    v.number({"growth_gpu_count", "GPUs to be reached later"},
             [&] { return chosen_for("plan.growth_gpu_count", need.growth_gpu_count); });
    v.fields(design.parts.system, [&](const System& system) {
      v.text({"system", "Server"}, system.id);
      v.text({"system_name", "Server"}, system.name);
    });
    v.fields(plain, [&](const auto& built) { v.text({"summary"}, [&] { return design_summary(design, built); }); });
    v.fields(numbers.design, [&](const auto& built) { describe(v, built.size); });
    describe_choice(v, design, plain ? &*plain : nullptr);
    std::vector<std::string> advice;
    for (const DesignAdvice& item : decision.advice) advice.push_back(item.text);
    v.texts({"advice"}, advice);
  });
  if (const auto part = v.when(decision.design.has_value()))
    v.fields(numbers.design, [&](const auto& built) {
      describe_design(v, trace, built);
      v.object({"energy"}, numbers.cost.energy, [&](const auto& energy) {
        v.number({"facility_power_max_kw", "The site at full load, cooling included", unit::kKw},
                 energy.facility_power_max);
        v.number({"facility_power_mean_kw", "The site on average, cooling included", unit::kKw}, energy.facility_power);
        v.number({"load", "Mean load of the servers"}, energy.load);
        v.number({"energy_per_year_kwh", "Electricity per year", unit::kKwh}, energy.per_year);
      });
    });
}

void describe_term(auto& v, RentTerm term, const CloudPrice* offer) {
  v.word({"term"}, term, kRentTermWords);
  v.text({"contract_terms", "Terms of the contract"},
         [&] { return term == RentTerm::contract ? unless_empty(offer->contract_terms) : std::nullopt; });
  describe_offer(v, offer, true);
}

template <class Table, class Tracer>
void describe_tokens(Table& v, const PlanCost<Tracer>& cost, const Known<Tracer, UsdPerSecond>& bill) {
  describe_output_tokens(v, [&] { return million_output_tokens(cost, bill); });
}

template <class Table, class Tracer>
void describe_rented_way(Table& v, const RentedWay<Tracer>& way) {
  describe_rented_parts(v, way.cost, false);
  v.number({"at_prices_of_the_start_usd_per_year", unit::kUsdPerYear}, way.cost.total);
  v.number({"at_least_usd_per_year", "Total per year, at least", unit::kUsdPerYear}, way.cost.at_least);
}

/// What is compared: level over the horizon.
template <class Table, class Tracer>
void describe_level(Table& v, const PlanCost<Tracer>& cost, const RentedWay<Tracer>& way, const AnswerField& field) {
  v.fields(way.yearly, [&](const auto& yearly) {
    v.number(field, yearly);
    describe_tokens(v, cost, yearly);
  });
  v.texts({"missing"}, way.cost.missing);
}

template <class Table, class Tracer>
void describe_rents(Table& v, Tracer& trace, const PlanDecision& decision, const PlanCost<Tracer>& cost) {
  v.object({"cloud", "Rented"}, cost.rent, [&](const RentCost<Tracer>& rent) {
    describe_term(v, RentTerm::on_demand, decision.pricing.market.chosen);
    v.number({"instances"}, rent.instances);
    v.number({"usd_per_gpu_hour", "One GPU-hour", unit::kUsdPerHour}, rent.per_gpu);
    v.number({"usd_per_gpu_hour_lowest", "One GPU-hour, lowest offer", unit::kUsdPerHour}, cost.lowest_per_gpu);
    v.number({"usd_per_gpu_hour_median", "One GPU-hour, median offer", unit::kUsdPerHour}, cost.median_per_gpu);
    v.number({"usd_per_hour", "All GPUs, per hour", unit::kUsdPerHour}, rent.rent);
    v.number({"always_on_usd_per_year", "All GPUs all the time, at the start, per year", unit::kUsdPerYear}, rent.rent);
    v.fields(cost.on_demand, [&](const RentedWay<Tracer>& way) {
      v.number({"rented_gpus_mean", "Rented GPUs on average"},
               named("plan.rented_gpus_mean", way.inputs.billed_gpus * way.inputs.utilization));
      describe_rented_way(v, way);
      describe_level(v, cost, way, {"as_needed_usd_per_year", "Total per year, scaled to demand", unit::kUsdPerYear});
    });
    v.object({"followed_day", "Following the hours of the day"}, cost.followed, [&](const FollowedDay<Tracer>& day) {
      v.number({"rented_gpus_mean", "Rented GPUs on average"}, day.mean_gpus);
      v.number({"idle_share"}, day.idle);
      v.number({"saved_usd_per_year", "Saved against all of them all the time", unit::kUsdPerYear}, day.saved);
    });
    describe_bands(v, trace, decision.pricing.bands);
  });
  v.object({"committed", "Rented with a commitment"}, cost.committed, [&](const Commitment<Tracer>& committed) {
    describe_term(v, committed.offer.term, committed.offer.market.chosen);
    v.number({"usd_per_gpu_hour", "One GPU-hour", unit::kUsdPerHour}, committed.rent.per_gpu);
    describe_rented_way(v, committed.way);
    describe_idle(v, committed.way.cost.idle);
    describe_level(v, cost, committed.way, {"usd_per_year", "Total per year", unit::kUsdPerYear});
  });
}

template <class Table, class Tracer>
void describe_owned(Table& v, const PlanDecision& decision, const PlanCost<Tracer>& cost) {
  v.fields(cost.machines, [&](const MachineCost<Tracer>& machines) {
    v.number({"servers_usd_low", "Servers, low", unit::kUsd}, machines.low);
    v.number({"servers_usd", "Servers, typical", unit::kUsd}, machines.typical);
    v.number({"servers_usd_high", "Servers, high", unit::kUsd}, machines.high);
  });
  v.text({"caution"}, unless_empty(decision.pricing.machines.caution));
  v.number({"utilization", "Utilisation"}, cost.utilization);
  const OwnedTerms<Tracer>& inputs = cost.owning_inputs;
  v.fields(inputs.network.amount, [&](const auto& amount) {
    v.number({"network_usd", unit::kUsd}, amount);
    v.text({"network_basis", "Basis of the network price"}, cost.network.given   ? "request"
                                                            : cost.network.items ? "items-of-the-design"
                                                                                 : "rule-per-gpu");
  });
  v.number({"storage_usd", unit::kUsd}, inputs.storage.amount);
  v.number({"installation_fraction", "Installation, share of the servers"}, inputs.installation_fraction.amount);
  v.number({"spares_usd", "Price of the spares", unit::kUsd}, inputs.spares.amount);
  v.number({"support_fraction_per_year", "Support, share of the servers"}, inputs.support_fraction.amount);
  v.number({"staff_fte", "People, full time"}, inputs.staff.amount);
  v.fields(cost.owning.capital,
           [&](const OwnedCapital<Tracer>& capital) { describe_capital(v, capital, capital.yearly); });
  v.fields(cost.owning.operation, [&](const auto& operation) { describe(v, operation); });
  v.fields(cost.owning.total, [&](const OwnedTotal<Tracer>& total) {
    v.number({"growth_usd_per_year", "Growth of the demand, per year", unit::kUsdPerYear}, cost.growth_of_owning);
    describe_owned_bill(v, total.yearly, total.available, cost.owning.used, [] {});
    describe_tokens(v, cost, total.yearly);
    describe_present_value(v, total.net_present_cost);
  });
  v.number({"capex_at_least_usd", "Purchase, at least", unit::kUsd}, cost.owning.capex_at_least);
  v.number({"at_least_usd_per_year", "Total per year, at least", unit::kUsdPerYear}, cost.owning.yearly_at_least);
  v.texts({"missing"}, cost.owning.missing);
}

template <class Table, class Tracer>
void describe_quotes(Table& v, Tracer& trace, const PlanRequest& request, const std::vector<ShownQuote>& quotes) {
  static const Quote kNone;
  const auto part = v.when(!quotes.empty());
  if (!part) return;
  v.list({"quotes"}, quotes, [&](const ShownQuote& shown) {
    const Quote& quote = v.real() ? request.quotes[shown.place] : kNone;
    const TraceScope scope(trace, "/quotes/" + std::to_string(shown.place));
    v.text({"name"}, quote.name);
    v.text({"provider"}, quote.provider);
    v.word({"state"}, shown.state, kQuoteStateWords);
    v.object({"does_not_fit", "Why not"}, shown.why, [&](const Message& why) { describe_message(v, why); });
    v.fields(quote.rent(), [&](const RentQuote& rent) {
      v.word({"term"}, rent.term, kRentTermWords);
      v.number({"usd_per_gpu_hour", "One GPU-hour", unit::kUsdPerHour},
               trace.input("/usd_per_gpu_hour", usd_per_hour(rent.usd_per_gpu_hour)));
      v.fields(shown.median_list_price, [&](UsdPerSecond price) {
        v.number({"list_usd_per_gpu_hour", "One GPU-hour, median list price", unit::kUsdPerHour},
                 trace.method("cost.median_list_price", price, kPricePage));
      });
    });
    v.fields(quote.server(), [&](const ServerQuote& server) {
      v.number({"usd_per_system", "One server", unit::kUsd},
               trace.input("/usd_per_system", usd(server.usd_per_system)));
      if (const auto listed = v.when(shown.list_price != nullptr))
        v.number({"list_usd_per_system", "One server, list price", unit::kUsd},
                 [&] { return trace.fact(*shown.list_price, "typical", shown.list_price->price.typical); });
    });
  });
}

template <class Table, class Tracer>
void describe_growth(Table& v, Tracer& trace, const Growth<Tracer>& growth) {
  v.list({"purchases"}, growth.years, [&](const GrowthYear<Tracer>& year) {
    describe_year(v, trace, year.year);
    v.number({"gpus_needed"}, year.gpus_needed);
    v.number({"nodes_bought"}, year.nodes_bought);
    v.number({"nodes"}, year.nodes);
    v.number({"purchase_usd", unit::kUsd}, year.purchase);
  });
  v.number({"present_value_in_steps_usd", "Bought in steps, present value", unit::kUsd}, growth.in_steps);
  v.number({"at_once_usd", "Bought at once", unit::kUsd}, growth.at_once);
  v.number({"saved_by_steps_usd", "Saved by buying in steps", unit::kUsd}, growth.saved);
}

template <class Table, class Tracer>
void describe_demand(Table& v, const PlanDemand<Tracer>& demand) {
  v.number({"peak_gpus"}, demand.peak_gpus);
  v.number({"mean_gpus"}, demand.mean_gpus);
  v.number({"reserve_gpus", "GPUs in reserve"}, demand.reserve);
  v.fields(demand.shared, [&](const SharedCluster<Tracer>& shared) {
    v.number({"shared_gpus"}, shared.gpu_count);
    v.number({"saved_gpus"}, shared.saved_gpus);
    v.group({"sharing"}, [&] { describe_message(v, shared.reason); });
  });
}

template <class Table, class Tracer>
void describe_cost(Table& v, Tracer& trace, const PlanRequest& request, const Plan& plan,
                   const PlanNumbers<Tracer>& numbers) {
  const PlanCost<Tracer>& cost = numbers.cost;
  describe_rents(v, trace, plan.decision, cost);
  if (const auto part = v.when(numbers.design.has_value()))
    v.group({"on_premises", "Owned"}, [&] { describe_owned(v, plan.decision, cost); });
  v.object({"hybrid", "Own the base and rent the rest"}, cost.hybrid, [&](const Hybrid<Tracer>& hybrid) {
    describe(v, hybrid);
    v.group({"rented_part", "Offer for the rented part"}, [&] {
      describe_offer(v, cost.hybrid_market.chosen, true);
      v.number({"usd_per_gpu_hour", "One GPU-hour", unit::kUsdPerHour},
               [&] { return rent_per_gpu(trace, *cost.hybrid_market.chosen, RentTerm::on_demand); });
    });
    v.number({"capex_usd", "Purchase", unit::kUsd}, cost.hybrid_capex);
    describe_tokens(v, cost, hybrid.total);
  });
  v.object({"break_even", "Break-even"}, cost.break_even);
  v.fields(plan.uncertainty, [&](const PlanUncertainty& uncertainty) {
    const auto uncertain =
        v.real() ? uncertainty_numbers(trace, uncertainty.costs, uncertainty.drawn) : UncertaintyNumbers<Tracer>{};
    const auto& [costs, drawn, owned, rented] = uncertainty;
    describe_distribution(v, trace, trace.input("/options/draws", request.options.draws), uncertain, owned, rented);
    if (const auto part = v.when(owned)) describe_tornado(v, uncertain);
    if (const auto part = v.when(owned && rented)) describe_flips(v, uncertain);
  });
  v.object({"growth", "Buying as demand grows"}, numbers.growth,
           [&](const auto& growth) { describe_growth(v, trace, growth); });
  describe_quotes(v, trace, request, plan.quotes);
  v.texts({"missing"}, cost.missing);
  v.texts({"cautions"}, cost.cautions);
  v.texts({"left_out", "In none of these sums"}, plan_costs_left_out());
}

template <class Tracer>
struct RunCarbon {
  std::string_view workload;
  Known<Tracer, double> kg{};
};

template <class Table, class Tracer>
void describe_carbon(Table& v, const PlanRequest& request, const PlanDecision& decision,
                     const PlanCarbon<Tracer>& carbon) {
  const auto way = [&](const AnswerField& field, const std::optional<WayCarbon<Tracer>>& of) {
    v.object(field, of, [&](const WayCarbon<Tracer>& known) {
      std::vector<RunCarbon<Tracer>> runs;
      for (std::size_t i = 0; i < known.kg_per_run.size(); ++i)
        if (known.kg_per_run[i])
          runs.push_back({request.workloads[decision.placed[i].index].name, *known.kg_per_run[i]});
      describe(v, known.year);
      v.number({"g_co2e_per_million_output_tokens", "CO2 equivalent per million output tokens", kGrams},
               known.g_per_million_output_tokens);
      if (const auto part = v.when(!runs.empty()))
        v.list({"runs"}, runs, [&](const RunCarbon<Tracer>& run) {
          v.text({"workload"}, run.workload);
          v.number({"kg_co2e_per_run", "CO2 equivalent of a run", kKgCo2e}, run.kg);
        });
      v.texts({"missing"}, known.missing);
      v.texts({"cautions"}, known.cautions);
    });
  };
  if (const auto part = v.when(carbon.own || carbon.on_demand || carbon.committed))
    v.group({"carbon"}, [&] {
      way({"own"}, carbon.own);
      way({"rent_on_demand"}, carbon.on_demand);
      way({"rent_committed", "Renting with a commitment"}, carbon.committed);
    });
}

template <class Table, class Tracer>
void describe_reliability(Table& v, const PlanReliability<Tracer>& reliability) {
  v.fields(reliability.fleet, [&](const FleetNumbers<Tracer>& fleet) {
    v.number({"machine_hours_per_failure", "Hours of a machine between failures", unit::kHours},
             fleet.mean_time_between_failures);
    v.number({"failures_per_year"}, fleet.failures_per_year);
    v.number({"availability", "Share of time a server is up"}, fleet.availability);
    v.number({"machines_in_repair", "Servers under repair, on average"}, fleet.in_repair);
    v.number({"spare_machines", "Spare servers"}, fleet.spares);
    v.number({"spares_suffice", "Share of time they suffice"}, fleet.spares_suffice);
  });
  const auto& assumptions = reliability.assumptions;
  v.text({"assumption"}, assumptions.empty() ? std::nullopt : unless_empty(assumptions.front()));
  v.texts({"missing"},
          [&] { return std::vector<std::string>(reliability.missing.empty() ? 0 : 1, reliability.missing); });
}

/// Of the way decided for.
template <class Tracer>
std::optional<Known<Tracer, UsdPerSecond>> ranked_by(Tracer& trace, const PlanVerdict& verdict) {
  if (!verdict.usd_per_year) return std::nullopt;
  return trace.method("plan.ranked_by", usd(*verdict.usd_per_year) / years(1), "docs/method/decision.md#ways");
}

void describe_verdict(auto& v, const PlanVerdict& verdict) {
  if (const auto part = v.when(!verdict.decision.says.code.empty()))
    v.group({"decision"}, [&] { describe_message(v, verdict.decision.says); });
  v.word({"way"}, verdict.decision.way, kWayWords);
  v.list({"decision_factors"}, verdict.rules, [&](const DecisionFactor& rule) {
    v.text({"rule"}, [&] { return rule.rule(); });
    v.text({"towards"}, rule.towards);
    v.flag({"decides"}, rule.decides());
    describe_message(v, rule.says, "", {"text"});
  });
}

}  // namespace

template <class Table, class Tracer>
void describe_plan(Table& v, Tracer& trace, const Catalog& catalog, const PlanRequest& request, const Plan& plan,
                   const PlanNumbers<Tracer>& numbers, std::size_t rank) {
  static const PlanWorkload kNoWorkload;
  static const PlacedWorkload kNotPlaced;
  const PlanDecision& decision = plan.decision;
  const auto workload_of = [&](const PlacedWorkload& placed) -> const PlanWorkload& {
    return v.real() ? request.workloads[placed.index] : kNoWorkload;
  };
  v.number({"rank"}, static_cast<double>(rank));
  v.text({"summary"}, plan.summary);
  v.list({"unchecked", "Limits that cannot be shown to hold"}, plan.verdict.unchecked, [&](const auto& unchecked) {
    v.text({"limit"}, unchecked.limit);
    describe_message(v, unchecked.says);
  });
  v.text({"gpu"}, [&] { return decision.gpu->id; });
  v.text({"gpu_name", "GPU"}, [&] { return decision.gpu->name; });
  v.number({"gpu_count", "GPUs"}, numbers.demand.gpu_count);
  describe_headlines(v, v.real() ? headlines_of(request, plan) : std::vector<Headline>{});
  v.number({"ranked_by_usd_per_year", "Cost by which plans are ranked", unit::kUsdPerYear},
           [&] { return ranked_by(trace, plan.verdict); });
  if (const auto part = v.when(request.constraints.sites > 1))
    v.group({"all_sites", "All sites together"}, [&] {
      const auto sites = trace.input("/constraints/sites", request.constraints.sites);
      v.number({"sites"}, sites);
      v.number({"gpu_count", "GPUs"}, named("plan.gpus_of_sites", numbers.demand.gpu_count * sites));
      v.number({"usd_per_year", "Total per year", unit::kUsdPerYear}, [&] { return ranked_by(trace, plan.verdict); });
      v.fields(numbers.cost.owning.capital, [&](const auto& capital) {
        v.number({"sites_capex_usd", "Purchase for all sites, if all is owned", unit::kUsd},
                 named("plan.purchase_of_sites", capital.capex * sites));
      });
      v.fields(numbers.cost.energy, [&](const auto& energy) {
        v.number({"sites_power_max_kw", "All sites at full load, if all is owned", unit::kKw},
                 named("plan.power_of_sites", energy.facility_power_max * sites));
      });
    });
  static const WorkloadNumbers<NoTrace> kNoNumbers{};
  std::size_t place = 0;
  v.list({"layouts"}, decision.placed, [&](const PlacedWorkload& placed) {
    describe_layout(v, trace, workload_of(placed), decision.gpu, placed);
    const auto& of_workload = v.real() ? plan.numbers.demand.workloads[place++] : kNoNumbers;
    if (const auto part = v.when(request.options.launch))
      describe_launch(v, catalog, workload_of(placed), decision, placed, of_workload);
  });
  std::size_t next = 0;
  v.list({"estimates"}, numbers.demand.workloads, [&](const WorkloadNumbers<Tracer>& of_workload) {
    const PlacedWorkload& placed = v.real() ? decision.placed[next++] : kNotPlaced;
    describe_estimate(v, trace, request, workload_of(placed), decision.gpu, placed, of_workload);
  });
  describe_plan_design(v, trace, decision, numbers, plan.numbers.design);
  v.group({"demand"}, [&] { describe_demand(v, numbers.demand); });
  v.group({"cost"}, [&] { describe_cost(v, trace, request, plan, numbers); });
  describe_carbon(v, request, decision, numbers.carbon);
  v.object({"reliability", "Failures of owned machines"}, numbers.reliability,
           [&](const auto& reliability) { describe_reliability(v, reliability); });
  describe_verdict(v, plan.verdict);
  describe_messages(v, {"reasons"}, plan.reasons);
  describe_messages(v, {"risks", "What could go wrong"}, plan.risks);
}

template void describe_plan(AnswerWriter&, NoTrace&, const Catalog&, const PlanRequest&, const Plan&,
                            const PlanNumbers<NoTrace>&, std::size_t);
template void describe_plan(AnswerWriter&, Trace&, const Catalog&, const PlanRequest&, const Plan&,
                            const PlanNumbers<Trace>&, std::size_t);
template void describe_plan(AnswerShape&, NoTrace&, const Catalog&, const PlanRequest&, const Plan&,
                            const PlanNumbers<NoTrace>&, std::size_t);

}  // namespace podwright
