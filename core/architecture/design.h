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
#include "architecture/site_shortfall.h"
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
  Power facility;      ///< at the meter at full load
  bool whole = false;  ///< every network is counted, and no switch counts as drawing nothing
  CoolingNumbers<Tracer> systems;
  CoolingNumbers<Tracer> switches;
  std::optional<UpsNumbers<Tracer>> ups;
};

/// What a document prints for this very size, where no rule gives its compute fabric.
template <class Tracer>
struct PrintedNetworks {
  using Count = typename Tracer::template Known<double>;
  Count east_west_leaves{};
  Count east_west_spines{};
  Count north_south_leaves{};
  Count north_south_spines{};
  Count out_of_band{};
};

template <class Tracer>
struct Design {
  DesignSize<Tracer> size;
  SiteGuides guides;
  DesignNetworks<Tracer> networks;
  std::optional<PrintedNetworks<Tracer>> printed;  ///< beside the networks, and in none of the sums
  ManagementServers<Tracer> servers;
  std::optional<ManagementPorts<Tracer>> ports;  ///< absent for a single node
  std::optional<RackPlan<Tracer>> racks;
  std::optional<DesignPower<Tracer>> power;
  std::optional<DesignStorage<Tracer>> storage;
  std::vector<SoftwareLine<Tracer>> software;
  BillOfMaterials<Tracer> bill;
  std::vector<std::string> not_known;  ///< parts of the design without a number, one sentence each
};

/// Numbers of a DesignRequest that requests of several kinds hold at different places.
template <class Tracer>
struct DesignNumbers {
  SiteNumbers<Tracer> site;
  typename Tracer::template Known<double> pue{};
};

/// The numbers of an `architecture` request.
template <class Tracer>
DesignNumbers<Tracer> design_numbers(Tracer& trace, const DesignRequest& request) {
  DesignNumbers<Tracer> numbers;
  numbers.site.gpu_count = trace.input("/gpu_count", request.need.gpu_count);
  if (request.need.growth_gpu_count)
    numbers.site.growth_gpu_count = trace.input("/growth_gpu_count", *request.need.growth_gpu_count);
  if (request.need.rack_power) numbers.site.rack_power = trace.input("/rack_power_kw", *request.need.rack_power);
  numbers.pue = trace.input("/pue", request.pue);
  return numbers;
}

/// `parts` of a chosen design with a system; `numbers` are those of the request.
template <class Tracer>
Design<Tracer> make_design(Tracer& trace, const Catalog& catalog, const Gpu& gpu, const DesignParts& parts,
                           const DesignRequest& request, const DesignNumbers<Tracer>& numbers);

extern template Design<NoTrace> make_design(NoTrace&, const Catalog&, const Gpu&, const DesignParts&,
                                            const DesignRequest&, const DesignNumbers<NoTrace>&);
extern template Design<Trace> make_design(Trace&, const Catalog&, const Gpu&, const DesignParts&, const DesignRequest&,
                                          const DesignNumbers<Trace>&);

template <class Tracer>
Design<Tracer> make_design(Tracer& trace, const Catalog& catalog, const Gpu& gpu, const DesignParts& parts,
                           const DesignRequest& request) {
  return make_design(trace, catalog, gpu, parts, request, design_numbers(trace, request));
}

/// Devices beside the systems, in the order in which they are placed; as many empty labels as devices.
std::vector<DeviceGroup> other_devices(const Catalog& catalog, const Design<NoTrace>& design);

/// What a rack of the design takes.
ElevationLimits elevation_limits(const Catalog& catalog, const DesignRequest& request, const Design<NoTrace>& design);

/// Labels of the systems: "n00001" and on, "r001" and on where a system is a rack.
std::vector<std::string> system_labels(const DesignParts& parts, double systems);

/// Limits of the site that the whole design breaks; its power at the meter among them.
std::vector<SiteShortfall> design_shortfalls(const Catalog& catalog, const DesignParts& parts,
                                             const DesignRequest& request, const Design<NoTrace>& design);

/// What can be built, best first, and what cannot.
struct DesignChoice {
  std::vector<ArchitectureDesign> designs;
  std::vector<Design<NoTrace>> built;  ///< in parallel; of a design without a system only its size
  std::vector<RejectedDesign> rejected;
  std::vector<DesignAdvice> advice;
  std::vector<DesignAdvice> fallbacks;  ///< empty where there is a design
};
DesignChoice choose_designs(const Catalog& catalog, const Gpu& gpu, const DesignRequest& request);

/// Rules 8 to 10, and where racks and storage leave the document.
std::vector<FiredRule> site_rules(const DesignParts& parts, const Design<NoTrace>& design);
std::vector<std::string> design_deviations(const DesignParts& parts, const Design<NoTrace>& design);

}  // namespace podwright
