#pragma once
/// Equations of sizing: how many GPUs and replicas.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/formula.h"
#include "base/units.h"

namespace podwright::sizing {

/// Whole replicas for a request rate.
inline double replicas(PerSecond request_rate, PerSecond rate_per_replica) {
  return std::max(1.0, std::ceil(request_rate / rate_per_replica));
}
inline constexpr Formula<replicas> kReplicas{.id = "sizing.replicas",
                                             .inputs = {"request_rate", "rate_per_replica"},
                                             .equation = "max(1, ceil(request_rate / rate_per_replica))",
                                             .source = "definition"};

/// GPUs below which even a rate that no kernel exceeds misses the deadline.
inline double fewest_gpus(Flops work, FlopsPerSecond rate, Seconds deadline) {
  return std::max(1.0, std::ceil(work / rate / deadline));
}
inline constexpr Formula<fewest_gpus> kFewestGpus{.id = "sizing.fewest_gpus",
                                                  .inputs = {"work", "rate", "deadline"},
                                                  .equation = "max(1, ceil(work / rate / deadline))",
                                                  .source = "definition"};

inline constexpr auto kSizingFormulas = std::make_tuple(kReplicas, kFewestGpus);

}  // namespace podwright::sizing
