#pragma once
/// Communicators of several devices of this process, each with a stream of its own. One thread serves them all.
#include <functional>
#include <memory>
#include <vector>

#include "probes/cuda/checked.h"
#include "probes/cuda/nccl.h"

namespace podwright::probes::cuda {

class Team {
 public:
  struct Member {
    int device = 0;
    cudaStream_t stream = nullptr;
    cudaEvent_t start = nullptr;
    cudaEvent_t stop = nullptr;
    Nccl::Comm comm = nullptr;
  };

  /// Null after a failure, which `checked` holds. Leaves the current device as it was.
  static std::unique_ptr<Team> make(const std::vector<int>& devices, Checked& checked);
  /// The one of these devices, made when it is first asked for: that takes seconds.
  static Team* shared(const std::vector<int>& devices, Checked& checked);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  std::vector<Member>& members() { return members_; }
  int ranks() const { return static_cast<int>(members_.size()); }

  /// Has every rank issue its part of one operation, in one group call. `issue` returns a code of the library.
  bool together(const std::function<int(Member&, int rank)>& issue, Checked& checked);
  /// Lets all devices begin at once with what `enqueue` put into their streams, and waits for the last. `seconds` is
  /// the longest time of a device, `wall_seconds` that of the host from the common start on.
  bool time(const std::function<bool()>& enqueue, double& seconds, double& wall_seconds, Checked& checked);
  /// Waits for all streams. A device or the library that failed, or that takes longer than the patience, aborts all
  /// communicators: the process can run no further collective then.
  bool wait(Checked& checked);

 private:
  Team() = default;
  bool open(const std::vector<int>& devices, Checked& checked);
  void abort();
  /// Turns a code of the library into a fault.
  bool ask(int code, const char* call, Checked& checked);
  bool each(const std::function<void(Member&, int rank)>& act, Checked& checked);

  std::vector<Member> members_;
  int* gate_open_ = nullptr;  ///< host memory that all devices see
  int* timed_out_ = nullptr;
  bool gated_ = true;
};

}  // namespace podwright::probes::cuda
