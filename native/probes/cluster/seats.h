#pragma once
/// Which devices of which ranks run collectives together, and which ones. Only decisions. docs/operator.md.
#include <string>
#include <vector>

#include "probes/catalogue.h"
#include "probes/run_options.h"

namespace podwright::probes {

/// A device that takes part in collectives between processes.
struct Seat {
  int rank = 0;              ///< of the run
  std::string device;        ///< id in its rank's profile: "d0"
  int node = 0;              ///< seats of one node share it
  int rail = 0;              ///< place of the device in its node
  double memory_bytes = 0;   ///< that it may fill; 0 not known
  std::string name() const;  ///< id in the merged profile: "n1.d0"
  int number() const;        ///< of the device
};

/// One case, and the teams that run it at once: all seats, some of them, or pairs.
struct GroupCase {
  ProbeCase one;
  std::vector<std::vector<int>> teams;  ///< places of the group's seats
};

/// Seats that join one communicator, and what they measure.
struct GroupPlan {
  std::vector<Seat> seats;
  std::vector<GroupCase> cases;
  std::vector<std::vector<int>> teams;  ///< with a communicator of their own: pairs send within that of all

  /// What the seat of this place runs: as many cases for each, with its own team as members, or none where it rests.
  std::vector<ProbeCase> cases_of(int seat) const;
  /// Nodes of a team.
  int nodes_of(const std::vector<int>& team) const;
};

/// Seats of the ranks' own profiles, by rank. A device that several ranks of a node see sits once, one that failed or
/// is a slice not at all; sentences say so.
std::vector<Seat> seats_of(const std::vector<HardwareProfile>& by_rank, std::vector<std::string>& sentences);

/// The first seat of each node, where nodes have several; all seats, with the pairs between nodes; and those of one
/// node, where they belong to several ranks, which alone could not measure it. `seats` in the order of the ranks; fewer
/// than two have nothing to measure.
GroupPlan plan_group(const std::vector<Seat>& seats, const RunOptions& run);

}  // namespace podwright::probes
