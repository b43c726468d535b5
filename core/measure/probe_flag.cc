#include "measure/probe_flag.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "base/number_text.h"
#include "base/words.h"
#include "measure/sample_summary.h"

namespace podwright {
namespace {

constexpr std::size_t kFewestSamples = 11;
constexpr double kRoofTolerance = 1.02;
constexpr double kClockShare = 0.95;
constexpr double kReasonShare = 0.1;
constexpr double kIdleUtilization = 0.05;
constexpr double kLongBatchSeconds = 0.05;
constexpr double kHostOverDevice = 3;
constexpr double kModeShare = 0.15;
constexpr double kSameTime = 0.02;
constexpr double kMoreWork = 4;
constexpr double kLessTime = 0.95;
constexpr double kStepOfTarget = 0.25;

std::string percent(double ratio) { return human_number(100 * ratio, 3) + " %"; }

double block_median(std::span<const double> in_order, std::size_t block, std::size_t blocks) {
  const std::size_t begin = block * in_order.size() / blocks;
  const std::size_t end = (block + 1) * in_order.size() / blocks;
  return median_of(in_order.subspan(begin, end - begin));
}

/// Steps between six blocks that have the sign of `change`.
int steady_steps(std::span<const double> in_order, double change) {
  int steady = 0;
  for (std::size_t block = 0; block + 1 < 6; ++block)
    if ((block_median(in_order, block + 1, 6) - block_median(in_order, block, 6)) * change > 0) ++steady;
  return steady;
}

std::optional<ProbeFlag> drift(std::span<const double> in_order, double target) {
  const double change = block_median(in_order, 2, 3) - block_median(in_order, 0, 3);
  const double relative = change / median_of(in_order);
  if (std::fabs(relative) <= 2 * target || steady_steps(in_order, change) < 4) return std::nullopt;
  return ProbeFlag{FlagKind::drift, "last third " + percent(std::fabs(relative)) +
                                        (change > 0 ? " slower" : " faster") + " than the first"};
}

/// The widest gap between sorted times that leaves enough of them on both sides.
std::optional<ProbeFlag> bimodal(const std::vector<double>& sorted, double target) {
  const double fewest = kModeShare * static_cast<double>(sorted.size());
  double widest = 0;
  std::size_t split = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const bool both = static_cast<double>(i) >= fewest && static_cast<double>(sorted.size() - i) >= fewest;
    if (!both || sorted[i] - sorted[i - 1] <= widest) continue;
    widest = sorted[i] - sorted[i - 1];
    split = i;
  }
  if (split == 0 || widest <= 3 * target * median_of(sorted)) return std::nullopt;
  const std::span<const double> all(sorted);
  return ProbeFlag{FlagKind::bimodal, "modes " + human_number(median_of(all.first(split)), 4) + " s and " +
                                          human_number(median_of(all.subspan(split)), 4) + " s"};
}

/// Times that stand on a grid are quantised where its steps are large against the interval that is wanted: a quiet
/// device has few distinct times too, a step of the clock apart.
std::optional<ProbeFlag> few_values(const std::vector<double>& sorted, const SamplingFacts& facts) {
  std::size_t distinct = 1;
  double step_s = 1e300;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    const double apart = sorted[i] - sorted[i - 1];
    if (apart <= facts.clock_resolution_s / 2) continue;
    ++distinct;
    step_s = std::min(step_s, apart);
  }
  if (distinct == 1) step_s = facts.clock_resolution_s;
  const std::size_t fewest = std::max<std::size_t>(4, sorted.size() / 8);
  if (distinct >= fewest || step_s <= kStepOfTarget * facts.target * median_of(sorted)) return std::nullopt;
  return ProbeFlag{FlagKind::quantised,
                   std::to_string(distinct) + " distinct times among " + std::to_string(sorted.size()) + " samples"};
}

}  // namespace

bool ProbeFlag::invalidates() const {
  return kind == FlagKind::quantised || kind == FlagKind::above_roof || kind == FlagKind::wrong_result ||
         kind == FlagKind::clock_mismatch;
}

bool invalid(std::span<const ProbeFlag> flags) {
  return std::any_of(flags.begin(), flags.end(), [](const ProbeFlag& flag) { return flag.invalidates(); });
}

bool has_flag(std::span<const ProbeFlag> flags, FlagKind kind) {
  return std::any_of(flags.begin(), flags.end(), [&](const ProbeFlag& flag) { return flag.kind == kind; });
}

