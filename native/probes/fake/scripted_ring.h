#pragma once
/// What ranks with scripted devices tell of their all-reduces: the data travel and are checked, the times are the
/// script's, so that a busy machine makes nobody slow. "slow=F@PROBE" makes this process's times F times as long.
#include <string>
#include <vector>

namespace podwright::probes::fake {

struct RingCase {
  std::string probe;
  int rank = 0;  ///< of this process; its noise is its own
  int ranks = 0;
  double bytes = 0;
};
std::vector<double> scripted_ring_s(const RingCase& ring, int calls);

/// The node that this process stands for: the script's, else `own`.
std::string scripted_host(const std::string& own);

}  // namespace podwright::probes::fake
