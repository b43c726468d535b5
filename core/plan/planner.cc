#include "plan/planner.h"

#include <algorithm>
#include <limits>

#include "cost/machine_power.h"
#include "plan/sentences.h"
#include "plan/site_limits.h"
#include "sizing/search_serving.h"
#include "sizing/search_training.h"

namespace podwright {
namespace {

using sizing::add_once;

/// GPUs of the systems that the catalog knows, as far as they are on the market and compute in bf16, as today's engines
/// want.
std::vector<Gpu> default_gpus(const Catalog& catalog) {
  std::vector<Gpu> gpus;
  for (const Gpu& gpu : catalog.gpus) {
    const bool in_system = std::any_of(catalog.systems.begin(), catalog.systems.end(),
                                       [&](const System& system) { return holds_gpu(system, gpu.id); });
    if (in_system && gpu.status == "GA" && gpu.peak_dense_flops.count("bf16") > 0) gpus.push_back(gpu);
  }
  return gpus;
}

double typical(const Catalog& catalog, std::string_view id) {
  const OperatingFigure* figure = find_operating_figure(catalog.operating_figures, id);
  return figure == nullptr ? 0 : figure->typical;
}

sizing::ServingWorkload serving_need(const Catalog& catalog, const PlanWorkload& workload) {
  sizing::ServingWorkload need;
  need.peak_requests_per_s = workload.peak_requests_per_s;
  need.input_tokens = workload.input_tokens;
  need.output_tokens = workload.output_tokens;
  // Requests that come at a rate are people's, as in a serving request.
  need.input_tokens_cv = typical(catalog, "request-input-cv");
  need.output_tokens_cv = typical(catalog, "request-output-cv");
  const auto limit = [&](sizing::LatencyKind kind, const std::optional<double>& most) {
    if (most) need.limits.push_back({.latency = kind, .percentile = Percentile::p95, .most = Seconds(*most)});
  };
  limit(sizing::LatencyKind::ttft, workload.ttft_s_max);
  limit(sizing::LatencyKind::tpot, workload.tpot_s_max);
  need.engines = {workload.engine};
  need.weight_precisions = workload.weight_precisions;
  return need;
}

sizing::TrainingWorkload training_need(const PlanWorkload& workload) {
  sizing::TrainingWorkload need;
  need.method = workload.method;
  need.tokens = workload.tokens;
  need.deadline = days(workload.deadline_days);
  need.sequence_length = workload.sequence_length;
  need.global_batch_size = workload.global_batch_size;
  need.precisions = {workload.precision};
  return need;
}

/// GPUs that one model replica joins, which must sit in one rented instance up to a node's size.
double replica_gpus(const PlacedWorkload& placed) {
  const ServingParallelism& p = placed.serving.parallelism;
  return p.tensor * p.attention_data;
}

/// GPUs of the largest replica that serves; absent where nothing does.
std::optional<double> largest_replica(const PlanRequest& request, const std::vector<PlacedWorkload>& placed) {
  std::optional<double> largest;
  for (const PlacedWorkload& item : placed) {
    if (request.workloads[item.index].type != WorkloadType::serving) continue;
    largest = std::max(largest.value_or(1), replica_gpus(item) * item.serving.parallelism.pipeline);
  }
  return largest;
}

/// The layouts of one workload on one GPU, best first, or the reason why there is none.
struct Placements {
  std::vector<PlacedWorkload> best;
  std::optional<Infeasible> reason;
};

/// The reason that most layouts share.
std::optional<Infeasible> main_reason(const std::vector<sizing::Rejection>& rejected) {
  const auto most = std::max_element(rejected.begin(), rejected.end(),
                                     [](const auto& a, const auto& b) { return a.count < b.count; });
  if (most == rejected.end()) return std::nullopt;
  // A limit on time is nearer to a plan than a layout that does not fit: it has been reached by one that does.
  for (const sizing::Rejection& rejection : rejected)
    if (rejection.reason.code == "tpot" || rejection.reason.code == "ttft" || rejection.reason.code == "request" ||
        rejection.reason.code == "deadline")
      return rejection.reason;
  return most->reason;
}

class Planner {
 public:
  Planner(const Catalog& catalog, const PlanRequest& request) : catalog_(catalog), request_(request) {}

