#pragma once
/// A network as a drawing for Graphviz. docs/method/exports.md#graphviz.
#include <string>

#include "architecture/wiring.h"

namespace podwright {

/// An undirected graph with one rank for each role, the lowest tier at the bottom; parallel links are one edge that
/// says how many. Of more than 150 devices those of a role in one unit are one box, and those of no unit by the first
/// parts of their labels.
std::string graphviz_dot(const NetworkWiring& wiring);

}  // namespace podwright
