#pragma once
/// The in-band and the out-of-band network port to port. docs/method/fabric.md#wiring-of-the-side-fabrics.
#include <optional>
#include <string>
#include <vector>

#include "architecture/side_fabrics.h"
#include "architecture/wiring.h"

namespace podwright {

/// Why this fabric cannot be wired; absent where it can.
std::optional<std::string> in_band_wiring_refusal(const InBandNeed<NoTrace>& need, const InBandFabric<NoTrace>& fabric);

/// `fabric` must be what build_in_band_fabric() made of `need`, and without refusal. `hosts`: need.hosts devices, dealt
/// to the pairs in this order, so that what may grow stands last. Leaves are "in-p001-l1", spines of a third tier
/// "in-b01-s1", cores "in-c1". Wires in this order: hosts, between the leaves of a pair, uplinks, spines to cores.
NetworkWiring in_band_wiring(const InBandNeed<NoTrace>& need, const InBandFabric<NoTrace>& fabric,
                             const std::vector<WiredDevice>& hosts);

/// Ports of in-band leaves (two of a pair after each other) or cores that nothing is joined to, by the index of device
/// in the wiring and port from 1.
struct FreePort {
  std::uint32_t device = 0;
  std::uint32_t port = 0;
};
/// Pairs of ports for `count` things that need `ports` ports each, half of them on either leaf of a pair; where no pair
/// has enough any more, on cores. Empty where there are not enough.
std::vector<FreePort> free_in_band_ports(const NetworkWiring& in_band, std::uint32_t switch_ports, std::uint32_t count,
                                         std::uint32_t ports);

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
