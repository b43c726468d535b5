#pragma once
/// When enough samples are taken. docs/method/probes.md#stop.
#include <array>
#include <span>

#include "measure/sample_summary.h"

namespace podwright {

/// The only sample counts at which the interval is looked at: looking after every sample would stop at lucky ones.
inline constexpr std::array<int, 10> kLooks = {11, 16, 24, 36, 54, 81, 122, 183, 274, 400};

/// Targets of half an interval's width over its median.
inline constexpr double kBandwidthTarget = 0.01;  ///< bandwidth and matrix products
inline constexpr double kLatencyTarget = 0.03;    ///< latency, small collectives
inline constexpr double kCpuTarget = 0.02;        ///< every probe of a CPU

struct StopRule {
  double target = kBandwidthTarget;
  bool back_to_back = true;  ///< false: idle time separates the samples, so that 11 of them may suffice; else 24
  double budget_s = 10;      ///< of sampling, without warm-up
};

enum class StopState {
  go_on,
  precise,  ///< the interval is as narrow as the target
  budget,   ///< time or looks are spent; the result says precision_not_reached
};

/// To be asked after every sample; cheap between the looks. `in_order` of time.
StopState stop_state(std::span<const double> in_order, double elapsed_s, const StopRule& rule);

}  // namespace podwright
