#pragma once
/// One owned cluster for several workloads: peaks of serving come together, training fills what they leave free.
/// docs/method/decision.md#shared-cluster.
#include <vector>

#include "base/arithmetic.h"
#include "base/math.h"
#include "base/message.h"
#include "base/trace.h"
#include "base/units.h"
#include "cost/hybrid.h"

namespace podwright {

/// Share of the time in which a training workload needs its GPUs, so that a run is done by its deadline and a year's
/// runs in a year.
constexpr auto training_share(Of<Seconds> auto run_time, Of<Seconds> auto deadline, Of<double> auto runs_per_year) {
  return cited("docs/method/decision.md#shared-cluster", max(run_time / deadline, runs_per_year * run_time / years(1)));
}

/// Days that are over by the deadline: of every one of them a run is sure to get its valley.
auto whole_days(Of<Seconds> auto deadline) {
  return cited("docs/method/decision.md#shared-cluster", floor(deadline / days(1)) * days(1));
}

/// GPUs that training keeps busy on average over a year.
constexpr auto mean_training_gpus(Of<double> auto gpus, Of<Seconds> auto run_time, Of<double> auto runs_per_year) {
  return gpus * runs_per_year * run_time / years(1);
}

/// Share of the time in which serving may hold the GPUs that training waits for.
constexpr auto busy_share(Of<double> auto training_share) {
  return cited("docs/method/decision.md#shared-cluster", 1.0 - training_share);
}

/// Whole GPUs beside the peak of serving, so that `gpus` are free for all but `busy_share` of the time. `exponent` is
/// that of the demand (demand_exponent()).
auto extra_training_gpus(Of<double> auto gpus, Of<double> auto peak, Of<double> auto busy_share,
                         Of<double> auto exponent) {
  return cited("docs/method/decision.md#shared-cluster",
               min(gpus, max(0.0, ceil(gpus - peak * math::pow(busy_share, exponent)))));
}

/// Share of the time in which serving leaves `lent` GPUs of its peak free; at least the share needed, which the extra
/// GPUs were counted for.
auto free_share(Of<double> auto lent, Of<double> auto peak, Of<double> auto exponent, Of<double> auto needed) {
  return cited("docs/method/decision.md#shared-cluster",
               max(needed, 1.0 - math::pow(min(1.0, lent / peak), 1.0 / exponent)));
}

/// Time from start to end of a run that gets its part of the free time: `own_share` of the `needed` share.
constexpr auto shared_run_time(Of<Seconds> auto run_time, Of<double> auto own_share, Of<double> auto needed,
                               Of<double> auto free_share) {
  return cited("docs/method/decision.md#shared-cluster", run_time * needed / (own_share * free_share));
}

/// Work that must be answered at once: GPUs at its busiest and on average over all hours, at most the peak.
template <class Tracer>
struct ServingShare {
  Known<Tracer, double> peak_gpus{};
  Known<Tracer, double> mean_gpus{};
};

/// Work that waits until its deadline. GPUs, time and deadline above 0; a run can be stopped and taken up again.
template <class Tracer>
struct TrainingShare {
  Known<Tracer, double> gpus{};
  Known<Tracer, Seconds> run_time{};
  Known<Tracer, Seconds> deadline{};
  Known<Tracer, double> runs_per_year{};
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
  using Gpus = Known<Tracer, double>;
  Gpus gpu_count{};
  Gpus extra_gpus{};                                   ///< beside the peak of serving
  Gpus free_share_needed{};                            ///< of the time, for all trainings; 0 without training
  Gpus mean_gpus{};                                    ///< in use on average over a year
  Gpus utilization{};                                  ///< mean over all GPUs
  Gpus side_by_side{};                                 ///< GPUs if nothing were shared
  Gpus saved_gpus{};                                   ///< against side by side
  std::vector<Known<Tracer, Seconds>> training_times;  ///< start to end of a run, one per training
  Sharing sharing = Sharing::one_workload;
  bool shared = false;  ///< fewer GPUs than side by side
  Message reason;       ///< how, or why not
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
Message reason_of(Sharing sharing, const Facts& facts);

}  // namespace shared_cluster_detail

/// The smallest cluster. `demand` must not be empty.
template <class Tracer>
SharedCluster<Tracer> shared_cluster(Tracer& trace, const ClusterDemand<Tracer>& demand) {
  using Gpus = Known<Tracer, double>;
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
    shares.push_back(named("plan.shared.training_share",
                           podwright::training_share(training.run_time, training.deadline, training.runs_per_year)));
    means.push_back(named("plan.shared.mean_training_gpus",
                          mean_training_gpus(training.gpus, training.run_time, training.runs_per_year)));
    alone.push_back(training.gpus);
    largest = alone.size() == 2 ? training.gpus : named("plan.shared.largest_training", max(largest, training.gpus));
    too_urgent = too_urgent || value_of(training.deadline) < days(1);
    if (!varies || too_urgent) continue;
    const auto time = named("plan.shared.whole_days", whole_days(training.deadline));
    shares_of_days.push_back(named("plan.shared.training_share",
                                   podwright::training_share(training.run_time, time, training.runs_per_year)));
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
    const auto busy = named("plan.shared.busy_share", podwright::busy_share(needed));
    const auto exponent = named("plan.shared.demand_exponent", demand_exponent(mean, peak));
    extra = named("plan.shared.extra_gpus", extra_training_gpus(largest, peak, busy, exponent));
    cluster.sharing = Sharing::valleys;
    if (!(value_of(extra) < value_of(largest))) {
      cluster.sharing = demand.training.size() > 1 ? Sharing::turns : Sharing::side_by_side;
    } else if (value_of(mean) > 0.0) {
      const auto lent = named("plan.shared.lent_gpus", largest - extra);
      share = named("plan.shared.free_share", podwright::free_share(lent, peak, exponent, needed));
    }
  } else if (turns && demand.training.size() > 1) {
    cluster.sharing = Sharing::turns;
  } else if (demand.serving.size() + demand.training.size() > 1) {
    cluster.sharing = Sharing::side_by_side;
  }
  for (std::size_t i = 0; i < demand.training.size(); ++i) {
    const auto& run_time = demand.training[i].run_time;
    cluster.training_times.push_back(
        turns ? named("plan.shared.run_time", shared_run_time(run_time, shares[i + 1], needed, share)) : run_time);
  }
  cluster.extra_gpus = extra;
  cluster.free_share_needed = needed;
  cluster.gpu_count = trace.sum("plan.shared.gpu_count", std::vector{peak, extra});
  cluster.side_by_side = trace.sum("plan.shared.side_by_side", std::vector{peak, all_training});
  cluster.saved_gpus = named("plan.shared.saved_gpus", cluster.side_by_side - cluster.gpu_count);
  cluster.mean_gpus = trace.sum("plan.shared.mean_gpus", means);
  cluster.utilization = named("plan.shared.utilization", cluster.mean_gpus / cluster.gpu_count);
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
