#include "perf/preemption.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "base/number_text.h"

namespace podwright {
namespace {

/// Mean of what a standard normal quantity exceeds `limit` by. The tail is Abramowitz and Stegun 26.2.17, absolute
/// error below 1e-7.
double normal_excess(double limit) {
  const double x = std::fabs(limit);
  const double density = math::exp(-x * x / 2.0) * 0.3989422804014327;
  const double t = 1.0 / (1.0 + 0.2316419 * x);
  const double tail =
      density * t * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const double beyond = limit >= 0 ? tail : 1.0 - tail;
  return std::max(0.0, density - limit * beyond);
}

}  // namespace

double recomputed_share(double tokens, double sequences, const ServingRun& run) {
  if (!(tokens > 0) || !(sequences > 0) || !(run.input_tokens > 0)) return 0;
  const double input = run.input_tokens_cv * run.input_tokens;
  const double output = run.output_tokens;
  const double growth = output * output * (1.0 + run.output_tokens_cv * run.output_tokens_cv) / 12.0;
  const double deviation = std::sqrt(sequences * (growth + input * input));
  if (!(deviation > 0)) return 0;
  const double held = sequences * (run.input_tokens + output / 2.0);
  const double lacking = deviation * normal_excess((tokens - held) / deviation);
  return lacking / (sequences * run.input_tokens);
}

std::string told_recompute(double share) {
  if (share < 1e-3) return "";
  return "Sequences are admitted before their last token has room: " + human_number(100 * share, 2) +
         " % of the prompts' tokens are computed again after preemption.";
}

}  // namespace podwright
