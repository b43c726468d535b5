#pragma once
/// Whether a fabric can be wired with the ports that its switches have, and what is worth knowing about it.
#include <string>
#include <vector>

#include "architecture/fabric.h"
#include "base/infeasible.h"

namespace podwright {

/// Why a fabric cannot be built. Codes: scalable-units, leaf-ports, pair-ports, tiers, rail-group, core-group,
/// manager-ports. Empty when every link finds its ports. `fabric` is what build_fabric() made of `need`.
std::vector<Infeasible> fabric_refusals(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric);

/// Places left free, ports left dark, and where the sizes leave the published designs.
std::vector<std::string> fabric_notes(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric);

}  // namespace podwright
