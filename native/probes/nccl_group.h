#pragma once
/// Processes that NCCL connects, with one device of each. They measure a collective together and tell each other in
/// step what each saw, so that all decide alike. Every wait has an end, and what did not end is aborted.
/// https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/usage/communicators.html
#include <array>
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

/// The place of one worker in a group.
struct GroupSeat {
  int rank = 0;                         ///< of the group
  std::vector<std::string> names;       ///< of all ranks, for people: "n1.d0"
  std::vector<int> id;                  ///< by which they join: bytes of the library
  std::vector<std::vector<int>> teams;  ///< ranks, in rising order, that get a communicator of their own
  double patience_s = 60;               ///< until all have joined, and with a rank that says nothing

  static void fields(auto& one, const auto& visit) {
    visit("rank", one.rank, "names", one.names, "id", one.id, "teams", one.teams, "patience_s", one.patience_s);
  }
};

/// What one rank tells after a step; travels as it lies in memory.
struct StepReport {
  std::int32_t code = PW_OK;
  PwFault fault = {};
  std::array<double, 4> numbers = {};
};

/// Any bytes become a report as a backend writes it: texts that end, a known code, numbers from 0 to 1e15.
void make_readable(StepReport& report);

class NcclGroup {
 public:
  explicit NcclGroup(GroupDevice device) : device_(std::move(device)) {}
  ~NcclGroup() { abort(); }
  NcclGroup(const NcclGroup&) = delete;
  NcclGroup& operator=(const NcclGroup&) = delete;

  /// A new id, as bytes; ranks that join by it meet in this process. Also lets the library choose its network by its
  /// own rules: once it knows the address of rank 0, it takes none but one of the same subnet.
  static std::string make_id(PwFault& fault);
  /// Joins by the address of rank 0, which listens there: "10.0.0.1:29500". Who comes before it tries again.
  bool meet(const std::string& address, int rank, int ranks, double seconds, PwFault& fault);
  /// Texts of any lengths, by rank; empty after a fault.
  std::vector<std::string> gather_text(const std::string& own, double seconds, PwFault& fault);
  /// Joins by an id, and makes the communicators of the teams.
  bool join(const GroupSeat& seat, PwFault& fault);
  /// The reports of all, by rank. Empty with the fault when the library gave up.
  std::vector<StepReport> tell(const StepReport& own, PwFault& fault);
  void leave() { end(true); }
  void abort() { end(false); }

  int rank() const { return rank_; }
  const std::string& name_of(std::size_t rank) const { return seat_.names[rank]; }
  /// The communicator in which these ranks run a collective: their own, or that of all for two of them.
  Nccl::Comm comm_of(const std::vector<int>& members) const;
  bool own_comm(const std::vector<int>& members) const {
    return static_cast<int>(members.size()) == ranks_ || teams_.count(members) != 0;
  }

 private:
  bool init(const Nccl::UniqueId& id, int rank, int ranks, const Deadline& deadline, PwFault& fault);
  /// Waits until the library has done what was asked with this code, and the stream is idle. False with the fault.
  bool ended(int code, Nccl::Comm comm, const char* call, const Deadline& deadline, PwFault& fault);
  /// The same number of bytes of each, by rank.
  bool gather(const void* own, void* all, std::size_t bytes, const Deadline& deadline, PwFault& fault);
  void end(bool in_order);

  GroupDevice device_;
  GroupSeat seat_;
  Nccl::Comm comm_ = nullptr;
  std::map<std::vector<int>, Nccl::Comm> teams_;  ///< those that this rank is in
  int rank_ = 0;
  int ranks_ = 1;
  char* buffer_ = nullptr;
  std::size_t buffer_bytes_ = 0;
};

}  // namespace podwright::probes
