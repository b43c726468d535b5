#pragma once
/// What decides on a design. Words are those of the contract.
#include <optional>
#include <string>

#include "architecture/site_shortfall.h"
#include "base/patch.h"
#include "base/units.h"
#include "catalog/site_terms.h"

namespace podwright {

struct ArchitectureNeed {
  double gpu_count = 0;                    ///< to be bought now, at least 1
  std::optional<double> growth_gpu_count;  ///< to be reached later; the design is chosen for the larger of the two
  Ownership ownership = Ownership::any;
  FabricFamily fabric = FabricFamily::any;
  std::string workload = "mixed";   ///< training, finetuning, inference, inference-one-node, hpc, mixed
  std::optional<Watts> rack_power;  ///< of one rack; absent: racks are not counted
  bool liquid_cooling = true;       ///< the site has a liquid loop
  Sovereignty sovereignty = Sovereignty::none;
  Services services = Services::self;
  Tenancy tenancy = Tenancy::one_team;
  std::optional<double> replica_gpus;  ///< GPUs that one replica of the model is spread over; absent: not known
  std::optional<double> rack_units;    ///< usable in one rack
  std::optional<double> rack_load_kg;  ///< that one rack carries
  std::optional<Watts> site_power;     ///< of all systems together
};

inline SiteLimits limits_of(const ArchitectureNeed& need) {
  return {.rack_power = need.rack_power,
          .rack_units = need.rack_units,
          .rack_load_kg = need.rack_load_kg,
          .liquid_cooling = need.liquid_cooling,
          .site_power = need.site_power};
}

/// The need changed by a JSON Merge Patch of its keys (gpu_count, growth_gpu_count, ownership, fabric, workload,
/// rack_power_kw, liquid_cooling, sovereignty, services, tenancy, replica_gpus, rack_units, rack_load_kg,
/// site_power_kw). Other keys, "gpu" among them, are passed over.
ArchitectureNeed patched(ArchitectureNeed need, const Patch& patch);

}  // namespace podwright
