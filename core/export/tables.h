#pragma once
/// Networks as exports take them, and a design as tables.
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "architecture/cable_length.h"
#include "architecture/design_figures.h"
#include "architecture/wiring.h"
#include "base/number_text.h"
#include "base/result.h"

namespace podwright {

/// Wires and, where known, what each of them is. Both must outlive it.
struct WiredNetwork {
  const NetworkWiring* wiring = nullptr;
  const std::vector<CableRun>* runs = nullptr;  ///< one for each wire; null: not known
};

/// Number of a front port of a switch; 0 where the label is not a number.
inline std::uint32_t front_port(std::string_view label) {
  std::uint32_t number = 0;
  for (const char c : label) {
    if (c < '0' || c > '9' || label.size() > 6) return 0;
    number = number * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return number;
}

/// A wire as an export writes it.
struct ExportedCable {
  /// "compute/n00017/nic3-1": network and lower end. An end has one cable, so that this names it, whatever else is
  /// added.
  std::string_view id;
  CableMedium medium = CableMedium::unknown;
  std::string_view length_m;  ///< empty where not known
};

/// Calls `visit(wire, cable)` for every wire of a network.
template <class Visit>
void for_each_cable(const WiredNetwork& network, const Visit& visit) {
  const NetworkWiring& wiring = *network.wiring;
  PODWRIGHT_ASSERT(network.runs == nullptr || network.runs->size() == wiring.wires.size());
  std::array<std::string, kCableLengths.size()> lengths;
  for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = shortest_number(kCableLengths[i]);
  std::string id;
  for (std::size_t i = 0; i < wiring.wires.size(); ++i) {
    const Wire& wire = wiring.wires[i];
    const CableRun run = network.runs == nullptr ? CableRun{} : (*network.runs)[i];
    id = wiring.network;
    id += '/';
    id += wiring.devices[wire.from_device].label;
    id += '/';
    id += wiring.ports[wire.from_port];
    visit(wire, ExportedCable{.id = id,
                              .medium = run.medium,
                              .length_m = run.length == kNoLength ? std::string_view() : lengths[run.length]});
  }
}

/// Of all networks together.
inline std::size_t wires_of(const std::vector<WiredNetwork>& networks) {
  std::size_t wires = 0;
  for (const WiredNetwork& network : networks) wires += network.wiring->wires.size();
  return wires;
}

/// The bill of materials, docs/method/exports.md#bill: columns category, item_id, name, use, count, unit, note. What no
/// count is known of follows with category "not-counted" and an empty count.
std::string bill_csv(const BillOfMaterials<NoTrace>& bill);

/// Every link of every network, docs/method/exports.md#cables: columns id, network, from_device, from_port, to_device,
/// to_port, medium, length_m (as ordered: up to); a cell is empty where a thing is not known.
std::string cables_csv(const std::vector<WiredNetwork>& networks);

}  // namespace podwright
