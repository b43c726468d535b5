#pragma once
/// A deployment that a search found, estimated as a whole: what it reaches, how sure that is, what it costs.
/// docs/method/search.md#serving.
#include <optional>
#include <string>
#include <vector>

#include "sizing/serving_candidates.h"
#include "sizing/serving_question.h"
#include "sizing/workload.h"

namespace podwright::sizing {

class ServingFinish {
 public:
  /// The question must outlive this.
  explicit ServingFinish(const ServingQuestion& question) : q_(question) {}

  /// At the peak rate, or the highest that keeps every limit. Where the whole misses a limit by a hair that its
  /// replicas alone keep, a few replicas more are tried, and `found` is told their number; absent where they do not
  /// help. What the estimate assumes is added.
  std::optional<ServingCandidate> candidate(FoundDeployment& found, std::vector<std::string>& assumptions) const;

 private:
  ServingCandidate filled(const FoundDeployment& found, std::shared_ptr<const Gpu> slice, ServingRun run,
                          const ServingEstimate<NoTrace>& estimate, double most) const;
  /// How sure the limits are kept, and the rates that keep them where every time stands at the upper, and at the lower,
  /// bound of its interval. `half_width` is of the rates.
  void judge_replicas(const FoundDeployment& found, double half_width, ServingCandidate& candidate) const;
  void judge_pools(const FoundDeployment& found, double half_width, ServingCandidate& candidate) const;

  const ServingQuestion& q_;
};

}  // namespace podwright::sizing
