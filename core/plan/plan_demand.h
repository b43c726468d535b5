#pragma once
/// What placed workloads do on their GPUs, and how many GPUs they keep busy: at their busiest and on average over all
/// hours. docs/method/decision.md#demand.
#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "cost/hybrid.h"
#include "perf/calendar.h"
#include "perf/ceilings.h"
#include "perf/estimate_serving.h"
#include "perf/estimate_training.h"
#include "plan/asked_load.h"
#include "plan/day_demand.h"
#include "plan/plan_request.h"
#include "plan/shared_cluster.h"
#include "sizing/limit_certainty.h"

namespace podwright {

/// Runs that must go on at once where they do not fit into a year one after the other.
auto simultaneous_runs(Of<Seconds> auto run_time, Of<double> auto runs_per_year) {
  return cited("docs/method/decision.md#demand", ceil(run_time * runs_per_year / years(1)));
}

/// GPUs beside those that the work needs: as many as spare machines have, and as maintenance takes out. `share` is
/// below 1.
auto reserve_gpus(Of<double> auto needed, Of<double> auto spare_machines, Of<double> auto gpus_of_spare,
                  Of<double> auto share) {
  return cited("docs/method/decision.md#reserve",
               spare_machines * gpus_of_spare + (ceil(needed / (1.0 - share)) - needed));
}

/// GPUs of a site that work while no other is lost, of those that carry a lost one's share as well.
auto usual_gpus(Of<double> auto gpus, Of<double> auto sites) {
  return cited("docs/method/decision.md#sites", ceil(gpus * (sites - 1.0) / sites));
}

/// A workload on its layout.
struct PlacedWorkload {
  std::size_t index = 0;                              ///< in the request
  std::variant<ServingRun, TrainingRun> run;          ///< a serving one is loaded with the peak rate
  double gpu_count = 0;                               ///< of one run at a time
  double places = 0;                                  ///< sequences that fit, of a serving one
  double headroom = 1;                                ///< requests that a serving one carries, over those at the peak
  std::vector<sizing::LimitCertainty> limits;         ///< of a serving one
  std::optional<PerSecond> max_requests_per_s;        ///< that keeps every limit as predicted
  std::optional<PerSecond> max_requests_per_s_at_90;  ///< with a probability of 90 %

