#pragma once
/// Every network of a design, port to port: who is joined to whom, as indices; text only where it is written.
/// docs/method/fabric.md#cable-schedule.
#include <cstdint>
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

/// Whether devices of this role are switches.
inline bool is_switch(const std::string& role) {
  return role == "out-of-band" || role.find("-leaf") != std::string::npos || role.find("-spine") != std::string::npos ||
         role.find("-core") != std::string::npos;
}

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

/// Deals the links of spines to the cores above blocks, block by block and spine by spine, in turn over the cores: each
/// core has the same number of links of a full block, and none has two more than another. Every spine passes on as many
/// links as it has taken, on its next ports. `used`: ports of the device taken so far, by its index in the wiring;
/// `first_port`: index of the label "1". docs/method/fabric.md#wiring-of-the-side-fabrics.
inline void deal_to_cores(NetworkWiring& wiring, std::vector<std::uint32_t>& used, std::uint32_t first_port,
                          std::uint32_t first_spine, std::uint32_t spines, std::uint32_t first_core,
                          std::uint32_t cores) {
  std::uint32_t turn = 0;
  for (std::uint32_t spine = first_spine; spine < first_spine + spines; ++spine)
    for (std::uint32_t links = used[spine]; links > 0; --links) {
      const std::uint32_t core = first_core + turn++ % cores;
      wiring.wires.push_back({.from_device = spine,
                              .from_port = first_port + used[spine]++,
                              .to_device = core,
                              .to_port = first_port + used[core]++});
    }
}

}  // namespace podwright
