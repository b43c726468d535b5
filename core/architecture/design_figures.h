#pragma once
/// The figures of a whole design: its networks, power and storage, and all of it.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "architecture/design_request.h"
#include "architecture/fabric.h"
#include "architecture/management_plan.h"
#include "architecture/rack_plan.h"
#include "architecture/side_fabrics.h"
#include "architecture/site_guides.h"
#include "architecture/storage_plan.h"
#include "base/trace.h"

namespace podwright {

// What has to be bought for a design, line by line.

template <class Tracer>
struct BillLine {
  std::string category;  ///< system, switch, cable, transceiver, server, rack, pdu, licence
  std::string item_id;   ///< of the catalog; empty for what is not an item of its own
  std::string name;      ///< as one would order it
  std::string use;       ///< compute, storage, in-band, out-of-band, management, site, software
  Known<Tracer, double> count{};
  std::string unit;  ///< pieces, licences
  std::string note;  ///< what the count stands for or does not hold; may be empty
};

/// Lines with a count, in the order of categories, and what no count is known of.
template <class Tracer>
struct BillOfMaterials {
  std::vector<BillLine<Tracer>> lines;
  std::vector<std::string> not_counted;
};

/// Where the fabric manager of an InfiniBand network without a port of its own is connected.
enum class ManagerPlace { compute_fabric, elsewhere };
inline constexpr std::array<std::string_view, 2> kManagerPlaceWords{"compute-fabric", "elsewhere"};

/// Switched networks of a design; absent where no document tells how one is built.
template <class Tracer>
struct DesignNetworks {
  using Count = Known<Tracer, double>;
  std::optional<FabricNeed<Tracer>> compute_need;
  std::optional<Fabric<Tracer>> compute;
  std::optional<ManagerPlace> manager_place;  ///< absent where no manager takes ports of leaves
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
  std::optional<Known<Tracer, Bytes>> checkpoint;
  std::optional<CheckpointCost<Tracer>> checkpoints;
  std::optional<Known<Tracer, Seconds>> first_pass;
  std::optional<Known<Tracer, BytesPerSecond>> steady_read;
  std::optional<Known<Tracer, Seconds>> mean_time_between_failures;
};

/// Heat of systems and of all else, apart: a system may have a liquid loop.
template <class Tracer>
struct DesignPower {
  using Power = Known<Tracer, Watts>;
  ItPower<Tracer> it;
  Power facility;      ///< at the meter at full load
  bool whole = false;  ///< every network is counted, and every switch at its maximum
  CoolingNumbers<Tracer> systems;
  CoolingNumbers<Tracer> switches;
  std::optional<UpsNumbers<Tracer>> ups;
};

/// What a document prints for this very size, where no rule gives its compute fabric.
template <class Tracer>
struct PrintedNetworks {
  using Count = Known<Tracer, double>;
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

}  // namespace podwright
