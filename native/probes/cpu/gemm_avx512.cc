#include "probes/cpu/gemm_kernel.h"

namespace podwright::probes {

GemmWidth gemm_avx512() {
#ifdef __AVX512F__
  return {"own-avx512", &BlockedGemm<float, 64, 12>::run, &BlockedGemm<double, 64, 12>::run};
#else
  return {"", nullptr, nullptr};
#endif
}

}  // namespace podwright::probes
