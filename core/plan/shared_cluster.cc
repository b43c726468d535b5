#include "plan/shared_cluster.h"

namespace podwright::shared_cluster_detail {
namespace {

Message why_side_by_side(const Facts& facts) {
  if (facts.needed > 1.0) return say("sharing/more-than-all", "needed"_v = facts.needed);
  if (!(facts.mean < facts.peak)) return say("sharing/always-serving", "peak_gpus"_v = facts.peak);
  if (facts.too_urgent) return say("sharing/urgent");
  return say("sharing/no-valley", "needed"_v = facts.needed);
}

Message why_in_valleys(const Facts& facts) {
  const auto largest = "largest_gpus"_v = facts.largest;
  const auto needed = "needed"_v = facts.needed;
  const auto peak = "peak_gpus"_v = facts.peak;
  const auto mean = "mean_gpus"_v = facts.mean;
  const auto all = "gpus"_v = facts.gpu_count;
  const auto saved = "saved_gpus"_v = facts.saved;
  if (facts.extra > 0.0)
    return say("sharing/valleys-and-more", largest, needed, peak, mean, "extra_gpus"_v = facts.extra, all, saved);
  return say("sharing/valleys", largest, needed, peak, mean, all, saved);
}

}  // namespace

Message reason_of(Sharing sharing, const Facts& facts) {
  switch (sharing) {
    case Sharing::one_workload:
      return say("sharing/one-workload");
    case Sharing::peaks_together:
      return say("sharing/peaks-together");
    case Sharing::side_by_side:
      return why_side_by_side(facts);
    case Sharing::turns:
      return say("sharing/turns", "trainings"_v = static_cast<double>(facts.trainings), "needed"_v = facts.needed,
                 "gpus"_v = facts.extra, "saved_gpus"_v = facts.saved);
    case Sharing::valleys:
      break;
  }
  return why_in_valleys(facts);
}

}  // namespace podwright::shared_cluster_detail
