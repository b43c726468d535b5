#pragma once
/// Power that a GPU accounts for, with everything around it.
#include <optional>
#include <string>
#include <vector>

#include "architecture/design_size.h"
#include "base/arithmetic.h"
#include "base/trace.h"
#include "catalog/catalog.h"
#include "cost/energy.h"

namespace podwright {

/// A GPU's share of its machine at full load.
constexpr auto power_per_gpu(Of<Watts> auto machine, Of<double> auto gpus_per_machine) {
  return cited("docs/method/prices.md#energy", machine / gpus_per_machine);
}

/// The system whose planned power stands for a GPU: `given` (may be null), else the first of the catalog that holds it.
/// Null where none states a power.
const System* power_system(const Catalog& catalog, const System* given, const Gpu& gpu);

/// Mean power at the meter for each GPU: its share of the machine, else its board alone (given in `assumptions`), times
/// `load` and `pue`. Absent where neither is known.
template <class Tracer>
std::optional<Known<Tracer, Watts>> mean_gpu_power(Tracer& trace, const Catalog& catalog, const System* given,
                                                   const Gpu& gpu, const Known<Tracer, double>& load,
                                                   const Known<Tracer, double>& pue,
                                                   std::vector<std::string>& assumptions) {
  if (const System* system = power_system(catalog, given, gpu)) {
    const PlannedPower power = *planned_power(*system);
    if (system != given) assumptions.push_back("Each GPU draws its share of " + system->name + " at full load.");
    const auto share = named("cost.power_per_gpu", power_per_gpu(trace.fact(*system, power.field, power.value),
                                                                 trace.fact(*system, "gpu_count", system->gpu_count)));
    return named("cost.mean_power_per_gpu", facility_power(share, load, pue));
  }
  if (!gpu.board_power) return std::nullopt;
  assumptions.push_back("No power of a machine with " + gpu.name +
                        " is known: energy is that of the GPU boards alone, without their hosts.");
  return named("cost.mean_power_per_gpu",
               facility_power(trace.fact(gpu, "board_power_w", *gpu.board_power), load, pue));
}

}  // namespace podwright
