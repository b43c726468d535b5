#pragma once
/// What the made-up host's other probes saw: attention by length, the cache, collectives by size and over nodes,
/// starts.
#include <initializer_list>
#include <string>

#include "calibration/synthetic_h100.h"

namespace podwright {

/// GPUs of one node whose exchanges have a start-up time and a bus of `bus` bytes/s, but for sizes that sag.
struct SyntheticCollectives {
  double start = 15e-6;
  double bus = 440e9;
  double sag = 1;
  double ranks = 8;
};

inline void add_collective(HardwareProfile& profile, const std::string& probe, double ranks, double nodes,
                           const std::initializer_list<std::pair<double, double>>& times) {
  std::uint64_t place = 9000 + profile.results.size();
  for (const auto& [bytes, time] : times) {
    ProbeResult result = synthetic_result(probe, "d0", {.bytes = bytes, .flops = 0}, time, 0.003, ++place);
    result.size.bytes = bytes;
    result.size.ranks = ranks;
    if (nodes > 1) result.size.nodes = nodes;
    finish_result(result, {});
    result.samples_s.clear();
    profile.results.push_back(std::move(result));
  }
}

/// At the sizes of the probe; those between 4 and 64 MiB take `sag` times as long.
inline void add_collectives(HardwareProfile& profile, const SyntheticCollectives& of) {
  const double gather = (of.ranks - 1) / of.ranks / of.bus;
  for (const auto& [probe, once] : {std::pair{"coll.allreduce", 2.0}, {"coll.allgather", 1.0}})
    for (const double kib : {1.0, 8.0, 32.0, 128.0, 512.0, 2048.0, 8192.0, 32768.0, 131072.0, 524288.0}) {
      const double sag = kib > 4096 && kib < 65536 ? of.sag : 1;
      const double bytes = kib * 1024;
      add_collective(profile, probe, of.ranks, 1, {{bytes, (of.start + once * gather * bytes) * sag}});
    }
}

/// One GPU's prompts, cache and starts: shares of the peak that grow from 0.35 at 1,024 tokens to 0.6 at 32,768.
inline void add_small_probes(HardwareProfile& profile) {
  std::uint64_t place = 7000;
  const auto add = [&](ProbeResult result) {
    finish_result(result, {});
    result.samples_s.clear();
    profile.results.push_back(std::move(result));
  };
  double share = 0.35;
  for (double tokens = 1024; tokens <= 32768; tokens *= 2, share += 0.05) {
    const double flops = 2 * tokens * tokens * 64 * 128;
    ProbeResult attention = synthetic_result("prefill.attn", "d0", {.bytes = 0, .flops = flops},
                                             4e-6 + flops / (share * 989e12), 0.003, ++place);
    attention.dtype = "bf16";
    attention.size.context_tokens = tokens;
    attention.variant.algorithm = "flash";
    add(std::move(attention));
  }
  profile.devices.front().l2_bytes = 52428800;
  for (double bytes = 1048576; bytes <= 1073741824.0; bytes *= 2) {
    const double cached = std::min(bytes, 0.9 * 52428800);
    ProbeResult read = synthetic_result("l2.read", "d0", {.bytes = bytes, .flops = 0},
                                        2e-6 + cached / 5.5e12 + (bytes - cached) / 2.8e12, 0.003, ++place);
    read.size.bytes = bytes;
    add(std::move(read));
  }
  for (const auto& [probe, time] : {std::pair{"launch.stream", 2.5e-6}, {"launch.graph", 1.3e-6}, {"host.sync", 6e-6}})
    add(synthetic_result(probe, "d0", {}, time, 0.01, ++place));
}

}  // namespace podwright
