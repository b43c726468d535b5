#include "plan/training_in_time.h"

#include <cmath>

#include "perf/calendar.h"
#include "sizing/search_training.h"

namespace podwright {
namespace {

/// Times that are equal but for the order of sums.
constexpr double kRounding = 1 + 1e-9;

}  // namespace

sizing::TrainingWorkload training_need(const Catalog& catalog, const PlanEconomics& economics,
                                       const PlanWorkload& workload, const Gpu& gpu) {
  const TrainingNeed& asked = *workload.training();
  sizing::TrainingWorkload need;
  need.method = asked.method;
  need.tokens = asked.tokens;
  need.deadline = days(asked.deadline_days);
  need.sequence_length = asked.sequence_length;
  need.global_batch_size = asked.global_batch_size;
  need.precisions = {asked.precision};
  // Failures and checkpoints follow from the number of GPUs and what a checkpoint holds, not from the layout.
  need.effective_share = [&catalog, &economics, &workload, &asked, &gpu,
                          run = sizing::training_run(need)](double gpus) {
    NoTrace none;
    std::vector<std::string> assumptions;
    std::vector<Infeasible> reasons;
    const auto calendar =
        training_calendar(none, catalog, *workload.model, gpu, nullptr, run, gpus, calendar_of(economics, asked),
                          asked_time_per_failure(none, economics), per_second(1), {}, assumptions, reasons);
    if (!calendar) return 1.0;  // a figure is missing; the estimate of the plan names it
    return calendar->run_time ? seconds(asked.tokens) / *calendar->run_time : 0.0;
  };
  return need;
}

std::optional<LateRun> late_run(const PlanRequest& request, const std::vector<PlacedWorkload>& placed,
                                const PlanDemand<NoTrace>& demand) {
  std::size_t training = 0;
  for (std::size_t i = 0; i < placed.size(); ++i) {
    const TrainingNeed* need = request.workloads[placed[i].index].training();
    const std::optional<Seconds>& alone = demand.workloads[i].run_time;
    if (need == nullptr || !alone) continue;
    const Seconds time = demand.shared ? demand.shared->training_times[training] : *alone;
    training += 1;
    if (time <= days(need->deadline_days) * kRounding) continue;
    return LateRun{
        placed[i].index,
        {.code = "deadline",
         .message = say("deadline/on-network", "time_days"_v = time / days(1), "deadline_days"_v = need->deadline_days),
         .shortfall = time.base_units() - days(need->deadline_days).base_units(),
         .unit = "s",
         .ways_out = {{"/deadline_days", std::ceil(time / days(1) * 1000) / 1000}}}};
  }
  return std::nullopt;
}

}  // namespace podwright
