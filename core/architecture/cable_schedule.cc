#include "architecture/cable_schedule.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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
      : topology_(need.topology),
        nodes_(whole(need.nodes)),
        rails_(whole(need.rails)),
        planes_(whole(need.planes)),
        ports_(whole(need.switch_ports)),
        nodes_per_unit_(whole(need.nodes_per_unit)),
        units_(whole(fabric.scalable_units)),
        units_per_group_(whole(std::min(need.units_per_group, fabric.scalable_units))),
        down_(whole(fabric.leaf_ports_down)),
        uplinks_(whole(fabric.uplinks)),
        leaves_of_rail_(whole(fabric.leaves_of_rail)),
        leaves_(whole(fabric.leaf.per_plane)),
        spines_(whole(fabric.spine.per_plane)),
        cores_(whole(fabric.core.per_plane)),
        spines_of_group_(whole(fabric.spines_of_group)),
        manager_links_(whole(need.manager_links)),
        by_rail_(fabric.spine.per_plane > 0) {
    PODWRIGHT_ASSERT(need.switch_ports <= 65535 && need.rails * need.planes <= 65535);
    const double links = fabric.node_leaf_links + need.manager_links + fabric.leaf_spine_links +
                         fabric.spine_core_links + fabric.inter_switch_links;
    schedule_.links.reserve(static_cast<std::size_t>(links));
    schedule_.layout = fabric_layout(need, fabric);
    group_spines();
  }

  CableSchedule take() {
    for (Whole plane = 0; plane < planes_; ++plane) nodes_to_leaves(plane);
    manager_to_leaves();
    for (Whole plane = 0; plane < planes_; ++plane) {
      if (topology_ == FabricTopology::switch_pair) between_the_pair(plane);
      leaves_to_spines(plane);
    }
    for (Whole plane = 0; plane < planes_; ++plane) spines_to_cores(plane);
    return std::move(schedule_);
  }

 private:
  bool grouped() const { return topology_ == FabricTopology::rail_groups || cores_ > 0; }

  void link(const FabricPort& from, const FabricPort& to) { schedule_.links.push_back({from, to}); }

  /// The leaf and port of a node's rail: leaves of a rail are filled one after the other.
  FabricPort leaf_of(Whole plane, Whole node, Whole rail) const {
    if (!by_rail_) {
      const Whole endpoint = node * rails_ + rail;
      return at(FabricDevice::leaf, plane * leaves_ + endpoint % leaves_, endpoint / leaves_ + 1);
    }
    const Whole unit = node / nodes_per_unit_;
    const Whole place = node % nodes_per_unit_;
    const Whole leaf = (unit * rails_ + rail) * leaves_of_rail_ + place / down_;
    return at(FabricDevice::leaf, plane * leaves_ + leaf, place % down_ + 1);
  }

  void nodes_to_leaves(Whole plane) {
    for (Whole node = 0; node < nodes_; ++node)
      for (Whole rail = 0; rail < rails_; ++rail)
        link(at(FabricDevice::node, node, rail * planes_ + plane), leaf_of(plane, node, rail));
  }

  /// Nodes on a leaf, by its number within the plane. They take its first ports.
  Whole used_ports(Whole leaf) const {
    if (!by_rail_) {
      const Whole endpoints = nodes_ * rails_;
      return endpoints / leaves_ + (leaf < endpoints % leaves_ ? 1 : 0);
    }
    const Whole unit = leaf / (rails_ * leaves_of_rail_);
    const Whole first = unit * nodes_per_unit_;
    const Whole present = first < nodes_ ? std::min(nodes_per_unit_, nodes_ - first) : 0;
    const Whole before = leaf % leaves_of_rail_ * down_;
    return before < present ? std::min(down_, present - before) : 0;
  }

  /// From the last leaf port downwards, one port on each leaf in turn, beginning with the leaves of the last unit.
  void manager_to_leaves() {
    const Whole per_unit = by_rail_ ? rails_ * leaves_of_rail_ : leaves_;
    const Whole last = ports_ - uplinks_;
    Whole links = 0;
    for (Whole port = last; port > 0 && links < manager_links_; --port)
      for (Whole unit = leaves_ / per_unit; unit-- > 0;)
        for (Whole i = 0; i < per_unit; ++i)
          for (Whole plane = 0; plane < planes_ && links < manager_links_; ++plane) {
            const Whole leaf = unit * per_unit + i;
            if (port > used_ports(leaf))
              link(at(FabricDevice::manager, links++, 1), at(FabricDevice::leaf, plane * leaves_ + leaf, port));
          }
  }

  void between_the_pair(Whole plane) {
    for (Whole i = 0; i < uplinks_; ++i)
      link(at(FabricDevice::leaf, plane * 2, ports_ - uplinks_ + 1 + i),
           at(FabricDevice::leaf, plane * 2 + 1, ports_ - uplinks_ + 1 + i));
  }

  void group_spines() {
    if (spines_ == 0) return;
    if (!grouped()) {
      groups_.push_back({0, spines_, leaves_});
      return;
    }
    const bool rails = topology_ == FabricTopology::rail_groups;
    const Whole leaves_of_full = rails ? units_per_group_ * leaves_of_rail_ : ports_ / 2;
    for (Whole first = 0, left = leaves_; first < spines_; first += spines_of_group_) {
      const Whole group = first / spines_of_group_;
      const Whole leaves = rails ? leaves_of_rail_group(group) : std::min(leaves_of_full, left);
      groups_.push_back({first, std::min(spines_of_group_, spines_ - first), leaves});
      left -= std::min(left, leaves);
    }
  }

  Whole leaves_of_rail_group(Whole group) const {
    const Whole first_unit = group / rails_ * units_per_group_;
    return std::min(units_per_group_, units_ - first_unit) * leaves_of_rail_;
  }

  /// The group of a leaf, and the leaf's place in it.
  std::pair<Whole, Whole> group_of(Whole leaf) const {
    if (!grouped()) return {0, leaf};
    if (topology_ == FabricTopology::fat_tree) return {leaf / (ports_ / 2), leaf % (ports_ / 2)};
    const Whole unit = leaf / (rails_ * leaves_of_rail_);
    const Whole rail = leaf / leaves_of_rail_ % rails_;
    return {unit / units_per_group_ * rails_ + rail,
            unit % units_per_group_ * leaves_of_rail_ + leaf % leaves_of_rail_};
  }

  /// Each leaf spreads its uplinks evenly over the spines of its group.
  void leaves_to_spines(Whole plane) {
    if (spines_ == 0) return;
    for (Whole leaf = 0; leaf < leaves_; ++leaf) {
      const auto [group, place] = group_of(leaf);
      const SpineGroup& spines = groups_[group];
      const Whole each = uplinks_ / spines.spines;
      for (Whole i = 0; i < uplinks_; ++i)
        link(at(FabricDevice::leaf, plane * leaves_ + leaf, ports_ - uplinks_ + 1 + i),
             at(FabricDevice::spine, plane * spines_ + spines.first + i / each, place * each + i % each + 1));
    }
  }

  /// Core groups: spine j of every pod or rail group joins core group j, or j modulo their number where the cores make
  /// fewer groups. Within a group links are dealt to the cores in turn.
  void spines_to_cores(Whole plane) {
    if (cores_ == 0) return;
    Whole groups = cores_;
    for (const SpineGroup& group : groups_) groups = std::gcd(groups, group.spines);
    const Whole cores = cores_ / groups;
    for (Whole j = 0; j < groups; ++j) {
      Whole dealt = 0;
      for (const SpineGroup& group : groups_)
        for (Whole spine = j; spine < group.spines; spine += groups)
          for (Whole i = 0; i < group.leaves * (uplinks_ / group.spines); ++i, ++dealt)
            link(at(FabricDevice::spine, plane * spines_ + group.first + spine, ports_ / 2 + 1 + i),
                 at(FabricDevice::core, plane * cores_ + j * cores + dealt % cores, dealt / cores + 1));
    }
  }

  FabricTopology topology_;
  Whole nodes_, rails_, planes_, ports_, nodes_per_unit_, units_, units_per_group_, down_, uplinks_, leaves_of_rail_,
      leaves_, spines_, cores_, spines_of_group_, manager_links_;
  bool by_rail_;  ///< leaves belong to rails; else endpoints are dealt to them in turn
  std::vector<SpineGroup> groups_;
  CableSchedule schedule_;
};

