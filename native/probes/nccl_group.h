#pragma once
/// Processes that NCCL connects: one device of each. Every wait has an end, and what did not end is aborted.
/// https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/usage/communicators.html
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "probes/backend.h"
#include "probes/elapsed.h"
#include "probes/nccl.h"

namespace podwright::probes {

/// The device that a process joins with, as its backend reaches it.
struct GroupDevice {
  enum class State { idle, busy, failed };
  Nccl::Stream stream = nullptr;
  std::function<void*(std::size_t bytes)> allocate;                         ///< null where memory is refused
  std::function<bool(void* to, const void* from, std::size_t bytes)> copy;  ///< in the stream
  std::function<State()> state;                                             ///< of the stream
};

class NcclGroup {
 public:
  explicit NcclGroup(GroupDevice device) : device_(std::move(device)) {}
  ~NcclGroup() { abort(); }
  NcclGroup(const NcclGroup&) = delete;
  NcclGroup& operator=(const NcclGroup&) = delete;

  /// A new id in hexadecimal digits; ranks that join by it meet in this process. Also lets the library choose its
  /// network by its own rules: once it knows the address of rank 0, it takes none but one of the same subnet.
  std::string make_id(PwFault& fault);
  /// Joins by the address of rank 0, which listens there: "10.0.0.1:29500". Who comes before it tries again.
  bool meet(const std::string& address, int rank, int ranks, double seconds, PwFault& fault);
  /// Joins by an id.
  bool join(const std::string& id, int rank, int ranks, double seconds, PwFault& fault);
  /// A communicator of some ranks, in rising order; all ranks of the group call.
  bool split(const std::vector<int>& members, double seconds, PwFault& fault);
  /// The same number of bytes of each, by rank.
  bool gather(const void* own, void* all, std::size_t bytes, double seconds, PwFault& fault);
  /// Texts of any lengths, by rank; empty after a fault.
  std::vector<std::string> gather_text(const std::string& own, double seconds, PwFault& fault);
  void leave();
  void abort();

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }
  bool joined() const { return comm_ != nullptr; }
  /// The communicator in which these ranks run a collective: their own, or that of all for two of them.
  Nccl::Comm comm_of(const std::vector<int>& members) const;
  bool own_comm(const std::vector<int>& members) const {
    return static_cast<int>(members.size()) == ranks_ || teams_.count(members) != 0;
  }

 private:
  /// Starts to join; then settle() tells how that goes.
  int begin(const Nccl::UniqueId& id, int rank, int ranks);
  /// Waits until the library has done what was asked, and the stream is idle. False with the fault.
  bool settle(Nccl::Comm comm, const Deadline& deadline, const char* call, PwFault& fault);
  bool library_here(PwFault& fault) const;

  GroupDevice device_;
  Nccl::Comm comm_ = nullptr;
  std::map<std::vector<int>, Nccl::Comm> teams_;
  int rank_ = 0;
  int ranks_ = 1;
  char* buffer_ = nullptr;
  std::size_t buffer_bytes_ = 0;
};

}  // namespace podwright::probes
