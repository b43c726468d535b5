#include "perf/host_link.h"

#include "perf/ceilings.h"

namespace podwright {

const KernelRate* host_link_rate(const Catalog& catalog, const Gpu& gpu) {
  if (const KernelRate* own = find_kernel_rate(catalog, gpu.id, "host-link", "any")) return own;
  if (!gpu.pcie_generation || gpu.form_factor == "Superchip") return nullptr;
  for (const Gpu& other : catalog.gpus) {
    if (other.pcie_generation != gpu.pcie_generation || other.form_factor == "Superchip") continue;
    if (const KernelRate* row = find_kernel_rate(catalog, other.id, "host-link", "any")) return row;
  }
  return nullptr;
}

}  // namespace podwright
