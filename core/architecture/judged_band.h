#pragma once
/// Which size bands serve a need, what speaks against the others, and in which order they come. No text is made here:
/// all sizes of all GPUs can be judged in seconds. docs/method/architecture_bands.md.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "architecture/architecture_need.h"
#include "architecture/design_size.h"
#include "catalog/catalog.h"

namespace podwright {

/// A band of the need's GPU. True: the condition holds.
struct JudgedBand {
  DesignParts parts;
  double nodes = 0;          ///< bought now
  double horizon_nodes = 0;  ///< that the design is chosen for
  bool size = true;
  bool ownership = true;
  bool fabric = true;
  bool tenancy = true;
  std::vector<SiteBreach> site;  ///< empty: the site takes the systems

  bool fits() const { return size && ownership && fabric && tenancy && site.empty(); }
  /// Conditions that do not hold, those of the site counted as one.
  int broken() const { return !size + !ownership + !fabric + !tenancy + !site.empty(); }
};

/// Every band of the GPU whose system the catalog has, in the order of the table.
std::vector<JudgedBand> judged_bands(const Catalog& catalog, std::string_view gpu_id, const ArchitectureNeed& need);

/// True where nodes of this system must talk to each other fast: rule 2.
bool wants_compute_fabric(const ArchitectureNeed& need, const System& system);

/// True where one job spans several scalable units and either fabric may be taken, so that InfiniBand comes first:
/// rule 4.
bool prefers_infiniband(const ArchitectureNeed& need, const ArchitectureBand& band);

/// Smaller is better, first entry first; equal ranks keep the order of the table.
struct BandRank {
  int workload = 0;   ///< 1: a large fabric that no replica needs
  int replica = 0;    ///< 1: a replica is larger than the system
  int fit = 0;        ///< standing of the size in the design's document
  int tenancy = 0;    ///< 1: several tenants in a design that does not part them
  int services = 0;   ///< 1: not the family whose services were asked for
  int fabric = 0;     ///< 1: Ethernet where InfiniBand comes first
  int installed = 0;  ///< GPUs in all systems, where a design is smaller than its document's units; else as many as fit
  friend auto operator<=>(const BandRank&, const BandRank&) = default;
};
BandRank rank_of(const ArchitectureNeed& need, const JudgedBand& judged);

/// The band of the first choice; null where nothing serves the need. The same band as that of the first design of
/// choose_architecture().
const ArchitectureBand* first_band(const Catalog& catalog, std::string_view gpu_id, const ArchitectureNeed& need);

/// A GPU and the band of its first choice.
struct ServedGpu {
  std::string_view gpu_id;
  const ArchitectureBand* first = nullptr;
  BandRank rank;
};

/// Every GPU of the bands that has a design for this need, in the order of the table.
std::vector<ServedGpu> served_gpus(const Catalog& catalog, const ArchitectureNeed& need);

}  // namespace podwright
