#pragma once
/// Which of the programs of a run this one is, and where they meet, as its launcher or the operator says.
#include <functional>
#include <optional>
#include <string>

namespace podwright::probes {

struct RankOptions {
  std::optional<int> rank;  ///< else from the launcher's variables
  std::optional<int> world;
  std::string rendezvous;   ///< HOST:PORT of rank 0, else from the launcher's variables
  double patience_s = 120;  ///< for the others, after they have measured by themselves
};

/// The place of this program in the run.
struct RankPlace {
  int rank = 0;
  int ranks = 1;
  int local_rank = 0;        ///< among those of its node
  int local_ranks = 1;       ///< 1 where the launcher does not say
  bool own_devices = false;  ///< the launcher shows each program its own devices alone
  std::string address;       ///< "host:port" of rank 0; empty where nobody says
};

/// A sentence where rank or world is not complete, or the address is none.
struct PlaceOrWhy {
  std::optional<RankPlace> place;
  std::string why;
};
/// Gives the value of an environment variable, empty where it is not set.
using Variables = std::function<std::string(const char* name)>;
PlaceOrWhy place_of(const RankOptions& options, const Variables& variable);

/// The first of a list of hosts as Slurm writes it: "a03" of "a[03-05,9],b1".
std::string first_host(const std::string& list);

}  // namespace podwright::probes
