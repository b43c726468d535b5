#pragma once
/// What a rank does when rank 0 tells it to; the same for rank 0 itself.
#include <memory>
#include <string>

#include "probes/cluster/group_run.h"
#include "probes/runner.h"

namespace podwright::probes {

class RankWork {
 public:
  explicit RankWork(const RunOptions& run) : run_(run) {}

  const RunOutcome& local() const { return local_; }

  /// The profile, or a GroupAnswer; "{}" where there is nothing to tell.
  std::string answer(const Order& order);

 private:
  std::string probe();

  const RunOptions& run_;
  RunOutcome local_;
  std::unique_ptr<GroupRun> group_;
};

}  // namespace podwright::probes