std::vector<ProbeFlag> sample_flags(std::span<const double> in_order_s, const SamplingFacts& facts) {
  std::vector<ProbeFlag> flags;
  if (in_order_s.size() < kFewestSamples) return flags;
  std::vector<double> sorted(in_order_s.begin(), in_order_s.end());
  std::sort(sorted.begin(), sorted.end());
  if (auto flag = drift(in_order_s, facts.target)) flags.push_back(std::move(*flag));
  if (auto flag = bimodal(sorted, facts.target)) flags.push_back(std::move(*flag));
  if (auto flag = few_values(sorted, facts)) flags.push_back(std::move(*flag));
  return flags;
}

std::optional<ProbeFlag> roof_flag(double rate, std::span<const double> roofs) {
  if (roofs.empty()) return std::nullopt;
  const double roof = *std::max_element(roofs.begin(), roofs.end());
  if (rate <= kRoofTolerance * roof) return std::nullopt;
  return ProbeFlag{FlagKind::above_roof, percent(rate / roof) + " of the highest known roof"};
}

std::optional<ProbeFlag> clock_flag(double sm_clock_hz, double burst_sm_clock_hz) {
  if (sm_clock_hz >= kClockShare * burst_sm_clock_hz) return std::nullopt;
  return ProbeFlag{FlagKind::clock_low, percent(sm_clock_hz / burst_sm_clock_hz) + " of the burst's clock"};
}

std::optional<ProbeFlag> throttle_flag(std::span<const ReasonShare> reasons) {
  std::string joined;
  for (const ReasonShare& reason : reasons) {
    if (reason.share < kReasonShare || reason.reason == "idle" || reason.reason == "display") continue;
    joined += (joined.empty() ? "" : "+") + reason.reason;
  }
  if (joined.empty()) return std::nullopt;
  return ProbeFlag{FlagKind::throttled, joined};
}

std::optional<ProbeFlag> neighbour_flag(int other_processes, double idle_utilization) {
  if (other_processes > 0)
    return ProbeFlag{FlagKind::noisy_neighbour, std::to_string(other_processes) + " other processes on the device"};
  if (idle_utilization > kIdleUtilization)
    return ProbeFlag{FlagKind::noisy_neighbour, percent(idle_utilization) + " busy before the probe"};
  return std::nullopt;
}

std::optional<ProbeFlag> mismatch_flag(double host_s, double device_s) {
  const bool long_batch = device_s > kLongBatchSeconds;
  if (host_s >= device_s && !(long_batch && host_s > kHostOverDevice * device_s)) return std::nullopt;
  return ProbeFlag{FlagKind::clock_mismatch,
                   human_number(host_s, 4) + " s for the host, " + human_number(device_s, 4) + " s for the device"};
}

std::vector<std::vector<ProbeFlag>> curve_flags(std::span<const CurvePoint> points) {
  std::vector<std::vector<ProbeFlag>> flags(points.size());
  const auto add = [&](std::size_t i, FlagKind kind, const std::string& detail) {
    if (!has_flag(flags[i], kind)) flags[i].push_back({kind, detail});
  };
  for (std::size_t a = 0; a < points.size(); ++a) {
    for (std::size_t b = 0; b < points.size(); ++b) {
      const CurvePoint& less = points[a];
      const CurvePoint& more = points[b];
      if (more.work <= less.work) continue;
      const std::string times = human_number(more.work / less.work, 3) + " times the work in " +
                                human_number(more.time_s / less.time_s, 3) + " times the time";
      if (less.work_binds && more.work >= kMoreWork * less.work &&
          std::fabs(more.time_s / less.time_s - 1) <= kSameTime) {
        add(a, FlagKind::quantised, times);
        add(b, FlagKind::quantised, times);
      }
      if (more.time_s < kLessTime * less.time_s && more.hi95_s < less.lo95_s) {
        add(a, FlagKind::not_monotone, times);
        add(b, FlagKind::not_monotone, times);
      }
    }
  }
  return flags;
}

std::optional<ProbeFlag> thread_flag(const CurvePoint& one_thread, const CurvePoint& more_threads) {
  if (kLessTime * more_threads.time_s <= one_thread.time_s || more_threads.lo95_s <= one_thread.hi95_s)
    return std::nullopt;
  return ProbeFlag{FlagKind::not_monotone,
                   human_number(more_threads.time_s / one_thread.time_s, 3) + " times as long as on one thread"};
}

}  // namespace podwright
