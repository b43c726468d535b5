#include "architecture/judged_band.h"

#include <algorithm>
#include <limits>

#include "base/among.h"

namespace podwright {
namespace {

/// The system whose power stands for `system`: itself, else another with the same board, else none.
const System* power_system_of(const Catalog& catalog, const System& system, std::string_view gpu_id) {
  if (planned_power(system)) return &system;
  const auto same_board = std::find_if(catalog.systems.begin(), catalog.systems.end(), [&](const System& other) {
    return holds_gpu(other, gpu_id) && other.gpu_count == system.gpu_count && planned_power(other).has_value();
  });
  return holds_gpu(system, gpu_id) && same_board != catalog.systems.end() ? &*same_board : nullptr;
}

/// Whole systems of 4 and of 8 GPUs hold the same number in turns: that decides only below the smallest unit, where it
/// does not change within a band.
int installed_below_a_unit(const JudgedBand& judged) {
  const ArchitectureBand& band = *judged.parts.band;
  const bool below = band.architecture_id == "single-node" || band.fit == BandFit::partial;
  if (!below) return std::numeric_limits<int>::max();
  return static_cast<int>(judged.horizon_nodes * judged.parts.system->gpu_count);
}

bool takes(const ArchitectureBand& band, double nodes) {
  return band.min_nodes <= nodes && (!band.max_nodes || nodes <= *band.max_nodes);
}

JudgedBand judged(const Catalog& catalog, const ArchitectureNeed& need, const ArchitectureBand& band,
                  const System& system) {
  JudgedBand judged;
  judged.parts = {.band = &band, .system = &system, .power_system = power_system_of(catalog, system, band.gpu_id)};
  judged.nodes = node_count(need.gpu_count, system.gpu_count);
  judged.horizon_nodes =
      node_count(horizon_gpu_count(need.gpu_count, need.growth_gpu_count.value_or(0.0)), system.gpu_count);
  judged.size = takes(band, judged.horizon_nodes);
  judged.ownership = need.ownership == Ownership::any || is_among(band.ownership, word_of(need.ownership));
  judged.fabric = need.fabric == FabricFamily::any || is_among(band.fabrics, "none") ||
                  is_among(band.fabrics, word_of(need.fabric));
  judged.tenancy = is_among(band.tenancy, word_of(need.tenancy));
  std::optional<Watts> systems;
  if (need.site_power)
    if (const std::optional<PlannedPower> power = planned_power(judged.parts))
      systems = systems_power(judged.nodes, power->value);
  judged.site = site_breaches(judged.parts, limits_of(need), systems);
  return judged;
}

/// Calls `visit` with every band of the GPU.
template <class Visit>
void for_each_band(const Catalog& catalog, std::string_view gpu_id, const ArchitectureNeed& need, const Visit& visit) {
  for (const ArchitectureBand& band : catalog.architecture_bands) {
    if (band.gpu_id != gpu_id) continue;
    if (const System* system = row_with_id(catalog.systems, band.system_id))
      visit(judged(catalog, need, band, *system));
  }
}

}  // namespace

std::vector<JudgedBand> judged_bands(const Catalog& catalog, std::string_view gpu_id, const ArchitectureNeed& need) {
  std::vector<JudgedBand> bands;
  for_each_band(catalog, gpu_id, need, [&](JudgedBand judged) {
    judged.parts.architecture = row_with_id(catalog.architectures, judged.parts.band->architecture_id);
    bands.push_back(std::move(judged));
  });
  return bands;
}

bool wants_compute_fabric(const ArchitectureNeed& need, const System& system) {
  const bool inference = need.workload == "inference" || need.workload == "inference-one-node";
  if (inference && need.replica_gpus) return *need.replica_gpus > system.gpu_count;
  return need.workload != "inference-one-node";
}

bool prefers_infiniband(const ArchitectureNeed& need, const ArchitectureBand& band) {
  const bool one_job = need.workload == "training" || need.workload == "hpc";
  return need.fabric == FabricFamily::any && one_job && band.max_scalable_units.value_or(1) > 1;
}

BandRank rank_of(const ArchitectureNeed& need, const JudgedBand& judged) {
  const ArchitectureBand& band = *judged.parts.band;
  const System& system = *judged.parts.system;
  const bool little_fabric = band.compute_fabric == "none" || band.compute_fabric == "collapsed pair";
  const bool asked_services =
      need.services == Services::self ||
      (need.services == Services::nvidia ? is_among(band.ownership, "dgx") : is_among(band.ownership, "oem"));
  const bool ethernet = !is_among(band.fabrics, "infiniband") && !is_among(band.fabrics, "none");
  return {.workload = wants_compute_fabric(need, system) || little_fabric ? 0 : 1,
          .replica = need.replica_gpus && *need.replica_gpus > system.gpu_count ? 1 : 0,
          .fit = static_cast<int>(band.fit),
          .tenancy = need.tenancy == Tenancy::several_tenants && band.architecture_id != "ncp-dsx" ? 1 : 0,
          .services = asked_services ? 0 : 1,
          .fabric = ethernet && prefers_infiniband(need, band) ? 1 : 0,
          .installed = installed_below_a_unit(judged)};
}

const ArchitectureBand* first_band(const Catalog& catalog, std::string_view gpu_id, const ArchitectureNeed& need) {
  const ArchitectureBand* first = nullptr;
  BandRank best;
  for_each_band(catalog, gpu_id, need, [&](const JudgedBand& judged) {
    if (!judged.fits()) return;
    const BandRank rank = rank_of(need, judged);
    if (first != nullptr && !(rank < best)) return;
    first = judged.parts.band;
    best = rank;
  });
  return first;
}

std::vector<ServedGpu> served_gpus(const Catalog& catalog, const ArchitectureNeed& need) {
  std::vector<ServedGpu> served;
  for (const ArchitectureBand& band : catalog.architecture_bands) {
    const System* system = row_with_id(catalog.systems, band.system_id);
    if (system == nullptr) continue;
    const JudgedBand judgement = judged(catalog, need, band, *system);
    if (!judgement.fits()) continue;
    const BandRank rank = rank_of(need, judgement);
    const auto known =
        std::find_if(served.begin(), served.end(), [&](const ServedGpu& gpu) { return gpu.gpu_id == band.gpu_id; });
    if (known == served.end())
      served.push_back({band.gpu_id, &band, rank});
    else if (rank < known->rank)
      *known = {band.gpu_id, &band, rank};
  }
  return served;
}

}  // namespace podwright
