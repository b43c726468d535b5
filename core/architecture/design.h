#pragma once
/// A whole design: networks, racks, power, cooling, storage, management and the bill of what has to be bought. One code
/// for search and explanation: templates over the tracer, compiled once for each in the .cc files.
/// docs/method/architecture_bands.md, fabric.md, racks_and_power.md, storage.md.
#include <optional>
#include <string>
#include <vector>

#include "architecture/bill_of_materials.h"
#include "architecture/design_request.h"
#include "architecture/elevation.h"
#include "architecture/fabric.h"
#include "architecture/management_plan.h"
#include "architecture/rack_plan.h"
#include "architecture/side_fabrics.h"
#include "architecture/site_guides.h"
#include "architecture/storage_plan.h"

namespace podwright {

/// Switched networks of a design; absent where no document tells how one is built.
template <class Tracer>
struct DesignNetworks {
  using Count = typename Tracer::template Known<double>;
  std::optional<FabricNeed<Tracer>> compute_need;
  std::optional<Fabric<Tracer>> compute;
  std::optional<StorageFabricNeed<Tracer>> storage_need;
  std::optional<StorageFabric<Tracer>> storage;
  std::optional<InBandNeed<Tracer>> in_band_need;
  std::optional<InBandFabric<Tracer>> in_band;
  std::optional<Count> in_band_switches;  ///< also where only their number is told
  std::optional<OutOfBandFabric<Tracer>> out_of_band;
  const Switch* compute_switch = nullptr;
  const Switch* storage_switch = nullptr;
  const Switch* in_band_switch = nullptr;
  const Switch* out_of_band_switch = nullptr;
};

template <class Tracer>
struct DesignStorage {
  StorageGuide guide;
  StorageGuide scaled_guide;  ///< its architecture is null where the guide stands alone
  StorageLevelChoice choice;
  StorageBandwidth<Tracer> bandwidth;
  std::optional<StorageBandwidth<Tracer>> scaled;  ///< of scaled_guide
  std::optional<StorageCapacity<Tracer>> capacity;
  std::optional<typename Tracer::template Known<Bytes>> checkpoint;
  std::optional<CheckpointCost<Tracer>> checkpoints;
  std::optional<typename Tracer::template Known<Seconds>> first_pass;
  std::optional<typename Tracer::template Known<BytesPerSecond>> steady_read;
  std::optional<typename Tracer::template Known<Seconds>> mean_time_between_failures;
};

/// Heat of systems and of all else, apart: a system may have a liquid loop.
template <class Tracer>
struct DesignPower {
  using Power = typename Tracer::template Known<Watts>;
  ItPower<Tracer> it;
  Power facility;  ///< at the meter at full load
  CoolingNumbers<Tracer> systems;
  CoolingNumbers<Tracer> switches;
  std::optional<UpsNumbers<Tracer>> ups;
};

template <class Tracer>
struct Design {
  DesignSize<Tracer> size;
  SiteGuides guides;
  DesignNetworks<Tracer> networks;
  ManagementServers<Tracer> servers;
  std::optional<ManagementPorts<Tracer>> ports;  ///< absent for a single node
  std::optional<RackPlan<Tracer>> racks;
  std::optional<DesignPower<Tracer>> power;
  std::optional<DesignStorage<Tracer>> storage;
  std::vector<SoftwareLine<Tracer>> software;
  BillOfMaterials<Tracer> bill;
  std::vector<std::string> not_known;  ///< parts of the design without a number, one sentence each
};

/// `parts` of a chosen design with a system.
template <class Tracer>
Design<Tracer> make_design(Tracer& trace, const Catalog& catalog, const Gpu& gpu, const DesignParts& parts,
                           const DesignRequest& request);

extern template Design<NoTrace> make_design(NoTrace&, const Catalog&, const Gpu&, const DesignParts&,
                                            const DesignRequest&);
extern template Design<Trace> make_design(Trace&, const Catalog&, const Gpu&, const DesignParts&, const DesignRequest&);

/// Devices beside the systems, in the order in which they are placed. With labels where `labels`, else only as many.
std::vector<DeviceGroup> other_devices(const Catalog& catalog, const Design<NoTrace>& design, bool labels);

/// Labels of the systems: "n00001" and on, "r001" and on where a system is a rack.
std::vector<std::string> system_labels(const DesignParts& parts, double systems);

/// What stands where. Absent where the racks of the design are not known.
std::optional<Elevations> elevations_of(const Catalog& catalog, const DesignParts& parts, const DesignRequest& request,
                                        const Design<NoTrace>& design);

/// rules 8 to 10, and where racks and storage leave the document.
std::vector<FiredRule> site_rules(const DesignParts& parts, const Design<NoTrace>& design);
std::vector<std::string> design_deviations(const DesignParts& parts, const Design<NoTrace>& design);

}  // namespace podwright
