#include "sizing/replica_nodes.h"

#include <algorithm>
#include <cmath>

namespace podwright::sizing {

double nodes_of_replica(const ServingParallelism& parallelism, double node_gpus) {
  const double gpus = parallelism.tensor * parallelism.pipeline * parallelism.attention_data;
  return std::ceil(gpus / std::max(1.0, node_gpus));
}

}  // namespace podwright::sizing
