#include "memory/prefix_share.h"

#include <algorithm>
#include <cmath>

namespace podwright {

double computed_cv(const ServingRun& run) {
  if (!run.shared) return run.input_tokens_cv;
  const double computed = run.input_tokens * (1 - run.prefix_hit_ratio);
  return computed > 0 ? std::sqrt(std::max(0.0, run.shared->computed_met / computed - 1)) : 0;
}

double own_prompt_deviation(const ServingRun& run) {
  if (!shares_prompts(run)) return run.input_tokens_cv * run.input_tokens * (1 - run.prefix_hit_ratio);
  const TrafficPattern& traffic = *run.traffic;
  const double fresh = fresh_tokens(traffic, run.input_tokens, run.output_tokens);
  const double earlier = traffic.turns - 1;
  const double of_fresh = fresh * run.input_tokens_cv;
  const double of_answer = run.output_tokens * run.output_tokens_cv;
  const double turn = fresh + run.output_tokens;
  return std::sqrt(of_fresh * of_fresh + earlier * (of_fresh * of_fresh + of_answer * of_answer) +
                   earlier * traffic.turns * turn * turn);
}

}  // namespace podwright
