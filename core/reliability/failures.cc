#include "reliability/failures.h"

#include "base/number_text.h"

namespace podwright {

namespace {

/// GPU-hours that a fleet was watched for; its GPUs where the window is not given.
double watched(const FailureRate& rate) { return rate.gpus.value_or(0) * rate.window_days.value_or(1); }

/// How well a row stands for a GPU: 2 the same, 1 of its family, 0 another.
int nearness(const FailureRate& rate, const Gpu& gpu) {
  if (rate.gpu_id == gpu.id) return 2;
  return !rate.gpu.empty() && gpu.name.rfind(rate.gpu, 0) == 0 ? 1 : 0;
}

}  // namespace

const FailureRate* failure_rate_of(const Catalog& catalog, const Gpu& gpu) {
  const FailureRate* best = nullptr;
  for (const FailureRate& rate : catalog.failure_rates) {
    if (rate.category != "total" || !rate.gpu_hours_per_failure) continue;
    const bool better = best == nullptr || nearness(rate, gpu) > nearness(*best, gpu) ||
                        (nearness(rate, gpu) == nearness(*best, gpu) && watched(rate) > watched(*best));
    if (better) best = &rate;
  }
  return best;
}

std::string failure_assumption(const FailureRate& rate, const Gpu& gpu) {
  const std::string other = nearness(rate, gpu) > 0 ? "" : "; no fleet with " + gpu.name + " is known";
  return "A failure comes every " + human_number(*rate.gpu_hours_per_failure, 5) + " GPU-hours, as in " + rate.fleet +
         " on " + rate.gpu + " (" + rate.source + ")" + other + "; set gpu_hours_per_failure.";
}

}  // namespace podwright
