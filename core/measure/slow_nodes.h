#pragma once
/// Nodes that are slower than their peers. docs/operator.md#several-nodes.
#include <cstddef>
#include <string>
#include <vector>

#include "measure/profile.h"

namespace podwright {

struct SlowNode {
  int rank = 0;          ///< its place among the profiles
  std::string device;    ///< its slowest, in the node's own profile: "d3"
  std::string probe;     ///< the family of results, e.g. "cpu.stream.triad"
  double slower_by = 0;  ///< median over its sizes: time over the fleet's median, less 1
  std::string limit;     ///< clock or power: what is known of the device accounts for it, and no one is to blame
};

/// "hbm.triad takes 50 % longer than on the other nodes".
std::string slowness_text(const SlowNode& slow);

/// Fewest nodes that are compared.
inline constexpr std::size_t kLeastNodes = 4;

/// Results are compared with those of the same probe and version, at the same size, on a device of the same name. A
/// result is an outlier when it stands more than four robust standard deviations and more than 5 % above the median
/// time of all nodes; both, so that a tight fleet does not flag its noise. A node is slow in a probe when half of its
/// sizes are. Fewer than four nodes have no fleet to compare with. A device whose clocks are locked, whose power limit
/// is lowered or that reached it is slow for that reason where its time is within 5 % of what its clock beside the
/// fleet's lets expect, or where no clock was seen.
std::vector<SlowNode> slow_nodes(const std::vector<HardwareProfile>& by_rank);

}  // namespace podwright
