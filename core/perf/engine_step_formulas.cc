#include "perf/engine_step_formulas.h"

#include "base/math.h"

namespace podwright {

double untouched_expert_share(double experts, double experts_per_token, double tokens) {
  if (experts_per_token >= experts) return 0;
  return math::pow(1.0 - experts_per_token / experts, tokens);
}

double copies_sent(double places, double experts_per_token) {
  if (places <= 1) return places - 1.0;
  return (places - 1.0) * (1.0 - math::pow(1.0 - 1.0 / places, experts_per_token));
}

}  // namespace podwright
