#pragma once
/// The compute network port to port. docs/method/fabric.md#cable-schedule.
#include <string>
#include <vector>

#include "architecture/fabric.h"
#include "architecture/wiring.h"

namespace podwright {

/// Nodes, fabric managers, leaves, spines, cores, with the labels of cable_schedule(). `fabric` must be what
/// build_fabric() made of `need`, and without refusals. `node_labels`: one for each node. `manager_labels`: the links
/// of the fabric manager go to them in turn; empty: each link has a manager of its own, "m1" and on.
NetworkWiring compute_wiring(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric,
                             const std::vector<std::string>& node_labels,
                             const std::vector<std::string>& manager_labels = {});

}  // namespace podwright