  Plans go() {
    gpus_ = request_.constraints.gpus.empty() ? default_gpus(catalog_) : request_.constraints.gpus;
    for (const Gpu& gpu : gpus_) plan_gpu(catalog_gpu(gpu));
    rank();
    if (result_.plans.empty()) suggest_gpus();
    const auto top = static_cast<std::size_t>(request_.options.top);
    if (result_.plans.size() > top) result_.plans.resize(top);
    add_uncertainty();
    for (std::size_t i = 0; i < result_.plans.size(); ++i) describe(i);
    result_.flips = flips_of(request_, result_.plans);
    name_what_is_missing();
    return std::move(result_);
  }

 private:
  /// The catalog's own item where there is one: decisions point to their GPU after this planner is gone.
  const Gpu& catalog_gpu(const Gpu& gpu) const {
    for (const Gpu& own : catalog_.gpus)
      if (own.id == gpu.id && own.origin == gpu.origin) return own;
    for (const Gpu& own : request_.constraints.gpus)
      if (own.id == gpu.id) return own;
    return gpu;
  }

  Placements place(const Gpu& gpu, std::size_t index) {
    const PlanWorkload& workload = request_.workloads[index];
    const sizing::SearchConstraints limits;
    Placements placements;
    if (workload.type == WorkloadType::serving) {
      sizing::ServingSearch search =
          sizing::search_serving(catalog_, *workload.model, gpu, serving_need(catalog_, workload), limits);
      add_once(result_.assumed, search.assumptions);
      add_once(result_.not_modelled, search.not_modelled);
      for (const sizing::ServingCandidate& candidate : search.best)
        placements.best.push_back(
            {.index = index, .serving = candidate.run, .training = {}, .gpu_count = candidate.gpus});
      if (search.best.empty()) placements.reason = main_reason(search.rejected);
      if (request_.workloads.size() == 1) keep_points(gpu, search);
    } else {
      sizing::TrainingSearch search =
          sizing::search_training(catalog_, *workload.model, gpu, training_need(workload), limits);
      add_once(result_.assumed, search.assumptions);
      add_once(result_.not_modelled, search.not_modelled);
      for (const sizing::TrainingCandidate& candidate : search.best)
        placements.best.push_back(
            {.index = index, .serving = {}, .training = candidate.run, .gpu_count = candidate.gpus});
      if (search.best.empty()) placements.reason = main_reason(search.rejected);
      if (request_.workloads.size() == 1) keep_points(gpu, search);
    }
    return placements;
  }

  /// One plan for each weight format of a single serving workload, else one for the GPU.
  void plan_gpu(const Gpu& gpu) {
    std::vector<Placements> all;
    for (std::size_t i = 0; i < request_.workloads.size(); ++i) {
      all.push_back(place(gpu, i));
      if (!all.back().best.empty()) continue;
      Infeasible reason =
          all.back().reason.value_or(Infeasible{.code = "no-layout",
                                                .message = "No layout of " + gpu.name + " is legal for this model.",
                                                .shortfall = 0,
                                                .unit = "",
                                                .ways_out = {}});
      result_.rejected.push_back({gpu.id, request_.workloads[i].name, std::move(reason), i});
      return;
    }
    if (all.size() > 1) {
      std::vector<PlacedWorkload> placed;
      for (const Placements& placements : all) placed.push_back(placements.best.front());
      return decide(gpu, std::move(placed));
    }
    std::vector<std::string> seen;
    for (const PlacedWorkload& placed : all.front().best) {
      const std::string& format = placed.serving.weight_precision;
      if (std::find(seen.begin(), seen.end(), format) != seen.end()) continue;
      seen.push_back(format);
      decide(gpu, {placed});
    }
  }

  void decide(const Gpu& gpu, std::vector<PlacedWorkload> placed) {
    Plan plan;
    PlanDecision& decision = plan.decision;
    decision.gpu = &gpu;
    decision.placed = std::move(placed);
    if (!choose_cluster(decision)) return;
    add_prices(decision);
    NoTrace none;
    plan.numbers = plan_numbers(none, catalog_, request_, decision);
    if (must_own(request_)) {
      for (Infeasible& broken : broken_site_limits(request_, plan.numbers)) {
        result_.rejected.push_back({gpu.id, "", std::move(broken)});
        return;
      }
    }
    plan.verdict = verdict_of(catalog_, request_, plan.numbers, nullptr);
    result_.plans.push_back(std::move(plan));
  }

  /// The design for the GPUs that the workloads need; how many they need follows in turn from the machines of the
  /// design, whose network sets the pace of training.
  bool choose_cluster(PlanDecision& decision) {
    NoTrace none;
    double gpu_count = 0;
    for (int round = 0; round < 2; ++round) {
      const auto demand = plan_demand(none, catalog_, request_, *decision.gpu, decision.placed, decision.system());
      if (demand.gpu_count == gpu_count) return true;
      gpu_count = demand.gpu_count;
      if (!choose_design(decision, gpu_count)) return false;
    }
    return true;
  }

