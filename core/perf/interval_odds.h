#pragma once
/// Odds of a limit that lies inside a 90 % interval, errors taken as lognormal. docs/method/decision.md#confidence.
#include "base/distributions.h"
#include "base/math.h"

namespace podwright {

/// Standard normal quantile of 0.95: a 90 % interval reaches so many standard deviations to each side.
inline constexpr double kDeviationsOfInterval = 1.6448536269514722;

/// What is left of a time or a rate where it may be worse by so much of its 90 % interval's half width that it is kept
/// with `confidence`; 1 at 0.5.
inline double share_kept_at(double confidence, double half_width) {
  return math::exp(-normal_quantile(confidence) / kDeviationsOfInterval * half_width);
}

/// Probability that what may grow by `room`, and by `high` to the upper bound of its 90 % interval, keeps its limit.
inline double probability_kept(double room, double high) {
  return math::normal_share_below(math::log(room) / math::log(high) * kDeviationsOfInterval);
}

}  // namespace podwright
