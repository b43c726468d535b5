#pragma once
/// A network as exports take it: wires and, where known, what each of them is.
#include <string>
#include <vector>

#include "architecture/cable_length.h"
#include "architecture/wiring.h"

namespace podwright {

/// Both must outlive it.
struct WiredNetwork {
  const NetworkWiring* wiring = nullptr;
  const std::vector<CableRun>* runs = nullptr;  ///< one for each wire; null: not known
};

/// "compute/n00017/nic3-1": network and lower end. An end has one cable, so that this names it, whatever else is added.
inline std::string cable_id(const NetworkWiring& wiring, const Wire& wire) {
  return wiring.network + "/" + wiring.devices[wire.from_device].label + "/" + wiring.ports[wire.from_port];
}

}  // namespace podwright
