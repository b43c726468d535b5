#pragma once
/// How much memory GPUs offer.
#include <vector>

#include "base/units.h"
#include "catalog/gpu.h"

namespace podwright {

/// Memory a GPU offers: what its driver reports, else the printed figure (decimal gigabytes, which the driver's exceeds
/// or equals). Zero where neither is known.
inline Bytes gpu_memory(const Gpu& gpu) { return gpu.memory_driver.value_or(gpu.memory.value_or(Bytes(0))); }

/// The GPU with the least memory that still holds `needed`; null where none of `gpus` does.
inline const Gpu* smallest_gpu_with(const std::vector<Gpu>& gpus, Bytes needed) {
  const Gpu* best = nullptr;
  for (const Gpu& gpu : gpus)
    if (gpu_memory(gpu) >= needed && (best == nullptr || gpu_memory(gpu) < gpu_memory(*best))) best = &gpu;
  return best;
}

}  // namespace podwright
