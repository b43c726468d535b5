#pragma once
/// A replica of a deployment as it stands on nodes.
#include "memory/serving_run.h"

namespace podwright::sizing {

/// Nodes over which a replica spreads.
double nodes_of_replica(const ServingParallelism& parallelism, double node_gpus);
/// A pool of a disaggregated deployment; `whole`: one engine does both.
enum class Pool { whole, prefill, decode };

}  // namespace podwright::sizing
