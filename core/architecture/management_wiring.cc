#include "architecture/management_wiring.h"

#include <algorithm>

#include "architecture/counted.h"
#include "base/result.h"
#include "base/whole.h"

namespace podwright {
namespace {

/// Ports of hosts come first in the table of ports, then "1" and on.
constexpr Whole kFirstSwitchPort = 2;

}  // namespace

std::optional<std::string> in_band_wiring_refusal(const InBandNeed<NoTrace>& need,
                                                  const InBandFabric<NoTrace>& fabric) {
  if (need.inter_switch_links + need.uplinks >= need.switch_ports)
    return std::string("The links of an in-band leaf to other switches leave no port for a host.");
  const Whole links = whole(fabric.uplink_cables);
  if (links == 0) return {};
  if (need.cores == 0) return std::string("The in-band leaves have uplinks, but there is no core.");
  // With a third tier spines take the uplinks, in turn within a block, and pass on as many.
  if (need.third) {
    const Whole block = whole(std::min(fabric.leaves, 2 * need.third->parts_of_block) * need.uplinks);
    const Whole spines = whole(need.third->spines_of_block);
    const Whole ports = 2 * ((block + spines - 1) / spines);
    if (ports > whole(need.switch_ports))
      return "An in-band spine would need " + std::to_string(ports) + " ports of " +
             std::to_string(whole(need.switch_ports)) + ".";
  }
  const Whole most = (links + whole(need.cores) - 1) / whole(need.cores);
  if (most > whole(need.switch_ports))
    return "An in-band core would need " + std::to_string(most) + " ports of " +
           std::to_string(whole(need.switch_ports)) + ".";
  return {};
}

NetworkWiring in_band_wiring(const InBandNeed<NoTrace>& need, const InBandFabric<NoTrace>& fabric,
                             const std::vector<WiredDevice>& hosts) {
  PODWRIGHT_ASSERT(hosts.size() == static_cast<std::size_t>(need.hosts));
  PODWRIGHT_ASSERT(!in_band_wiring_refusal(need, fabric));
  const Whole ports = whole(need.switch_ports), uplinks = whole(need.uplinks), cores = whole(need.cores);
  const Whole between = whole(need.inter_switch_links), leaves = whole(fabric.leaves);
  const Whole hosts_of_pair = ports - between - uplinks;

  const Whole spines = need.third ? whole(need.third->spines) : 0;
  const Whole spines_of_block = need.third ? whole(need.third->spines_of_block) : 0;
  const Whole leaves_of_block = need.third ? 2 * whole(need.third->parts_of_block) : leaves;

  NetworkWiring wiring{.network = "in-band", .devices = hosts, .ports = {"in1", "in2"}, .wires = {}};
  const Whole first_leaf = static_cast<Whole>(hosts.size());
  const Whole first_spine = first_leaf + leaves;
  const Whole first_core = first_spine + spines;
  for (Whole i = 0; i < leaves; ++i)
    wiring.devices.push_back({numbered_label("in-p", i / 2 + 1, 3) + (i % 2 == 0 ? "-l1" : "-l2"), "in-band-leaf", 0});
  for (Whole i = 0; i < spines; ++i)
    wiring.devices.push_back(
        {numbered_label(numbered_label("in-b", i / spines_of_block + 1, 2) + "-s", i % spines_of_block + 1, 1),
         "in-band-spine", 0});
  for (Whole i = 0; i < cores; ++i) wiring.devices.push_back({numbered_label("in-c", i + 1, 1), "in-band-core", 0});
  for (Whole i = 1; i <= ports; ++i) wiring.ports.push_back(std::to_string(i));

  for (Whole host = 0; host < first_leaf; ++host)
    for (Whole side = 0; side < 2; ++side)
      wiring.wires.push_back(
          {host, side, first_leaf + host / hosts_of_pair * 2 + side, kFirstSwitchPort + host % hosts_of_pair});
  for (Whole leaf = 0; leaf < leaves; leaf += 2)
    for (Whole i = 0; i < between; ++i) {
      const Whole port = kFirstSwitchPort + hosts_of_pair + i;
      wiring.wires.push_back({first_leaf + leaf, port, first_leaf + leaf + 1, port});
    }
  // In turn over the cores, or the spines of a block, going on from leaf to leaf, so that none has more than one link
  // more than another.
  std::vector<Whole> used(wiring.devices.size());
  Whole dealt = 0;
  for (Whole leaf = 0; leaf < leaves; ++leaf) {
    if (leaf % leaves_of_block == 0) dealt = 0;
    for (Whole i = 0; i < uplinks; ++i, ++dealt) {
      const Whole above = spines == 0
                              ? first_core + dealt % cores
                              : first_spine + leaf / leaves_of_block * spines_of_block + dealt % spines_of_block;
      wiring.wires.push_back(
          {first_leaf + leaf, kFirstSwitchPort + hosts_of_pair + between + i, above, kFirstSwitchPort + used[above]++});
    }
  }
  if (spines > 0) deal_to_cores(wiring, used, kFirstSwitchPort, first_spine, spines, first_core, cores);
  return wiring;
}

std::vector<FreePort> free_in_band_ports(const NetworkWiring& in_band, std::uint32_t switch_ports, std::uint32_t count,
                                         std::uint32_t ports) {
  std::vector<std::vector<bool>> used(in_band.devices.size());
  std::vector<Whole> leaves, cores;
  for (Whole i = 0; i < in_band.devices.size(); ++i) {
    if (in_band.devices[i].role == "in-band-leaf") leaves.push_back(i);
    if (in_band.devices[i].role == "in-band-core") cores.push_back(i);
    if (in_band.devices[i].role.rfind("in-band-", 0) == 0) used[i].resize(switch_ports);
  }
  for (const Wire& wire : in_band.wires) {
    if (!used[wire.from_device].empty()) used[wire.from_device][wire.from_port - kFirstSwitchPort] = true;
    if (!used[wire.to_device].empty()) used[wire.to_device][wire.to_port - kFirstSwitchPort] = true;
  }
  const auto free_of = [&](Whole device) {
    return static_cast<Whole>(std::count(used[device].begin(), used[device].end(), false));
  };
  std::vector<FreePort> found;
  const auto take = [&](Whole device) {
    const auto port = std::find(used[device].begin(), used[device].end(), false);
    *port = true;
    found.push_back({device, static_cast<Whole>(port - used[device].begin()) + 1});
  };
  std::size_t pair = 0, core = 0;
  for (Whole thing = 0; thing < count; ++thing) {
    while (pair + 1 < leaves.size() &&
           (free_of(leaves[pair]) < (ports + 1) / 2 || free_of(leaves[pair + 1]) < ports / 2))
      pair += 2;
    for (Whole i = 0; i < ports; ++i) {
      if (pair + 1 < leaves.size()) {
        take(leaves[pair + i % 2]);
        continue;
      }
      std::size_t looked = 0;
      for (; looked < cores.size() && free_of(cores[core % cores.size()]) == 0; ++looked) ++core;
      if (looked == cores.size()) return {};
      take(cores[core++ % cores.size()]);
    }
  }
  return found;
}

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
