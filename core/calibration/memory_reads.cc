#include "calibration/memory_reads.h"

#include <algorithm>
#include <utility>

#include "calibration/usable_points.h"

namespace podwright {
namespace {

using TransferPoints = std::vector<TransferPoint>;

/// Sweeps that may stand for reads: reads themselves, then those with the largest share of reads.
constexpr std::string_view kSweeps[] = {"hbm.read",       "hbm.triad",        "hbm.copy",
                                        "cpu.stream.dot", "cpu.stream.triad", "cpu.stream.copy"};

bool is_kv_probe(std::string_view probe) { return probe == "decode.attn"; }
bool is_cache_probe(std::string_view probe) { return probe == "l2.read"; }

bool is_of_model(const ProductShape& shape, std::span<const ProductShape> model) {
  return std::any_of(model.begin(), model.end(),
                     [&](const ProductShape& layer) { return layer.n == shape.n && layer.k == shape.k; });
}

/// Of the dtype that most results have.
std::pair<std::string, TransferPoints> model_points(const HardwareProfile& profile, const ProfileDevice& device,
                                                    std::span<const ProductShape> model) {
  std::map<std::string, TransferPoints> by_probe;
  for (const ProbeResult* result : results_on(profile, device, is_product_probe)) {
    const auto point = product_point(*result);
    if (!point || result->mode != ProbeMode::burst) continue;
    if (point->shape.m <= kMostStreamingRows && is_of_model(point->shape, model))
      by_probe[result->probe].push_back({point->shape.bytes, point->time});
  }
  std::pair<std::string, TransferPoints> most;
  for (auto& [probe, points] : by_probe)
    if (points.size() > most.second.size()) most = {probe, std::move(points)};
  return most;
}

TransferPoints probe_points(const HardwareProfile& profile, const ProfileDevice& device, std::string_view probe) {
  TransferPoints points;
  for (const ProbeResult* result : usable_results(profile, {.probe = probe, .device = device.id}))
    if (const auto point = transfer_point(*result)) points.push_back(*point);
  return points;
}

/// True where the fit is taken; a refused one is a gap.
bool take(MemoryReads& reads, ReadSource source, const std::string& probe, const TransferPoints& points,
          BytesPerSecond peak) {
  TransferFit fit = fit_transfers(points, peak);
  if (!fit.refused.empty()) {
    reads.gaps.push_back({"weights from " + probe, fit.refused});
    return false;
  }
  reads.weights = WeightReads{source, probe, std::move(fit)};
  return true;
}

void read_weights(MemoryReads& reads, const HardwareProfile& profile, const ProfileDevice& device, BytesPerSecond peak,
                  std::span<const ProductShape> model) {
  if (const auto [probe, points] = model_points(profile, device, model); !points.empty())
    if (take(reads, ReadSource::model_shapes, probe, points, peak)) return;
  const std::string chain = "decode.weights";
  if (const TransferPoints points = probe_points(profile, device, chain); !points.empty())
    if (take(reads, ReadSource::decode_weights, chain, points, peak)) return;
  for (const std::string_view sweep : kSweeps) {
    const TransferPoints points = probe_points(profile, device, sweep);
    if (!points.empty() && take(reads, ReadSource::memory_sweep, std::string(sweep), points, peak)) return;
  }
  if (reads.gaps.empty()) reads.gaps.push_back({"weights", "no usable result of reads"});
}

void read_kv(MemoryReads& reads, const HardwareProfile& profile, const ProfileDevice& device, BytesPerSecond peak) {
  std::map<std::string, TransferPoints> by_page;
  for (const ProbeResult* result : results_on(profile, device, is_kv_probe))
    if (result->counted.bytes > 0)
      by_page[result->dtype + "/" + std::to_string(static_cast<int>(result->size.page_tokens.value_or(0)))].push_back(
          {Bytes(result->counted.bytes), Seconds(result->time_s->median)});
  for (const auto& [page, points] : by_page) {
    TransferFit fit = fit_transfers(points, peak);
    if (fit.refused.empty())
      reads.kv.emplace(page, std::move(fit));
    else
      reads.gaps.push_back({"decode.attn " + page, fit.refused});
  }
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

std::optional<Seconds> MemoryReads::weight_time(Bytes bytes, bool read_again) const {
  if (read_again && cache && bytes <= cache->effective) return cache->predict(bytes);
  if (!weights) return std::nullopt;
  return weights->fit.predict(bytes);
}

MemoryReads memory_reads(const HardwareProfile& profile, const ProfileDevice& device, const DevicePeaks& peaks,
                         std::span<const ProductShape> model) {
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
  read_weights(reads, profile, device, *peaks.bandwidth, model);
  read_kv(reads, profile, device, *peaks.bandwidth);
  return reads;
}

}  // namespace podwright
