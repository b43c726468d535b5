#include "plan/planner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "architecture/design_size.h"
#include "base/among.h"
#include "base/append.h"
#include "base/math.h"
#include "base/stable_sort.h"
#include "cost/purchase.h"
#include "plan/placement.h"
#include "plan/plan_replay.h"
#include "plan/ways_left.h"
#include "sizing/candidates.h"
#include "sizing/faster_runs.h"

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

/// GPUs on which pools of their own are tried: each costs milliseconds.
constexpr std::size_t kLeading = 2;

/// Published traffic whose shared prompts a plan is compared with where the request tells of none.
constexpr std::string_view kReuseTrace = "mooncake-toolagent";

/// How far a rent is looked at, on each side and in steps of this share, and how finely.
constexpr double kRentStep = 1.1;
constexpr int kRentSteps = 14;
constexpr int kRentHalvings = 12;

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
    add_rent_flip();
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

  /// A single workload that serves, with pools of their own for prompts and answers, where they are cheaper. They are
  /// tried on the GPUs that lead; where nothing else fits on all.
  void try_pools() {
    if (request_.workloads.size() > 1 || request_.workloads.front().serving() == nullptr) return;
    std::vector<const Gpu*> leading;
    for (const Plan& plan : result_.plans)
      if (leading.size() < kLeading) add_once(leading, plan.decision.gpu);
    if (leading.empty())
      for (const Gpu& gpu : gpus_) leading.push_back(&catalog_gpu(gpu));
    const std::size_t rejected = result_.rejected.size();
    std::vector<std::string> assumed;
    for (const Gpu* gpu : leading) {
      Placements pools = place(catalog_, request_, 0, *gpu, sizing::Arrangement::disaggregated);
      for (PlacedWorkload& placed : pools.deployments) decide(*gpu, {std::move(placed)});
      append_once(assumed, pools.assumptions);
    }
    // That pools do not fit as well says nothing new.
    result_.rejected.resize(rejected);
    rank();
    keep_best_of_formats();
    if (std::any_of(result_.plans.begin(), result_.plans.end(),
                    [](const Plan& plan) { return plan.decision.placed.front().serving()->disaggregated.has_value(); }))
      append_once(result_.assumed, assumed);
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
    sort_stably(plans, before);
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

  /// By the yearly cost of the cheapest way that is open; behind those are plans with a limit that cannot be checked,
  /// and behind them plans without a sum, fewest GPUs first. Among equals the one comes first that is cheaper to own.
  static bool before(const Plan& a, const Plan& b) {
    static constexpr double kNone = std::numeric_limits<double>::infinity();
    const auto key = [](const Plan& plan) {
      const auto& owning = plan.numbers.cost.owning.total;
      return std::make_tuple(!plan.verdict.unchecked.empty(), plan.verdict.usd_per_year.value_or(kNone),
                             plan.numbers.demand.gpu_count, owning ? raw(owning->yearly) : kNone);
    };
    return key(a) < key(b);
  }

  void rank() { sort_stably(result_.plans, before); }

  /// Draws cost milliseconds: they are made for the plan that is recommended.
  void add_uncertainty() {
    if (result_.plans.empty()) return;
    Plan& first = result_.plans.front();
    first.uncertainty = plan_uncertainty(catalog_, request_, first.decision.pricing.market, first.numbers.cost);
    if (first.uncertainty) first.verdict = verdict_of(catalog_, request_, first.numbers, &first.uncertainty->drawn);
  }

  /// The way of a plan at another rent.
  std::optional<Way> way_at(const Plan& plan, double share, Catalog& changed) const {
    for (std::size_t i = 0; i < changed.cloud_prices.size(); ++i)
      if (const auto& price = catalog_.cloud_prices[i].on_demand;
          price && changed.cloud_prices[i].gpu_id == plan.decision.gpu->id)
        changed.cloud_prices[i].on_demand = *price * share;
    Planner trial(changed, request_);
    trial.decide(*plan.decision.gpu, plan.decision.placed);
    return trial.result_.plans.empty() ? std::nullopt : trial.result_.plans.front().verdict.decision.way;
  }

  /// Nearest first, in steps on both sides, and then halved in between.
  void add_rent_flip() {
    if (result_.plans.empty() || !result_.plans.front().uncertainty) return;
    Plan& first = result_.plans.front();
    Catalog changed = catalog_;
    const auto turns = [&](double share) { return way_at(first, share, changed) != first.verdict.decision.way; };
    double same = 1;
    double other = 1;
    for (int step = 1; step <= kRentSteps && other == 1; ++step)
      for (const double share : {math::pow(kRentStep, -step), math::pow(kRentStep, step)})
        if (other == 1 && turns(share)) {
          other = share;
          same = share < 1 ? share * kRentStep : share / kRentStep;
        }
    if (other == 1) return;
    for (int halved = 0; halved < kRentHalvings; ++halved) {
      const double middle = 0.5 * (same + other);
      (turns(middle) ? other : same) = middle;
    }
    if (const auto way = way_at(first, other, changed))
      first.rent_flip = RentFlip{.at = *first.decision.pricing.market.chosen_per_gpu * other, .way = *way};
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

  /// What a step further would buy. Replicas share the load alike, so that one more carries as much more.
  void add_one_replica_more(Plan& plan) const {
    const std::vector<PlacedWorkload>& placed = plan.decision.placed;
    const ServingRun* run = placed.front().serving();
    const auto carried = std::find_if(plan.reasons.begin(), plan.reasons.end(),
                                      [](const Message& reason) { return reason.code == "carried-load"; });
    if (placed.size() > 1 || run == nullptr || run->disaggregated || carried == plan.reasons.end() ||
        !plan.verdict.usd_per_year)
      return;
    PlacedWorkload more = placed.front();
    std::get<ServingRun>(more.run).parallelism.data += 1;
    more.gpu_count += replica_gpus(*run);
    Planner trial(catalog_, request_);
    trial.decide(*plan.decision.gpu, {more});
    const std::optional<Plan> larger = priced(trial);
    if (!larger) return;
    const double rate = placed.front().max_requests_per_s_at_90->base_units();
    const auto carries = "sure_requests_per_s"_v = rate * (run->parallelism.data + 1) / run->parallelism.data;
    const double extra = *larger->verdict.usd_per_year - *plan.verdict.usd_per_year;
    plan.reasons.insert(carried + 1, extra < 0
                                         ? say("one-replica-more/cheaper", carries, "less_usd_per_year"_v = -extra)
                                         : say("one-replica-more", carries, "more_usd_per_year"_v = extra));
  }

  /// A trial of the first plan's GPU with another deployment, or other formats: its best plan, if that has a price.
  static std::optional<Plan> priced(Planner& trial) {
    if (trial.result_.plans.empty() || !trial.result_.plans.front().verdict.usd_per_year) return std::nullopt;
    return std::move(trial.result_.plans.front());
  }

  /// The next size of cluster whose replicas share the batch alike.
  void add_one_step_more(Plan& plan) const {
    const TrainingRun* run = plan.decision.placed.front().training();
    if (plan.decision.placed.size() > 1 || run == nullptr || !plan.verdict.usd_per_year) return;
    const double micro_batches = run->global_batch_size / run->micro_batch_size;
    double data = run->parallelism.data + 1;
    while (data < micro_batches && std::fmod(micro_batches, data) != 0) ++data;
    if (data > micro_batches) return;
    PlacedWorkload more = plan.decision.placed.front();
    std::get<TrainingRun>(more.run).parallelism.data = data;
    more.gpu_count *= data / run->parallelism.data;
    Planner trial(catalog_, request_);
    trial.decide(*plan.decision.gpu, {more});
    const std::optional<Plan> larger = priced(trial);
    if (!larger || !larger->numbers.demand.workloads.front().run_time) return;
    const auto gpus = "gpus"_v = larger->numbers.demand.gpu_count;
    const auto time = "time_days"_v = *larger->numbers.demand.workloads.front().run_time / days(1);
    const double extra = *larger->verdict.usd_per_year - *plan.verdict.usd_per_year;
    plan.reasons.push_back(extra < 0 ? say("one-step-more/cheaper", gpus, time, "less_usd_per_year"_v = -extra)
                                     : say("one-step-more", gpus, time, "more_usd_per_year"_v = extra));
  }

  bool describes_traffic() const {
    return std::any_of(request_.workloads.begin(), request_.workloads.end(), [](const PlanWorkload& workload) {
      return workload.serving() != nullptr && workload.serving()->traffic &&
             shares_prompts(*workload.serving()->traffic);
    });
  }

  /// The same GPU for the request with another serving need.
  template <class Change>
  std::optional<Plan> with_needs(const Plan& plan, const Change& change) const {
    PlanRequest changed = request_;
    for (PlanWorkload& workload : changed.workloads)
      if (auto* need = std::get_if<ServingNeed>(&workload.need)) change(*need);
    Planner trial(catalog_, changed);
    trial.plan_gpu(*plan.decision.gpu);
    return priced(trial);
  }

  /// What host memory saves.
  void add_without_host_memory(Plan& plan) const {
    const auto& workloads = plan.numbers.demand.workloads;
    if (std::none_of(workloads.begin(), workloads.end(),
                     [](const auto& numbers) { return numbers.serving && numbers.serving->host; }))
      return;
    if (const auto without = with_needs(plan, [](ServingNeed& need) {
          if (need.traffic) need.traffic->host_cache = Bytes(0);
        }))
      plan.reasons.push_back(say("without-host-memory", "gpus"_v = without->numbers.demand.gpu_count,
                                 "usd_per_year"_v = *without->verdict.usd_per_year));
  }

  /// What the same GPU would need if no prompt began with what another had, or if a published share of them did.
  [[gnu::noinline]] void add_other_reuse(Plan& plan) const {
    const auto tells_nothing = [](const PlanWorkload& workload) {
      const ServingNeed* need = workload.serving();
      return need != nullptr && !need->traffic && need->prefix_hit_ratio == 0;
    };
    if (describes_traffic()) {
      add_without_host_memory(plan);
      if (const auto without = with_needs(plan, [](ServingNeed& need) {
            if (need.traffic) need.traffic = TrafficPattern{.hours = std::move(need.traffic->hours)};
          }))
        plan.reasons.push_back(say("without-prefix-reuse", "gpus"_v = without->numbers.demand.gpu_count,
                                   "usd_per_year"_v = *without->verdict.usd_per_year));
      return;
    }
    const TrafficPreset* trace = row_with_id(catalog_.traffic_presets, kReuseTrace);
    if (trace == nullptr || !trace->prefix_hit_ratio ||
        !std::all_of(request_.workloads.begin(), request_.workloads.end(), tells_nothing))
      return;
    const double found = *trace->prefix_hit_ratio;
    if (const auto with = with_needs(plan, [&](ServingNeed& need) { need.prefix_hit_ratio = found; }))
      plan.reasons.push_back(say("with-prefix-reuse", "found"_v = found, "traffic"_v = trace->name,
                                 "gpus"_v = with->numbers.demand.gpu_count,
                                 "usd_per_year"_v = *with->verdict.usd_per_year));
  }

  /// The same deployment under other constraints.
  template <class Change>
  std::optional<Plan> with_constraints(const Plan& plan, const Change& change) const {
    PlanRequest changed = request_;
    change(changed.constraints);
    Planner trial(catalog_, changed);
    trial.decide(*plan.decision.gpu, plan.decision.placed);
    return priced(trial);
  }

  /// What it takes to answer while a machine or a site is out, where the request does not ask for it.
  [[gnu::noinline]] void add_resilience(Plan& plan) const {
    if (!plan.verdict.usd_per_year || !serves(request_)) return;
    const PlanConstraints& asked = request_.constraints;
    const auto more_than_now = [&](const std::optional<Plan>& other, double sites, auto tell) {
      if (!other) return;
      const double gpus = sites * other->numbers.demand.gpu_count - asked.sites * plan.numbers.demand.gpu_count;
      tell("more_gpus"_v = gpus, "more_usd_per_year"_v = *other->verdict.usd_per_year - *plan.verdict.usd_per_year);
    };
    if (asked.spare_machines == 0)
      more_than_now(with_constraints(plan, [](PlanConstraints& to) { to.spare_machines = 1; }), asked.sites,
                    [&](auto... values) { plan.reasons.push_back(say("spare-machine", values...)); });
    if (asked.sites == 1 && !trains(request_))
      more_than_now(with_constraints(plan, [](PlanConstraints& to) { to.sites = 2, to.survives_site_loss = true; }), 2,
                    [&](auto... values) {
                      plan.reasons.push_back(say("second-site", values...));
                      add_lost_site(plan);
                    });
    if (asked.survives_site_loss) add_lost_site(plan);
  }

  /// What requests of a lost site wait for.
  void add_lost_site(Plan& plan) const {
    const std::optional<double>& trip = request_.constraints.site_round_trip_s;
    if (!trip) return plan.reasons.push_back(say("lost-site"));
    const auto longer = "round_trip_s"_v = *trip;
    bool told = false;
    for (const PlacedWorkload& placed : plan.decision.placed)
      for (const sizing::LimitCertainty& one : placed.limits) {
        if (one.limit.latency != sizing::LatencyKind::ttft) continue;
        plan.reasons.push_back(say("lost-site/limit", longer, "ttft_s"_v = one.reached.base_units() + *trip,
                                   "limit_s"_v = one.limit.most.base_units()));
        told = true;
      }
    if (!told) plan.reasons.push_back(say("lost-site/longer", longer));
  }

  /// Of formats that the request leaves open.
  void add_narrower_weights(Plan& plan) const {
    const ServingRun* run = plan.decision.placed.front().serving();
    if (plan.decision.placed.size() > 1 || run == nullptr || !plan.verdict.usd_per_year) return;
    const std::optional<std::string_view> narrower = sizing::narrower_format(*plan.decision.gpu, run->weight_precision);
    if (!narrower || !request_.workloads.front().serving()->weight_precisions.empty()) return;
    const auto other = with_needs(plan, [&](ServingNeed& need) { need.weight_precisions = {std::string(*narrower)}; });
    if (!other) return;
    const auto precision = "precision"_v = *narrower;
    const auto gpus = "gpus"_v = other->numbers.demand.gpu_count;
    const double extra = *other->verdict.usd_per_year - *plan.verdict.usd_per_year;
    plan.reasons.push_back(extra > 0 ? say("narrower-weights/more", precision, gpus, "more_usd_per_year"_v = extra)
                                     : say("narrower-weights", precision, gpus, "less_usd_per_year"_v = -extra));
  }

  /// Seconds per output token or per step of each workload; 0 where it is not known.
  static std::vector<double> seconds_of(const PlanDemand<NoTrace>& demand) {
    std::vector<double> seconds;
    for (const WorkloadNumbers<NoTrace>& numbers : demand.workloads) {
      const bool serves = numbers.serving && numbers.serving->performance && numbers.serving->performance->tpot;
      const bool trains = numbers.training && numbers.training->step;
      seconds.push_back(serves ? raw(*numbers.serving->performance->tpot)
                               : (trains ? raw(numbers.training->step->total) : 0));
    }
    return seconds;
  }

  /// The same on the GPUs of a plan with runs tuned so well.
  std::vector<double> seconds_with(const PlanDecision& decision, Tuning tuning) const {
    std::vector<PlacedWorkload> placed = decision.placed;
    for (PlacedWorkload& one : placed) std::visit([&](auto& run) { run.tuning = tuning; }, one.run);
    NoTrace none;
    return seconds_of(plan_demand(none, catalog_, request_, *decision.gpu, placed, decision.system()));
  }

  /// What the same GPUs do with software tuned better or worse than the plan assumes.
  void add_both_ends_of_tuning(Plan& plan) const {
    const std::vector<double> assumed = seconds_of(plan.numbers.demand);
    const std::vector<double> tuned = seconds_with(plan.decision, Tuning::tuned);
    const std::vector<double> installed = seconds_with(plan.decision, Tuning::as_installed);
    for (std::size_t i = 0; i < plan.decision.placed.size(); ++i) {
      const PlacedWorkload& placed = plan.decision.placed[i];
      const Tuning taken = std::visit([](const auto& run) { return run.tuning; }, placed.run);
      if (!(assumed[i] > 0)) continue;
      const std::string& name = request_.workloads[placed.index].name;
      // Published runs of some machines show no loss as installed: then there are no two ends.
      if (tuned[i] > assumed[i] || assumed[i] > installed[i]) {
        const auto [least, most] = std::minmax({assumed[i], tuned[i], installed[i]});
        plan.reasons.push_back(
            say("tuning-ends/little", "workload"_v = name, "least"_v = least, "most"_v = most,
                "step"_v = say_word("step-of", placed.serving() != nullptr ? "serving" : "training")));
        continue;
      }
      const auto tell = [&](auto code) {
        plan.reasons.push_back(code("time"_v = assumed[i], "workload"_v = name,
                                    "tuning"_v = say_word("tuning", word_of(taken, kTuningWords)), "tuned"_v = tuned[i],
                                    "installed"_v = installed[i]));
      };
      if (placed.serving() != nullptr)
        tell([](auto... values) { return say("tuning-ends/serving", values...); });
      else
        tell([](auto... values) { return say("tuning-ends/training", values...); });
    }
  }

  void describe(std::size_t index) {
    Plan& plan = result_.plans[index];
    PlanPricing& pricing = plan.decision.pricing;
    pricing.bands = price_bands(catalog_.cloud_prices, pricing.filter);
    plan.summary = summary_of(request_, plan);
    plan.reasons = reasons_of(request_, result_.plans, index);
    if (plan.design_reason) plan.reasons.push_back(*plan.design_reason);
    if (index == 0) {
      add_one_replica_more(plan);
      add_one_step_more(plan);
      if (plan.verdict.usd_per_year) add_other_reuse(plan);
      add_narrower_weights(plan);
      add_resilience(plan);
      add_both_ends_of_tuning(plan);
    }
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
      append_once(result_.assumed, {"Plans are ranked by the yearly cost of the cheapest way that is open to them."});
  }

  const Catalog& catalog_;
  const PlanRequest& request_;
  std::vector<Gpu> gpus_;
  Plans result_;
};

}  // namespace

Plans make_plans(const Catalog& catalog, const PlanRequest& request) {
  Plans none;
  for (Infeasible& reason : contradictions(request)) none.rejected.push_back({"", "", "", std::move(reason)});
  return none.rejected.empty() ? Planner(catalog, request).go() : none;
}

}  // namespace podwright
