#pragma once
/// Every network of a design, port to port: who is joined to whom, as indices; text only where it is written.
/// docs/method/fabric.md#cable-schedule.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace podwright {

/// A device of a network.
struct WiredDevice {
  std::string label;       ///< unique in the design, the same in elevations
  std::string role;        ///< system, fabric-manager, compute-leaf, compute-spine, compute-core, storage-leaf,
                           ///< storage-spine, storage-core, storage, in-band-leaf, in-band-spine, in-band-core,
                           ///< out-of-band, management, pdu
  std::uint32_t unit = 0;  ///< scalable unit from 1; 0: belongs to none
};

/// Both ends of a link, the lower one first. Ports index NetworkWiring::ports.
struct Wire {
  std::uint32_t from_device = 0;
  std::uint32_t from_port = 0;
  std::uint32_t to_device = 0;
  std::uint32_t to_port = 0;
};

struct NetworkWiring {
  std::string network;               ///< compute, storage, in-band, out-of-band
  std::vector<WiredDevice> devices;  ///< those of lower tiers first
  std::vector<std::string> ports;    ///< labels of ports, each once: "nic3-1", "17"
  std::vector<Wire> wires;
  std::uint32_t links_per_cable = 1;  ///< 2 where a cable is a twin
};

}  // namespace podwright
