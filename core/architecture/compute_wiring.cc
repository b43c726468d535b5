#include "architecture/compute_wiring.h"

#include <algorithm>

#include "architecture/cable_schedule.h"
#include "architecture/label_number.h"
#include "base/result.h"
#include "base/whole.h"

namespace podwright {
namespace {

class ComputeWiring {
 public:
  ComputeWiring(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric,
                const std::vector<std::string>& node_labels, const std::vector<std::string>& manager_labels)
      : need_(need), schedule_(cable_schedule(need, fabric)), layout_(schedule_.layout) {
    PODWRIGHT_ASSERT(node_labels.size() == static_cast<std::size_t>(need.nodes));
    wiring_.network = "compute";
    wiring_.links_per_cable = whole(need.links_per_cable);
    add_nodes(node_labels);
    add_managers(manager_labels);
    first_leaf_ = add_switches(FabricDevice::leaf, "compute-leaf", layout_.leaves);
    first_spine_ = add_switches(FabricDevice::spine, "compute-spine", layout_.spines);
    first_core_ = add_switches(FabricDevice::core, "compute-core", layout_.cores);
    add_ports();
  }

  NetworkWiring take() {
    wiring_.wires.reserve(schedule_.links.size());
    for (const FabricLink& link : schedule_.links)
      wiring_.wires.push_back({.from_device = device(link.from),
                               .from_port = port(link.from),
                               .to_device = device(link.to),
                               .to_port = port(link.to)});
    return std::move(wiring_);
  }

 private:
  Whole devices() const { return static_cast<Whole>(wiring_.devices.size()); }

  void add_nodes(const std::vector<std::string>& labels) {
    const Whole per_unit = whole(need_.nodes_per_unit);
    for (Whole node = 0; node < labels.size(); ++node)
      wiring_.devices.push_back({labels[node], "system", layout_.named_by_rail ? node / per_unit + 1 : 0});
  }

  void add_managers(const std::vector<std::string>& labels) {
    first_manager_ = devices();
    const Whole links = whole(need_.manager_links);
    managers_ = labels.empty() ? links : std::min(links, static_cast<Whole>(labels.size()));
    for (Whole i = 0; i < managers_; ++i)
      wiring_.devices.push_back(
          {labels.empty() ? device_label(layout_, {i, 1, FabricDevice::manager}) : labels[i], "fabric-manager", 0});
  }

  Whole add_switches(FabricDevice kind, const char* role, Whole per_plane) {
    const Whole first = devices();
    for (Whole i = 0; i < per_plane * layout_.planes; ++i)
      wiring_.devices.push_back({device_label(layout_, {i, 1, kind}), role, unit_of(kind, i % per_plane)});
    return first;
  }

  /// `number` counts within the plane.
  Whole unit_of(FabricDevice kind, Whole number) const {
    if (kind == FabricDevice::leaf && layout_.named_by_rail)
      return number / (layout_.rails * layout_.leaves_of_rail) + 1;
    const bool own_group = need_.topology == FabricTopology::rail_groups && need_.units_per_group == 1;
    if (kind == FabricDevice::spine && own_group) return number / layout_.spines_per_group / layout_.rails + 1;
    return 0;
  }

  /// NICs of nodes, then ports of switches, then those of managers.
  void add_ports() {
    const Whole nics = layout_.rails * layout_.planes;
    for (Whole i = 0; i < nics; ++i)
      wiring_.ports.push_back(port_label(layout_, {0, static_cast<std::uint16_t>(i), FabricDevice::node}));
    first_switch_port_ = nics;
    for (Whole i = 1; i <= whole(need_.switch_ports); ++i) wiring_.ports.push_back(std::to_string(i));
    first_manager_port_ = static_cast<Whole>(wiring_.ports.size());
    for (Whole i = 0; i * managers_ < whole(need_.manager_links); ++i)
      wiring_.ports.push_back("hca" + std::to_string(i + 1));
  }

  Whole device(const FabricPort& end) const {
    switch (end.kind) {
      case FabricDevice::node:
        return end.device;
      case FabricDevice::manager:
        return first_manager_ + end.device % managers_;
      case FabricDevice::leaf:
        return first_leaf_ + end.device;
      case FabricDevice::spine:
        return first_spine_ + end.device;
      default:
        return first_core_ + end.device;
    }
  }

  Whole port(const FabricPort& end) const {
    if (end.kind == FabricDevice::node) return end.port;
    if (end.kind == FabricDevice::manager) return first_manager_port_ + end.device / managers_;
    return first_switch_port_ + end.port - 1;
  }

  const FabricNeed<NoTrace>& need_;
  const CableSchedule schedule_;
  const FabricLayout& layout_;
  NetworkWiring wiring_;
  Whole managers_ = 0;
  Whole first_manager_ = 0, first_leaf_ = 0, first_spine_ = 0, first_core_ = 0;
  Whole first_switch_port_ = 0, first_manager_port_ = 0;
};

}  // namespace

NetworkWiring compute_wiring(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric,
                             const std::vector<std::string>& node_labels,
                             const std::vector<std::string>& manager_labels) {
  return ComputeWiring(need, fabric, node_labels, manager_labels).take();
}

}  // namespace podwright
