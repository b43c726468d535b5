#include "plan/hybrid_split.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace podwright {
namespace {

constexpr double kMostLooks = 1e5;

/// GPUs above which the waiting runs find theirs idle for as long as they need; absent where nothing may wait.
std::optional<double> gpus_for_waiting(const HybridWork& work) {
  if (!work.waiting || work.waiting->needed_share >= 1.0) return std::nullopt;
  return serving_gpus_exceeded(work.load, 1.0 - work.waiting->needed_share) + work.waiting->gpus + work.reserve_gpus;
}

/// What is left of the load where runs wait.
DemandLoad without_runs(const HybridWork& work) {
  DemandLoad load = work.load;
  std::erase_if(load.runs, [](const RunLoad& run) { return run.share > 0; });
  load.runs.insert(load.runs.begin(), {.gpus = work.reserve_gpus, .share = 1});
  return load;
}

/// Mean instances for every number of owned nodes. k owned GPUs need one instance more than k and an instance do,
/// for the share of the time with demand above k: one pass from the peak down tells all.
class MeanInstances {
 public:
  MeanInstances(const DemandLoad& load, const HybridUnits& units, double most_nodes)
      : step_(std::gcd(at_least_one(units.node_gpus), at_least_one(units.instance_gpus))) {
    const auto instance = static_cast<std::size_t>(at_least_one(units.instance_gpus) / step_);
    const auto last = static_cast<std::size_t>(whole(most_nodes * units.node_gpus) / step_);
    const double peak = peak_of(load);
    mean_.assign(last + instance + 1, 0.0);
    for (std::size_t i = last + 1; i-- > 0;) {
      const double own_gpus = static_cast<double>(i) * static_cast<double>(step_);
      if (own_gpus < peak) mean_[i] = share_above(load, own_gpus) + mean_[i + instance];
    }
  }
  double beside(double own_gpus) const { return mean_[static_cast<std::size_t>(whole(own_gpus) / step_)]; }

 private:
  static std::int64_t whole(double gpus) { return static_cast<std::int64_t>(gpus); }

  static std::int64_t at_least_one(double gpus) { return std::max<std::int64_t>(1, whole(gpus)); }

  std::int64_t step_;
  std::vector<double> mean_;
};

}  // namespace

HybridSplit split_with(const HybridWork& work, const HybridUnits& units, double own_gpus) {
  const auto waiting = gpus_for_waiting(work);
  HybridSplit split{.own_gpus = own_gpus, .runs_wait = waiting && own_gpus >= *waiting};
  const DemandLoad load = split.runs_wait ? without_runs(work) : work.load;
  split.instances_mean = mean_instances_above(load, own_gpus, units.instance_gpus);
  split.instances_peak = std::max(0.0, std::ceil((peak_of(load) - own_gpus) / units.instance_gpus));
  return split;
}

HybridSplit best_split(const HybridWork& work, const HybridUnits& one) {
  // Above so many machines or instances several of each are taken at once.
  const double many =
      std::ceil(peak_of(work.load) / std::max(1.0, std::min(one.node_gpus, one.instance_gpus)) / kMostLooks);
  HybridUnits units = one;
  units.node_gpus *= std::max(1.0, many);
  units.instance_gpus *= std::max(1.0, many);
  const double least = std::ceil(work.bound_gpus / units.node_gpus);
  const double most = std::max(least, std::min(std::ceil(peak_of(work.load) / units.node_gpus),
                                               std::floor(one.most_own_gpus / units.node_gpus)));
  const auto waiting = gpus_for_waiting(work);
  const MeanInstances all(work.load, units, most);
  const MeanInstances serving(waiting ? without_runs(work) : DemandLoad{}, units, most);
  double best_gpus = 0;
  std::optional<double> least_cost;
  for (double nodes = least; nodes <= most; nodes += 1.0) {
    const double own_gpus = nodes * units.node_gpus;
    const double instances = (waiting && own_gpus >= *waiting ? serving : all).beside(own_gpus);
    const double cost = raw(own_gpus * units.own + instances * units.instance_gpus * units.rent);
    if (least_cost && cost >= *least_cost) continue;
    least_cost = cost;
    best_gpus = own_gpus;
  }
  return split_with(work, one, best_gpus);
}

}  // namespace podwright
