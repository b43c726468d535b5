#include "architecture/storage_wiring.h"

#include <algorithm>
#include <cmath>

#include "architecture/counted.h"
#include "base/result.h"
#include "base/whole.h"

namespace podwright {
namespace {

/// The next whole number, but for the rounding of a division.
Whole rounded_up(double count) { return static_cast<Whole>(std::ceil(count - 1e-9 * std::max(1.0, count))); }

/// `total` things dealt to `parts` as evenly as whole numbers allow, the first ones taking more.
Whole share(Whole total, Whole parts, Whole part) { return total / parts + (part < total % parts ? 1 : 0); }

/// Sizes that the refusal and the wiring share.
struct StorageSizes {
  Whole nodes, units, nodes_per_unit, ports_per_node, storage_ports, switch_ports, manager_ports;
  Whole node_leaves_of_unit, node_leaves, storage_leaves, spines;
  Whole node_uplinks;                            ///< of all leaves of nodes
  Whole units_of_block, spines_of_block, cores;  ///< all units and spines where there are no cores
};

StorageSizes sizes_of(const StorageFabricNeed<NoTrace>& need, const StorageFabric<NoTrace>& fabric) {
  StorageSizes sizes{.nodes = whole(need.nodes),
                     .units = whole(need.scalable_units),
                     .nodes_per_unit = whole(need.nodes_per_unit),
                     .ports_per_node = whole(need.ports_per_node),
                     .storage_ports = whole(need.storage_ports),
                     .switch_ports = whole(need.switch_ports),
                     .manager_ports = whole(need.manager_ports),
                     .node_leaves_of_unit = whole(fabric.node_leaves / need.scalable_units),
                     .node_leaves = whole(fabric.node_leaves),
                     .storage_leaves = whole(fabric.storage_leaves),
                     .spines = whole(fabric.spines),
                     .node_uplinks = rounded_up(fabric.uplinks - need.storage_ports),
                     .units_of_block = whole(need.scalable_units),
                     .spines_of_block = whole(fabric.spines),
                     .cores = 0};
  if (fabric.third) {
    sizes.units_of_block = whole(fabric.third->parts_of_block);
    sizes.spines_of_block = whole(fabric.third->spines_of_block);
    sizes.cores = whole(fabric.third->cores);
  }
  return sizes;
}

Whole uplinks_of_node_leaf(const StorageSizes& sizes, Whole leaf) {
  return share(sizes.node_uplinks, sizes.node_leaves, leaf);
}
Whole uplinks_of_storage_leaf(const StorageSizes& sizes, Whole unit) {
  return share(sizes.storage_ports, sizes.units, unit);
}

/// Links that the spine with the most of them takes from leaves: those of a block are dealt in turn. The first units
/// have the most uplinks.
Whole most_links_of_spine(const StorageSizes& sizes) {
  Whole uplinks = 0;
  for (Whole unit = 0; unit < std::min(sizes.units, sizes.units_of_block); ++unit) {
    uplinks += uplinks_of_storage_leaf(sizes, unit);
    for (Whole leaf = 0; leaf < sizes.node_leaves_of_unit; ++leaf)
      uplinks += uplinks_of_node_leaf(sizes, unit * sizes.node_leaves_of_unit + leaf);
  }
  return share(uplinks, sizes.spines_of_block, 0);
}

/// Endpoints that a leaf of nodes has when its unit is full.
Whole most_nodes_on_leaf(const StorageSizes& sizes) {
  return share(sizes.nodes_per_unit * sizes.ports_per_node, sizes.node_leaves_of_unit, 0);
}

class StorageWiring {
 public:
  StorageWiring(const StorageSizes& sizes, const StorageHosts& hosts) : sizes_(sizes) {
    PODWRIGHT_ASSERT(hosts.nodes.size() == sizes.nodes);
    wiring_.network = "storage";
    for (Whole i = 0; i < sizes.nodes; ++i)
      wiring_.devices.push_back({hosts.nodes[i], "system", i / sizes.nodes_per_unit + 1});
    add_storage(hosts.storage);
    add_managers(hosts.managers);
    add_switches();
    add_ports();
  }

  NetworkWiring take() {
    nodes();
    storage();
    managers();
    uplinks();
    return std::move(wiring_);
  }

 private:
  Whole devices() const { return static_cast<Whole>(wiring_.devices.size()); }

