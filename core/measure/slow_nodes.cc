#include "measure/slow_nodes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "base/number_text.h"
#include "measure/gpu_state.h"
#include "measure/sample_summary.h"

namespace podwright {
namespace {

constexpr double kRobustDeviations = 4;
constexpr double kLeastOutlier = 0.05;
constexpr double kTelling = 0.10;  // share of the samples from which a reason counts

/// What only equals have in common.
std::string place_of(const HardwareProfile& profile, const ProbeResult& result) {
  const ProbeSize& size = result.size;
  const ProfileDevice* device = result.devices.empty() ? nullptr : find_device(profile, result.devices.front());
  std::string text = result.probe + "/" + std::to_string(result.version) + "/" + result.dtype + "/" +
                     std::to_string(static_cast<int>(result.mode)) + "/";
  if (device != nullptr) text += device->name + "/" + device->mig_slice;
  for (const ProbeSizeField& field : kProbeSizeFields) text += "/" + std::to_string((size.*field.value).value_or(0));
  return text;
}

struct Slowest {
  double time_s = 0;
  std::string device;
  std::string limit;    ///< of the device
  double clock_hz = 0;  ///< 0 not known
};
struct Times {
  std::string probe;
  std::map<int, Slowest> by_rank;
};

struct Seen {
  int sizes = 0;
  std::string device;              ///< of the farthest outlier
  double farthest = 0;             ///< its time over the fleet's median
  std::vector<double> slower_by;   ///< of the outliers
  std::vector<double> limited_by;  ///< of those that a limit accounts for
  std::string limit;
};

bool reached(const ProbeResult& result, std::string_view reason) {
  return std::any_of(result.context.reasons.begin(), result.context.reasons.end(),
                     [&](const ReasonShare& one) { return one.reason == reason && one.share >= kTelling; });
}

/// What is known to hold the device back without being a fault; empty where nothing is.
std::string limit_of(const HardwareProfile& profile, const ProbeResult& result) {
  const ProfileDevice* device = result.devices.empty() ? nullptr : find_device(profile, result.devices.front());
  const bool locked = device != nullptr && device->clocks_locked.value_or(false);
  if (locked || reached(result, "application_clocks")) return "clock";
  const bool lowered = device != nullptr && power_limit_lowered(*device);
  return lowered || reached(result, "sw_power_cap") ? "power" : "";
}

/// Is the time what the clock lets expect?
bool accounts_for(const Slowest& one, double median_s, double median_hz) {
  if (one.limit.empty()) return false;
  if (one.clock_hz <= 0 || median_hz <= 0) return true;
  return one.time_s <= (1 + kLeastOutlier) * median_s * median_hz / one.clock_hz;
}

double median_clock(const Times& times) {
  std::vector<double> clocks;
  for (const auto& [rank, one] : times.by_rank)
    if (one.clock_hz > 0) clocks.push_back(one.clock_hz);
  return clocks.empty() ? 0 : median_of(clocks);
}

}  // namespace

std::string slowness_text(const SlowNode& slow) {
  return slow.probe + " takes " + fixed_number(100 * slow.slower_by, 0) + " % longer than on the other nodes";
}

std::vector<SlowNode> slow_nodes(const std::vector<HardwareProfile>& by_rank) {
  std::map<std::string, Times> table;
  for (std::size_t rank = 0; rank < by_rank.size(); ++rank)
    for (const ProbeResult& result : by_rank[rank].results) {
      if (!result.usable()) continue;
      Times& times = table[place_of(by_rank[rank], result)];
      times.probe = result.probe;
      // The slowest of a node's devices is the one that the others wait for.
      Slowest& slowest = times.by_rank[static_cast<int>(rank)];
      if (slowest.time_s < result.time_s->median)
        slowest = {result.time_s->median, result.devices.empty() ? "d0" : result.devices.front(),
                   limit_of(by_rank[rank], result), result.context.sm_clock_hz.value_or(0)};
    }
  std::map<std::pair<int, std::string>, Seen> seen;
  for (const auto& [place, times] : table) {
    if (times.by_rank.size() < kLeastNodes) continue;
    std::vector<double> values;
    for (const auto& [rank, one] : times.by_rank) values.push_back(one.time_s);
    const double median = median_of(values);
    std::vector<double> apart;
    for (const double value : values) apart.push_back(std::fabs(value - median));
    const double sigma = kMadToSigma * median_of(apart);
    const double clock = median_clock(times);
    for (const auto& [rank, slowest] : times.by_rank) {
      Seen& one = seen[{rank, times.probe}];
      ++one.sizes;
      const double time = slowest.time_s;
      if (time - median <= kRobustDeviations * sigma || time <= (1 + kLeastOutlier) * median) continue;
      if (time / median > one.farthest) {
        one.farthest = time / median;
        one.device = slowest.device;
      }
      const bool limited = accounts_for(slowest, median, clock);
      (limited ? one.limited_by : one.slower_by).push_back(time / median - 1);
      if (limited) one.limit = slowest.limit;
    }
  }
  std::vector<SlowNode> slow;
  for (const auto& [where, one] : seen) {
    const auto half = [&, sizes = one.sizes](std::size_t count) {
      return count > 0 && 2 * static_cast<int>(count) >= sizes;
    };
    if (half(one.slower_by.size())) {
      slow.push_back({where.first, one.device, where.second, median_of(one.slower_by), ""});
    } else if (!one.limit.empty() && half(one.slower_by.size() + one.limited_by.size())) {
      slow.push_back({where.first, one.device, where.second, median_of(one.limited_by), one.limit});
    }
  }
  return slow;
}

}  // namespace podwright
