#pragma once
/// A made-up host of H100 GPUs whose rates are known, for tests of what plans make of profiles.
#include <algorithm>
#include <cstdint>
#include <string>

#include "base/distributions.h"
#include "base/random.h"
#include "calibration/reference_profile.h"
#include "catalog/catalog.h"
#include "measure/profile_file.h"

namespace podwright {

struct SyntheticHost {
  double gpus = 8;
  double speed = 1;           ///< of all rates against 0.75 of the peaks
  double slow_last_gpu = 1;   ///< of its products
  double memory_gib = 79.19;  ///< as the driver reports it
  double noise = 0.003;
  bool fp8 = true;
  double memory_speed = 1;  ///< of everything that memory binds
  std::uint64_t seed = 11;  ///< of the noise
};

inline ProbeResult synthetic_result(const std::string& probe, const std::string& device, CountedWork counted,
                                    double time, double noise, std::uint64_t place, std::uint64_t seed = 11) {
  ProbeResult result;
  result.probe = probe;
  result.devices = {device};
  result.counted = counted;
  const random::Stream stream(seed, place);
  for (std::uint64_t i = 0; i < 24; ++i)
    result.samples_s.push_back(time * (1 + noise * normal_quantile(stream.uniform(i))));
  result.check.status = CheckStatus::pass;
  return result;
}

inline HardwareProfile synthetic_h100_host(const SyntheticHost& host = {}) {
  HardwareProfile profile;
  profile.tool.version = "0.1.0";
  profile.run.started = "2026-01-31T12:00:00Z";
  profile.run.backend = "cuda";
  std::uint64_t place = 0;
  const auto add = [&](ProbeResult result) {
    finish_result(result, {});
    result.samples_s.clear();
    profile.results.push_back(std::move(result));
  };
  const double bandwidth = 0.85 * 3.35e12 * host.speed * host.memory_speed;
  for (int g = 0; g < static_cast<int>(host.gpus); ++g) {
    const std::string id = "d" + std::to_string(g);
    ProfileDevice device{.id = id, .kind = "gpu", .key = "h100-sxm5-80gb", .key_match = KeyMatch::exact};
    device.name = "NVIDIA H100 80GB HBM3";
    device.memory_total_gib = host.memory_gib;
    device.memory_allocatable_gib = host.memory_gib - 0.6;
    profile.devices.push_back(device);
    const double speed = host.speed * (g + 1 == static_cast<int>(host.gpus) ? host.slow_last_gpu : 1);
    for (const auto& [dtype, peak, width] : {std::tuple{"bf16", 989e12, 2.0}, {"fp8", 1979e12, 1.0}}) {
      if (!host.fp8 && std::string(dtype) == "fp8") continue;
      for (const double m : {1.0, 8.0, 64.0, 1024.0, 4096.0, 8192.0})
        for (const double n : {4096.0, 8192.0}) {
          const double k = n;
          const double bytes = width * (m * k + k * n) + 2 * m * n;
          const double flops = 2 * m * n * k;
          ProbeResult result = synthetic_result(std::string("gemm.") + dtype, id, {.bytes = bytes, .flops = flops},
                                                3e-6 + std::max(flops / (0.75 * peak * speed), bytes / bandwidth),
                                                host.noise, ++place, host.seed);
          result.variant.algorithm = "cublaslt-66";
          result.dtype = dtype;
          result.size.m = m, result.size.n = n, result.size.k = k;
          add(std::move(result));
        }
    }
    for (const double m : {1.0, 16.0}) {
      ProbeResult weights = synthetic_result("decode.weights", id, {.bytes = 3.5e9, .flops = 3.5e9 * m},
                                             3e-6 + 3.5e9 / bandwidth, host.noise, ++place, host.seed);
      weights.variant.algorithm = "cublaslt-chain";
      weights.dtype = "bf16";
      weights.size.m = m;
      add(std::move(weights));
    }
    ProbeResult caches = synthetic_result("decode.attn", id, {.bytes = 4e9, .flops = 1e9}, 4e9 / (0.9 * bandwidth),
                                          host.noise, ++place, host.seed);
    caches.variant.algorithm = "own-split-kv";
    caches.dtype = "bf16";
    add(std::move(caches));
    ProbeResult copy = synthetic_result("pcie.h2d", id, {.bytes = 1e9, .flops = 0}, 1e9 / (55e9 * host.speed),
                                        host.noise, ++place, host.seed);
    copy.variant.algorithm = "cudaMemcpyAsync";
    copy.size.bytes = 1e9;
    add(std::move(copy));
  }
  if (host.gpus > 1)
    for (const double bytes : {1024.0, 1048576.0, 536870912.0}) {
      ProbeResult sum = synthetic_result("coll.allreduce", "d0", {.bytes = bytes, .flops = 0},
                                         15e-6 + bytes * 2 * (host.gpus - 1) / host.gpus / (440e9 * host.speed),
                                         host.noise, ++place, host.seed);
      sum.variant.algorithm = "nccl 2.27.3";
      for (int g = 1; g < static_cast<int>(host.gpus); ++g) sum.devices.push_back("d" + std::to_string(g));
      sum.size.bytes = bytes;
      sum.size.ranks = host.gpus;
      add(std::move(sum));
    }
  return profile;
}

/// As a file that was read.
inline ReadProfile synthetic_h100_profile(const SyntheticHost& host = {}) {
  return *read_profile(profile_text(synthetic_h100_host(host)));
}

/// The built-in catalog with this host as the reference of its GPU, noise of its own.
inline Catalog with_synthetic_reference(SyntheticHost host = {}) {
  host.seed = 97;
  Catalog catalog = embedded_catalog_facts();
  auto rows = with_reference(catalog, synthetic_h100_profile(host));
  PODWRIGHT_ASSERT(rows.has_value());
  catalog.reference_rates = std::move(*rows);
  return catalog;
}

}  // namespace podwright
