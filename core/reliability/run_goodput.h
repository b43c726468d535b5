#pragma once
/// From failures and checkpoints to the share of time in which training moves on. docs/method/calendar.md#goodput.
#include <algorithm>
#include <optional>
#include <string_view>

#include "base/arithmetic.h"
#include "base/math.h"
#include "base/trace.h"
#include "reliability/checkpoint.h"
#include "reliability/failures.h"
#include "reliability/goodput.h"

namespace podwright {

/// What a run loses time to.
template <class Tracer>
struct Interruptions {
  using Time = typename Tracer::template Known<Seconds>;
  Time mean_time_between_failures{};
  Time restart{};
  Time write{};                  ///< of a whole checkpoint
  Time pause{};                  ///< in which training stands: `write`, or the host copy of an asynchronous checkpoint
  std::optional<Time> interval;  ///< training between checkpoints; absent: the best one
};

template <class Tracer>
struct Goodput {
  typename Tracer::template Known<Seconds> interval{};
  typename Tracer::template Known<double> share{};
  bool progress = true;  ///< false: a failure comes, on average, before a restart and one checkpoint are done
};

inline constexpr const char* kGoodputPage = "docs/method/calendar.md#goodput";

template <class Tracer>
typename Tracer::template Known<Seconds> best_checkpoint_interval(const Interruptions<Tracer>& run) {
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
    result.share = named("reliability.goodput", goodput(lost));
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

}  // namespace podwright
