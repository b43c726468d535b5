#pragma once
/// Every link of every network, port to port. docs/method/exports.md#cables.
#include <string>
#include <vector>

#include "export/wired_network.h"

namespace podwright {

/// Columns id, network, from_device, from_port, to_device, to_port, medium, length_m (as ordered: up to); a cell is
/// empty where a thing is not known.
std::string cables_csv(const std::vector<WiredNetwork>& networks);

}  // namespace podwright
