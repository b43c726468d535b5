#pragma once
/// Equations of sizing: how many GPUs and replicas.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright::sizing {

/// Whole replicas for a request rate.
auto replicas(Of<PerSecond> auto request_rate, Of<PerSecond> auto rate_per_replica) {
  return max(1.0, ceil(request_rate / rate_per_replica));
}

/// GPUs below which even a rate that no kernel exceeds misses the deadline.
auto fewest_gpus(Of<Flops> auto work, Of<FlopsPerSecond> auto rate, Of<Seconds> auto deadline) {
  return max(1.0, ceil(work / rate / deadline));
}

}  // namespace podwright::sizing
