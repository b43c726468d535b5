#include "plan/planner.h"

#include <algorithm>
#include <limits>

#include "base/number_text.h"
#include "plan/sentences.h"
#include "sizing/search_serving.h"
#include "sizing/search_training.h"

namespace podwright {
namespace {

using sizing::add_once;

/// Renting is no way out for data that must stay on the user's own ground.
bool must_own(const PlanConstraints& constraints) {
  const bool on_own_ground = constraints.sovereignty == "on-premises" || constraints.sovereignty == "air-gapped";
  const bool wants_machines = constraints.ownership != "any" && constraints.ownership != "cloud";
  return on_own_ground || wants_machines;
}

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
    double gpu_count = 0;
    double joined = 1;
    for (const PlacedWorkload& item : decision.placed) {
      gpu_count += item.gpu_count;
      joined = std::max(joined, replica_gpus(item));
    }
    if (!choose_design(decision, gpu_count)) return;
    const System* system = decision.design ? decision.design->parts.system : nullptr;
    const bool rents = request_.constraints.sovereignty == "none" || request_.constraints.sovereignty == "in-country";
    if (rents)
      decision.market =
          rent_market(catalog_.cloud_prices, {.gpu_id = gpu.id, .gpu_count = gpu_count, .min_instance_gpus = joined});
    decision.machines = machine_pricing(catalog_, system, gpu);
    decision.electricity = electricity_pricing(catalog_, request_.economics.region);
    NoTrace none;
    plan.numbers = plan_numbers(none, catalog_, request_, decision);
    if (breaks_a_limit(plan)) return;
    result_.plans.push_back(std::move(plan));
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
    decision.advice = std::move(choice.advice);
    if (!choice.designs.empty()) {
      decision.design = std::move(choice.designs.front());
      return true;
    }
    if (!must_own(site)) return true;
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

  /// Money and power of a site only bind what must stand there.
  bool breaks_a_limit(const Plan& plan) {
    const PlanConstraints& site = request_.constraints;
    if (!must_own(site)) return false;
    const std::string& gpu = plan.decision.gpu->id;
    if (site.budget_usd && plan.numbers.machines && plan.numbers.machines->typical > usd(*site.budget_usd)) {
      const double price = plan.numbers.machines->typical.base_units();
      result_.rejected.push_back(
          {gpu,
           "",
           {.code = "budget",
            .message = "The servers cost about " + dollars_text(price) + ", the budget is " +
                       dollars_text(*site.budget_usd) + ".",
            .shortfall = price - *site.budget_usd,
            .unit = "USD",
            .ways_out = {"{\"constraints\":{\"budget_usd\":" + shortest_number(std::ceil(price)) + "}}"}}});
      return true;
    }
    if (site.site_power_kw && plan.numbers.energy &&
        plan.numbers.energy->facility_power_max > kw(*site.site_power_kw)) {
      const double power = plan.numbers.energy->facility_power_max.base_units() / 1e3;
      result_.rejected.push_back(
          {gpu,
           "",
           {.code = "site-power",
            .message = "The machines draw " + human_number(power, 3) + " kW at the meter, the site has " +
                       human_number(*site.site_power_kw, 3) + " kW.",
            .shortfall = power - *site.site_power_kw,
            .unit = "kW",
            .ways_out = {"{\"constraints\":{\"site_power_kw\":" + shortest_number(std::ceil(power)) + "}}"}}});
      return true;
    }
    return false;
  }

  /// By yearly rent, or by the yearly cost of owning where the machines must be owned; plans without that price come
  /// last, fewest GPUs first.
  void rank() {
    const bool own = must_own(request_.constraints);
    const auto price = [own](const Plan& plan) {
      if (own)
        return plan.numbers.buy_or_rent.own ? plan.numbers.buy_or_rent.own->base_units()
                                            : std::numeric_limits<double>::infinity();
      return plan.numbers.rent ? plan.numbers.rent->rent.base_units() : std::numeric_limits<double>::infinity();
    };
    std::stable_sort(result_.plans.begin(), result_.plans.end(), [&](const Plan& a, const Plan& b) {
      if (price(a) != price(b)) return price(a) < price(b);
      return a.numbers.gpu_count < b.numbers.gpu_count;
    });
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

  void keep_points(const Gpu& gpu, const sizing::ServingSearch& search) {
    const RentMarket market = rent_market(catalog_.cloud_prices, {.gpu_id = gpu.id});
    double fewest = std::numeric_limits<double>::infinity();
    for (const sizing::ServingPoint& found : search.front) {
      // Points that need as many GPUs for the peak as a faster one say nothing here.
      if (!(found.gpus < fewest)) continue;
      fewest = found.gpus;
      ParetoPoint point{.gpu = gpu.id,
                        .gpu_count = found.gpus,
                        .layout = found.layout,
                        .tpot_s = found.tpot.base_units(),
                        .ttft_s = found.ttft.base_units()};
      if (market.cheapest_per_gpu)
        point.rent_usd_per_hour = market.cheapest_per_gpu->base_units() * 3600 * point.gpu_count;
      result_.pareto.push_back(point);
    }
  }

  void describe(std::size_t index) {
    Plan& plan = result_.plans[index];
    plan.summary = summary_of(request_, plan);
    plan.decision_text = decision_of(request_, plan);
    plan.reasons = reasons_of(request_, result_.plans, index);
    plan.risks = risks_of(request_, plan);
  }

  /// Keys of the request that this version reads but does not use yet.
  void name_what_is_missing() {
    if (serves(request_))
      add_once(result_.not_modelled, {"prediction intervals of serving: its figures carry no 90 % range yet"});
    if (request_.options.draws || request_.options.seed)
      add_once(result_.not_modelled, {"uncertainty: options.draws and options.seed are read, no Monte Carlo runs yet"});
    if (request_.constraints.sovereignty == "in-country")
      add_once(result_.not_modelled, {"in-country clouds: the rent is the lowest of any region"});
    for (const PlanWorkload& workload : request_.workloads)
      if (workload.type == WorkloadType::training && workload.runs_per_year != 1)
        add_once(result_.not_modelled, {"runs_per_year: the cost is that of one run and of GPUs that stand all year"});
    if (request_.workloads.size() > 1)
      add_once(result_.assumed, {"The workloads run side by side on GPUs of their own; none waits for another."});
    if (result_.plans.size() > 1)
      add_once(result_.assumed,
               {must_own(request_.constraints) ? "Plans are ranked by the yearly cost of servers and electricity."
                                               : "Plans are ranked by their rent on demand."});
  }

  const Catalog& catalog_;
  const PlanRequest& request_;
  std::vector<Gpu> gpus_;
  Plans result_;
};

}  // namespace

Plans make_plans(const Catalog& catalog, const PlanRequest& request) { return Planner(catalog, request).go(); }

}  // namespace podwright
