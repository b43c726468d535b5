#pragma once
/// Marks on a measured result, all computed here, so that every backend means the same. docs/method/probes.md#flags.
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace podwright {

enum class FlagKind {
  drift,                  ///< times rise or fall over the run
  bimodal,                ///< two groups of times
  quantised,              ///< times stand on a coarse grid, or stay the same while the work grows: invalid
  above_roof,             ///< faster than the hardware can be: invalid
  not_monotone,           ///< more work took less time
  clock_low,              ///< the clock was lower than in the burst of the same kernel
  throttled,              ///< a reason bit was set in a tenth of the telemetry; `detail` joins the reasons with +
  noisy_neighbour,        ///< someone else used the device
  wrong_result,           ///< verification failed: invalid, the rate is withheld
  clock_mismatch,         ///< host and device disagree on the time: invalid
  precision_not_reached,  ///< the budget ended before the interval was narrow enough
};
inline constexpr std::array<std::string_view, 11> kFlagWords = {
    "drift",     "bimodal",         "quantised",    "above_roof",     "not_monotone",         "clock_low",
    "throttled", "noisy_neighbour", "wrong_result", "clock_mismatch", "precision_not_reached"};

struct ProbeFlag {
  FlagKind kind = FlagKind::drift;
  std::string detail;  ///< reasons of `throttled`; else what was seen, for people; may be empty

  /// The result is shown and never calibrates anything.
  bool invalidates() const;
};
bool invalid(std::span<const ProbeFlag> flags);
bool has_flag(std::span<const ProbeFlag> flags, FlagKind kind);

/// How samples of one result were taken.
struct SamplingFacts {
  double target = 0.01;           ///< that of the stop rule
  double clock_resolution_s = 0;  ///< of one operation's time: the clock's resolution over the operations in a sample
};
/// drift, bimodal and quantised (few distinct values) of samples in order of time; fewer than 11 say nothing.
std::vector<ProbeFlag> sample_flags(std::span<const double> in_order_s, const SamplingFacts& facts);

/// above_roof: `rate` beyond 1.02 times the highest of `roofs` (datasheet, driver) for work that no cache holds.
/// Nothing where no roof is known.
std::optional<ProbeFlag> roof_flag(double rate, std::span<const double> roofs);

/// clock_low: `sm_clock_hz` below 0.95 of the burst's.
std::optional<ProbeFlag> clock_flag(double sm_clock_hz, double burst_sm_clock_hz);

/// How often a reason was set, over all telemetry samples of a result.
struct ReasonShare {
  std::string reason;  ///< idle, application_clocks, sw_power_cap, hw_slowdown, sync_boost, sw_thermal, hw_thermal,
                       ///< power_brake, display
  double share = 0;    ///< 0..1
};
/// throttled: reasons set in a tenth of the samples or more; idle and display never count.
std::optional<ProbeFlag> throttle_flag(std::span<const ReasonShare> reasons);

/// noisy_neighbour: another process on the device, or more than 5 % utilisation in the idle window before the probe.
std::optional<ProbeFlag> neighbour_flag(int other_processes, double idle_utilization);

/// clock_mismatch: the host saw less time than the device, or a long batch (> 50 ms) took more than three times as
/// long for the host.
std::optional<ProbeFlag> mismatch_flag(double host_s, double device_s);

/// One size of a probe that is measured at several sizes, or one thread count.
struct CurvePoint {
  double work = 0;  ///< bytes or FLOPs of one operation; > 0
  double time_s = 0;
  double lo95_s = 0;  ///< ends of the median's interval; the median itself where there is none
  double hi95_s = 0;
  bool work_binds = true;  ///< false where start-up time may hide the work
};
/// For each point, in the order given: quantised where times of binding work stay within 2 % while the work grows four
/// times and more; not_monotone where more work took 5 % less time, outside both intervals.
std::vector<std::vector<ProbeFlag>> curve_flags(std::span<const CurvePoint> points);

/// The same work on one thread and on more: not_monotone where more threads take 5 % longer than one, outside the
/// intervals.
std::optional<ProbeFlag> thread_flag(const CurvePoint& one_thread, const CurvePoint& more_threads);

}  // namespace podwright
