#pragma once
/// Every link of a fabric, port to port, as data: compact records now, text only where it is written.
/// docs/method/fabric.md#cable-schedule says how links are dealt and how devices are named.
#include <cstdint>
#include <string>
#include <vector>

#include "architecture/fabric.h"
#include "architecture/wiring.h"

namespace podwright {

enum class FabricDevice : std::uint8_t { node, manager, leaf, spine, core };

/// Indices and ports of nodes start at 0 (a node's port is rail * planes + plane); ports of switches start at 1, as on
/// the front of the switch.
struct FabricPort {
  std::uint32_t device = 0;
  std::uint16_t port = 0;
  FabricDevice kind = FabricDevice::node;
};

struct FabricLink {
  FabricPort from;  ///< the lower end
  FabricPort to;
};

/// Where devices stand; all that a label needs.
struct FabricLayout {
  std::uint32_t planes = 1;
  std::uint32_t rails = 1;
  std::uint32_t leaves_of_rail = 1;  ///< of one unit
  std::uint32_t leaves = 0;          ///< per plane, as spines and cores
  std::uint32_t spines = 0;
  std::uint32_t cores = 0;
  std::uint32_t spines_per_group = 0;  ///< of a rail group or a full pod; 0 where one layer joins all
  bool named_by_rail = true;           ///< leaves are named by unit and rail; else they are numbered
};

struct CableSchedule {
  FabricLayout layout;
  std::vector<FabricLink> links;  ///< nodes to leaves, manager to leaves, leaves to spines, spines to cores
};

/// Of the fabric that build_fabric() made of `need`.
FabricLayout fabric_layout(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric);

/// `fabric` must be what build_fabric() made of `need`, and without refusals. At most 65,535 ports a switch.
CableSchedule cable_schedule(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric);

/// "n00017", "m1", "p1-u002-r3-l1", "p1-g004-s006", "p1-c0012": the same for the same place when units are added within
/// the same number of tiers.
std::string device_label(const FabricLayout& layout, const FabricPort& port);
/// "nic3-1" on a node (rail and plane), "17" on a switch.
std::string port_label(const FabricLayout& layout, const FabricPort& port);

// The compute network port to port. docs/method/fabric.md#cable-schedule.

/// Nodes, fabric managers, leaves, spines, cores, with the labels of cable_schedule(). `fabric` must be what
/// build_fabric() made of `need`, and without refusals. `node_labels`: one for each node. `manager_labels`: the links
/// of the fabric manager go to them in turn; empty: each link has a manager of its own, "m1" and on.
NetworkWiring compute_wiring(const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric,
                             const std::vector<std::string>& node_labels,
                             const std::vector<std::string>& manager_labels = {});

}  // namespace podwright
