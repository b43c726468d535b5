#include "plan/placement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "cost/purchase.h"
#include "cost/rent.h"
#include "memory/length_spread.h"
#include "perf/calendar.h"
#include "perf/training_interval.h"
#include "plan/plan_cost.h"
#include "plan/rent_offers.h"
#include "sizing/limit_certainty.h"
#include "sizing/search_serving.h"
#include "sizing/search_training.h"

namespace podwright {

namespace {

/// Times that are equal but for the order of sums.
constexpr double kRounding = 1 + 1e-9;
/// Of a serving workload on one type of GPU: formats times sizes of a replica, and no more.
constexpr double kMostDeployments = 64;

}  // namespace

sizing::TrainingWorkload training_need(const Catalog& catalog, const PlanRequest& request, const PlanWorkload& workload,
                                       const Gpu& gpu) {
  const PlanEconomics& economics = request.economics;
  const TrainingNeed& asked = *workload.training();
  sizing::TrainingWorkload need;
  need.method = asked.method;
  need.tokens = asked.tokens;
  need.deadline = days(asked.deadline_days);
  need.sequence_length = asked.sequence_length;
  need.global_batch_size = asked.global_batch_size;
  need.precisions = {asked.precision};
  need.tuning = asked.tuning;
  // A run that keeps its deadline with the confidence that is asked for is as much shorter as its interval is wide.
  const TrainingKnowledge knowledge = training_knowledge(catalog, *workload.model, gpu, sizing::training_run(need));
  if (const auto half_width = time_half_width(catalog.training_efficiency, knowledge))
    need.deadline_share = share_kept_at(request.constraints.confidence, *half_width);
  const TrainingRecipe recipe = training_recipe(catalog.training_recipes, sizing::training_run(need));
  if (const auto width = recipe ? memory_half_width(catalog.training_efficiency, recipe.stack->id) : std::nullopt)
    need.memory_share = share_kept_at(request.constraints.confidence, *width);
  // Failures and checkpoints follow from the number of GPUs and what a checkpoint holds, not from the layout.
  need.effective_share = [&catalog, &economics, &workload, &asked, &gpu,
                          run = sizing::training_run(need)](double gpus) {
    NoTrace none;
    std::vector<std::string> assumptions;
    std::vector<Infeasible> reasons;
    const auto calendar =
        training_calendar(none, catalog, *workload.model, gpu, nullptr, run, gpus, calendar_of(economics, asked),
                          asked_time_per_failure(none, economics), per_second(1), {}, assumptions, reasons);
    if (!calendar) return 1.0;  // a figure is missing; the estimate of the plan names it
    return calendar->run_time ? seconds(asked.tokens) / *calendar->run_time : 0.0;
  };
  return need;
}

std::optional<LateRun> late_run(const PlanRequest& request, const std::vector<PlacedWorkload>& placed,
                                const PlanDemand<NoTrace>& demand) {
  std::size_t training = 0;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    const TrainingNeed* need = request.workloads[placed[i].index].training();
    const std::optional<Seconds>& alone = demand.workloads[i].run_time;
    if (need == nullptr || !alone) continue;
    const Seconds time = demand.shared ? demand.shared->training_times[training] : *alone;
    training += 1;
    const auto& bounds = demand.workloads[i].training->step_bounds;
    const double share = bounds ? share_kept_at(request.constraints.confidence, math::log(bounds->factors.above)) : 1.0;
    if (time <= days(need->deadline_days) * share * kRounding) continue;
    const auto time_days = "time_days"_v = time / days(1);
    const auto deadline = "deadline_days"_v = need->deadline_days;
    return LateRun{placed[i].index,
                   {.code = "deadline",
                    .message = time > days(need->deadline_days) ? say("deadline/on-network", time_days, deadline)
                                                                : say("deadline/unsure", time_days, deadline,
                                                                      "safe_days"_v = need->deadline_days * share,
                                                                      "confidence"_v = request.constraints.confidence),
                    .shortfall = time.base_units() - days(need->deadline_days).base_units() * share,
                    .unit = "s",
                    .ways_out = {{"/deadline_days", std::ceil(time / share / days(1) * 1000) / 1000}}}};
  }
  return std::nullopt;
}

