#pragma once
/// How long how many GPUs are needed by serving of which mean and peak are known and by runs that need theirs for a
/// share of the time; all peaks come together. docs/method/portfolio.md#demand.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "cost/hybrid.h"

namespace podwright {

/// Work that needs its GPUs for a share of the time and none else; the share is at most 1.
struct RunLoad {
  double gpus = 0;
  double share = 0;
};

/// Serving with a mean of at most its peak, both 0 without any, and runs, the longest share first.
struct DemandLoad {
  double serving_mean = 0;
  double serving_peak = 0;
  std::vector<RunLoad> runs;
};

/// Share of the time in which serving needs more than `gpus` GPUs.
inline double serving_share_above(const DemandLoad& load, double gpus) {
  if (gpus >= load.serving_peak || load.serving_peak <= 0) return gpus < 0 ? 1.0 : 0.0;
  if (gpus < 0 || load.serving_mean >= load.serving_peak) return 1.0;
  if (load.serving_mean <= 0) return 0.0;
  return share_exceeding(load.serving_peak - gpus, load.serving_peak,
                         demand_exponent(load.serving_mean, load.serving_peak));
}

/// GPUs of serving that are exceeded for `share` of the time.
inline double serving_gpus_exceeded(const DemandLoad& load, double share) {
  if (share >= 1.0 || load.serving_mean <= 0) return 0.0;
  if (load.serving_mean >= load.serving_peak) return load.serving_peak;
  return exceeded_demand(load.serving_peak, share, demand_exponent(load.serving_mean, load.serving_peak));
}

/// Share of the time in which all work together needs more than `gpus` GPUs.
inline double share_above(const DemandLoad& load, double gpus) {
  double running = 0;
  for (std::size_t on = 0; on <= load.runs.size(); ++on) {
    // With so many runs on there is this stretch of the time; serving is the busier the shorter the share.
    const double longest = on == 0 ? 1.0 : load.runs[on - 1].share;
    const double shortest = on == load.runs.size() ? 0.0 : load.runs[on].share;
    if (on > 0) running += load.runs[on - 1].gpus;
    const double share = serving_share_above(load, gpus - running);
    if (share > shortest) return std::min(share, longest);
  }
  return 0.0;
}

/// GPUs of all work together that are exceeded for `share` of the time.
inline double gpus_exceeded(const DemandLoad& load, double share) {
  double gpus = serving_gpus_exceeded(load, share);
  for (const RunLoad& run : load.runs)
    if (share < run.share) gpus += run.gpus;
  return gpus;
}

inline double peak_of(const DemandLoad& load) {
  double gpus = load.serving_peak;
  for (const RunLoad& run : load.runs) gpus += run.gpus;
  return gpus;
}

/// Instances of `instance_gpus` that are rented on average for what lies above `own_gpus`, each whole: the j-th stands
/// for as long as more than j - 1 of them do not suffice. Above 100,000 instances one in the middle stands for several.
inline double mean_instances_above(const DemandLoad& load, double own_gpus, double instance_gpus) {
  const double most = std::max(0.0, std::ceil((peak_of(load) - own_gpus) / instance_gpus));
  const double stride = std::max(1.0, std::ceil(most / 1e5));
  double mean = 0;
  for (double j = 0; j < most; j += stride) {
    const double several = std::min(stride, most - j);
    mean += several * share_above(load, own_gpus + (j + (several - 1.0) / 2.0) * instance_gpus);
  }
  return mean;
}

}  // namespace podwright
