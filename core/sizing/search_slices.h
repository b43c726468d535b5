#pragma once
/// Slices of GPUs (MIG) that carry a peak which one GPU is too much for: a replica on each, at the price of its share.
/// docs/method/search.md#slices.
#include <vector>

#include "sizing/front_search.h"
#include "sizing/serving_found.h"
#include "sizing/serving_question.h"

namespace podwright::sizing {

struct SliceSearch {
  std::vector<FoundDeployment> found;  ///< best first
  double evaluated = 0;                ///< kinds of slices, each with an engine and a format
};

/// Slices of all offers that can be cut; points of each go to the front.
SliceSearch search_slices(const ServingQuestion& question, FrontSearch& front);

}  // namespace podwright::sizing
