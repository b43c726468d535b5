#include "calibration/usable_points.h"

#include <algorithm>

namespace podwright {
namespace {

bool starts_with(std::string_view text, std::string_view start) { return text.substr(0, start.size()) == start; }

}  // namespace

bool is_product_probe(std::string_view probe) {
  // Products of zeros toggle no bits: they show the power limit and no rate that a model reaches.
  constexpr std::string_view kZeros = ".zeros";
  if (probe.size() > kZeros.size() && probe.substr(probe.size() - kZeros.size()) == kZeros) return false;
  return starts_with(probe, "gemm.") || starts_with(probe, "cpu.gemm.");
}
bool is_memory_probe(std::string_view probe) {
  return starts_with(probe, "hbm.") || starts_with(probe, "cpu.stream.") || probe == "decode.weights" ||
         starts_with(probe, "pcie.");
}
bool is_collective_probe(std::string_view probe) {
  return starts_with(probe, "coll.") || starts_with(probe, "cpu.coll");
}

std::vector<const ProbeResult*> results_on(const HardwareProfile& profile, const ProfileDevice& device,
                                           bool (*kind)(std::string_view)) {
  std::vector<const ProbeResult*> found;
  for (const ProbeResult& result : profile.results) {
    const bool here = std::find(result.devices.begin(), result.devices.end(), device.id) != result.devices.end();
    if (here && result.usable() && kind(result.probe)) found.push_back(&result);
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
  if (!starts_with(probe, "pcie.")) return memory;
  BytesPerSecond best;
  for (const TransferPoint& point : points) best = std::max(best, point.bytes / point.time);
  return best;
}

}  // namespace podwright
