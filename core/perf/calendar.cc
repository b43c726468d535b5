#include "perf/calendar.h"

#include <cmath>

namespace podwright {
namespace {

constexpr double kMostTriedDataSizes = 4;

}  // namespace

Infeasible no_progress(const CalendarRequest& request, Seconds mean_time_between_failures, Seconds restart,
                       Seconds write) {
  const Seconds shortfall = restart + write - mean_time_between_failures;
  Infeasible reason{.code = "no-progress",
                    .message = say("no-progress/failures", "between_s"_v = mean_time_between_failures.base_units(),
                                   "restart_s"_v = (restart + write).base_units()),
                    .shortfall = shortfall.base_units(),
                    .unit = "s"};
  const double half = mean_time_between_failures.base_units() / 2;
  if (restart.base_units() > half) reason.ways_out.emplace_back("/restart_s", std::floor(half / 2));
  if (write.base_units() > half && request.write_s)
    reason.ways_out.emplace_back("/checkpoint/write_s", std::floor(half / 2));
  if (write.base_units() > half && request.storage_write_gb_per_s)
    reason.ways_out.emplace_back("/checkpoint/storage_write_gb_per_s",
                                 std::ceil(*request.storage_write_gb_per_s * write.base_units() / (half / 2)));
  if (request.gpu_hours_per_failure)
    reason.ways_out.emplace_back("/gpu_hours_per_failure", std::ceil(2 * *request.gpu_hours_per_failure *
                                                                     ((restart + write) / mean_time_between_failures)));
  return reason;
}

Infeasible missed_deadline(const TrainingRun& run, double gpu_count, Seconds run_time, double deadline_days) {
  Infeasible reason{.code = "deadline",
                    .message = say("deadline/late", "gpus"_v = gpu_count, "time_days"_v = run_time / days(1),
                                   "late_days"_v = run_time / days(1) - deadline_days),
                    .shortfall = run_time / days(1) - deadline_days,
                    .unit = "days"};
  // More replicas, each size tried by the caller: failures and communication take part of what they add.
  const double micro_batches = run.global_batch_size / run.micro_batch_size;
  double tried = 0;
  for (double data = std::ceil(run.parallelism.data * (run_time / days(deadline_days)));
       data <= micro_batches && tried < kMostTriedDataSizes; data += 1) {
    if (std::fmod(micro_batches, data) != 0) continue;
    reason.ways_out.emplace_back("/parallelism/data", data);
    tried += 1;
  }
  reason.ways_out.emplace_back("/deadline_days", std::ceil(run_time / days(1) * 100) / 100);
  return reason;
}

}  // namespace podwright
