#pragma once
/// What a rank does when rank 0 tells it to; the same for rank 0 itself.
#include <memory>
#include <string>

#include "base/json_read.h"
#include "probes/cluster/group_run.h"
#include "probes/runner.h"

namespace podwright::probes {

class RankWork {
 public:
  explicit RankWork(const RunOptions& run) : run_(run) {}

  const RunOutcome& local() const { return local_; }

  /// `command` names in "do" what to do: probe, group_open, group_run. The answer is the profile or what a group
  /// measured; "{}" where there is nothing to tell.
  std::string answer(const std::string& command);

 private:
  std::string probe();
  std::string open_group(const JsonNode& node);
  std::string run_group(const JsonNode& node);

  const RunOptions& run_;
  RunOutcome local_;
  std::unique_ptr<GroupRun> group_;
};

}  // namespace podwright::probes