  /// Null where the workload is of the other type.
  const ServingRun* serving() const { return std::get_if<ServingRun>(&run); }
  const TrainingRun* training() const { return std::get_if<TrainingRun>(&run); }
};

template <class Tracer>
struct WorkloadNumbers {
  std::optional<ServingEstimate<Tracer>> serving;
  std::optional<TrainingEstimate<Tracer>> training;
  std::optional<Calendar<Tracer>> calendar;  ///< of one training run, with its failures and checkpoints
  std::optional<Known<Tracer, double>>
      deadline_probability;                        ///< that a run alone ends in time; absent without interval
  std::optional<Known<Tracer, Seconds>> run_time;  ///< of one training run; absent where it is not known or has no end
  std::optional<Known<Tracer, Seconds>> gpu_time;
  std::optional<Known<Tracer, Usd>> run_rent;
  std::optional<Known<Tracer, double>> idle_gpus;   ///< that wait for the loss of another site
  std::optional<Known<Tracer, double>> load_share;  ///< requests of serving on average over those at the peak
  std::optional<ServingDay<Tracer>> day;            ///< of serving whose hours are known, where no workload trains
  Demand<Tracer> demand;                       ///< training: with as many runs side by side as a year of them takes
  std::optional<TrainingShare<Tracer>> share;  ///< of training: what it asks of a shared cluster
};

/// GPUs that exchange data at every step; stages of a pipeline may stand in machines of their own.
inline double joined_gpus(const ServingRun& run) {
  const auto joined = [](const ServingParallelism& p) { return p.tensor * p.attention_data; };
  const auto& pools = run.disaggregated;
  return pools ? std::max(joined(pools->prefill), joined(pools->decode)) : joined(run.parallelism);
}

/// GPUs of one replica of a model. Pools are one replica: how both shrink together with the load is not modelled.
inline double replica_gpus(const ServingRun& run) {
  if (run.disaggregated) return run.disaggregated->prefill_gpus + run.disaggregated->decode_gpus;
  return run.parallelism.tensor * run.parallelism.attention_data * run.parallelism.pipeline;
}

/// GPUs of the largest replica that serves; absent where nothing does.
inline std::optional<double> largest_replica(const std::vector<PlacedWorkload>& placed) {
  std::optional<double> largest;
  for (const PlacedWorkload& item : placed)
    if (const ServingRun* run = item.serving()) largest = std::max(largest.value_or(1), replica_gpus(*run));
  return largest;
}

/// All workloads together.
template <class Tracer>
struct PlanDemand {
  std::vector<WorkloadNumbers<Tracer>> workloads;
  Known<Tracer, double> peak_gpus{};  ///< of all workloads at their busiest together: what must be rented at most
  Known<Tracer, double> mean_gpus{};
  Known<Tracer, double> gpu_count{};  ///< of an owned cluster: the peak, or fewer where they share it
  std::optional<Known<Tracer, double>>
      reserve;  ///< in the counts of the peak and the cluster, always there; absent: none is asked for
  std::optional<SharedCluster<Tracer>> shared;  ///< of several workloads
};

/// Where a workload's data may be: its own word, else that of the constraints.
inline Sovereignty sovereignty_of(const PlanRequest& request, const PlanWorkload& workload) {
  return workload.sovereignty.value_or(request.constraints.sovereignty);
}

/// What a workload says of its calendar. Its deadline is judged where the layout is chosen.
inline CalendarRequest calendar_of(const PlanEconomics& economics, const TrainingNeed& need) {
  CalendarRequest request = need.interruptions;
  request.tokens = need.tokens;
  request.gpu_hours_per_failure = economics.gpu_hours_per_failure;
  return request;
}

/// GPU time for each failure as the request has it; absent: as the catalog knows it.
template <class Tracer>
std::optional<Known<Tracer, Seconds>> asked_time_per_failure(Tracer& trace, const PlanEconomics& economics) {
  if (!economics.gpu_hours_per_failure) return std::nullopt;
  return trace.input("/economics/gpu_hours_per_failure", hours(*economics.gpu_hours_per_failure));
}

namespace plan_detail {

/// The hours of a workload as they change what is rented; absent where the request tells of none. Runs wait for quiet
/// hours as the curve of the demand has them, and pools of their own stand all the time.
template <class Tracer>
std::optional<ServingDay<Tracer>> day_of(Tracer& trace, const Catalog& catalog, const PlanRequest& request,
                                         const ServingNeed& need, const Gpu& gpu, const ServingRun& run,
                                         const System* system, const Known<Tracer, double>& headroom,
                                         const WorkloadNumbers<Tracer>& numbers) {
  if (!need.traffic || need.traffic->hours.empty() || run.disaggregated || !numbers.serving->memory || trains(request))
    return std::nullopt;
  const auto gpus = trace.method("plan.gpus_of_start", std::min(replica_gpus(run), node_gpus(catalog, gpu, system)),
                                 "docs/method/decision.md#hours-of-the-day");
  return serving_day(trace, catalog, need, numbers.demand.peak_gpus, replica_gpus(run), headroom,
                     named("plan.weights_of_start", numbers.serving->memory->weights * gpus));
}

/// `sites` of which one may be lost; absent: none may.
template <class Tracer>
void add_serving(Tracer& trace, const Catalog& catalog, const PlanRequest& request, const Gpu& gpu,
                 const PlacedWorkload& placed, const System* system, const std::optional<Known<Tracer, double>>& sites,
                 WorkloadNumbers<Tracer>& numbers) {
  const PlanWorkload& workload = request.workloads[placed.index];
  const ServingNeed& need = *workload.serving();
  numbers.serving = estimate_serving(trace, catalog, *workload.model, gpu, *placed.serving());
  numbers.demand.peak_gpus = trace.method("plan.gpus_of_workload", placed.gpu_count, "docs/method/search.md");
  if (sites) {
    const auto all = numbers.demand.peak_gpus;
    numbers.demand.peak_gpus = named("plan.usual_gpus", usual_gpus(all, *sites));
    numbers.idle_gpus = named("plan.gpus_for_lost_site", all - numbers.demand.peak_gpus);
  }
  numbers.demand.mean_gpus = numbers.demand.peak_gpus;
  const auto headroom = trace.method("plan.headroom", placed.headroom, "docs/method/decision.md#demand");
  numbers.day = day_of(trace, catalog, request, need, gpu, *placed.serving(), system, headroom, numbers);
  const auto mean = mean_requests(trace, need);
  if (!mean) return;
  numbers.load_share = named("plan.mean_share", *mean / peak_requests(trace, need));
  // What never varies takes all of them.
  if (value_of(*numbers.load_share) < 1)
    numbers.demand.mean_gpus =
        named("plan.mean_gpus", mean_serving_gpus(numbers.demand.peak_gpus, *numbers.load_share, headroom));
}

template <class Tracer>
void add_training(Tracer& trace, const Catalog& catalog, const PlanWorkload& workload, const Gpu& gpu,
                  const PlacedWorkload& placed, const System* system, const PlanEconomics& economics,
                  const std::optional<Known<Tracer, Seconds>>& per_failure, WorkloadNumbers<Tracer>& numbers) {
  const TrainingNeed& need = *workload.training();
  const TrainingRun& run = *placed.training();
  numbers.training = estimate_training(trace, catalog, *workload.model, gpu, run, system);
  const auto gpus = trace.method("plan.gpus_of_workload", placed.gpu_count, "docs/method/search.md");
  numbers.demand.peak_gpus = gpus;
  numbers.demand.mean_gpus = gpus;
  if (!numbers.training->step) return;
  numbers.calendar = training_calendar(trace, catalog, *workload.model, gpu, system, run, gpus,
                                       calendar_of(economics, need), per_failure, numbers.training->step->tokens_per_s,
                                       {}, numbers.training->assumptions, numbers.training->reasons);
  if (!numbers.calendar || !numbers.calendar->run_time) return;
  numbers.run_time = numbers.calendar->run_time;
  numbers.gpu_time = numbers.calendar->gpu_time;
  if (const auto& bounds = numbers.training->step_bounds)
    numbers.deadline_probability = trace.method(
        "plan.deadline_probability",
        probability_kept(days(need.deadline_days) / value_of(*numbers.run_time), value_of(bounds->factors.above)),
        "docs/method/decision.md#confidence");
  const auto runs = trace.input("/runs_per_year", need.runs_per_year);
  TrainingShare<Tracer> share{.gpus = gpus,
                              .run_time = *numbers.run_time,
                              .deadline = trace.input("/deadline_days", days(need.deadline_days)),
                              .runs_per_year = runs};
  if (value_of(*numbers.run_time) * need.runs_per_year > years(1)) {
    const auto together = named("plan.simultaneous_runs", simultaneous_runs(*numbers.run_time, runs));
    share.gpus = named("plan.gpus_of_runs", gpus * together);
    share.runs_per_year = named("plan.runs_of_each", runs / together);
  }
  numbers.demand.peak_gpus = share.gpus;
  numbers.demand.mean_gpus =
      named("plan.mean_gpus", mean_training_gpus(share.gpus, share.run_time, share.runs_per_year));
  numbers.share = share;
}

/// The same workloads as parts of one cluster.
template <class Tracer>
ClusterDemand<Tracer> cluster_demand(const PlanDemand<Tracer>& demand) {
  ClusterDemand<Tracer> of;
  for (const WorkloadNumbers<Tracer>& workload : demand.workloads) {
    if (workload.share)
      of.training.push_back(*workload.share);
    else
      of.serving.push_back({.peak_gpus = workload.demand.peak_gpus, .mean_gpus = workload.demand.mean_gpus});
  }
  return of;
}

/// GPUs that always stand in addition to those of the work.
template <class Tracer>
void stand_by(const Known<Tracer, double>& gpus, PlanDemand<Tracer>& demand) {
  demand.reserve = demand.reserve ? named("plan.whole_reserve", *demand.reserve + gpus) : gpus;
  demand.peak_gpus = named("plan.peak_gpus_with_reserve", demand.peak_gpus + gpus);
  demand.gpu_count = named("plan.gpu_count_with_reserve", demand.gpu_count + gpus);
}

/// A machine of the reserve takes the place of any other: it has as many GPUs as one, or as the largest replica, which
/// a failure stops as a whole.
template <class Tracer>
void add_reserve(Tracer& trace, const Catalog& catalog, const PlanConstraints& asked, const Gpu& gpu,
                 const std::vector<PlacedWorkload>& placed, const System* system, PlanDemand<Tracer>& demand) {
  if (asked.spare_machines == 0 && asked.maintenance_share == 0) return;
  const auto spare =
      trace.method("plan.gpus_of_spare", std::max(node_gpus(catalog, gpu, system), largest_replica(placed).value_or(1)),
                   "docs/method/decision.md#reserve");
  const TraceScope scope(trace, "/constraints");
  stand_by(
      named("plan.reserve_gpus", reserve_gpus(demand.gpu_count, trace.input("/spare_machines", asked.spare_machines),
                                              spare, trace.input("/maintenance_share", asked.maintenance_share))),
      demand);
}

}  // namespace plan_detail

/// `system` (may be null) holds the GPUs.
template <class Tracer>
PlanDemand<Tracer> plan_demand(Tracer& trace, const Catalog& catalog, const PlanRequest& request, const Gpu& gpu,
                               const std::vector<PlacedWorkload>& placed, const System* system) {
  PlanDemand<Tracer> demand;
  std::vector<Known<Tracer, double>> peaks;
  std::vector<Known<Tracer, double>> means;
  const auto per_failure = asked_time_per_failure(trace, request.economics);
  std::vector<Known<Tracer, double>> idle;
  std::optional<Known<Tracer, double>> sites;
  if (request.constraints.survives_site_loss) sites = trace.input("/constraints/sites", request.constraints.sites);
  for (const PlacedWorkload& item : placed) {
    const PlanWorkload& workload = request.workloads[item.index];
    const TraceScope scope(trace, "/workloads/" + std::to_string(item.index));
    WorkloadNumbers<Tracer> numbers;
    if (workload.serving() != nullptr)
      plan_detail::add_serving(trace, catalog, request, gpu, item, system, sites, numbers);
    else
      plan_detail::add_training(trace, catalog, workload, gpu, item, system, request.economics, per_failure, numbers);
    if (stays_on_own_ground(sovereignty_of(request, workload))) numbers.demand.placement = Placement::owned;
    peaks.push_back(numbers.demand.peak_gpus);
    means.push_back(numbers.demand.mean_gpus);
    if (numbers.idle_gpus) idle.push_back(*numbers.idle_gpus);
    demand.workloads.push_back(std::move(numbers));
  }
  demand.peak_gpus = trace.sum("plan.peak_gpus", peaks);
  demand.mean_gpus = trace.sum("plan.mean_gpus_of_all", means);
  demand.gpu_count = demand.peak_gpus;
  if (placed.size() > 1 && !request.constraints.separate_workloads) {
    demand.shared = shared_cluster(trace, plan_detail::cluster_demand(demand));
    demand.gpu_count = demand.shared->gpu_count;
  }
  if (sites) plan_detail::stand_by(trace.sum("plan.idle_gpus", idle), demand);
  plan_detail::add_reserve(trace, catalog, request.constraints, gpu, placed, system, demand);
  return demand;
}

}  // namespace podwright
