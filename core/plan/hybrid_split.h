#pragma once
/// The cheapest split of a plan's work into whole owned nodes and whole rented instances.
/// docs/method/decision.md#hybrid.
#include <optional>

#include "base/units.h"
#include "cost/hybrid.h"

namespace podwright {

/// Trainings that take turns and wait until their deadlines for nodes that serving leaves idle.
struct WaitingRuns {
  double gpus = 0;          ///< of the largest one
  double needed_share = 0;  ///< of the time, for all of them
};

struct HybridWork {
  DemandLoad load;
  double bound_gpus = 0;               ///< of work that must be owned
  std::optional<WaitingRuns> waiting;  ///< absent where there is no run, or none may wait
};

/// Prices of one GPU and time, and how many of them only come together.
struct HybridUnits {
  UsdPerSecond own;  ///< with what moving work costs
  UsdPerSecond rent;
  double node_gpus = 1;
  double instance_gpus = 1;
};

struct HybridSplit {
  double own_gpus = 0;
  double instances_mean = 0;  ///< rented
  double instances_peak = 0;
  bool runs_wait = false;  ///< all runs fit into what serving leaves idle of the owned nodes
};

/// What is rented besides so many owned GPUs.
HybridSplit split_with(const HybridWork& work, const HybridUnits& units, double own_gpus);

/// The cheapest split that owns what is bound; it may own or rent everything.
HybridSplit best_split(const HybridWork& work, const HybridUnits& units);

}  // namespace podwright
