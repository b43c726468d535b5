#include "architecture/cable_schedule.h"

#include <algorithm>
#include <numeric>

#include "architecture/counted.h"
#include "base/result.h"
#include "base/whole.h"

namespace podwright {
namespace {

FabricPort at(FabricDevice kind, Whole device, Whole port) { return {device, static_cast<std::uint16_t>(port), kind}; }

/// Switches that share the uplinks of the same leaves: all spines of one layer, of a pod, or of a rail group.
struct SpineGroup {
  Whole first = 0;   ///< spine, within its plane
  Whole spines = 0;  ///< divides the uplinks of a leaf
  Whole leaves = 0;
};

class Scheduler {
 public:
  Scheduler(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric)
      : schedule_{fabric_layout(need, fabric), {}},
        topology_(need.topology),
        nodes_(whole(need.nodes)),
        ports_(whole(need.switch_ports)),
        nodes_per_unit_(whole(need.nodes_per_unit)),
        units_(whole(fabric.scalable_units)),
        units_per_group_(whole(std::min(need.units_per_group, fabric.scalable_units))),
        down_(whole(fabric.leaf_ports_down)),
        uplinks_(whole(fabric.uplinks)),
        manager_links_(whole(need.manager_links)),
        core_oversubscription_(need.core_oversubscription.value_or(1)) {
    PODWRIGHT_ASSERT(need.switch_ports <= 65535 && need.rails * need.planes <= 65535);
    const double links = fabric.node_leaf_links + need.manager_links + fabric.leaf_spine_links +
                         fabric.spine_core_links + fabric.inter_switch_links;
    schedule_.links.reserve(static_cast<std::size_t>(links));
    group_spines();
  }

  CableSchedule take() {
    for (Whole plane = 0; plane < layout_.planes; ++plane) nodes_to_leaves(plane);
    manager_to_leaves();
    for (Whole plane = 0; plane < layout_.planes; ++plane) {
      if (topology_ == FabricTopology::switch_pair) between_the_pair(plane);
      leaves_to_spines(plane);
    }
    for (Whole plane = 0; plane < layout_.planes; ++plane) spines_to_cores(plane);
    return std::move(schedule_);
  }

 private:
  bool grouped() const { return topology_ == FabricTopology::rail_groups || layout_.cores > 0; }

  void link(const FabricPort& from, const FabricPort& to) { schedule_.links.push_back({from, to}); }

  /// The leaf and port of a node's rail: leaves of a rail are filled one after the other.
  FabricPort leaf_of(Whole plane, Whole node, Whole rail) const {
    if (!layout_.named_by_rail) {
      const Whole endpoint = node * layout_.rails + rail;
      return at(FabricDevice::leaf, plane * layout_.leaves + endpoint % layout_.leaves, endpoint / layout_.leaves + 1);
    }
    const Whole unit = node / nodes_per_unit_;
    const Whole place = node % nodes_per_unit_;
    const Whole leaf = (unit * layout_.rails + rail) * layout_.leaves_of_rail + place / down_;
    return at(FabricDevice::leaf, plane * layout_.leaves + leaf, place % down_ + 1);
  }

  void nodes_to_leaves(Whole plane) {
    for (Whole node = 0; node < nodes_; ++node)
      for (Whole rail = 0; rail < layout_.rails; ++rail)
        link(at(FabricDevice::node, node, rail * layout_.planes + plane), leaf_of(plane, node, rail));
  }

  /// Nodes on a leaf, by its number within the plane. They take its first ports.
  Whole used_ports(Whole leaf) const {
    if (!layout_.named_by_rail) {
      const Whole endpoints = nodes_ * layout_.rails;
      return endpoints / layout_.leaves + (leaf < endpoints % layout_.leaves ? 1 : 0);
    }
    const Whole unit = leaf / (layout_.rails * layout_.leaves_of_rail);
    const Whole first = unit * nodes_per_unit_;
    const Whole present = first < nodes_ ? std::min(nodes_per_unit_, nodes_ - first) : 0;
    const Whole before = leaf % layout_.leaves_of_rail * down_;
    return before < present ? std::min(down_, present - before) : 0;
  }

  /// From the last leaf port downwards, one port on each leaf in turn, beginning with the leaves of the last unit.
  void manager_to_leaves() {
    const Whole per_unit = layout_.named_by_rail ? layout_.rails * layout_.leaves_of_rail : layout_.leaves;
    const Whole last = ports_ - uplinks_;
    Whole links = 0;
    for (Whole port = last; port > 0 && links < manager_links_; --port)
      for (Whole unit = layout_.leaves / per_unit; unit-- > 0;)
        for (Whole i = 0; i < per_unit; ++i)
          for (Whole plane = 0; plane < layout_.planes && links < manager_links_; ++plane) {
            const Whole leaf = unit * per_unit + i;
            if (port > used_ports(leaf))
              link(at(FabricDevice::manager, links++, 1), at(FabricDevice::leaf, plane * layout_.leaves + leaf, port));
          }
  }

  void between_the_pair(Whole plane) {
    for (Whole i = 0; i < uplinks_; ++i)
      link(at(FabricDevice::leaf, plane * 2, ports_ - uplinks_ + 1 + i),
           at(FabricDevice::leaf, plane * 2 + 1, ports_ - uplinks_ + 1 + i));
  }

  void group_spines() {
    if (layout_.spines == 0) return;
    if (!grouped()) {
      groups_.push_back({0, layout_.spines, layout_.leaves});
      return;
    }
    const bool rails = topology_ == FabricTopology::rail_groups;
    const Whole leaves_of_full = rails ? units_per_group_ * layout_.leaves_of_rail : ports_ / 2;
    for (Whole first = 0, left = layout_.leaves; first < layout_.spines; first += layout_.spines_per_group) {
      const Whole group = first / layout_.spines_per_group;
      const Whole leaves = rails ? leaves_of_rail_group(group) : std::min(leaves_of_full, left);
      groups_.push_back({first, std::min(layout_.spines_per_group, layout_.spines - first), leaves});
      left -= std::min(left, leaves);
    }
  }

