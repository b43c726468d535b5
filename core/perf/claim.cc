#include "perf/claim.h"

#include <cmath>

namespace podwright {
Infeasible broken_claim(const TrainingClaim& claim, const BrokenClaim& broken) {
  const auto needed = "needed_tflops"_v = broken.needed / tflops(1);
  const auto times = "times"_v = broken.needed / broken.ceiling;
  const auto ceiling = "ceiling"_v = broken.ceiling_name;
  const auto most = "ceiling_tflops"_v = broken.ceiling / tflops(1);
  Infeasible reason{.code = broken.code,
                    .message = say("claim-above", needed, times, ceiling, most),
                    .shortfall = (broken.needed - broken.ceiling) / tflops(1),
                    .unit = "TFLOP/s per GPU"};
  if (broken.realistic)
    reason.message = say("claim-above/realistic", needed, times, ceiling, most, "mfu"_v = broken.realistic_mfu,
                         "time_days"_v = *broken.realistic / days(1));
  if (broken.realistic_mfu * broken.peak > broken.ceiling) return reason;
  if (claim.days) {
    reason.ways_out.emplace_back("/claim/days", std::ceil(*broken.realistic / days(1) * 100) / 100);
    reason.ways_out.emplace_back("/claim/gpu_count", *broken.realistic_gpus);
  }
  if (claim.tokens_per_s_per_gpu)
    reason.ways_out.emplace_back(
        "/claim/tokens_per_s_per_gpu",
        std::floor(*claim.tokens_per_s_per_gpu * (broken.realistic_mfu * broken.peak / broken.needed) * 100) / 100);
  if (claim.mfu) reason.ways_out.emplace_back("/claim/mfu", broken.realistic_mfu);
  if (claim.tflops_per_gpu)
    reason.ways_out.emplace_back("/claim/tflops_per_gpu",
                                 std::floor(broken.realistic_mfu * broken.peak / tflops(1) * 100) / 100);
  if (claim.step_time_s)
    reason.ways_out.emplace_back(
        "/claim/step_time_s",
        std::ceil(*claim.step_time_s * (broken.needed / (broken.realistic_mfu * broken.peak)) * 1000) / 1000);
  return reason;
}

}  // namespace podwright