  void add_prices(PlanDecision& decision) {
    NoTrace none;
    const Gpu& gpu = *decision.gpu;
    const double peak = plan_demand(none, catalog_, request_, gpu, decision.placed, decision.system()).peak_gpus;
    double joined = 1;
    for (const PlacedWorkload& item : decision.placed) joined = std::max(joined, replica_gpus(item));
    PlanPricing& pricing = decision.pricing;
    pricing.machines = machine_pricing(catalog_, decision.system(), gpu);
    pricing.owns = request_.constraints.ownership != "cloud";
    pricing.rents = may_rent(request_);
    if (!pricing.rents) return;
    RentFilter filter{.gpu_id = gpu.id, .gpu_count = peak, .min_instance_gpus = joined};
    pricing.market = rent_market(catalog_.cloud_prices, filter);
    // A term that outlasts the horizon would be paid for nothing.
    for (CommitmentOffer offer : {CommitmentOffer{.term = RentTerm::reserved_1y, .years = 1},
                                  CommitmentOffer{.term = RentTerm::reserved_3y, .years = 3}}) {
      if (offer.years > request_.economics.horizon_years) continue;
      filter.term = offer.term;
      offer.row = rent_market(catalog_.cloud_prices, filter).cheapest;
      if (offer.row != nullptr) pricing.commitments.push_back(offer);
    }
  }

  bool choose_design(PlanDecision& decision, double gpu_count) {
    NoTrace none;
    const PlanConstraints& site = request_.constraints;
    const bool serving = std::all_of(request_.workloads.begin(), request_.workloads.end(),
                                     [](const auto& w) { return w.type == WorkloadType::serving; });
    const bool training = std::all_of(request_.workloads.begin(), request_.workloads.end(),
                                      [](const auto& w) { return w.type == WorkloadType::training; });
    const bool full = std::any_of(request_.workloads.begin(), request_.workloads.end(),
                                  [](const auto& w) { return w.method == TrainingMethod::full; });
    const std::optional<double> replica = largest_replica(request_, decision.placed);
    ArchitectureNeed need{
        .gpu_count = gpu_count,
        .growth_gpu_count = horizon_gpu_count(none, request_.economics, gpu_count),
        .ownership = site.ownership,
        .fabric = site.fabric,
        .workload =
            serving ? (replica.value_or(1) <= node_gpus(catalog_, *decision.gpu) ? "inference-one-node" : "inference")
            : training ? (full ? "training" : "finetuning")
                       : "mixed",
        .rack_power = site.rack_power_kw ? std::optional(kw(*site.rack_power_kw)) : std::nullopt,
        .liquid_cooling = site.liquid_cooling,
        .sovereignty = site.sovereignty,
        .services = site.services,
        .replica_gpus = replica};
    ArchitectureChoice choice = choose_architecture(catalog_, *decision.gpu, need);
    decision.site = {.need = need, .pue = request_.economics.pue};
    decision.design.reset();
    decision.advice = std::move(choice.advice);
    if (!choice.designs.empty()) {
      decision.design = std::move(choice.designs.front());
      return true;
    }
    if (!must_own(request_)) return true;
    for (const RejectedDesign& rejected : choice.rejected) {
      Infeasible reason{.code = rejected.code,
                        .message = rejected.message,
                        .shortfall = rejected.shortfall.value_or(0),
                        .unit = rejected.unit,
                        .ways_out = {}};
      for (const std::string& patch : rejected.ways_out)
        // Other GPUs are offered for the request as a whole.
        if (patch.rfind("{\"gpu\":", 0) != 0) reason.ways_out.push_back("{\"constraints\":" + patch + "}");
      result_.rejected.push_back({decision.gpu->id, "", std::move(reason)});
      break;
    }
    return false;
  }

  /// By the yearly cost of the cheapest way that is open; plans without a sum come last, fewest GPUs first.
  void rank() {
    const auto price = [](const Plan& plan) {
      return plan.verdict.usd_per_year.value_or(std::numeric_limits<double>::infinity());
    };
    std::stable_sort(result_.plans.begin(), result_.plans.end(), [&](const Plan& a, const Plan& b) {
      if (price(a) != price(b)) return price(a) < price(b);
      return a.numbers.demand.gpu_count < b.numbers.demand.gpu_count;
    });
  }

