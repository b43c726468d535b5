#include "probes/cluster/outliers.h"

#include <cmath>
#include <map>

#include "measure/median_interval.h"

namespace podwright::probes {
namespace {

constexpr double kRobustDeviations = 4;
constexpr double kLeastDifference = 0.05;
constexpr double kMadToSigma = 1.4826;  // of the normal distribution
constexpr std::size_t kLeastNodes = 4;

std::string place_of(const ProbeResult& result) {
  const ProbeSize& size = result.size;
  std::string text = result.probe + "/" + result.dtype + "/" + std::to_string(static_cast<int>(result.mode));
  for (const auto& one : {size.m, size.n, size.k, size.bytes, size.row_bytes, size.ranks, size.batch,
                          size.context_tokens, size.page_tokens, size.threads})
    text += "/" + std::to_string(one.value_or(0));
  return text;
}

struct Times {
  std::string probe;
  std::map<int, double> by_rank;
};

struct Seen {
  int sizes = 0;
  std::vector<double> slower_by;  ///< of the outliers
};

}  // namespace

std::vector<SlowNode> slow_nodes(const std::vector<HardwareProfile>& by_rank) {
  std::map<std::string, Times> table;
  for (std::size_t rank = 0; rank < by_rank.size(); ++rank)
    for (const ProbeResult& result : by_rank[rank].results) {
      if (!result.usable()) continue;
      Times& times = table[place_of(result)];
      times.probe = result.probe;
      // The slowest of a node's devices is the one that the others wait for.
      double& time = times.by_rank[static_cast<int>(rank)];
      time = std::max(time, result.time_s->median);
    }
  std::map<std::pair<int, std::string>, Seen> seen;
  for (const auto& [place, times] : table) {
    if (times.by_rank.size() < kLeastNodes) continue;
    std::vector<double> values;
    for (const auto& [rank, time] : times.by_rank) values.push_back(time);
    const double median = median_of(values);
    std::vector<double> apart;
    for (const double value : values) apart.push_back(std::fabs(value - median));
    const double sigma = kMadToSigma * median_of(apart);
    for (const auto& [rank, time] : times.by_rank) {
      Seen& one = seen[{rank, times.probe}];
      ++one.sizes;
      if (time - median > kRobustDeviations * sigma && time > (1 + kLeastDifference) * median)
        one.slower_by.push_back(time / median - 1);
    }
  }
  std::vector<SlowNode> slow;
  for (const auto& [where, one] : seen)
    if (!one.slower_by.empty() && 2 * static_cast<int>(one.slower_by.size()) >= one.sizes)
      slow.push_back({where.first, where.second, median_of(one.slower_by)});
  return slow;
}

}  // namespace podwright::probes
