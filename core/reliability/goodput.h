#pragma once
/// Share of the wall time in which training moves on. docs/method/calendar.md#goodput.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Work that a failure costs beside half an interval: the restart, and what an asynchronous checkpoint had not yet
/// written.
constexpr auto loss_per_failure(Of<Seconds> auto restart, Of<Seconds> auto write, Of<Seconds> auto pause) {
  return cited("docs/method/calendar.md#goodput", restart + (write - pause));
}

/// Share of time lost to checkpoints, repeated work and restarts. First order: good below one half.
constexpr auto lost_share(Of<Seconds> auto pause, Of<Seconds> auto interval,
                          Of<Seconds> auto mean_time_between_failures, Of<Seconds> auto loss_per_failure) {
  return cited(
      "Young 1974, doi 10.1145/361147.361115",
      pause / interval + interval / (2.0 * mean_time_between_failures) + loss_per_failure / mean_time_between_failures);
}

/// Never below zero.
constexpr auto goodput(Of<double> auto lost_share) { return max(0.0, 1.0 - lost_share); }

/// The same where more than half is lost: expected time of one interval when failures come at a constant rate, also in
/// restarts. `restart_growth` is e^(loss per failure / mean time between failures), `segment_growth` e^((interval +
/// pause) / mean time between failures). At most one half, where the first-order form ends: goodput must not rise with
/// the failure rate.
constexpr auto goodput_of_many_failures(Of<Seconds> auto interval, Of<Seconds> auto mean_time_between_failures,
                                        Of<double> auto restart_growth, Of<double> auto segment_growth) {
  return cited("Daly 2006, doi 10.1016/j.future.2004.11.016, equation 20",
               min(0.5, interval / (mean_time_between_failures * restart_growth * (segment_growth - 1.0))));
}

/// Wall time of a run.
constexpr auto interrupted_time(Of<Seconds> auto without_interruptions, Of<double> auto goodput) {
  return without_interruptions / goodput;
}

}  // namespace podwright
