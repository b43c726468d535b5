#pragma once
/// Share of the wall time in which training moves on, from failures, checkpoints and stragglers.
/// docs/method/calendar.md#goodput.
#include <algorithm>
#include <optional>
#include <string_view>

#include "base/arithmetic.h"
#include "base/math.h"
#include "base/trace.h"
#include "base/units.h"
#include "reliability/checkpoint.h"
#include "reliability/failures.h"

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

/// What a run loses time to.
template <class Tracer>
struct Interruptions {
  using Time = Known<Tracer, Seconds>;
  Time mean_time_between_failures{};
  Time restart{};
  Time write{};                  ///< of a whole checkpoint
  Time pause{};                  ///< in which training stands: `write`, or the host copy of an asynchronous checkpoint
  std::optional<Time> interval;  ///< training between checkpoints; absent: the best one
};

template <class Tracer>
struct Goodput {
  Known<Tracer, Seconds> interval{};
  Known<Tracer, double> share{};
  bool progress = true;  ///< false: a failure comes, on average, before a restart and one checkpoint are done
};

inline constexpr const char* kGoodputPage = "docs/method/calendar.md#goodput";

template <class Tracer>
Known<Tracer, Seconds> best_checkpoint_interval(const Interruptions<Tracer>& run) {
  const Seconds pause = value_of(run.pause);
  const Seconds between = value_of(run.mean_time_between_failures);
  if (pause >= 2.0 * between) return run.mean_time_between_failures;
  const auto best =
      pause <= kShortPause * between
          ? named("reliability.checkpoint_interval", young_interval(run.pause, run.mean_time_between_failures))
          : named("reliability.checkpoint_interval", daly_interval(run.pause, run.mean_time_between_failures));
  if (value_of(run.write) <= value_of(best)) return best;
  return named("reliability.checkpoint_interval_of_write", cited("one checkpoint at a time", max(best, run.write)));
}

template <class Tracer>
Goodput<Tracer> run_goodput(Tracer& trace, const Interruptions<Tracer>& run) {
  Goodput<Tracer> result;
  result.interval = run.interval ? *run.interval : best_checkpoint_interval(run);
  const auto& between = run.mean_time_between_failures;
  if (value_of(run.restart) + value_of(run.write) >= value_of(between)) {
    result.progress = false;
    result.share = trace.method("reliability.no_progress", 0.0, kGoodputPage);
    return result;
  }
  const auto loss = named("reliability.loss_per_failure", loss_per_failure(run.restart, run.write, run.pause));
  const auto lost = named("reliability.lost_share", lost_share(run.pause, result.interval, between, loss));
  if (value_of(lost) < 0.5) {
    result.share = named("reliability.goodput", max(0.0, 1.0 - lost));
    return result;
  }
  // Beyond e^700 nothing is left; the exponent stays where the exponential is finite.
  const auto growth = [&](std::string_view id, Seconds time) {
    return trace.method(id, math::exp(std::min(700.0, time / value_of(between))), kGoodputPage);
  };
  result.share = named(
      "reliability.goodput",
      goodput_of_many_failures(result.interval, between, growth("reliability.restart_growth", value_of(loss)),
                               growth("reliability.segment_growth", value_of(result.interval) + value_of(run.pause))));
  return result;
}

/// Expected time of the slowest of many GPUs over the mean, when their times are independent and normal with standard
/// deviation `variation` (a share of the mean). `log_gpus` is the natural logarithm of their number, `log_log_gpus` the
/// logarithm of that. Within 7 % of the exact excess from 8 GPUs on; one GPU has none. 1.3766 is ln(4 pi) - 2 x Euler's
/// constant.
auto slowest_over_mean(Of<double> auto variation, Of<double> auto log_gpus, Of<double> auto log_log_gpus) {
  const auto width = sqrt(2.0 * log_gpus);
  return cited("Cramer 1946, Mathematical Methods of Statistics, section 28.6",
               1.0 + variation * (width - (log_log_gpus + 1.3765929171662249) / (2.0 * width)));
}

}  // namespace podwright
