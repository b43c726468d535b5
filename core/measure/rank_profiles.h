#pragma once
/// Profiles that the ranks of one run kept, each its own, as one. docs/operator.md#several-nodes.
#include <span>

#include "measure/profile_merge.h"

namespace podwright {

/// Why results of these ranks cannot be compared: different versions of software, program or backend; sentences.
std::vector<std::string> rank_differences(const HardwareProfile& a, const HardwareProfile& b);

/// By rank, "n0." that of rank 0, with what was measured between the ranks. Ranks without a profile, and those that
/// came to no end, are named by events `rank_lost` and in the limits; then the run is unfinished and its code is 4.
/// Slow ranks get events `slow_node`. Profiles that tell no rank are merged in the order given, see merged_profiles().
/// Errors: those of that, and "conflict" where a rank is given twice or runs have different numbers of ranks.
Result<HardwareProfile> merged_ranks(std::span<const ReadProfile> profiles);

}  // namespace podwright
