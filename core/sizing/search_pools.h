#pragma once
/// Deployments whose prompts and answers are computed by pools of their own: for one GPU type, engine and format the
/// pair of layouts, and the replicas of each, that carry the peak with the fewest GPUs; or, without a peak, the pair
/// and the split that carry most on the GPUs at hand. docs/method/search.md#pools-of-their-own.
#include <optional>
#include <vector>

#include "catalog/catalog.h"
#include "sizing/limit_certainty.h"
#include "sizing/pool_pair.h"
#include "sizing/serving_question.h"
#include "sizing/serving_rejections.h"

namespace podwright::sizing {

class PoolSearch {
 public:
  /// Both must outlive this. What is left out, and why, is told to `rejected`.
  PoolSearch(const ServingQuestion& question, ServingRejections& rejected)
      : q_(question),
        rejected_(rejected),
        matching_(pool_matching(question.catalog)),
        unexplained_(unexplained_scatter(question.catalog)) {}

  /// The catalog has the figures that join pools.
  bool possible() const { return matching_.has_value(); }

  /// `from` says offer, engine and format; `rates` is asked for the speed of `gpu`. Absent where no pair keeps the
  /// limits with a goal of at most `goal_at_most`. Without a peak a goal is minus the rate, else GPUs x `gpu_goal`.
  std::optional<FoundDeployment> best(const FoundDeployment& from, const Catalog& rates, const Gpu& gpu,
                                      double gpu_goal, const std::vector<ServingParallelism>& layouts,
                                      double goal_at_most);

  double evaluated() const { return evaluated_; }  ///< layouts of pools

 private:
  struct Candidate;
  struct Pair;
  struct Links;
  std::vector<Candidate> candidates(const FoundDeployment& from, const Catalog& rates, const Gpu& gpu, PoolTask task,
                                    const std::vector<ServingParallelism>& layouts);
  Links links_of(const Gpu& gpu) const;
  void size_for_peak(Pair& pair, const Gpu& gpu, double gpu_goal, FoundDeployment& best) const;
  bool size_within(Pair& pair, double most_gpus) const;
  void split_gpus(Pair& pair, const Gpu& gpu, FoundDeployment& best) const;
  FoundDeployment made(const Pair& pair, double rate, double goal, const FoundDeployment& like) const;
  bool startable(const Pair& pair, const Gpu& gpu) const;
  void reject_at_peak(Pair& pair, const Gpu& gpu) const;
  void reject(const Gpu& gpu, const ServingRun& run, const Infeasible& reason) const;
  ServingRun run_of_pair(const Pair& pair) const;

  const ServingQuestion& q_;
  ServingRejections& rejected_;
  const std::optional<PoolMatching> matching_;
  const UnexplainedScatter unexplained_;
  ServingRun run_;
  Margins margins_;  ///< at the confidence that is asked for
  double peak_ = 0;  ///< that they must carry as predicted, so that the workload's is sure enough
  double evaluated_ = 0;
};

}  // namespace podwright::sizing
