#include "plan/planner.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "architecture/design_size.h"
#include "base/among.h"
#include "base/append.h"
#include "base/stable_sort.h"
#include "cost/purchase.h"
#include "plan/placement.h"
#include "plan/plan_replay.h"
#include "plan/unsure_memory.h"
#include "plan/ways_left.h"
#include "sizing/candidates.h"

namespace podwright {
namespace {

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

class Planner {
 public:
  Planner(const Catalog& catalog, const PlanRequest& request) : catalog_(catalog), request_(request) {}

  Plans go() {
    gpus_ = request_.constraints.gpus.empty() ? default_gpus(catalog_) : request_.constraints.gpus;
    for (const Gpu& gpu : gpus_) plan_gpu(catalog_gpu(gpu));
    rank();
    try_pools();
    if (result_.plans.empty()) {
      nearest_first();
      suggest_gpus();
    }
    const auto top = static_cast<std::size_t>(request_.options.top);
    if (result_.plans.size() > top) result_.plans.resize(top);
    add_uncertainty();
    name_next_plan(result_.plans);
    for (std::size_t i = 0; i < result_.plans.size(); ++i) describe(i);
    result_.flips = flips_of(catalog_, request_, result_.plans);
    name_what_is_missing();
    return std::move(result_);
  }

  std::optional<Plan> best(const Gpu& gpu) {
    plan_gpu(gpu);
    return first();
  }

