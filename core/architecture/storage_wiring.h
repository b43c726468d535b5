#pragma once
/// The storage network port to port. docs/method/fabric.md#wiring-of-the-side-fabrics.
#include <optional>
#include <string>
#include <vector>

#include "architecture/side_fabrics.h"
#include "architecture/wiring.h"

namespace podwright {

/// Labels of what the storage fabric joins.
struct StorageHosts {
  std::vector<std::string> nodes;     ///< one for each node
  std::vector<std::string> storage;   ///< storage systems; empty: one for each unit, "storage-001" and on
  std::vector<std::string> managers;  ///< of the fabric; empty: one for each of its ports, "sm1" and on
};

/// Why this fabric cannot be wired; absent where it can.
std::optional<std::string> storage_wiring_refusal(const StorageFabricNeed<NoTrace>& need,
                                                  const StorageFabric<NoTrace>& fabric);

/// `fabric` must be what build_storage_fabric() made of `need`, and without refusal. Wires in this order: nodes,
/// storage, manager, uplinks of leaves, links between spines and cores. A number of uplinks that is not whole is
/// rounded up.
NetworkWiring storage_wiring(const StorageFabricNeed<NoTrace>& need, const StorageFabric<NoTrace>& fabric,
                             const StorageHosts& hosts);

}  // namespace podwright
