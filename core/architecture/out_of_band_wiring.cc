#include "architecture/out_of_band_wiring.h"

#include "architecture/in_band_wiring.h"
#include "architecture/label_number.h"
#include "base/result.h"
#include "base/whole.h"

namespace podwright {
namespace {

std::vector<Whole> managers_of(const OutOfBandNeed& need) {
  std::vector<Whole> managers;
  for (Whole i = 0; i < need.managed.size(); ++i)
    if (need.managed[i].role == "fabric-manager") managers.push_back(i);
  return managers;
}

std::vector<FreePort> uplink_ports(const OutOfBandFabric<NoTrace>& fabric, const OutOfBandNeed& need) {
  if (need.uplinks == 0 || need.in_band == nullptr) return {};
  return free_in_band_ports(*need.in_band, need.in_band_ports, static_cast<Whole>(fabric.switches), need.uplinks);
}

}  // namespace

std::optional<std::string> out_of_band_wiring_refusal(const OutOfBandFabric<NoTrace>& fabric,
                                                      const OutOfBandNeed& need) {
  if (static_cast<double>(need.managed.size() + need.pair_links) != fabric.ports)
    return "The out-of-band network counts " + std::to_string(static_cast<Whole>(fabric.ports)) + " ports, but " +
           std::to_string(need.managed.size()) + " devices and " + std::to_string(need.pair_links) +
           " links between managers are named.";
  if (static_cast<double>(need.managed.size()) > fabric.switches * need.switch_ports)
    return std::string("The out-of-band switches have fewer ports than there are devices.");
  if (need.pair_links > 0 && managers_of(need).size() < 2)
    return std::string("Links between managers of a fabric need two of them.");
  if (need.uplinks > 0 && uplink_ports(fabric, need).empty() && fabric.switches > 0)
    return std::string("The in-band switches have too few free ports for the uplinks of the out-of-band switches.");
  return {};
}

NetworkWiring out_of_band_wiring(const OutOfBandFabric<NoTrace>& fabric, const OutOfBandNeed& need) {
  PODWRIGHT_ASSERT(!out_of_band_wiring_refusal(fabric, need));
  NetworkWiring wiring{.network = "out-of-band", .devices = need.managed, .ports = {"mgmt"}, .wires = {}};
  const std::vector<FreePort> uplinks = uplink_ports(fabric, need);
  const Whole first_switch = static_cast<Whole>(need.managed.size());
  const Whole switches = static_cast<Whole>(fabric.switches);
  for (Whole i = 0; i < switches; ++i) wiring.devices.push_back({numbered_label("oob-", i + 1, 3), "out-of-band", 0});
  // In-band switches are managed devices too; a device is in the list once.
  std::vector<Whole> in_band_device(need.in_band == nullptr ? 0 : need.in_band->devices.size(), 0);
  for (const FreePort& port : uplinks) {
    if (in_band_device[port.device] != 0) continue;
    const WiredDevice& device = need.in_band->devices[port.device];
    Whole at = 0;
    while (at < wiring.devices.size() && wiring.devices[at].label != device.label) ++at;
    if (at == wiring.devices.size()) wiring.devices.push_back(device);
    in_band_device[port.device] = at;
  }
  Whole most_ports = need.switch_ports + need.uplinks;
  for (const FreePort& port : uplinks) most_ports = port.port > most_ports ? port.port : most_ports;
  for (Whole i = 1; i <= most_ports; ++i) wiring.ports.push_back(std::to_string(i));
  const Whole pair_port = static_cast<Whole>(wiring.ports.size());

  for (Whole i = 0; i < first_switch; ++i)
    wiring.wires.push_back({i, 0, first_switch + i / need.switch_ports, 1 + i % need.switch_ports});

  const std::vector<Whole> managers = managers_of(need);
  const Whole pairs = static_cast<Whole>(managers.size()) / 2;
  for (Whole i = 0; i < need.pair_links; ++i) {
    const Whole port = pair_port + i / pairs;
    if (port == wiring.ports.size()) wiring.ports.push_back("pair" + std::to_string(i / pairs + 1));
    wiring.wires.push_back({managers[i % pairs * 2], port, managers[i % pairs * 2 + 1], port});
  }
  for (Whole i = 0; i < uplinks.size(); ++i)
    wiring.wires.push_back({first_switch + i / need.uplinks, need.switch_ports + 1 + i % need.uplinks,
                            in_band_device[uplinks[i].device], uplinks[i].port});
  return wiring;
}

}  // namespace podwright
