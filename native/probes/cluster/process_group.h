#pragma once
/// Processes that measure one collective together. They meet by an id and tell each other short texts in step; what
/// the collective itself moves goes its own way, through NCCL.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "probes/backend.h"
#include "probes/cluster/socket.h"

namespace podwright::probes {

inline constexpr std::size_t kLongestId = 127;  ///< characters of an id: what abi.h carries, with its end

class ProcessGroup {
 public:
  /// `names` of the ranks, for people.
  explicit ProcessGroup(std::vector<std::string> names) : names_(std::move(names)) {}

  /// Rank 0 listens from here on. The id that the others join by: addresses, port and a nonce; empty where it cannot.
  std::string open();
  /// Goes on with what `other` opened, which does not know its ranks.
  void take_opened(ProcessGroup& other);
  /// False when not all came within the time; why() names who did not. Rank 0 opens before.
  bool join(const std::string& id, int rank, double seconds);

  int rank() const { return rank_; }
  int ranks() const { return static_cast<int>(names_.size()); }
  const std::string& name_of(int rank) const { return names_[static_cast<std::size_t>(rank)]; }

  /// What each rank tells, by rank. Absent when one went away, or told nothing for `seconds`; why() names it.
  std::optional<std::vector<std::string>> exchange(const std::string& own, double seconds);

  const std::string& why() const { return why_; }

 private:
  bool gather(double seconds);
  bool visit(const std::vector<std::string>& addresses, int port, double seconds);
  bool fail(const std::string& why);

  std::vector<std::string> names_;
  int rank_ = 0;
  std::string nonce_;
  std::unique_ptr<Listener> listener_;
  std::vector<Connection> members_;  ///< of rank 0: all others, by rank
  Connection first_;                 ///< of the others: to rank 0
  std::string why_;
};

/// The groups of scripted devices, which have no library of their own, as abi.h wants them.
int own_group_id(char id[128], PwFault* fault);
/// Null with the fault rank_lost where not all came within `seconds`.
std::unique_ptr<ProcessGroup> own_group_join(const char id[128], int rank, int ranks, double seconds, PwFault* fault);

}  // namespace podwright::probes
