#include "calibration/memory_reads.h"

#include <utility>

#include "calibration/usable_points.h"

namespace podwright {
namespace {

using TransferPoints = std::vector<TransferPoint>;

/// Chains of layers, then sweeps that may stand for them: reads themselves, then those with the largest share of reads.
constexpr std::string_view kWeightSources[] = {"decode.weights", "hbm.read",         "hbm.triad",      "hbm.copy",
                                               "cpu.stream.dot", "cpu.stream.triad", "cpu.stream.copy"};

bool is_kv_probe(std::string_view probe) { return probe == "decode.attn"; }
bool is_cache_probe(std::string_view probe) { return probe == "l2.read"; }

TransferPoints probe_points(const HardwareProfile& profile, const ProfileDevice& device, std::string_view probe) {
  TransferPoints points;
  for (const ProbeResult* result : usable_results(profile, {.probe = probe, .device = device.id}))
    if (const auto point = transfer_point(*result)) points.push_back(*point);
  return points;
}

void read_weights(MemoryReads& reads, const HardwareProfile& profile, const ProfileDevice& device,
                  BytesPerSecond peak) {
  for (const std::string_view source : kWeightSources) {
    const TransferPoints points = probe_points(profile, device, source);
    if (points.empty()) continue;
    TransferFit fit = fit_transfers(points, peak);
    if (fit.refused.empty()) {
      reads.weights = WeightReads{std::string(source), std::move(fit)};
      return;
    }
    reads.gaps.push_back({"weights from " + std::string(source), fit.refused});
  }
  if (reads.gaps.empty()) reads.gaps.push_back({"weights", "no usable result of reads"});
}

void read_kv(MemoryReads& reads, const HardwareProfile& profile, const ProfileDevice& device, BytesPerSecond peak) {
  std::map<std::string, TransferPoints> by_page;
  for (const ProbeResult* result : results_on(profile, device, is_kv_probe))
    if (result->counted.bytes > 0)
      by_page[result->dtype + "/" + std::to_string(static_cast<int>(result->size.page_tokens.value_or(0)))].push_back(
          {Bytes(result->counted.bytes), Seconds(result->time_s->median)});
  for (const auto& [page, points] : by_page)
    keep_fit(reads.kv, page, fit_transfers(points, peak), "decode.attn " + page, reads.gaps);
}

void read_cache(MemoryReads& reads, const HardwareProfile& profile, const ProfileDevice& device) {
  TransferPoints points;
  for (const ProbeResult* result : results_on(profile, device, is_cache_probe))
    if (result->counted.bytes > 0) points.push_back({Bytes(result->counted.bytes), Seconds(result->time_s->median)});
  if (points.empty()) return;
  if (!device.l2_bytes || !(*device.l2_bytes > 0)) {
    reads.gaps.push_back({"l2.read", "the profile does not give the size of the cache"});
    return;
  }
  CacheFit fit = fit_cache(points, Bytes(*device.l2_bytes));
  if (fit.refused.empty())
    reads.cache = std::move(fit);
  else
    reads.gaps.push_back({"l2.read", fit.refused});
}

}  // namespace

MemoryReads memory_reads(const HardwareProfile& profile, const ProfileDevice& device, const DevicePeaks& peaks) {
  MemoryReads reads;
  if (std::string problem = key_problem(device, peaks); !problem.empty()) {
    reads.gaps.push_back({"device", std::move(problem)});
    return reads;
  }
  read_cache(reads, profile, device);
  if (!peaks.bandwidth) {
    reads.gaps.push_back({"weights", "no peak bandwidth of this device is known"});
    return reads;
  }
  read_weights(reads, profile, device, *peaks.bandwidth);
  read_kv(reads, profile, device, *peaks.bandwidth);
  return reads;
}

}  // namespace podwright
