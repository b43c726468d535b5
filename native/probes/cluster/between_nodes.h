#pragma once
/// Rank 0's part of collectives between processes: opens the groups, carries their ids, and turns what the seats say
/// into results.
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "measure/profile.h"
#include "probes/cluster/group_run.h"
#include "probes/cluster/seats.h"

namespace podwright::probes {

/// Seats of the ranks' own profiles, by rank; lost ones have empty profiles. `hosts`: the same text for ranks of one
/// system. A device that several ranks see sits once, one that failed or is a slice not at all; sentences say so.
std::vector<Seat> seats_of(const std::vector<HardwareProfile>& by_rank, const std::vector<std::string>& hosts,
                           std::vector<std::string>& sentences);

struct BetweenNodes {
  std::vector<ProbeResult> results;
  std::vector<std::string> sentences;
  bool broken = false;  ///< a group did not join, or did not come to its end
};

/// Sends an order to each rank and brings the answers; empty from one that is lost.
using AskRanks = std::function<std::map<int, std::string>(const std::map<int, Order>& orders, double seconds)>;

/// One group after the other; the first that breaks is the last.
BetweenNodes measure_between(const std::vector<GroupPlan>& plans, const std::string& backend, const RunOptions& run,
                             const AskRanks& ask);

}  // namespace podwright::probes
