#pragma once
/// Who takes part in a run of several processes, and how they find each other.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "probes/cluster/socket.h"

namespace podwright::probes {

struct RankOptions {
  std::optional<int> rank;  ///< else from the launcher's variables
  std::optional<int> world;
  std::string rendezvous;   ///< "tcp://HOST:PORT" of rank 0, or the path of a file that all ranks see
  double patience_s = 120;  ///< until all have joined
};

struct Place {
  int rank = 0;
  int world = 1;
  std::string from;  ///< flags, Open MPI, PMI, Slurm, torch
};
/// From the flags or from the variables of MPI, Slurm or torch-like launchers. A sentence when neither is complete.
struct PlaceOrWhy {
  std::optional<Place> place;
  std::string why;
};
PlaceOrWhy find_place(const RankOptions& options);

/// One rank as rank 0 knows it.
struct Member {
  int rank = 0;
  std::string host;       ///< the same text on the same running system; never leaves the run
  Connection connection;  ///< to rank 0; not open for rank 0 itself and for the lost
  bool lost = false;
};

/// What a rank says of itself when it joins.
struct Hello {
  int rank = 0;
  int world = 1;
  std::string nonce;
  std::string host;
};
Hello own_hello(const Place& place);

struct Joined {
  std::vector<Member> members;  ///< of rank 0: all, by rank
  Connection to_first;          ///< of the others
  std::vector<int> missing;     ///< ranks that did not come in time
  std::string why;              ///< no meeting came about
};
/// Rank 0 opens the place of meeting and waits for all; the others come. A file that an earlier run left is told by its
/// age and its nonce.
Joined meet(const RankOptions& options, const Hello& hello);

}  // namespace podwright::probes
