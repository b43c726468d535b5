#include "probes/cpu/gemm_kernel.h"

namespace podwright::probes {

GemmWidth gemm_avx2() {
#ifdef __AVX2__
  return {"own-avx2", &BlockedGemm<float, 32, 6>::run, &BlockedGemm<double, 32, 6>::run};
#else
  return {"", nullptr, nullptr};
#endif
}

}  // namespace podwright::probes
