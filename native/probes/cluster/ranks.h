#pragma once
/// Who takes part in a run of several processes, and how they find each other.
#include <optional>
#include <string>
#include <vector>

#include "probes/cluster/meeting.h"

namespace podwright::probes {

struct RankOptions {
  std::optional<int> rank;  ///< else from the launcher's variables
  std::optional<int> world;
  std::string rendezvous;   ///< "tcp://HOST:PORT" of rank 0, or the path of a file that all ranks see
  double patience_s = 120;  ///< until all have joined
};

/// Rank and world from the flags or from the variables of MPI, Slurm or torch-like launchers. A sentence when neither
/// is complete.
struct HelloOrWhy {
  std::optional<Hello> hello;
  std::string why;
};
HelloOrWhy own_hello(const RankOptions& options);

struct Joined {
  std::vector<Member> members;  ///< of rank 0: all, by rank
  Connection to_first;          ///< of the others
  std::string why;              ///< no meeting came about
};
/// Rank 0 opens the place of meeting and waits for all; the others come. A file that an earlier run left is told by its
/// age and its nonce.
Joined meet(const RankOptions& options, const Hello& hello);

}  // namespace podwright::probes