namespace {

sizing::ServingWorkload serving_need(const Catalog& catalog, const Model& model, const ServingNeed& workload,
                                     const PlanConstraints& constraints) {
  sizing::ServingWorkload need;
  need.confidence = constraints.confidence;
  need.peak_requests_per_s = workload.peak_requests_per_s / constraints.carrying_sites();
  need.input_tokens = workload.input_tokens;
  need.output_tokens = workload.output_tokens;
  // Requests that come at a rate are people's, as in a serving request.
  const LengthSpread spread = usual_spread(catalog, model.context_tokens, need.input_tokens, need.output_tokens);
  need.input_tokens_cv = workload.input_tokens_cv.value_or(spread.input);
  need.output_tokens_cv = workload.output_tokens_cv.value_or(spread.output);
  const auto limit = [&](sizing::LatencyKind kind, const std::optional<double>& most) {
    if (most) need.limits.push_back({.latency = kind, .percentile = Percentile::p95, .most = Seconds(*most)});
  };
  limit(sizing::LatencyKind::ttft, workload.ttft_s_max);
  limit(sizing::LatencyKind::tpot, workload.tpot_s_max);
  need.prefix_hit_ratio = workload.prefix_hit_ratio;
  need.traffic = workload.traffic;
  need.engines = {workload.engine};
  need.tuning = workload.tuning;
  need.weight_precisions = workload.weight_precisions;
  need.draft = workload.draft;
  need.draft_tokens = workload.draft_tokens;
  return need;
}

double most_gpus(const PlanConstraints& constraints) {
  return constraints.max_gpus.value_or(sizing::SearchConstraints().max_gpus);
}

/// The reason that most layouts share.
std::optional<Infeasible> main_reason(const std::vector<sizing::Rejection>& rejected) {
  // What the framework does not start is tried in ways that it has besides: no reason as long as there is another.
  const auto weight = [](const sizing::Rejection& one) { return std::pair(one.reason.code != "framework", one.count); };
  const auto most = std::max_element(rejected.begin(), rejected.end(),
                                     [&](const auto& a, const auto& b) { return weight(a) < weight(b); });
  if (most == rejected.end()) return std::nullopt;
  // A limit on time is nearer to a plan than a layout that does not fit: it has been reached by one that does.
  for (const sizing::Rejection& rejection : rejected)
    if (rejection.reason.code == "tpot" || rejection.reason.code == "ttft" || rejection.reason.code == "request" ||
        rejection.reason.code == "deadline" || rejection.reason.code == "no-progress")
      return rejection.reason;
  return most->reason;
}

/// What a GPU costs by the offers that the request admits; of `job`, in machines that it can run on.
RentMarket market_of_gpu(const Catalog& catalog, const PlanRequest& request, const Gpu& gpu,
                         const std::vector<PlacedWorkload>& job) {
  const double gpus = job.empty() ? offers_of_gpu(gpu.id).gpu_count : job.front().gpu_count;
  RentFilter filter = rent_filter(catalog, request, gpu, job, gpus, {});
  filter.mean_instances = nullptr;  // all stand all the time
  return rent_market(catalog.cloud_prices, filter);
}

/// Rent and power that follow from GPU and count alone.
class Front {
 public:
  Front(const Catalog& catalog, const PlanRequest& request, const Gpu& gpu, std::vector<ParetoPoint>& points)
      : catalog_(catalog),
        request_(request),
        system_(power_system(catalog, nullptr, gpu)),
        gpu_(gpu),
        points_(points) {}

  /// `job`: what runs on all of its GPUs together; empty: any of them will do.
  void add(ParetoPoint point, const std::vector<PlacedWorkload>& job = {}) {
    point.gpu = gpu_.id;
    const double gpus = job.empty() ? 0 : point.gpu_count;
    const auto [price, is_new] = prices_.try_emplace(gpus);
    if (is_new) price->second = market_of_gpu(catalog_, request_, gpu_, job).chosen_per_gpu;
    if (price->second) point.rent_usd_per_hour = price->second->base_units() * 3600 * point.gpu_count;
    if (system_ != nullptr)
      point.it_power_kw = power_per_gpu(planned_power(*system_)->value, system_->gpu_count) * point.gpu_count / kw(1);
    points_.push_back(std::move(point));
  }

