#pragma once
/// A fabric as a drawing: cores, spines, leaves and nodes from left to right, scalable units from top to bottom, each
/// open or collapsed into a box with counts. docs/method/drawings.md#topology.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "architecture/fabric.h"

namespace podwright {

struct TopologyDrawing {
  /// Units, from 1, that show every leaf and node. Absent: all units of a small fabric, the first of a large one.
  std::optional<std::vector<std::uint32_t>> open_units;
};

/// `fabric` is what build_fabric() made of `need`. Where it cannot be wired the drawing says why instead.
std::string topology_svg(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric,
                         const TopologyDrawing& options = {});

}  // namespace podwright
