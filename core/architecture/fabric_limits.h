#pragma once
/// Whether a fabric can be wired with the ports that its switches have, and what is worth knowing about it.
#include <string>
#include <vector>

#include "architecture/fabric.h"

namespace podwright {

/// Why a fabric cannot be built. Codes: scalable-units, leaf-ports, pair-ports, tiers, rail-group, core-group,
/// manager-ports.
struct FabricRefusal {
  std::string code;
  std::string message;
  double shortfall = 0;  ///< in `unit`
  std::string unit;
  std::vector<std::string> ways_out;  ///< JSON Merge Patches of the request, e.g. {"nodes":127}
};

/// Empty when every link finds its ports. `fabric` is what build_fabric() made of `need`.
std::vector<FabricRefusal> fabric_refusals(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric);

/// Places left free, ports left dark, and where the sizes leave the published designs.
std::vector<std::string> fabric_notes(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric);

}  // namespace podwright
