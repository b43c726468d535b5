#pragma once
/// What passes between a GPU and its host. docs/method/calendar.md#offload.
#include <optional>
#include <string>
#include <vector>

#include "base/trace.h"
#include "catalog/catalog.h"
#include "perf/relative_rate.h"

namespace podwright {

/// Row of the GPU itself, else of another GPU with the same PCIe generation; null where neither is measured. Chips that
/// share a package with their processor have no PCIe between them, so only their own rows count.
const KernelRate* host_link_rate(const Catalog& catalog, const Gpu& gpu);

/// Bandwidth of one direction. A row of another GPU is given in `assumptions`.
template <class Tracer>
std::optional<typename Tracer::template Known<BytesPerSecond>> host_link(Tracer& trace, const Catalog& catalog,
                                                                         const Gpu& gpu,
                                                                         std::vector<std::string>& assumptions) {
  const KernelRate* row = host_link_rate(catalog, gpu);
  if (row == nullptr) return std::nullopt;
  if (row->gpu_id != gpu.id)
    assumptions.push_back("The link between " + gpu.name + " and its host carries what was measured on " + row->gpu_id +
                          ", of the same PCIe generation.");
  return known_rate(trace, *row, "typical", BytesPerSecond(row->typical));
}

}  // namespace podwright
