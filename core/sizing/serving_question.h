#pragma once
/// What a serving search is asked, as its parts share it.
#include <algorithm>

#include "catalog/catalog.h"
#include "model/layers.h"
#include "sizing/workload.h"

namespace podwright::sizing {

/// All must outlive the search.
struct ServingQuestion {
  const Catalog& catalog;
  const Model& model;
  const LayerStack& stack;
  const std::vector<GpuOffer>& offers;
  const ServingWorkload& workload;
  const ServingConstraints& constraints;

  bool has_peak() const { return workload.peak_requests_per_s > 0; }
  bool coarse() const { return constraints.effort == Effort::coarse; }
  bool tries(Arrangement arrangement) const {
    const auto& asked = workload.arrangements;
    return std::find(asked.begin(), asked.end(), arrangement) != asked.end();
  }
  /// What one GPU adds to a goal: its price; 1 where GPUs are counted or no price is given.
  double goal_of_gpu(std::uint32_t offer) const {
    const auto& price = offers[offer].price_per_gpu;
    return constraints.objective == ServingObjective::gpus || !price ? 1.0 : price->base_units();
  }
  /// Added to goals, so that what has no price comes behind all that has one.
  double behind_prices(std::uint32_t offer) const {
    constexpr double kBeyondEveryPrice = 1e15;
    const bool ranked = !has_peak() || constraints.objective == ServingObjective::gpus;
    return ranked || offers[offer].price_per_gpu ? 0 : kBeyondEveryPrice;
  }
};

}  // namespace podwright::sizing
