#pragma once
/// How much memory GPUs offer.
#include <vector>

#include "base/units.h"
#include "catalog/gpu.h"

namespace podwright {

/// The GPU with the least memory that still holds `needed`; null where none of `gpus` does.
const Gpu* smallest_gpu_with(const std::vector<Gpu>& gpus, Bytes needed);

/// Memory a GPU offers: what its driver reports, else the printed figure (decimal gigabytes, which the driver's exceeds
/// or equals). Zero where neither is known.
Bytes gpu_memory(const Gpu& gpu);

}  // namespace podwright
