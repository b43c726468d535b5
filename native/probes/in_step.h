#pragma once
/// Ranks that measure one collective together, each in a process of its own: what every rank saw is told to all, so
/// that all decide alike.
#include <optional>
#include <string>
#include <vector>

#include "probes/cluster/process_group.h"

namespace podwright::probes {

/// The place of one worker in a group.
struct GroupSeat {
  int rank = 0;                    ///< of the group
  std::vector<std::string> names;  ///< of all ranks: "n1.d0"
  double patience_s = 60;          ///< until all have joined
};

/// What one rank tells after a step.
struct StepReport {
  int code = PW_OK;
  std::string reason;
  std::string detail;
  std::vector<double> numbers;
};

class InStep {
 public:
  explicit InStep(const GroupSeat& seat) : seat_(seat), group_(seat.names) {}

  /// Of rank 0: the ids by which this group and the backend's are joined, in one line. Empty with a fault.
  std::string make_ids(const PwBackend& backend, PwFault& fault);
  /// Joins both groups. False with a fault that every rank tells alike.
  bool join(const std::string& ids, const PwBackend& backend, void* session, PwFault& fault);

  int rank() const { return seat_.rank; }
  /// The reports of all, by rank. Absent when a rank went away; why() names it.
  std::optional<std::vector<StepReport>> tell(const StepReport& own, double seconds);
  const std::string& why() const { return group_.why(); }
  const std::string& name_of(int rank) const { return group_.name_of(rank); }

 private:
  GroupSeat seat_;
  ProcessGroup group_;
};

/// The place of the gravest report in which not all is well; absent where all is.
std::optional<std::size_t> gravest(const std::vector<StepReport>& reports);

}  // namespace podwright::probes
