#pragma once
/// One owned cluster for several workloads: peaks of serving come together, training fills what they leave free.
/// docs/method/decision.md#shared-cluster.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/formula.h"
#include "base/math.h"
#include "base/trace.h"
#include "base/units.h"
#include "cost/hybrid.h"

namespace podwright {

/// Share of the time in which a training workload needs its GPUs, so that a run is done by its deadline and a year's
/// runs in a year.
constexpr double training_share(Seconds run_time, Seconds deadline, double runs_per_year) {
  return std::max(run_time / deadline, runs_per_year * run_time / years(1));
}
inline constexpr Formula<training_share> kTrainingShare{
    .id = "plan.training_share",
    .inputs = {"run_time", "deadline", "runs_per_year"},
    .equation = "max(run_time / deadline, runs_per_year * run_time / 31536000)",
    .source = "docs/method/decision.md#shared-cluster"};

/// Days that are over by the deadline: of every one of them a run is sure to get its valley.
inline Seconds whole_days(Seconds deadline) { return days(std::floor(deadline / days(1))); }
inline constexpr Formula<whole_days> kWholeDays{.id = "plan.whole_days",
                                                .inputs = {"deadline"},
                                                .equation = "floor(deadline / 86400) * 86400",
                                                .source = "docs/method/decision.md#shared-cluster"};

/// GPUs that training keeps busy on average over a year.
constexpr double mean_training_gpus(double gpus, Seconds run_time, double runs_per_year) {
  return gpus * runs_per_year * run_time / years(1);
}
inline constexpr Formula<mean_training_gpus> kMeanTrainingGpus{.id = "plan.mean_training_gpus",
                                                               .inputs = {"gpus", "run_time", "runs_per_year"},
                                                               .equation = "gpus * runs_per_year * run_time / 31536000",
                                                               .source = "definition"};

constexpr double larger_gpu_count(double one, double other) { return std::max(one, other); }
inline constexpr Formula<larger_gpu_count> kLargerGpuCount{
    .id = "plan.larger_gpu_count", .inputs = {"one", "other"}, .equation = "max(one, other)", .source = "definition"};

/// Share of the time in which serving may hold the GPUs that training waits for.
constexpr double busy_share(double training_share) { return 1.0 - training_share; }
inline constexpr Formula<busy_share> kBusyShare{.id = "plan.busy_share",
                                                .inputs = {"training_share"},
                                                .equation = "1 - training_share",
                                                .source = "docs/method/decision.md#shared-cluster"};

/// Whole GPUs beside the peak of serving, so that `gpus` are free for all but `busy_share` of the time. `exponent` is
/// that of the demand (demand_exponent()).
inline double extra_training_gpus(double gpus, double peak, double busy_share, double exponent) {
  return std::min(gpus, std::max(0.0, std::ceil(gpus - peak * math::pow(busy_share, exponent))));
}
inline constexpr Formula<extra_training_gpus> kExtraTrainingGpus{
    .id = "plan.extra_training_gpus",
    .inputs = {"gpus", "peak", "busy_share", "exponent"},
    .equation = "min(gpus, max(0, ceil(gpus - peak * busy_share ^ exponent)))",
    .source = "docs/method/decision.md#shared-cluster"};

/// Share of the time in which serving leaves `lent` GPUs of its peak free; at least the share needed, which the extra
/// GPUs were counted for.
inline double free_share(double lent, double peak, double exponent, double needed) {
  return std::max(needed, 1.0 - math::pow(std::min(1.0, lent / peak), 1.0 / exponent));
}
inline constexpr Formula<free_share> kFreeShare{.id = "plan.free_share",
                                                .inputs = {"lent", "peak", "exponent", "needed"},
                                                .equation = "max(needed, 1 - min(1, lent / peak) ^ (1 / exponent))",
                                                .source = "docs/method/decision.md#shared-cluster"};

/// Time from start to end of a run that gets its part of the free time: `own_share` of the `needed` share.
constexpr Seconds shared_run_time(Seconds run_time, double own_share, double needed, double free_share) {
  return run_time * needed / (own_share * free_share);
}
inline constexpr Formula<shared_run_time> kSharedRunTime{.id = "plan.shared_run_time",
                                                         .inputs = {"run_time", "own_share", "needed", "free_share"},
                                                         .equation = "run_time * needed / (own_share * free_share)",
                                                         .source = "docs/method/decision.md#shared-cluster"};

/// Share of a cluster's GPUs that is in use on average.
constexpr double used_share(double mean_gpus, double gpu_count) { return mean_gpus / gpu_count; }
inline constexpr Formula<used_share> kUsedShare{.id = "plan.used_share",
                                                .inputs = {"mean_gpus", "gpu_count"},
                                                .equation = "mean_gpus / gpu_count",
                                                .source = "definition"};

/// Work that must be answered at once: GPUs at its busiest and on average over all hours, at most the peak.
template <class Tracer>
struct ServingShare {
  typename Tracer::template Known<double> peak_gpus{};
  typename Tracer::template Known<double> mean_gpus{};
};

/// Work that waits until its deadline. GPUs, time and deadline above 0; a run can be stopped and taken up again.
template <class Tracer>
struct TrainingShare {
  typename Tracer::template Known<double> gpus{};
  typename Tracer::template Known<Seconds> run_time{};
  typename Tracer::template Known<Seconds> deadline{};
  typename Tracer::template Known<double> runs_per_year{};
};

template <class Tracer>
struct ClusterDemand {
  std::vector<ServingShare<Tracer>> serving;
  std::vector<TrainingShare<Tracer>> training;
};

/// How a cluster is shared.
enum class Sharing {
  one_workload,
  peaks_together,  ///< serving alone: the peaks add
  side_by_side,    ///< training does not fit into the time that is there
  turns,           ///< trainings take turns on the same GPUs, beside serving if there is any
  valleys,         ///< trainings take turns on what serving leaves free
};

template <class Tracer>
struct SharedCluster {
  using Gpus = typename Tracer::template Known<double>;
  Gpus gpu_count{};
  Gpus extra_gpus{};         ///< beside the peak of serving
  Gpus free_share_needed{};  ///< of the time, for all trainings; 0 without training
  Gpus mean_gpus{};          ///< in use on average over a year
  Gpus utilization{};        ///< mean over all GPUs
  Gpus side_by_side{};       ///< GPUs if nothing were shared
  Gpus saved_gpus{};         ///< against side by side
  std::vector<typename Tracer::template Known<Seconds>> training_times;  ///< start to end of a run, one per training
  Sharing sharing = Sharing::one_workload;
  bool shared = false;  ///< fewer GPUs than side by side
  std::string reason;   ///< how, or why not; one sentence
};

namespace shared_cluster_detail {

/// What the sentence needs.
struct Facts {
  double gpu_count = 0;
  double peak = 0;
  double mean = 0;
  double extra = 0;
  double largest = 0;
  double needed = 0;
  double saved = 0;
  std::size_t trainings = 0;
  bool too_urgent = false;
};
std::string reason_of(Sharing sharing, const Facts& facts);

}  // namespace shared_cluster_detail

/// The smallest cluster. `demand` must not be empty.
template <class Tracer>
SharedCluster<Tracer> shared_cluster(Tracer& trace, const ClusterDemand<Tracer>& demand) {
  using Gpus = typename Tracer::template Known<double>;
  SharedCluster<Tracer> cluster;
  const auto none = trace.constant("no_gpus", 0.0, "nothing of this kind");
  std::vector<Gpus> peaks{none};
  std::vector<Gpus> serving_means{none};
  for (const ServingShare<Tracer>& serving : demand.serving) {
    peaks.push_back(serving.peak_gpus);
    serving_means.push_back(serving.mean_gpus);
  }
  const Gpus peak = trace.sum("plan.shared.serving_peak", peaks);
  const Gpus mean = trace.sum("plan.shared.serving_mean", serving_means);
  const bool varies = value_of(mean) < value_of(peak);
  std::vector<Gpus> shares{none};
  std::vector<Gpus> shares_of_days{none};  // where only valleys of serving are free
  std::vector<Gpus> alone{none};
  std::vector<Gpus> means = serving_means;
  Gpus largest = none;
  bool too_urgent = false;
  for (const TrainingShare<Tracer>& training : demand.training) {
    shares.push_back(trace.step("plan.shared.training_share", kTrainingShare, training.run_time, training.deadline,
                                training.runs_per_year));
    means.push_back(trace.step("plan.shared.mean_training_gpus", kMeanTrainingGpus, training.gpus, training.run_time,
                               training.runs_per_year));
    alone.push_back(training.gpus);
    largest = alone.size() == 2 ? training.gpus
                                : trace.step("plan.shared.largest_training", kLargerGpuCount, largest, training.gpus);
    too_urgent = too_urgent || value_of(training.deadline) < days(1);
    if (!varies || too_urgent) continue;
    const auto time = trace.step("plan.shared.whole_days", kWholeDays, training.deadline);
    shares_of_days.push_back(
        trace.step("plan.shared.training_share", kTrainingShare, training.run_time, time, training.runs_per_year));
  }
  Gpus needed = trace.sum("plan.shared.share_needed", shares);
  const Gpus all_training = trace.sum("plan.shared.all_training_gpus", alone);
  const bool turns = value_of(needed) <= 1.0;

  auto extra = turns ? largest : all_training;
  auto share = trace.constant("all_the_time", 1.0, "GPUs that nothing else uses");
  cluster.sharing = Sharing::one_workload;
  if (demand.training.empty()) {
    if (demand.serving.size() > 1) cluster.sharing = Sharing::peaks_together;
  } else if (const Gpus of_days = trace.sum("plan.shared.share_needed", shares_of_days);
             varies && !too_urgent && value_of(of_days) < 1.0) {
    needed = of_days;
    shares = shares_of_days;
    const auto busy = trace.step("plan.shared.busy_share", kBusyShare, needed);
    const auto exponent = trace.step("plan.shared.demand_exponent", kDemandExponent, mean, peak);
    extra = trace.step("plan.shared.extra_gpus", kExtraTrainingGpus, largest, peak, busy, exponent);
    cluster.sharing = Sharing::valleys;
    if (!(value_of(extra) < value_of(largest))) {
      cluster.sharing = demand.training.size() > 1 ? Sharing::turns : Sharing::side_by_side;
    } else if (value_of(mean) > 0.0) {
      const auto lent = trace.step("plan.shared.lent_gpus", kRestOfDemand, largest, extra);
      share = trace.step("plan.shared.free_share", kFreeShare, lent, peak, exponent, needed);
    }
  } else if (turns && demand.training.size() > 1) {
    cluster.sharing = Sharing::turns;
  } else if (demand.serving.size() + demand.training.size() > 1) {
    cluster.sharing = Sharing::side_by_side;
  }
  for (std::size_t i = 0; i < demand.training.size(); ++i) {
    const auto& run_time = demand.training[i].run_time;
    cluster.training_times.push_back(
        turns ? trace.step("plan.shared.run_time", kSharedRunTime, run_time, shares[i + 1], needed, share) : run_time);
  }
  cluster.extra_gpus = extra;
  cluster.free_share_needed = needed;
  cluster.gpu_count = trace.sum("plan.shared.gpu_count", std::vector{peak, extra});
  cluster.side_by_side = trace.sum("plan.shared.side_by_side", std::vector{peak, all_training});
  cluster.saved_gpus = trace.step("plan.shared.saved_gpus", kRestOfDemand, cluster.side_by_side, cluster.gpu_count);
  cluster.mean_gpus = trace.sum("plan.shared.mean_gpus", means);
  cluster.utilization = trace.step("plan.shared.utilization", kUsedShare, cluster.mean_gpus, cluster.gpu_count);
  cluster.shared = value_of(cluster.saved_gpus) > 0.0;
  cluster.reason = shared_cluster_detail::reason_of(cluster.sharing, {.gpu_count = value_of(cluster.gpu_count),
                                                                      .peak = value_of(peak),
                                                                      .mean = value_of(mean),
                                                                      .extra = value_of(extra),
                                                                      .largest = value_of(largest),
                                                                      .needed = value_of(needed),
                                                                      .saved = value_of(cluster.saved_gpus),
                                                                      .trainings = demand.training.size(),
                                                                      .too_urgent = too_urgent});
  return cluster;
}

}  // namespace podwright
