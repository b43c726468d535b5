#include "perf/format_ways_out.h"

namespace podwright {

void add_format_ways_out(const Gpu& gpu, std::string_view key, std::vector<Infeasible>& reasons) {
  for (Infeasible& reason : reasons) {
    if (reason.code != "format-not-supported" || !reason.ways_out.empty()) continue;
    for (const char* precision : {"bf16", "fp16"})
      if (gpu.peak_dense_flops.count(precision) > 0) reason.ways_out.emplace_back(key, precision);
    if (reason.ways_out.empty() && gpu.peak_dense_flops.count("fp32") > 0) reason.ways_out.emplace_back(key, "fp32");
  }
}

}  // namespace podwright