  void add_storage(const std::vector<std::string>& labels) {
    first_storage_ = devices();
    storage_ = labels.empty() ? sizes_.units : static_cast<Whole>(labels.size());
    for (Whole i = 0; i < storage_; ++i)
      wiring_.devices.push_back(
          {labels.empty() ? numbered_label("storage-", i + 1, 3) : labels[i], "storage", labels.empty() ? i + 1 : 0});
  }

  void add_managers(const std::vector<std::string>& labels) {
    first_manager_ = devices();
    managers_ =
        labels.empty() ? sizes_.manager_ports : std::min(sizes_.manager_ports, static_cast<Whole>(labels.size()));
    for (Whole i = 0; i < managers_; ++i)
      wiring_.devices.push_back({labels.empty() ? numbered_label("sm", i + 1, 1) : labels[i], "fabric-manager", 0});
  }

  std::string spine_label(Whole spine) const {
    if (sizes_.cores == 0) return numbered_label("st-s", spine + 1, 3);
    return numbered_label(numbered_label("st-b", spine / sizes_.spines_of_block + 1, 3) + "-s",
                          spine % sizes_.spines_of_block + 1, 2);
  }

  /// Leaves unit by unit, those of nodes before that of storage; then spines, block by block; then cores.
  void add_switches() {
    first_leaf_ = devices();
    for (Whole unit = 0; unit < sizes_.units; ++unit) {
      const std::string prefix = numbered_label("st-u", unit + 1, 3);
      for (Whole i = 0; i < sizes_.node_leaves_of_unit; ++i)
        wiring_.devices.push_back({numbered_label(prefix + "-n", i + 1, 1), "storage-leaf", unit + 1});
      wiring_.devices.push_back({prefix + "-s1", "storage-leaf", unit + 1});
    }
    first_spine_ = devices();
    for (Whole i = 0; i < sizes_.spines; ++i) wiring_.devices.push_back({spine_label(i), "storage-spine", 0});
    first_core_ = devices();
    for (Whole i = 0; i < sizes_.cores; ++i)
      wiring_.devices.push_back({numbered_label("st-c", i + 1, 3), "storage-core", 0});
    used_.resize(devices());
  }

  /// Switches and storage systems share the labels "1" and on.
  void add_ports() {
    const Whole storage_ports = share(sizes_.storage_ports, storage_, 0);
    for (Whole i = 1; i <= std::max(sizes_.switch_ports, storage_ports); ++i)
      wiring_.ports.push_back(std::to_string(i));
    first_node_port_ = static_cast<Whole>(wiring_.ports.size());
    for (Whole i = 1; i <= sizes_.ports_per_node; ++i) wiring_.ports.push_back("st" + std::to_string(i));
    first_manager_port_ = static_cast<Whole>(wiring_.ports.size());
    for (Whole i = 0; i * managers_ < sizes_.manager_ports; ++i) wiring_.ports.push_back("hca" + std::to_string(i + 1));
  }

  Whole leaves_of_unit() const { return sizes_.node_leaves_of_unit + 1; }
  Whole node_leaf(Whole unit, Whole leaf) const { return first_leaf_ + unit * leaves_of_unit() + leaf; }
  Whole storage_leaf(Whole unit) const { return first_leaf_ + (unit + 1) * leaves_of_unit() - 1; }

  /// Joins to the first free port.
  void link(Whole from, Whole from_port, Whole to) {
    wiring_.wires.push_back({.from_device = from, .from_port = from_port, .to_device = to, .to_port = used_[to]++});
  }

  void nodes() {
    for (Whole node = 0; node < sizes_.nodes; ++node)
      for (Whole port = 0; port < sizes_.ports_per_node; ++port) {
        const Whole unit = node / sizes_.nodes_per_unit;
        const Whole endpoint = node % sizes_.nodes_per_unit * sizes_.ports_per_node + port;
        const Whole leaf = endpoint % sizes_.node_leaves_of_unit;
        wiring_.wires.push_back({.from_device = node,
                                 .from_port = first_node_port_ + port,
                                 .to_device = node_leaf(unit, leaf),
                                 .to_port = endpoint / sizes_.node_leaves_of_unit});
      }
    for (Whole unit = 0; unit < sizes_.units; ++unit)
      for (Whole leaf = 0; leaf < sizes_.node_leaves_of_unit; ++leaf)
        used_[node_leaf(unit, leaf)] = most_nodes_on_leaf(sizes_);
  }

