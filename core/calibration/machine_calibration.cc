#include "calibration/machine_calibration.h"

#include <array>
#include <string_view>
#include <utility>

#include "calibration/usable_points.h"

namespace podwright {
namespace {

void calibrate_products(MachineCalibration& calibration, const HardwareProfile& profile, const ProfileDevice& device,
                        const DevicePeaks& peaks) {
  std::map<std::string, std::vector<ProductPoint>> points;
  for (const ProbeResult* result : results_on(profile, device, is_product_probe))
    if (const auto point = product_point(*result); point && result->mode == ProbeMode::burst)
      points[result->dtype].push_back(*point);
  if (points.empty()) calibration.gaps.push_back({"gemm", "no usable result in burst mode"});
  for (const auto& [dtype, of_dtype] : points) {
    const auto of_products = product_peaks(device, peaks, dtype);
    if (!of_products) {
      calibration.gaps.push_back({"gemm." + dtype, "no peak rate of this device is known"});
      continue;
    }
    keep_fit(calibration.products, dtype, fit_products(of_dtype, *of_products), "gemm." + dtype, calibration.gaps);
  }
}

void calibrate_memory(MachineCalibration& calibration, const HardwareProfile& profile, const ProfileDevice& device,
                      const DevicePeaks& peaks) {
  std::map<std::string, std::vector<TransferPoint>> points;
  for (const ProbeResult* result : results_on(profile, device, is_memory_probe))
    if (const auto point = transfer_point(*result)) points[result->probe].push_back(*point);
  if (points.empty()) calibration.gaps.push_back({"memory", "no usable result"});
  if (!peaks.bandwidth && !points.empty())
    calibration.gaps.push_back({"memory", "no peak bandwidth of this device is known"});
  if (!peaks.bandwidth) return;
  for (const auto& [probe, of_probe] : points)
    keep_fit(calibration.memory, probe, fit_transfers(of_probe, transfer_peak(probe, of_probe, *peaks.bandwidth)),
             probe, calibration.gaps);
}

bool is_prompt_attention(std::string_view probe) { return probe == "prefill.attn"; }

/// Attention that keeps its scores in memory is a check of the probe; no engine computes prompts so.
void calibrate_attention(MachineCalibration& calibration, const HardwareProfile& profile, const ProfileDevice& device,
                         const DevicePeaks& peaks) {
  std::map<std::string, std::vector<AttentionPoint>> points;
  bool reference = false;
  for (const ProbeResult* result : results_on(profile, device, is_prompt_attention)) {
    const bool counts = result->size.context_tokens && result->counted.flops > 0 && result->mode == ProbeMode::burst;
    reference = reference || result->variant.algorithm == "reference_kernel";
    if (counts && result->variant.algorithm != "reference_kernel")
      points[result->dtype].push_back(
          {*result->size.context_tokens, Flops(result->counted.flops), Seconds(result->time_s->median)});
  }
  if (reference) calibration.gaps.push_back({"prefill.attn", "measured with a reference kernel, which no engine uses"});
  for (const auto& [dtype, of_dtype] : points) {
    const auto of_products = product_peaks(device, peaks, dtype);
    AttentionFit fit = of_products ? fit_attention(of_dtype, of_products->flops) : AttentionFit();
    if (!of_products) fit.refused = "no peak rate of this device is known";
    keep_fit(calibration.attention, dtype, std::move(fit), "prefill.attn." + dtype, calibration.gaps);
  }
}

/// Starts of kernels and waits of the host; the first size of each probe counts, which moves nothing.
void calibrate_launches(MachineCalibration& calibration, const HardwareProfile& profile, const ProfileDevice& device) {
  constexpr std::array<std::string_view, 3> kOfGpus = {"launch.stream", "launch.graph", "host.sync"};
  constexpr std::array<std::string_view, 1> kOfProcessors = {"cpu.launch"};
  const bool processor = device.kind == "cpu";
  for (const std::string_view probe : processor ? std::span<const std::string_view>(kOfProcessors) : kOfGpus) {
    const auto found = usable_results(profile, {.probe = probe, .device = device.id});
    if (found.empty()) continue;
    const SampleSummary& time = *found.front()->time_s;
    calibration.launches.emplace(
        std::string(probe),
        MeasuredTime{Seconds(time.median), Seconds(time.lo95.value_or(time.q1)), Seconds(time.hi95.value_or(time.q3))});
  }
  const std::string_view one = processor ? kOfProcessors.front() : kOfGpus.front();
  if (calibration.launches.count(std::string(one)) == 0) calibration.gaps.push_back({"launch", "no usable result"});
}

}  // namespace

MachineCalibration calibrate_machine(const HardwareProfile& profile, const ProfileDevice& device,
                                     const DevicePeaks& peaks) {
  MachineCalibration calibration;
  calibration.device = device.id;
  if (std::string problem = key_problem(device, peaks); !problem.empty()) {
    calibration.gaps.push_back({"device", std::move(problem)});
    return calibration;
  }
  calibrate_products(calibration, profile, device, peaks);
  calibration.sustained = sustained_products(profile, device, peaks);
  calibrate_memory(calibration, profile, device, peaks);
  calibration.reads = memory_reads(profile, device, peaks);
  for (const CalibrationGap& gap : calibration.reads.gaps) calibration.gaps.push_back(gap);
  calibrate_attention(calibration, profile, device, peaks);
  calibration.collectives = collective_tables(results_on(profile, device, is_collective_probe));
  calibrate_launches(calibration, profile, device);
  return calibration;
}

}  // namespace podwright
