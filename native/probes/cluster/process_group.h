#pragma once
/// Processes that measure one collective together: they meet, join the backend's group, and tell each other in step
/// what each saw, so that all decide alike. What the collective itself moves goes its own way, through NCCL.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "probes/backend.h"
#include "probes/cluster/meeting.h"

namespace podwright::probes {

/// The place of one worker in a group.
struct GroupSeat {
  int rank = 0;                    ///< of the group
  std::vector<std::string> names;  ///< of all ranks, for people: "n1.d0"
  double patience_s = 60;          ///< until all have joined

  static void fields(auto& one, const auto& visit) {
    visit("rank", one.rank, "names", one.names, "patience_s", one.patience_s);
  }
};

/// What one rank tells after a step.
struct StepReport {
  int code = PW_OK;
  std::string reason;
  std::string detail;
  std::vector<double> numbers;

  static void fields(auto& one, const auto& visit) {
    visit("code", one.code, "reason", one.reason, "detail", one.detail, "numbers", one.numbers);
  }
};

class ProcessGroup {
 public:
  explicit ProcessGroup(GroupSeat seat) : seat_(std::move(seat)) {}

  int rank() const { return seat_.rank; }
  const std::string& name_of(int rank) const { return seat_.names[static_cast<std::size_t>(rank)]; }

  /// Rank 0 listens from here on. Absent where it cannot.
  std::optional<MeetingPlace> open();
  /// False when not all came within the time; why() names who did not. Rank 0 opens before.
  bool meet(const MeetingPlace& place);

  /// Of rank 0: the ids by which this group and the backend's are joined, as one text. Empty with a fault.
  std::string make_ids(const PwBackend& backend, PwFault& fault);
  /// Joins both groups. False with a fault that every rank tells alike.
  bool join(const std::string& ids, const PwBackend& backend, void* session, PwFault& fault);

  /// The reports of all, by rank. Absent when one went away, or told nothing for `seconds`; why() names it.
  std::optional<std::vector<StepReport>> tell(const StepReport& own, double seconds);
  const std::string& why() const { return why_; }

 private:
  int ranks() const { return static_cast<int>(seat_.names.size()); }
  std::optional<std::vector<StepReport>> hear_first(double seconds);
  std::optional<std::vector<StepReport>> tell_all(std::vector<StepReport> reports);

  GroupSeat seat_;
  MeetingPlace place_;
  std::unique_ptr<Listener> listener_;
  std::vector<Member> members_;  ///< of rank 0
  Connection first_;             ///< of the others: to rank 0
  std::string why_;
};

/// The place of the gravest report in which not all is well; absent where all is.
std::optional<std::size_t> gravest(const std::vector<StepReport>& reports);

}  // namespace podwright::probes
