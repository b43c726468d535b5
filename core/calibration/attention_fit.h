#pragma once
/// Attention over whole prompts from a few measured lengths. docs/method/probes.md#prompt-attention.
#include <span>
#include <vector>

#include "base/units.h"
#include "calibration/fit_errors.h"

namespace podwright {

/// Causal attention over `tokens` of one prompt; `work` as the probe counts it.
struct AttentionPoint {
  double tokens = 0;
  Flops work;
  Seconds time;
};

/// Fewer lengths cannot tell a start-up time from a rate that grows with the length.
inline constexpr int kFewestAttentionPoints = 4;

/// start + work / (peak * efficiency(tokens)); the efficiency never falls with the length and is straight between
/// knots over the logarithm of the length, constant beyond both ends.
struct AttentionFit : FitQuality {
  struct Knot {
    double tokens = 0;
    double efficiency = 0;  ///< of the peak
  };
  FlopsPerSecond peak;
  Seconds start;
  std::vector<Knot> knots;             ///< by tokens, each once
  std::vector<AttentionPoint> points;  ///< that it was fitted to, each length once

  double efficiency(double tokens) const;
  Seconds predict(double tokens, Flops work) const;
};

/// The start-up time is that which tells unseen lengths best. Refused below 4 lengths, for a start outside 0 to 100 us,
/// an efficiency of the longest prompt outside 0.2 to 1.05, and where lengths that the fit did not see are more than
/// 15 % off at the median.
AttentionFit fit_attention(std::span<const AttentionPoint> points, FlopsPerSecond peak);

}  // namespace podwright
