#include "plan/shared_cluster.h"

#include "base/number_text.h"

namespace podwright::shared_cluster_detail {
namespace {

std::string gpus_text(double count) { return human_number(count, 4) + (count == 1.0 ? " GPU" : " GPUs"); }

std::string why_side_by_side(const Facts& facts) {
  if (facts.needed > 1.0)
    return "Training needs its GPUs for " + percent_text(facts.needed) +
           " of the time, more than there is, so that every run has GPUs of its own.";
  if (!(facts.mean < facts.peak))
    return "Serving needs its " + gpus_text(facts.peak) + " all the time and leaves nothing to training.";
  if (facts.too_urgent)
    return "A training deadline of less than a day may pass without a valley of serving, so that training has GPUs of "
           "its own.";
  return "Training needs its GPUs for " + percent_text(facts.needed) +
         " of the time, longer than serving leaves one of them free.";
}

}  // namespace

std::string reason_of(Sharing sharing, const Facts& facts) {
  switch (sharing) {
    case Sharing::one_workload:
      return "One workload has the cluster for itself.";
    case Sharing::peaks_together:
      return "Peaks of serving are taken to come together, so that they add up.";
    case Sharing::side_by_side:
      return why_side_by_side(facts);
    case Sharing::turns:
      return "The " + human_number(static_cast<double>(facts.trainings), 6) + " trainings need GPUs for " +
             percent_text(facts.needed) + " of the time together and take turns on " + gpus_text(facts.extra) +
             ", which saves " + gpus_text(facts.saved) + ".";
    case Sharing::valleys:
      break;
  }
  return "Training needs " + gpus_text(facts.largest) + " for " + percent_text(facts.needed) +
         " of the time and takes what serving leaves free of its " + gpus_text(facts.peak) + " (" +
         gpus_text(facts.mean) + " on average)" +
         (facts.extra > 0.0 ? ", with " + gpus_text(facts.extra) + " more" : std::string()) + ": " +
         gpus_text(facts.gpu_count) + " in all, which saves " + gpus_text(facts.saved) + ".";
}

}  // namespace podwright::shared_cluster_detail
