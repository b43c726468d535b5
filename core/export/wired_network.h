#pragma once
/// A network as exports take it: wires and, where known, what each of them is.
#include <array>
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
/// Written over `id`, which serves again for the next.
inline void cable_id(std::string& id, const NetworkWiring& wiring, const Wire& wire) {
  id = wiring.network;
  id += '/';
  id += wiring.devices[wire.from_device].label;
  id += '/';
  id += wiring.ports[wire.from_port];
}

/// The text of every entry of kCableLengths.
std::array<std::string, kCableLengths.size()> cable_length_texts();

}  // namespace podwright
