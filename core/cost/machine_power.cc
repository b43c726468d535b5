#include "cost/machine_power.h"

namespace podwright {

const System* power_system(const Catalog& catalog, const System* given, const Gpu& gpu) {
  const auto usable = [](const System& system) { return system.gpu_count > 0 && planned_power(system).has_value(); };
  if (given != nullptr && usable(*given)) return given;
  for (const System& system : catalog.systems)
    if (usable(system) && holds_gpu(system, gpu.id)) return &system;
  return nullptr;
}

}  // namespace podwright
