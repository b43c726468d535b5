#include "probes/cpu/gemm_kernel.h"

namespace podwright::probes {

/// Vectors of 16 bytes, which every processor of the target has.
GemmWidth gemm_plain() { return {"own-16-byte", &BlockedGemm<float, 16, 4>::run, &BlockedGemm<double, 16, 4>::run}; }

}  // namespace podwright::probes