  /// Draws cost milliseconds: they are made for the plan that is recommended.
  void add_uncertainty() {
    if (result_.plans.empty()) return;
    Plan& first = result_.plans.front();
    first.uncertainty = plan_uncertainty(catalog_, request_, first.decision.pricing.market, first.numbers.cost);
    if (first.uncertainty) first.verdict = verdict_of(catalog_, request_, first.numbers, &first.uncertainty->drawn);
  }

  /// Nothing fits on the GPUs that were asked for: which others of the catalog would carry the workloads?
  void suggest_gpus() {
    if (request_.constraints.gpus.empty() || result_.rejected.empty()) return;
    std::string ids;
    for (const Gpu& gpu : default_gpus(catalog_)) {
      const bool asked = std::any_of(gpus_.begin(), gpus_.end(), [&](const Gpu& other) { return other.id == gpu.id; });
      if (asked) continue;
      Planner trial(catalog_, request_);
      trial.plan_gpu(catalog_gpu(gpu));
      if (!trial.result_.plans.empty()) ids += (ids.empty() ? "\"" : ",\"") + gpu.id + "\"";
    }
    if (!ids.empty()) result_.rejected.front().reason.ways_out.push_back("{\"constraints\":{\"gpus\":[" + ids + "]}}");
  }

  /// Rent and power that follow from GPU and count alone.
  void add_point(const Gpu& gpu, const RentMarket& market, ParetoPoint point) {
    point.gpu = gpu.id;
    if (market.cheapest_per_gpu)
      point.rent_usd_per_hour = market.cheapest_per_gpu->base_units() * 3600 * point.gpu_count;
    if (const System* system = power_system(catalog_, nullptr, gpu))
      point.it_power_kw = power_per_gpu(planned_power(*system)->value, system->gpu_count) * point.gpu_count / kw(1);
    result_.pareto.push_back(std::move(point));
  }

  void keep_points(const Gpu& gpu, const sizing::ServingSearch& search) {
    const RentMarket market = rent_market(catalog_.cloud_prices, {.gpu_id = gpu.id});
    double fewest = std::numeric_limits<double>::infinity();
    for (const sizing::ServingPoint& found : search.front) {
      // Points that need as many GPUs for the peak as a faster one say nothing here.
      if (!(found.gpus < fewest)) continue;
      fewest = found.gpus;
      add_point(gpu, market,
                {.gpu_count = found.gpus,
                 .layout = found.layout,
                 .tpot_s = found.tpot.base_units(),
                 .ttft_s = found.ttft.base_units()});
    }
  }

  void keep_points(const Gpu& gpu, const sizing::TrainingSearch& search) {
    const RentMarket market = rent_market(catalog_.cloud_prices, {.gpu_id = gpu.id});
    for (std::size_t i = 0; i < search.pareto.gpus.size(); ++i)
      add_point(gpu, market,
                {.gpu_count = search.pareto.gpus[i],
                 .layout = search.pareto.layout[i],
                 .run_s = search.pareto.time[i].base_units()});
  }

  void describe(std::size_t index) {
    Plan& plan = result_.plans[index];
    plan.summary = summary_of(request_, plan);
    plan.reasons = reasons_of(request_, result_.plans, index);
    plan.risks = risks_of(request_, plan);
  }

  /// What no number of the answer holds, and what all of them stand on.
  void name_what_is_missing() {
    if (request_.constraints.sovereignty == "in-country")
      add_once(result_.not_modelled, {"in-country clouds: the rent is the lowest of any region"});
    if (result_.plans.size() > 1 && result_.plans.front().uncertainty)
      add_once(result_.not_modelled, {"uncertainty of the cost of every plan but the first"});
    if (may_rent(request_))
      add_once(result_.assumed, {"GPUs rented on demand are given back while no workload needs them."});
    if (request_.workloads.size() > 1 && request_.constraints.separate_workloads)
      add_once(result_.assumed, {"The workloads run side by side on GPUs of their own; none waits for another."});
    if (result_.plans.size() > 1)
      add_once(result_.assumed, {"Plans are ranked by the yearly cost of the cheapest way that is open to them."});
  }

  const Catalog& catalog_;
  const PlanRequest& request_;
  std::vector<Gpu> gpus_;
  Plans result_;
};

}  // namespace

Plans make_plans(const Catalog& catalog, const PlanRequest& request) { return Planner(catalog, request).go(); }

}  // namespace podwright
