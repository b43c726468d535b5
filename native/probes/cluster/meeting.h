#pragma once
/// Who takes part in a run of several processes, and how they find each other: rank 0 listens, the others come and say
/// who they are. What another run left behind is told by its nonce.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "probes/cluster/socket.h"

namespace podwright::probes {

/// Where rank 0 listens.
struct MeetingPlace {
  std::vector<std::string> addresses;
  int port = 0;
  std::string nonce;   ///< empty where the operator gave the address
  double written = 0;  ///< into a file, seconds since 1970

  static void fields(auto& one, const auto& visit) {
    visit("addresses", one.addresses, "port", one.port, "nonce", one.nonce, "written", one.written);
  }
};
/// At all addresses of this machine, with a nonce of its own.
MeetingPlace own_place(const Listener& listener);

/// What a rank says of itself when it comes.
struct Hello {
  int rank = 0;
  int world = 1;
  std::string nonce = {};
  std::string host = {};  ///< the same text on the same running system; never leaves the run

  static void fields(auto& one, const auto& visit) {
    visit("rank", one.rank, "world", one.world, "nonce", one.nonce, "host", one.host);
  }
};

/// One rank as rank 0 knows it.
struct Member {
  int rank = 0;
  std::string host;
  Connection connection;  ///< not open for rank 0 itself and for the lost
  bool lost = false;
};

/// Rank 0: takes who comes with its nonce until all are there or the time is over. By rank.
std::vector<Member> receive_ranks(Listener& listener, const Hello& own, double seconds);

/// Another rank: tries until rank 0 takes it; `place` may change meanwhile. Not open where that does not happen.
Connection visit_first_rank(const std::function<std::optional<MeetingPlace>()>& place, Hello own, double seconds);

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
