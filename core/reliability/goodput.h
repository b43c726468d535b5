#pragma once
/// Share of the wall time in which training moves on. docs/method/calendar.md#goodput.
#include <algorithm>

#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Work that a failure costs beside half an interval: the restart, and what an asynchronous checkpoint had not yet
/// written.
constexpr Seconds loss_per_failure(Seconds restart, Seconds write, Seconds pause) { return restart + (write - pause); }
inline constexpr Formula<loss_per_failure> kLossPerFailure{.id = "reliability.loss_per_failure",
                                                           .inputs = {"restart", "write", "pause"},
                                                           .equation = "restart + (write - pause)",
                                                           .source = "docs/method/calendar.md#goodput"};

/// Share of time lost to checkpoints, repeated work and restarts. First order: good below one half.
constexpr double lost_share(Seconds pause, Seconds interval, Seconds mean_time_between_failures,
                            Seconds loss_per_failure) {
  return pause / interval + interval / (2.0 * mean_time_between_failures) +
         loss_per_failure / mean_time_between_failures;
}
inline constexpr Formula<lost_share> kLostShare{
    .id = "reliability.lost_share",
    .inputs = {"pause", "interval", "mean_time_between_failures", "loss_per_failure"},
    .equation =
        "pause / interval + interval / (2 * mean_time_between_failures) + loss_per_failure / "
        "mean_time_between_failures",
    .source = "Young 1974, doi 10.1145/361147.361115"};

/// Never below zero.
constexpr double goodput(double lost_share) { return std::max(0.0, 1.0 - lost_share); }
inline constexpr Formula<goodput> kGoodput{.id = "reliability.goodput",
                                           .inputs = {"lost_share"},
                                           .equation = "max(0, 1 - lost_share)",
                                           .source = "definition"};

/// The same where more than half is lost: expected time of one interval when failures come at a constant rate, also in
/// restarts. `restart_growth` is e^(loss per failure / mean time between failures), `segment_growth` e^((interval +
/// pause) / mean time between failures). At most one half, where the first-order form ends: goodput must not rise with
/// the failure rate.
constexpr double goodput_of_many_failures(Seconds interval, Seconds mean_time_between_failures, double restart_growth,
                                          double segment_growth) {
  return std::min(0.5, interval / (mean_time_between_failures * restart_growth * (segment_growth - 1.0)));
}
inline constexpr Formula<goodput_of_many_failures> kGoodputOfManyFailures{
    .id = "reliability.goodput_of_many_failures",
    .inputs = {"interval", "mean_time_between_failures", "restart_growth", "segment_growth"},
    .equation = "min(0.5, interval / (mean_time_between_failures * restart_growth * (segment_growth - 1)))",
    .source = "Daly 2006, doi 10.1016/j.future.2004.11.016, equation 20"};

/// Wall time of a run.
constexpr Seconds interrupted_time(Seconds without_interruptions, double goodput) {
  return without_interruptions / goodput;
}
inline constexpr Formula<interrupted_time> kInterruptedTime{.id = "reliability.interrupted_time",
                                                            .inputs = {"without_interruptions", "goodput"},
                                                            .equation = "without_interruptions / goodput",
                                                            .source = "definition"};

}  // namespace podwright
