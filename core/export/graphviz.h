#pragma once
/// A network as a drawing for Graphviz. docs/method/exports.md#graphviz.
#include <optional>
#include <string>

#include "architecture/wiring.h"

namespace podwright {

/// An undirected graph with one rank for each role, the lowest tier at the bottom; parallel links are one edge that
/// says how many. `by_unit`: devices of a role in one unit are one box, and those of no unit by the first parts of
/// their labels; absent: where there are more than 150 devices.
std::string graphviz_dot(const NetworkWiring& wiring, std::optional<bool> by_unit = std::nullopt);

}  // namespace podwright
