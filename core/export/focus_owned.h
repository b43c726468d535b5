#pragma once
/// From what an owned cluster costs to the resources and shared costs of a FOCUS table.
#include "cost/owned_cluster.h"
#include "export/focus_csv.h"

namespace podwright {

/// Adds the cluster as `resource`, whose GPUs, utilization and price are taken from `inputs`: to the GPUs go the
/// servers with installation, spares and taking down, electricity, support and licences; network, storage, staff,
/// building and connection become shared costs. Together they are the level cost of owning. False, and nothing added,
/// where a part of the cost or the utilization is not known.
bool add_owned_cluster(FocusPlan& plan, const OwnedTerms<NoTrace>& inputs, OwnedResource resource);

}  // namespace podwright
