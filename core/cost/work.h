#pragma once
/// Cost, energy and machines for a unit of work: tokens, requests, training runs.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Tokens per second from each megawatt at the meter.
constexpr auto tokens_per_s_per_megawatt(Of<PerSecond> auto tokens_per_s, Of<Watts> auto power) {
  return tokens_per_s * seconds(1) / (power / watts(1e6));
}

/// Instances of a model that hold the peak.
auto instances_for_peak(Of<PerSecond> auto peak_requests_per_s, Of<PerSecond> auto requests_per_s_per_instance) {
  return cited("docs/method/ownership.md#work", ceil(peak_requests_per_s / requests_per_s_per_instance));
}

/// GPU time of a training run from its arithmetic.
constexpr auto training_gpu_time(Of<Flops> auto work, Of<double> auto mfu, Of<FlopsPerSecond> auto peak) {
  return cited("definition of MFU", work / (mfu * peak));
}

/// MFU that a run would need to be over in time; above 1: impossible.
constexpr auto needed_mfu(Of<Flops> auto work, Of<Seconds> auto time, Of<double> auto gpu_count,
                          Of<FlopsPerSecond> auto peak) {
  return cited("definition of MFU", work / (time * gpu_count) / peak);
}

}  // namespace podwright
