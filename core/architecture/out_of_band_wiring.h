#pragma once
/// The out-of-band network port to port. docs/method/fabric.md#wiring-of-the-side-fabrics.
#include <optional>
#include <string>
#include <vector>

#include "architecture/side_fabrics.h"
#include "architecture/wiring.h"

namespace podwright {

struct OutOfBandNeed {
  std::uint32_t switch_ports = 0;          ///< of 1 Gbit/s; the faster ports of the uplinks follow them
  std::uint32_t uplinks = 0;               ///< of one switch
  std::uint32_t pair_links = 0;            ///< between managers of a fabric, two and two, without a switch
  std::vector<WiredDevice> managed;        ///< everything with a management port, in the order in which switches fill
  std::uint32_t in_band_ports = 0;         ///< of one in-band switch
  const NetworkWiring* in_band = nullptr;  ///< where the uplinks lead; null only without uplinks
};

/// Why this network cannot be wired; absent where it can.
std::optional<std::string> out_of_band_wiring_refusal(const OutOfBandFabric<NoTrace>& fabric,
                                                      const OutOfBandNeed& need);

/// `fabric.ports` counts the managed devices and the links of pairs. Switches are "oob-001" and on; a device's own port
/// is "mgmt". Uplinks go, half and half, to free ports of the two leaves of an in-band pair, then of cores. Wires in
/// this order: managed devices, pairs of managers, uplinks.
NetworkWiring out_of_band_wiring(const OutOfBandFabric<NoTrace>& fabric, const OutOfBandNeed& need);

}  // namespace podwright
