#pragma once
/// A network as a lab of containers. docs/method/exports.md#containerlab.
#include <string>

#include "architecture/wiring.h"
#include "base/result.h"

namespace podwright {

inline constexpr std::size_t kMostLabNodes = 2000;

/// The topology file (*.clab.yml). A port of a switch keeps its number ("eth17"), those of others are numbered in the
/// order of the wires, from "eth1". Error "out-of-range" where the network has more than kMostLabNodes devices.
Result<std::string> containerlab_topology(const NetworkWiring& wiring);

}  // namespace podwright