  std::optional<Plan> best(const Gpu& gpu, const std::vector<PlacedWorkload>& placed) {
    decide(gpu, placed);
    return first();
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

  std::optional<Plan> first() {
    if (result_.plans.empty()) return std::nullopt;
    return std::move(result_.plans.front());
  }

  /// The cheapest deployment of a single workload in each weight format; of several workloads one, of the fewest GPUs
  /// for each.
  void plan_gpu(const Gpu& gpu) {
    std::vector<Placements> all;
    for (std::size_t i = 0; i < request_.workloads.size(); ++i) {
      all.push_back(place(catalog_, request_, i, gpu));
      append_once(result_.assumed, all.back().assumptions);
      append_once(result_.not_modelled, all.back().not_modelled);
      if (request_.workloads.size() == 1) append(result_.pareto, all.back().front);
      if (!all.back().deployments.empty()) continue;
      reject_workload(gpu, i,
                      all.back().reason.value_or(
                          Infeasible{.code = "no-layout", .message = say("no-layout/gpu", "gpu"_v = gpu.name)}));
      return;
    }
    if (all.size() > 1) {
      std::vector<PlacedWorkload> placed;
      for (const Placements& placements : all) placed.push_back(placements.deployments.front());
      return decide(gpu, std::move(placed));
    }
    const std::size_t others = result_.rejected.size();
    std::vector<Plan> plans;
    std::swap(plans, result_.plans);
    for (const PlacedWorkload& placed : all.front().deployments) decide(gpu, {placed});
    rank();
    keep_best_of_formats();
    std::swap(plans, result_.plans);
    // What one deployment cannot do says nothing where another can, or a smaller one cannot either.
    if (result_.rejected.size() > others) result_.rejected.resize(plans.empty() ? others + 1 : others);
    for (Plan& plan : plans) result_.plans.push_back(std::move(plan));
  }

  /// Of ranked plans the first of each GPU and weight format.
  void keep_best_of_formats() {
    std::vector<std::string> seen;
    std::vector<Plan> best;
    for (Plan& plan : result_.plans) {
      const ServingRun* run = plan.decision.placed.front().serving();
      const std::string format = plan.decision.gpu->id + " " + (run == nullptr ? "" : run->weight_precision);
      if (is_among(seen, format)) continue;
      seen.push_back(format);
      best.push_back(std::move(plan));
    }
    result_.plans = std::move(best);
  }

  /// A single workload that serves, with pools of their own for prompts and answers, where they are cheaper: on every
  /// GPU, because one that leads with replicas says nothing of pools on another.
  void try_pools() {
    if (request_.workloads.size() > 1 || request_.workloads.front().serving() == nullptr) return;
    const std::size_t rejected = result_.rejected.size();
    std::vector<std::string> assumed;
    std::vector<const Gpu*> fit;
    for (const Gpu& listed : gpus_) {
      const Gpu& gpu = catalog_gpu(listed);
      Placements pools = place(catalog_, request_, 0, gpu, sizing::Arrangement::disaggregated);
      const std::size_t plans = result_.plans.size();
      for (PlacedWorkload& placed : pools.deployments) decide(gpu, {std::move(placed)});
      if (result_.plans.size() > plans) fit.push_back(&gpu);
      if (pools.reason) tell_nearer(gpu, *pools.reason);
      append_once(assumed, pools.assumptions);
    }
    // That pools do not fit as well says nothing new, and what replicas alone cannot do where pools can neither.
    result_.rejected.resize(rejected);
    for (const Gpu* gpu : fit) drop_rejected(*gpu);
    rank();
    keep_best_of_formats();
    if (std::any_of(result_.plans.begin(), result_.plans.end(),
                    [](const Plan& plan) { return plan.decision.placed.front().serving()->disaggregated.has_value(); }))
      append_once(result_.assumed, assumed);
  }

  void drop_rejected(const Gpu& gpu) {
    result_.rejected.erase(std::remove_if(result_.rejected.begin(), result_.rejected.end(),
                                          [&](const RejectedGpu& item) { return item.gpu == gpu.id; }),
                           result_.rejected.end());
  }

  /// Of the same limit on latency the reason that misses it by less takes the place of the other.
  void tell_nearer(const Gpu& gpu, const Infeasible& reason) {
    for (RejectedGpu& item : result_.rejected) {
      if (item.gpu != gpu.id || item.reason.code != reason.code || !(reason.shortfall < item.reason.shortfall))
        continue;
      item.reason = reason;
      for (Patch& way_out : item.reason.ways_out) way_out = way_out.below("/workloads/0");
    }
  }

  /// Ways out of the workload become ways out of the request.
  void reject_workload(const Gpu& gpu, std::size_t workload, Infeasible reason) {
    for (Patch& way_out : reason.ways_out) way_out = way_out.below("/workloads/" + std::to_string(workload));
    result_.rejected.push_back({gpu.id, gpu.name, request_.workloads[workload].name, std::move(reason)});
  }

  /// Servers of several makers may fit: the plan stands on the best design of those that cost least.
  void decide(const Gpu& gpu, const std::vector<PlacedWorkload>& placed) {
    const std::size_t others = result_.rejected.size();
    std::vector<const System*> systems{nullptr};
    std::vector<Plan> plans;
    for (std::size_t i = 0; i < systems.size(); ++i)
      if (std::optional<Plan> plan = plan_on(gpu, placed, systems[i], i == 0 ? &systems : nullptr))
        plans.push_back(std::move(*plan));
    // What one design cannot do says nothing where another can.
    if (result_.rejected.size() > others) result_.rejected.resize(plans.empty() ? others + 1 : others);
    if (plans.empty()) return;
    const System* fits_best = plans.front().decision.system();
    const std::optional<double> cost_of_best_fit = plans.front().verdict.usd_per_year;
    rank(plans);
    Plan& first = plans.front();
    const double cost = first.verdict.usd_per_year.value_or(std::numeric_limits<double>::infinity());
    if (const System* system = first.decision.system(); system != fits_best && cost_of_best_fit > cost)
      first.design_reason = say("cheaper-design", "system"_v = system->name, "other"_v = fits_best->name,
                                "less_usd_per_year"_v = *cost_of_best_fit - cost);
    result_.plans.push_back(std::move(first));
  }

  /// On the best design with `system`; null: on that which fits best, and the systems of the others go into `others`.
  /// Absent where that does not work.
  std::optional<Plan> plan_on(const Gpu& gpu, const std::vector<PlacedWorkload>& placed, const System* system,
                              std::vector<const System*>* others) {
    Plan plan;
    PlanDecision& decision = plan.decision;
    decision.gpu = &gpu;
    decision.placed = placed;
    if (!choose_cluster(decision, system, others)) return std::nullopt;
    add_prices(decision);
    NoTrace none;
    plan.numbers = plan_numbers(none, catalog_, request_, decision);
    if (auto late = late_run(request_, decision.placed, plan.numbers.demand)) {
      reject_workload(gpu, late->workload, std::move(late->reason));
      return std::nullopt;
    }
    plan.verdict = verdict_of(catalog_, request_, plan.numbers, nullptr);
    if (auto reason = no_way_left(request_, plan.numbers, plan.verdict)) {
      result_.rejected.push_back({gpu.id, gpu.name, "", std::move(*reason)});
      return std::nullopt;
    }
    return plan;
  }

  /// The design for the GPUs that the workloads need; how many they need follows in turn from the machines of the
  /// design, whose network sets the pace of training.
  bool choose_cluster(PlanDecision& decision, const System* system, std::vector<const System*>* others) {
    NoTrace none;
    double gpu_count = 0;
    for (int round = 0; round < 2; ++round) {
      const auto demand = plan_demand(none, catalog_, request_, *decision.gpu, decision.placed,
                                      decision.design ? decision.system() : system);
      if (demand.gpu_count == gpu_count) return true;
      gpu_count = demand.gpu_count;
      if (!choose_design(decision, gpu_count, system, round == 0 ? others : nullptr)) return false;
    }
    return true;
  }

  void add_prices(PlanDecision& decision) {
    NoTrace none;
    const Gpu& gpu = *decision.gpu;
    const auto demand = plan_demand(none, catalog_, request_, gpu, decision.placed, decision.system());
    PlanPricing& pricing = decision.pricing;
    pricing.machines = machine_pricing(catalog_, decision.system(), gpu);
    pricing.owns = request_.constraints.ownership != Ownership::cloud;
    pricing.rents = may_rent(request_);
    if (!pricing.rents) return;
    pricing.filter = rent_filter(catalog_, request_, gpu, decision.placed, demand.peak_gpus,
                                 plan_detail::standing_machines(request_, decision.placed, demand));
    pricing.filter.beside = [&catalog = catalog_, &economics = request_.economics](const CloudPrice& row) {
      return plan_detail::beside_machines(catalog, economics, row.provider);
    };
    pricing.filter.license_per_gpu = plan_detail::cloud_licence(catalog_, request_.economics.license);
    pricing.market = rent_market(catalog_.cloud_prices, pricing.filter);
    const std::optional<Seconds> run = plan_detail::only_run_time(demand);
    pricing.commitments = commitment_offers(
        catalog_, request_, pricing.filter,
        run ? HeldTime{*run, demand.mean_gpus / demand.peak_gpus} : HeldTime{years(request_.economics.horizon_years)});
  }

  bool choose_design(PlanDecision& decision, double gpu_count, const System* system,
                     std::vector<const System*>* others) {
    NoTrace none;
    const PlanConstraints& site = request_.constraints;
    const bool serving = std::all_of(request_.workloads.begin(), request_.workloads.end(),
                                     [](const auto& w) { return w.serving() != nullptr; });
    const bool training = std::all_of(request_.workloads.begin(), request_.workloads.end(),
                                      [](const auto& w) { return w.training() != nullptr; });
    const bool full = std::any_of(request_.workloads.begin(), request_.workloads.end(), [](const auto& w) {
      return w.training() != nullptr && w.training()->method == TrainingMethod::full;
    });
    const std::optional<double> replica = largest_replica(decision.placed);
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
    if (others != nullptr)
      for (std::size_t i = 1; i < choice.designs.size(); ++i)
        if (choice.designs[i].parts.system != choice.designs.front().parts.system)
          add_once(*others, choice.designs[i].parts.system);
    const auto fits = std::find_if(choice.designs.begin(), choice.designs.end(), [&](const ArchitectureDesign& design) {
      return system == nullptr || design.parts.system == system;
    });
    if (fits != choice.designs.end()) {
      decision.design = std::move(*fits);
      return true;
    }
    if (system != nullptr) return false;
    if (!must_own(request_)) return true;
    for (const RejectedDesign& rejected : choice.rejected) {
      Infeasible reason = rejected;
      reason.ways_out.clear();
      for (const Patch& way_out : rejected.ways_out)
        // Other GPUs are offered for the request as a whole.
        if (!way_out.changes("/gpu")) reason.ways_out.push_back(way_out.below("/constraints"));
      result_.rejected.push_back({decision.gpu->id, decision.gpu->name, "", std::move(reason)});
      break;
    }
    return false;
  }

  /// By the yearly cost of the cheapest way that is open; behind those are plans whose memory may not do, plans with a
  /// limit that cannot be checked, and behind them plans without a sum, fewest GPUs first. Among equals the one comes
  /// first that is cheaper to own.
  bool before(const Plan& a, const Plan& b) const {
    static constexpr double kNone = std::numeric_limits<double>::infinity();
    const auto key = [&](const Plan& plan) {
      const auto& owning = plan.numbers.cost.owning.total;
      return std::make_tuple(!plan.verdict.unchecked.empty(), unsure_memory(request_, plan.numbers).has_value(),
                             plan.verdict.usd_per_year.value_or(kNone), plan.numbers.demand.gpu_count,
                             owning ? raw(owning->yearly) : kNone);
    };
    return key(a) < key(b);
  }

  void rank() { rank(result_.plans); }
  void rank(std::vector<Plan>& plans) const {
    sort_stably(plans, [&](const Plan& a, const Plan& b) { return before(a, b); });
  }

  /// Draws cost milliseconds: they are made for the plan that is recommended.
  void add_uncertainty() {
    if (result_.plans.empty()) return;
    Plan& first = result_.plans.front();
    first.uncertainty = plan_uncertainty(catalog_, request_, first.decision, first.numbers, first.verdict.decision);
    if (first.uncertainty) first.verdict = verdict_of(catalog_, request_, first.numbers, &*first.uncertainty);
  }

  /// Without a plan, what is nearest to one comes first: gaps of a kind by their size, behind them reasons that are no
  /// number.
  void nearest_first() {
    std::vector<std::string> codes;
    for (const RejectedGpu& item : result_.rejected) append_once(codes, {item.reason.code});
    const auto key = [&](const RejectedGpu& item) {
      const auto kind = std::find(codes.begin(), codes.end(), item.reason.code) - codes.begin();
      return std::make_tuple(item.reason.shortfall == 0, kind, item.reason.shortfall);
    };
    sort_stably(result_.rejected, [&](const RejectedGpu& a, const RejectedGpu& b) { return key(a) < key(b); });
  }

  /// Nothing fits on the GPUs that were asked for: which others of the catalog would carry the workloads?
  void suggest_gpus() {
    if (request_.constraints.gpus.empty() || result_.rejected.empty()) return;
    std::vector<std::string> ids;
    for (const Gpu& gpu : default_gpus(catalog_)) {
      const bool asked = std::any_of(gpus_.begin(), gpus_.end(), [&](const Gpu& other) { return other.id == gpu.id; });
      if (asked) continue;
      Planner trial(catalog_, request_);
      trial.plan_gpu(catalog_gpu(gpu));
      if (!trial.result_.plans.empty() && trial.result_.plans.front().verdict.unchecked.empty()) ids.push_back(gpu.id);
    }
    if (!ids.empty()) result_.rejected.front().reason.ways_out.emplace_back("/constraints/gpus", ids);
  }

  void describe(std::size_t index) {
    Plan& plan = result_.plans[index];
    PlanPricing& pricing = plan.decision.pricing;
    pricing.bands = price_bands(catalog_.cloud_prices, pricing.filter);
    plan.summary = summary_of(request_, plan);
    plan.reasons = reasons_of(request_, result_.plans, index);
    if (plan.design_reason) plan.reasons.push_back(*plan.design_reason);
    if (index == 0) add_other_choices(catalog_, request_, plan);
    plan.quotes = shown_quotes(catalog_, request_, plan.decision, plan.numbers.cost);
    plan.risks = risks_of(catalog_, request_, plan);
    if (index > 0) return;
    const ReplayedPlan replayed = replayed_plan(catalog_, request_, plan.decision, plan.numbers.demand);
    append(plan.reasons, replayed.figures);
    plan.risks.insert(plan.risks.begin(), replayed.misses.begin(), replayed.misses.end());
  }

  /// Of the first plan's rented replicas, where they follow the day and the request does not say.
  void name_starts(const PlanDemand<NoTrace>& demand) {
    for (std::size_t i = 0; i < demand.workloads.size(); ++i) {
      const PlanWorkload& workload = request_.workloads[result_.plans.front().decision.placed[i].index];
      if (const auto& day = demand.workloads[i].day; day && !workload.serving()->replica_start_s)
        append_once(
            result_.assumed,
            {say("followed-day-start", "workload"_v = workload.name, "start_s"_v = day->start.base_units()).text()});
    }
  }

  /// What no number of the answer holds, and what all of them stand on.
  void name_what_is_missing() {
    if (result_.plans.size() > 1 && result_.plans.front().uncertainty)
      append_once(result_.not_modelled, {"uncertainty of the cost of every plan but the first"});
    if (may_rent(request_))
      append_once(result_.assumed, {"GPUs rented on demand are given back while no workload needs them."});
    if (!result_.plans.empty()) name_starts(result_.plans.front().numbers.demand);
    if (request_.workloads.size() > 1 && request_.constraints.separate_workloads)
      append_once(result_.assumed, {"The workloads run side by side on GPUs of their own; none waits for another."});
    if (result_.plans.size() > 1)
      append_once(result_.assumed, {"Plans are ranked by the yearly cost of the cheapest option open to each."});
  }

  const Catalog& catalog_;
  const PlanRequest& request_;
  std::vector<Gpu> gpus_;
  Plans result_;
};

}  // namespace

std::optional<Plan> plan_of(const Catalog& catalog, const PlanRequest& request, const Gpu& gpu) {
  return Planner(catalog, request).best(gpu);
}

std::optional<Plan> plan_of(const Catalog& catalog, const PlanRequest& request, const Gpu& gpu,
                            const std::vector<PlacedWorkload>& placed) {
  return Planner(catalog, request).best(gpu, placed);
}

Plans make_plans(const Catalog& catalog, const PlanRequest& request) {
  Plans none;
  for (Infeasible& reason : contradictions(request)) none.rejected.push_back({"", "", "", std::move(reason)});
  return none.rejected.empty() ? Planner(catalog, request).go() : none;
}

}  // namespace podwright
