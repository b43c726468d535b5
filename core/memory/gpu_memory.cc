#include "memory/gpu_memory.h"

namespace podwright {

Bytes gpu_memory(const Gpu& gpu) { return gpu.memory_driver.value_or(gpu.memory.value_or(Bytes(0))); }

const Gpu* smallest_gpu_with(const std::vector<Gpu>& gpus, Bytes needed) {
  const Gpu* best = nullptr;
  for (const Gpu& gpu : gpus) {
    if (gpu_memory(gpu) < needed) continue;
    if (best == nullptr || gpu_memory(gpu) < gpu_memory(*best)) best = &gpu;
  }
  return best;
}

}  // namespace podwright
