#pragma once
/// Communicators of several devices of this process, each with a stream of its own; or of one device in a group of
/// processes. One thread serves them all.
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "probes/cuda/checked.h"
#include "probes/nccl.h"
#include "probes/nccl_group.h"

namespace podwright::probes::cuda {

class Team {
 public:
  struct Member {
    int device = 0;
    int rank = 0;  ///< in the team
    Stream stream;
    Event start, stop;
    Event before;  ///< the barrier of a team of several processes
    Nccl::Comm comm = nullptr;
  };

  /// Null after a failure, which `checked` holds. Leaves the current device as it was.
  static std::unique_ptr<Team> make(const std::vector<int>& devices, Checked& checked);
  /// The one of these devices, made when it is first asked for: that takes seconds. In a group of processes the
  /// numbers are ranks of it, this process's among them: all, some, or a pair.
  static Team* shared(const std::vector<int>& devices, Checked& checked);
  /// From here on the numbers are ranks of this group, in which the process is with one device; null: of no group.
  static void work_in(NcclGroup* group, int device);
  ~Team();

  /// Those of this process.
  std::deque<Member>& members() { return members_; }
  /// Of all processes.
  int ranks() const { return ranks_; }
  /// The number in the communicator of a rank of the team.
  int peer(int rank) const { return peers_.empty() ? rank : peers_[static_cast<std::size_t>(rank)]; }
  /// How long this process waited for the others in the barrier before the last time(); 0 in one process.
  double entry_wait_s() const { return entry_wait_s_; }

  /// Has every rank issue its part of one operation, in one group call. `issue` returns a code of the library.
  bool together(const std::function<int(Member&, int rank)>& issue, Checked& checked);
  /// Lets all devices begin at once with what `enqueue` put into their streams, and waits for the last. `seconds` is
  /// the longest time of a device, `wall_seconds` that of the host from the common start on.
  bool time(const std::function<void()>& enqueue, double& seconds, double& wall_seconds, Checked& checked);
  /// Waits for all streams. A device or the library that failed, or that takes longer than the patience, aborts all
  /// communicators: the process can run no further collective then.
  bool wait(Checked& checked);

 private:
  Team() = default;
  bool open(const std::vector<int>& devices, Checked& checked);
  bool open_joined(const std::vector<int>& ranks, Checked& checked);
  bool open_members(Checked& checked);
  /// No one continues before all ranks of the team have come.
  bool barrier(Checked& checked);
  void abort();
  /// Until the library has started what it was asked for.
  bool settle(Checked& checked);
  /// Turns a code of the library into a fault.
  bool ask(int code, const char* call, Checked& checked);
  int* gate_open() const { return gate_.as<int>(); }
  int* timed_out() const { return gate_open() + 64; }

  HostMemory gate_;  ///< that all devices see: whether it is open, and after 64 more numbers whether one waited in vain
  std::deque<Member> members_;
  bool gated_ = true;
  int ranks_ = 0;
  bool in_group_ = false;   ///< with other processes
  std::vector<int> peers_;  ///< of a pair within the communicator of all; empty: the team has one of its own
  Memory token_;            ///< that its barrier passes around
  double entry_wait_s_ = 0;
};

}  // namespace podwright::probes::cuda
