#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "plan/planner.h"
#include "sizing/faster_runs.h"

namespace podwright {
namespace {

/// Published traffic whose shared prompts a plan is compared with where the request tells of none.
constexpr std::string_view kReuseTrace = "mooncake-toolagent";

/// Costs that differ by a smaller share are told as the same.
constexpr double kSameCost = 1e-6;

/// A plan with another deployment or other formats, if it has a price.
std::optional<Plan> priced(std::optional<Plan> plan) {
  if (plan && !plan->verdict.usd_per_year) plan.reset();
  return plan;
}

/// What a plan would come to with another size, format, traffic, constraint or software.
class OtherChoices {
 public:
  OtherChoices(const Catalog& catalog, const PlanRequest& request) : catalog_(catalog), request_(request) {}

  void add(Plan& plan) const {
    add_one_replica_more(plan);
    add_one_step_more(plan);
    if (plan.verdict.usd_per_year) add_other_reuse(plan);
    add_narrower_weights(plan);
    add_resilience(plan);
    add_both_ends_of_tuning(plan);
  }

 private:
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
    const std::optional<Plan> larger = priced(plan_of(catalog_, request_, *plan.decision.gpu, {more}));
    if (!larger) return;
    const double rate = placed.front().max_requests_per_s_at_90->base_units();
    const auto carries = "sure_requests_per_s"_v = rate * (run->parallelism.data + 1) / run->parallelism.data;
    const double extra = *larger->verdict.usd_per_year - *plan.verdict.usd_per_year;
    plan.reasons.insert(carried + 1, extra < 0
                                         ? say("one-replica-more/cheaper", carries, "less_usd_per_year"_v = -extra)
                                         : say("one-replica-more", carries, "more_usd_per_year"_v = extra));
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
    const std::optional<Plan> larger = priced(plan_of(catalog_, request_, *plan.decision.gpu, {more}));
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
    return priced(plan_of(catalog_, changed, *plan.decision.gpu));
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
    const auto with = with_needs(plan, [&](ServingNeed& need) { need.prefix_hit_ratio = found; });
    if (!with) return;
    const auto share = "found"_v = found;
    const auto traffic = "traffic"_v = trace->name;
    const auto gpus = "gpus"_v = with->numbers.demand.gpu_count;
    // Few machines always stand, however few GPUs the peak takes.
    const bool same = with->verdict.decision.way == Way::rent_on_demand &&
                      std::fabs(*with->verdict.usd_per_year / *plan.verdict.usd_per_year - 1) < kSameCost;
    plan.reasons.push_back(
        same ? say("with-prefix-reuse/same-cost", share, traffic, gpus)
             : say("with-prefix-reuse", share, traffic, gpus, "usd_per_year"_v = *with->verdict.usd_per_year));
  }

  /// The same deployment under other constraints.
  std::optional<Plan> with_constraints(const Plan& plan, void (*change)(PlanConstraints&)) const {
    PlanRequest changed = request_;
    change(changed.constraints);
    return priced(plan_of(catalog_, changed, *plan.decision.gpu, plan.decision.placed));
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
                "step"_v = say_word<"step-of">(placed.serving() != nullptr ? "serving" : "training")));
        continue;
      }
      const auto tell = [&](auto code) {
        plan.reasons.push_back(code("time"_v = assumed[i], "workload"_v = name,
                                    "tuning"_v = say_word<"tuning">(word_of(taken, kTuningWords)), "tuned"_v = tuned[i],
                                    "installed"_v = installed[i]));
      };
      if (placed.serving() != nullptr)
        tell([](auto... values) { return say("tuning-ends/serving", values...); });
      else
        tell([](auto... values) { return say("tuning-ends/training", values...); });
    }
  }

  const Catalog& catalog_;
  const PlanRequest& request_;
};

}  // namespace

void add_other_choices(const Catalog& catalog, const PlanRequest& request, Plan& plan) {
  OtherChoices(catalog, request).add(plan);
}

}  // namespace podwright