 private:
  const Catalog& catalog_;
  const PlanRequest& request_;
  std::map<double, std::optional<UsdPerSecond>> prices_;  ///< of jobs on so many GPUs
  const System* system_;
  const Gpu& gpu_;
  std::vector<ParetoPoint>& points_;
};

/// What both searches tell alike.
template <class Search>
Placements told_by(Search& search) {
  Placements placements;
  if (search.best.empty()) placements.reason = main_reason(search.rejected);
  placements.assumptions = std::move(search.assumptions);
  placements.not_modelled = std::move(search.not_modelled);
  return placements;
}

Placements place_serving(const Catalog& catalog, const PlanRequest& request, std::size_t index, const Gpu& gpu,
                         sizing::Arrangement arrangement) {
  const PlanWorkload& workload = request.workloads[index];
  sizing::ServingWorkload need = serving_need(catalog, *workload.model, *workload.serving(), request.constraints);
  need.arrangements = {arrangement};
  NoTrace none;
  const ServingNeed& asked = *workload.serving();
  const auto mean = mean_requests(none, asked);
  // Fewest GPUs is not the lowest cost: smaller replicas need fewer GPUs that are joined and stand with no request, and
  // larger ones may need fewer at the mean load.
  sizing::ServingSearch search =
      sizing::search_serving(catalog, *workload.model, gpu, need,
                             {.max_gpus = most_gpus(request.constraints),
                              .top = kMostDeployments,
                              .each_replica_size = true,
                              .mean_share = mean ? mean->base_units() / asked.peak_requests_per_s : 1.0});
  Placements placements = told_by(search);
  // Of pools answers are looked at where some prompts are in time.
  if (search.best.empty() && arrangement == sizing::Arrangement::disaggregated)
    for (const sizing::Rejection& rejection : search.rejected)
      if (rejection.reason.code == "tpot") placements.reason = rejection.reason;
  for (sizing::ServingCandidate& candidate : search.best)
    placements.deployments.push_back(
        {.index = index,
         .run = std::move(candidate.run),
         .gpu_count = candidate.gpus,
         .places = candidate.places,
         .headroom = std::max(1.0, candidate.carried_requests_per_s.base_units() / asked.peak_requests_per_s *
                                       request.constraints.carrying_sites()),
         .limits = std::move(candidate.limits),
         .max_requests_per_s = candidate.max_requests_per_s,
         .max_requests_per_s_at_90 = candidate.max_requests_per_s_at_90});
  Front front(catalog, request, gpu, placements.front);
  double fewest = std::numeric_limits<double>::infinity();
  for (const sizing::ServingPoint& found : search.front) {
    // Points that need as many GPUs for the peak as a faster one say nothing here.
    if (!(found.gpus < fewest)) continue;
    fewest = found.gpus;
    front.add({.gpu_count = found.gpus,
               .layout = found.layout,
               .tpot_s = found.tpot.base_units(),
               .ttft_s = found.ttft.base_units()});
  }
  return placements;
}

Placements place_training(const Catalog& catalog, const PlanRequest& request, std::size_t index, const Gpu& gpu) {
  const PlanWorkload& workload = request.workloads[index];
  sizing::TrainingSearch search =
      sizing::search_training(catalog, *workload.model, gpu, training_need(catalog, request, workload, gpu),
                              {.max_gpus = most_gpus(request.constraints)});
  Placements placements = told_by(search);
  // A machine is billed whole, and more GPUs that are done sooner may cost less.
  for (sizing::SizedRun& sized : search.in_time)
    placements.deployments.push_back({.index = index, .run = std::move(sized.run), .gpu_count = sized.gpus});
  Front front(catalog, request, gpu, placements.front);
  for (std::size_t i = 0; i < search.pareto.gpus.size(); ++i)
    front.add({.gpu_count = search.pareto.gpus[i],
               .layout = search.pareto.layout[i],
               .run_s = search.pareto.time[i].base_units()},
              {{.index = index, .run = TrainingRun{}, .gpu_count = search.pareto.gpus[i]}});
  return placements;
}

}  // namespace

Placements place(const Catalog& catalog, const PlanRequest& request, std::size_t index, const Gpu& gpu,
                 sizing::Arrangement arrangement) {
  const PlanWorkload& workload = request.workloads[index];
  return workload.serving() != nullptr ? place_serving(catalog, request, index, gpu, arrangement)
                                       : place_training(catalog, request, index, gpu);
}

}  // namespace podwright