  Whole leaves_of_rail_group(Whole group) const {
    const Whole first_unit = group / layout_.rails * units_per_group_;
    return std::min(units_per_group_, units_ - first_unit) * layout_.leaves_of_rail;
  }

  /// The group of a leaf, and the leaf's place in it.
  std::pair<Whole, Whole> group_of(Whole leaf) const {
    if (!grouped()) return {0, leaf};
    if (topology_ == FabricTopology::fat_tree) return {leaf / (ports_ / 2), leaf % (ports_ / 2)};
    const Whole unit = leaf / (layout_.rails * layout_.leaves_of_rail);
    const Whole rail = leaf / layout_.leaves_of_rail % layout_.rails;
    return {unit / units_per_group_ * layout_.rails + rail,
            unit % units_per_group_ * layout_.leaves_of_rail + leaf % layout_.leaves_of_rail};
  }

  /// Each leaf spreads its uplinks evenly over the spines of its group.
  void leaves_to_spines(Whole plane) {
    if (layout_.spines == 0) return;
    for (Whole leaf = 0; leaf < layout_.leaves; ++leaf) {
      const auto [group, place] = group_of(leaf);
      const SpineGroup& spines = groups_[group];
      const Whole each = uplinks_ / spines.spines;
      for (Whole i = 0; i < uplinks_; ++i)
        link(at(FabricDevice::leaf, plane * layout_.leaves + leaf, ports_ - uplinks_ + 1 + i),
             at(FabricDevice::spine, plane * layout_.spines + spines.first + i / each, place * each + i % each + 1));
    }
  }

  Whole links_up(const SpineGroup& group) const {
    return whole(tapered_links(static_cast<double>(group.leaves * (uplinks_ / group.spines)), core_oversubscription_));
  }

  /// Core groups: spine j of every pod or rail group joins core group j, or j modulo their number where the cores make
  /// fewer groups. Within a group links are dealt to the cores in turn.
  void spines_to_cores(Whole plane) {
    if (layout_.cores == 0) return;
    Whole groups = layout_.cores;
    for (const SpineGroup& group : groups_) groups = std::gcd(groups, group.spines);
    const Whole cores = layout_.cores / groups;
    for (Whole j = 0; j < groups; ++j) {
      Whole dealt = 0;
      for (const SpineGroup& group : groups_)
        for (Whole spine = j; spine < group.spines; spine += groups)
          for (Whole i = 0; i < links_up(group); ++i, ++dealt)
            link(at(FabricDevice::spine, plane * layout_.spines + group.first + spine, ports_ / 2 + 1 + i),
                 at(FabricDevice::core, plane * layout_.cores + j * cores + dealt % cores, dealt / cores + 1));
    }
  }

  CableSchedule schedule_;
  const FabricLayout& layout_ = schedule_.layout;
  FabricTopology topology_;
  Whole nodes_, ports_, nodes_per_unit_, units_, units_per_group_, down_, uplinks_, manager_links_;
  double core_oversubscription_;
  std::vector<SpineGroup> groups_;
};

}  // namespace

FabricLayout fabric_layout(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric) {
  const bool grouped = need.topology == FabricTopology::rail_groups || fabric.core.per_plane > 0;
  return {.planes = whole(need.planes),
          .rails = whole(need.rails),
          .leaves_of_rail = whole(fabric.leaves_of_rail),
          .leaves = whole(fabric.leaf.per_plane),
          .spines = whole(fabric.spine.per_plane),
          .cores = whole(fabric.core.per_plane),
          .spines_per_group = grouped ? whole(fabric.spines_of_group) : 0,
          .named_by_rail = fabric.spine.per_plane > 0};
}

CableSchedule cable_schedule(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric) {
  return Scheduler(need, fabric).take();
}

std::string device_label(const FabricLayout& layout, const FabricPort& port) {
  if (port.kind == FabricDevice::node) return numbered_label("n", port.device + 1, 5);
  if (port.kind == FabricDevice::manager) return "m" + std::to_string(port.device + 1);
  const auto in_plane = [&](Whole switches) {
    return std::pair(port.device % switches, "p" + std::to_string(port.device / switches + 1) + "-");
  };
  if (port.kind == FabricDevice::core) {
    const auto [core, plane] = in_plane(layout.cores);
    return plane + numbered_label("c", core + 1, 4);
  }
  if (port.kind == FabricDevice::spine) {
    const auto [spine, plane] = in_plane(layout.spines);
    if (layout.spines_per_group == 0) return plane + numbered_label("s", spine + 1, 3);
    return plane + numbered_label("g", spine / layout.spines_per_group + 1, 3) +
           numbered_label("-s", spine % layout.spines_per_group + 1, 3);
  }
  const auto [leaf, plane] = in_plane(layout.leaves);
  if (!layout.named_by_rail) return plane + "l" + std::to_string(leaf + 1);
  const Whole rail = leaf / layout.leaves_of_rail;
  return plane + numbered_label("u", rail / layout.rails + 1, 3) + "-r" + std::to_string(rail % layout.rails + 1) +
         "-l" + std::to_string(leaf % layout.leaves_of_rail + 1);
}

std::string port_label(const FabricLayout& layout, const FabricPort& port) {
  if (port.kind != FabricDevice::node) return std::to_string(port.port);
  return "nic" + std::to_string(port.port / layout.planes + 1) + "-" + std::to_string(port.port % layout.planes + 1);
}

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