std::string padded(Whole number, std::size_t digits) {
  std::string text = std::to_string(number);
  if (text.size() < digits) text.insert(0, digits - text.size(), '0');
  return text;
}

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
  if (port.kind == FabricDevice::node) return "n" + padded(port.device + 1, 5);
  if (port.kind == FabricDevice::manager) return "m" + std::to_string(port.device + 1);
  const auto in_plane = [&](Whole switches) {
    return std::pair(port.device % switches, "p" + std::to_string(port.device / switches + 1) + "-");
  };
  if (port.kind == FabricDevice::core) {
    const auto [core, plane] = in_plane(layout.cores);
    return plane + "c" + padded(core + 1, 4);
  }
  if (port.kind == FabricDevice::spine) {
    const auto [spine, plane] = in_plane(layout.spines);
    if (layout.spines_per_group == 0) return plane + "s" + padded(spine + 1, 3);
    return plane + "g" + padded(spine / layout.spines_per_group + 1, 3) + "-s" +
           padded(spine % layout.spines_per_group + 1, 3);
  }
  const auto [leaf, plane] = in_plane(layout.leaves);
  if (!layout.named_by_rail) return plane + "l" + std::to_string(leaf + 1);
  const Whole rail = leaf / layout.leaves_of_rail;
  return plane + "u" + padded(rail / layout.rails + 1, 3) + "-r" + std::to_string(rail % layout.rails + 1) + "-l" +
         std::to_string(leaf % layout.leaves_of_rail + 1);
}

std::string port_label(const FabricLayout& layout, const FabricPort& port) {
  if (port.kind != FabricDevice::node) return std::to_string(port.port);
  return "nic" + std::to_string(port.port / layout.planes + 1) + "-" + std::to_string(port.port % layout.planes + 1);
}

}  // namespace podwright
