#include "plan/plan_replay.h"

#include <algorithm>
#include <cmath>

#include "replay/serve.h"

namespace podwright {
namespace {

/// As many tell a 95th percentile to a few percent; a replay of more takes too long for a plan.
constexpr double kRequests = 20000;
constexpr double kMostRequests = 100000;

/// Sessions of mean length before anything is counted, and in all: fewer leave the load below its rate.
constexpr double kWarmUpSessions = 5;
constexpr double kSessions = 10;

/// GPUs are added in such steps until the limits are kept, up to twice as many.
constexpr double kMoreReplicas = 1.15;
constexpr double kMostTimes = 2;

/// The peak as if it lasted.
ServingRun at_peak(ServingRun run) {
  if (run.traffic) run.traffic->hours.clear();
  return run;
}

std::optional<replay::ReplayFigures> figures_of(const Catalog& catalog, const Model& model, const Gpu& gpu,
                                                const ServingRun& run) {
  const double session_s = run.traffic ? run.traffic->turns * run.traffic->think_time_s : 0;
  const double duration_s = std::ceil(std::max(kRequests / run.load.value, kSessions * session_s));
  if (duration_s * run.load.value > kMostRequests) return std::nullopt;
  const double warm_up_s = std::max(duration_s / 10, kWarmUpSessions * session_s);
  return replay::replay_run(catalog, model, gpu, run, {.trace = {}, .duration_s = duration_s, .warm_up_s = warm_up_s})
      .figures;
}

double reached(const replay::ReplayFigures& figures, const sizing::LatencyLimit& limit) {
  return sizing::figure_of(figures, limit.latency).p95;
}

bool keeps(const std::optional<replay::ReplayFigures>& figures, const std::vector<sizing::LimitCertainty>& limits) {
  return figures && figures->flow.keeps_up &&
         std::all_of(limits.begin(), limits.end(), [&](const sizing::LimitCertainty& one) {
           return reached(*figures, one.limit) <= one.limit.most.base_units();
         });
}

/// With more replicas.
Message what_keeps(const Catalog& catalog, const PlanWorkload& workload, const Gpu& gpu, const PlacedWorkload& placed) {
  const auto name = "workload"_v = workload.name;
  ServingRun run = at_peak(*placed.serving());
  double& replicas = run.parallelism.data;
  for (const double planned = replicas; replicas < kMostTimes * planned;) {
    replicas = std::min(kMostTimes * planned, std::ceil(replicas * kMoreReplicas));
    if (keeps(figures_of(catalog, *workload.model, gpu, run), placed.limits))
      return say("replay-misses/more", name, "gpus"_v = replica_gpus(run) * replicas,
                 "planned_gpus"_v = placed.gpu_count);
  }
  return say("replay-misses", name);
}

}  // namespace

ReplayedPlan replayed_plan(const Catalog& catalog, const PlanRequest& request, const PlanDecision& decision,
                           const PlanDemand<NoTrace>& demand) {
  ReplayedPlan replayed;
  const Gpu& gpu = *decision.gpu;
  for (std::size_t i = 0; i < decision.placed.size(); ++i) {
    const PlacedWorkload& placed = decision.placed[i];
    const auto& estimate = demand.workloads[i].serving;
    if (!estimate || !estimate->performance || placed.limits.empty()) continue;
    const ServingRun run = at_peak(*placed.serving());
    if (better_replayed(run, *estimate->performance).empty()) continue;
    const PlanWorkload& workload = request.workloads[placed.index];
    const auto figures = figures_of(catalog, *workload.model, gpu, run);
    if (!figures) continue;
    for (const sizing::LimitCertainty& one : placed.limits)
      replayed.figures.push_back(
          say("replayed", "requests"_v = static_cast<double>(figures->requests), "workload"_v = workload.name,
              "figure"_v = sizing::text_of(one.limit), "replayed_s"_v = reached(*figures, one.limit),
              "closed_s"_v = one.reached.base_units(), "limit_s"_v = one.limit.most.base_units()));
    if (!figures->flow.keeps_up)
      replayed.misses.push_back(say("replay-overloaded", "workload"_v = workload.name,
                                    "arrived_requests_per_s"_v = figures->flow.arrived_requests_per_s,
                                    "completed_requests_per_s"_v = figures->flow.completed_requests_per_s));
    if (!keeps(figures, placed.limits)) replayed.misses.push_back(what_keeps(catalog, workload, gpu, placed));
  }
  return replayed;
}

}  // namespace podwright
