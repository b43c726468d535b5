#pragma once
/// The workers of one rank in collectives between ranks: the first meets those of the others, then one measures at each
/// seat of the rank.
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "probes/run_options.h"
#include "probes/worker_process.h"

namespace podwright::probes {

class GroupWorkers {
 public:
  explicit GroupWorkers(const RunOptions& run) : run_(run) {}

  /// What all ranks say, and the id of the next group. Absent with the reason where not all came in the time.
  std::optional<WorkerMessage> meet(const WorkerJob& job, WorkerEnd& why);

  /// One job for each seat; `take` gets each case that ended, one at a time. Why each seat came to no end; the reason
  /// is empty where it did.
  using Take = std::function<void(const WorkerJob& job, int one, Measured measured)>;
  std::vector<WorkerEnd> run(const std::vector<WorkerJob>& jobs, const Take& take);

 private:
  /// Waits for a message of this kind. Absent with the reason where another end came.
  static std::optional<WorkerMessage> await(WorkerProcess& worker, WorkerMessage::Kind kind, double seconds,
                                            const std::string& silence, WorkerEnd& why);
  WorkerEnd live(WorkerProcess& worker, const WorkerJob& job, const Take& take);

  const RunOptions& run_;
  std::unique_ptr<WorkerProcess> first_;
  int first_device_ = -1;
  std::mutex taking_;
};

}  // namespace podwright::probes
