#pragma once
/// What the parts of a serving search add to while it runs, and these parts. docs/method/search.md#serving.
#include <algorithm>
#include <utility>
#include <vector>

#include "sizing/front_search.h"
#include "sizing/serving_question.h"
#include "sizing/serving_rejections.h"

namespace podwright::sizing {

/// The deployments found so far, of GPU, engine, format and arrangement together the best one, and the goal that the
/// next must reach to be shown.
class FoundDeployments {
 public:
  explicit FoundDeployments(double shown) : shown_(shown) {}

  void add(const FoundDeployment& found) {
    found_.push_back(found);
    goals_.insert(std::upper_bound(goals_.begin(), goals_.end(), found.goal), found.goal);
    if (static_cast<double>(goals_.size()) > shown_) goals_.pop_back();
  }
  double goal_to_reach() const { return static_cast<double>(goals_.size()) < shown_ ? kNever : goals_.back(); }
  std::vector<FoundDeployment> take() {
    std::sort(found_.begin(), found_.end(), better);
    return std::move(found_);
  }

 private:
  double shown_;
  std::vector<FoundDeployment> found_;
  std::vector<double> goals_;  ///< of the best, rising
};

/// What the parts of a search add to.
struct ServingFindings {
  FoundDeployments found;
  FrontSearch front;
  ServingRejections rejected;
  double evaluated = 0;
  double pruned = 0;
  bool one_gpu_may_do = false;  ///< the peak is less than what some GPU alone completes
};

/// Deployments whose replicas compute prompts and answers, for one GPU type, engine and format.
/// Tries every layout with each limit of the engine's step and each draft, and adds the best; where each size of a
/// replica is asked for, also those of smaller replicas that take more GPUs. `from` says offer, engine
/// and format; `rates` is asked for the speed of the GPU.
void search_replicas_of(const ServingQuestion& question, const Catalog& rates, const Engine& engine,
                        const WeightFormat& format, const FoundDeployment& from,
                        std::vector<ServingParallelism> layouts, ServingFindings& findings);

/// Slices of GPUs (MIG) that carry a peak which one GPU is too much for: a replica on each, at the price of its share.
/// docs/method/search.md#slices.
struct SliceSearch {
  std::vector<FoundDeployment> found;  ///< best first
  double evaluated = 0;                ///< kinds of slices, each with an engine and a format
};

/// Slices of all offers that can be cut; points of each go to the front.
SliceSearch search_slices(const ServingQuestion& question, FrontSearch& front);

}  // namespace podwright::sizing
