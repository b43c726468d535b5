#pragma once
/// All networks of a design, port to port, and how long each cable is. docs/method/fabric.md#cable-schedule.
#include <string>
#include <vector>

#include "architecture/cable_length.h"
#include "architecture/design.h"
#include "architecture/wiring.h"

namespace podwright {

struct DesignWiring {
  std::vector<NetworkWiring> networks;  ///< compute, storage, in-band, out-of-band, as far as they are known
  std::vector<std::string> not_wired;   ///< one sentence for each network that is counted and cannot be dealt
};
DesignWiring design_wiring(const DesignParts& parts, const Design<NoTrace>& design);

/// Null where the design has no such network.
const NetworkWiring* find_network(const DesignWiring& wiring, std::string_view network);
/// Labels of the devices of this role, in order.
std::vector<std::string> labels_of_role(const DesignWiring& wiring, std::string_view network, std::string_view role);

/// Length and medium of every wire of a network; empty where the floor is not known.
std::vector<CableRun> cable_runs_of(const Catalog& catalog, const Design<NoTrace>& design, const NetworkWiring& network,
                                    const Elevations& elevations);

/// What stands where, with the labels of the wiring. Absent where the racks of the design are not known.
std::optional<Elevations> elevations_of(const Catalog& catalog, const DesignParts& parts, const DesignRequest& request,
                                        const Design<NoTrace>& design, const DesignWiring& wiring);

/// What the wires of a design are, dealt once for all that shows them.
struct WiredDesign {
  DesignWiring wiring;
  std::optional<Elevations> elevations;
  std::vector<std::vector<CableRun>> runs;  ///< of each network; without lengths where no rack is known
};
WiredDesign wire_design(const Catalog& catalog, const DesignParts& parts, const DesignRequest& request,
                        const Design<NoTrace>& design);

}  // namespace podwright
