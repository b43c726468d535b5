#include "calibration/usable_points.h"

#include <algorithm>

namespace podwright {
bool is_on(const ProbeResult& result, const ProfileDevice& device) {
  return std::find(result.devices.begin(), result.devices.end(), device.id) != result.devices.end();
}

bool is_product_probe(std::string_view probe) {
  // Other ways stand behind the format ("gemm.bf16.zeros", "gemm.fp8.full_sums"): no engine multiplies so.
  for (const std::string_view products : {"gemm.", "cpu.gemm."})
    if (probe.starts_with(products)) return probe.find('.', products.size()) == std::string_view::npos;
  return false;
}
bool is_memory_probe(std::string_view probe) {
  return probe.starts_with("hbm.") || probe.starts_with("cpu.stream.") || probe == "decode.weights" ||
         probe.starts_with("pcie.");
}
bool is_collective_probe(std::string_view probe) { return probe.starts_with("coll."); }

std::vector<const ProbeResult*> results_on(const HardwareProfile& profile, const ProfileDevice& device,
                                           bool (*kind)(std::string_view)) {
  std::vector<const ProbeResult*> found;
  for (const ProbeResult& result : profile.results) {
    if (is_on(result, device) && result.usable() && kind(result.probe)) found.push_back(&result);
  }
  return found;
}

std::optional<ProductPoint> product_point(const ProbeResult& result) {
  const ProbeSize& size = result.size;
  if (!is_product_probe(result.probe) || !result.time_s || !size.m || !size.n || !size.k) return std::nullopt;
  return ProductPoint{{*size.m, *size.n, *size.k, Bytes(result.counted.bytes)}, Seconds(result.time_s->median)};
}

std::optional<TransferPoint> transfer_point(const ProbeResult& result) {
  if (!is_memory_probe(result.probe) || !result.time_s || result.counted.bytes <= 0) return std::nullopt;
  const double layers = result.probe == "decode.weights" ? result.size.batch.value_or(1) : 1;
  return TransferPoint{Bytes(result.counted.bytes / layers), Seconds(result.time_s->median / layers)};
}

BytesPerSecond transfer_peak(std::string_view probe, const std::vector<TransferPoint>& points, BytesPerSecond memory) {
  if (!probe.starts_with("pcie.")) return memory;
  BytesPerSecond best;
  for (const TransferPoint& point : points) best = std::max(best, point.bytes / point.time);
  return best;
}

}  // namespace podwright
