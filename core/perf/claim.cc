#include "perf/claim.h"

#include <cmath>

namespace podwright {
namespace {

std::string rate_text(FlopsPerSecond rate) { return human_number(rate / tflops(1), 4) + " TFLOP/s"; }

/// The claim changed in one number.
std::string claim_patch(const std::string& key, double number) { return merge_patch("claim." + key, number); }

}  // namespace

Infeasible broken_claim(const TrainingClaim& claim, const BrokenClaim& broken) {
  Infeasible reason{.code = broken.code,
                    .message = "The claim needs " + rate_text(broken.needed) + " on every GPU, " +
                               human_number(broken.needed / broken.ceiling) + " times " + broken.ceiling_name + ", " +
                               rate_text(broken.ceiling) + ".",
                    .shortfall = (broken.needed - broken.ceiling) / tflops(1),
                    .unit = "TFLOP/s per GPU",
                    .ways_out = {}};
  const std::string share = human_number(100 * broken.realistic_mfu) + " % of the peak";
  if (broken.realistic)
    reason.message += " At " + share + " it takes " + human_number(*broken.realistic / days(1)) + " days.";
  if (broken.realistic_mfu * broken.peak > broken.ceiling) return reason;
  if (claim.days) {
    reason.ways_out.push_back(claim_patch("days", std::ceil(*broken.realistic / days(1) * 100) / 100));
    reason.ways_out.push_back(claim_patch("gpu_count", *broken.realistic_gpus));
  }
  if (claim.tokens_per_s_per_gpu)
    reason.ways_out.push_back(claim_patch(
        "tokens_per_s_per_gpu",
        std::floor(*claim.tokens_per_s_per_gpu * (broken.realistic_mfu * broken.peak / broken.needed) * 100) / 100));
  if (claim.mfu) reason.ways_out.push_back(claim_patch("mfu", broken.realistic_mfu));
  if (claim.tflops_per_gpu)
    reason.ways_out.push_back(
        claim_patch("tflops_per_gpu", std::floor(broken.realistic_mfu * broken.peak / tflops(1) * 100) / 100));
  if (claim.step_time_s)
    reason.ways_out.push_back(claim_patch(
        "step_time_s",
        std::ceil(*claim.step_time_s * (broken.needed / (broken.realistic_mfu * broken.peak)) * 1000) / 1000));
  return reason;
}

}  // namespace podwright
