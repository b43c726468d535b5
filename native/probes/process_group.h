#pragma once
/// Processes that measure one collective together tell each other in step what each saw, so that all decide alike.
#include <optional>
#include <string>
#include <vector>

#include "probes/nccl_group.h"

namespace podwright::probes {

/// The place of one worker in a group.
struct GroupSeat {
  int rank = 0;                         ///< of the group
  std::vector<std::string> names;       ///< of all ranks, for people: "n1.d0"
  std::string id;                       ///< by which they join
  std::vector<std::vector<int>> teams;  ///< ranks that get a communicator of their own
  double patience_s = 60;               ///< until all have joined, and with a rank that says nothing

  static void fields(auto& one, const auto& visit) {
    visit("rank", one.rank, "names", one.names, "id", one.id, "teams", one.teams, "patience_s", one.patience_s);
  }
};

/// What one rank tells after a step.
struct StepReport {
  int code = PW_OK;
  std::string reason;
  std::string detail;
  std::vector<double> numbers;  ///< at most kMostNumbers
};
inline constexpr std::size_t kMostNumbers = 4;

class ProcessGroup {
 public:
  /// `library` outlives this.
  ProcessGroup(GroupSeat seat, NcclGroup& library) : seat_(std::move(seat)), library_(library) {}

  int rank() const { return seat_.rank; }
  const std::string& name_of(int rank) const { return seat_.names[static_cast<std::size_t>(rank)]; }

  /// False with the fault.
  bool join(PwFault& fault);
  /// The reports of all, by rank. Absent when the library gave up; why() says how.
  std::optional<std::vector<StepReport>> tell(const StepReport& own);
  const std::string& why() const { return why_; }

 private:
  GroupSeat seat_;
  NcclGroup& library_;
  std::string why_;
};

/// The place of the gravest report in which not all is well; absent where all is.
std::optional<std::size_t> gravest(const std::vector<StepReport>& reports);

}  // namespace podwright::probes