  /// Storage systems one after the other; so are the leaves that they fill.
  void storage() {
    Whole system = 0, taken = 0;
    for (Whole unit = 0; unit < sizes_.units; ++unit)
      for (Whole i = 0; i < share(sizes_.storage_ports, sizes_.units, unit); ++i) {
        while (taken == share(sizes_.storage_ports, storage_, system)) ++system, taken = 0;
        link(first_storage_ + system, taken++, storage_leaf(unit));
      }
  }

  /// The first port above those of nodes, from the leaves of the last unit.
  void managers() {
    for (Whole i = 0; i < sizes_.manager_ports; ++i) {
      const Whole leaf = i % sizes_.node_leaves;
      link(first_manager_ + i % managers_, first_manager_port_ + i / managers_,
           node_leaf(sizes_.units - 1 - leaf / sizes_.node_leaves_of_unit, leaf % sizes_.node_leaves_of_unit));
    }
  }

  void uplinks() {
    Whole node_leaf_number = 0;
    for (Whole unit = 0; unit < sizes_.units; ++unit) {
      if (unit % sizes_.units_of_block == 0) turn_ = 0;
      for (Whole leaf = 0; leaf < sizes_.node_leaves_of_unit; ++leaf)
        uplinks_of(unit, node_leaf(unit, leaf), uplinks_of_node_leaf(sizes_, node_leaf_number++));
      uplinks_of(unit, storage_leaf(unit), uplinks_of_storage_leaf(sizes_, unit));
    }
    if (sizes_.cores > 0) deal_to_cores(wiring_, used_, 0, first_spine_, sizes_.spines, first_core_, sizes_.cores);
  }

  /// On the last ports of the leaf. The same number to every spine of the block; what is left goes to them in turn.
  void uplinks_of(Whole unit, Whole leaf, Whole count) {
    const Whole spines = sizes_.spines_of_block;
    const Whole first = first_spine_ + unit / sizes_.units_of_block * spines;
    const Whole each = count / spines;
    Whole port = sizes_.switch_ports - count;
    for (Whole spine = 0; spine < spines; ++spine)
      for (Whole i = 0; i < each; ++i) link(leaf, port++, first + spine);
    for (; port < sizes_.switch_ports; ++port) link(leaf, port, first + turn_++ % spines);
  }

  const StorageSizes sizes_;
  NetworkWiring wiring_;
  std::vector<Whole> used_;  ///< ports of a switch, from its first
  Whole storage_ = 0, managers_ = 0, turn_ = 0;
  Whole first_storage_ = 0, first_manager_ = 0, first_leaf_ = 0, first_spine_ = 0, first_core_ = 0;
  Whole first_node_port_ = 0, first_manager_port_ = 0;
};

}  // namespace

std::optional<std::string> storage_wiring_refusal(const StorageFabricNeed<NoTrace>& need,
                                                  const StorageFabric<NoTrace>& fabric) {
  const StorageSizes sizes = sizes_of(need, fabric);
  const auto more_than_ports = [&](Whole ports, const char* what) {
    return std::string(what) + " of the storage fabric would need " + std::to_string(ports) + " ports of " +
           std::to_string(sizes.switch_ports) + ".";
  };
  const Whole managers = (sizes.manager_ports + sizes.node_leaves - 1) / sizes.node_leaves;
  const Whole node_leaf = most_nodes_on_leaf(sizes) + managers + uplinks_of_node_leaf(sizes, 0);
  if (node_leaf > sizes.switch_ports) return more_than_ports(node_leaf, "A leaf of nodes");
  const Whole storage_leaf = 2 * share(sizes.storage_ports, sizes.storage_leaves, 0);
  if (storage_leaf > sizes.switch_ports) return more_than_ports(storage_leaf, "A leaf of storage");
  const Whole spine = most_links_of_spine(sizes) * (sizes.cores > 0 ? 2 : 1);
  if (spine > sizes.switch_ports) return more_than_ports(spine, "A spine");
  return {};
}

NetworkWiring storage_wiring(const StorageFabricNeed<NoTrace>& need, const StorageFabric<NoTrace>& fabric,
                             const StorageHosts& hosts) {
  PODWRIGHT_ASSERT(!storage_wiring_refusal(need, fabric));
  return StorageWiring(sizes_of(need, fabric), hosts).take();
}

}  // namespace podwright
