#pragma once
/// Has workers measure the cases of one group, and judges how workers end: what is a library's fault, what the
/// device's.
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "probes/health_log.h"
#include "probes/run_options.h"
#include "probes/worker_process.h"

namespace podwright::probes {

class CaseMeasurer {
 public:
  struct Callbacks {
    std::function<void(const ProbeCase&)> started;
    std::function<void(int device, const ProbeCase&, Measured)> ended;  ///< once for each case
  };
  CaseMeasurer(const RunOptions& options, Callbacks callbacks) : options_(options), callbacks_(std::move(callbacks)) {}

  /// The job's cases are of one heat.
  void measure(WorkerJob job);

  /// Nothing more is measured on the device.
  void suspect(int device, const WorkerEnd& why) { suspects_[device] = why; }
  const std::map<int, WorkerEnd>& suspects() const { return suspects_; }
  HealthLog& health() { return health_; }

 private:
  struct Round {
    std::size_t ended;                 ///< cases that need no further worker
    std::optional<WorkerEnd> library;  ///< that failed by no fault of the device: the next case needs a fresh worker
  };
  Round measure_with_one_worker(const WorkerJob& job);
  Round lose(WorkerProcess& worker, WorkerProcess::Wait wait, const WorkerJob& job, std::size_t at);
  void skip_all(const WorkerJob& job, const std::string& reason, const std::string& message);
  void hear_out(WorkerProcess& worker, int device);

  const RunOptions& options_;
  Callbacks callbacks_;
  std::map<int, WorkerEnd> suspects_;
  HealthLog health_;
};

}  // namespace podwright::probes
