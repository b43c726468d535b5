#pragma once
/// A small profile with a result of every kind, and texts of it that were changed and signed again.
#include <string>
#include <string_view>
#include <vector>

#include "base/json_read.h"
#include "measure/profile.h"
#include "measure/profile_file.h"
#include "measure/simulated_samples.h"

namespace podwright {

inline ProbeResult sample_product() {
  ProbeResult result;
  result.probe = "gemm.bf16";
  result.devices = {"d0"};
  result.size.m = result.size.n = result.size.k = 8192;
  result.dtype = "bf16";
  result.mode = ProbeMode::sustained;
  result.counted = {.bytes = 3 * 2.0 * 8192 * 8192, .flops = 2.0 * 8192 * 8192 * 8192};
  NormalSeries series(31, 1);
  for (int i = 0; i < 24; ++i) result.samples_s.push_back(1.598e-3 * (1 + 0.004 * series.next()));
  result.check = {.status = CheckStatus::pass, .worst = 0.011, .tolerance = 0.043};
  result.context.sm_clock_hz = 1.62e9;
  result.context.burst_sm_clock_hz = 1.98e9;
  result.context.power_w = 694;
  result.context.reasons = {{"sw_power_cap", 0.97}};
  result.variant.library = "cublaslt 12.9.1";
  finish_result(result, {.clock_resolution_s = 5e-7, .flop_roofs = {9.89e14}});
  return result;
}

inline HardwareProfile sample_profile() {
  HardwareProfile profile;
  profile.tool.version = "1.0.0";
  profile.run.started = "2026-03-01T09:30:00Z";
  profile.run.duration_s = 291.4;
  profile.run.backend = "cuda";
  profile.run.seed = 7;
  profile.environment.os = "linux";
  profile.environment.driver = "580.65.06";
  profile.environment.variables = {{"NCCL_DEBUG", "WARN"}};
  profile.host.cpu_model = "Example \"8480\"";
  profile.host.cores = 112;
  ProfileDevice device;
  device.id = "d0";
  device.kind = "gpu";
  device.key = "h200-sxm5-141gb";
  device.key_match = KeyMatch::exact;
  device.name = "NVIDIA H200";
  device.memory_total_gib = 140.4;
  device.memory_allocatable_gib = 139.2;
  device.datasheet_bytes_per_s = 4.8e12;
  profile.devices = {device};
  ProbeResult skipped;
  skipped.probe = "coll.allreduce";
  skipped.devices = {"d0"};
  skipped.skip = Skip{SkipReason::one_device, "One GPU is visible.", "Collectives are not calibrated."};
  ProbeResult wrong;
  wrong.probe = "gemm.fp8";
  wrong.devices = {"d0"};
  wrong.samples_s = {1, 2};
  wrong.check.nan_count = 3;
  finish_result(wrong, {});
  profile.results = {sample_product(), skipped, wrong};
  profile.health_counters = {{"d0", "pcie_replay", 1, 4}};
  profile.limits = {"Collectives were not measured."};
  return profile;
}

/// The text of a document with a digest of its own.
inline std::string signed_again(const JsonNode& document) {
  const std::string patch = R"({"integrity":{"alg":"sha256-jcs","digest":")" + profile_digest(document) + "\"}}";
  return json_text(merged(document, *parse_json(patch))) + "\n ";
}

/// The sample's text changed by a merge patch and signed again.
inline std::string changed_profile(std::string_view patch) {
  return signed_again(merged(*parse_json(profile_text(sample_profile())), *parse_json(patch)));
}

}  // namespace podwright
