#pragma once
/// One probe at one size, as it is planned, carried to the worker and measured.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "measure/probe_result.h"
#include "probes/backend.h"

namespace podwright::probes {

/// What heats a device least comes first, so that one probe does not slow the next; `load` is everything together.
/// Cases of one heat share processes. Collectives without the switch have one of their own: the library reads that
/// setting once in a process. So has cuDNN, which may end the process.
enum class Heat {
  idle,
  latency,
  link,
  memory,
  collective,
  collective_without_switch,
  cudnn,
  compute,
  layer,
  sustained,
  load
};
constexpr int values_of(Heat) { return static_cast<int>(Heat::load) + 1; }

inline constexpr double kKiB = 1024;
inline constexpr double kMiB = 1024 * kKiB;
inline constexpr double kGiB = 1024 * kMiB;

struct ProbeCase {
  std::string probe;
  std::string dtype;
  std::string variant;
  ProbeSize size;
  std::optional<double> groups;  ///< of attention: heads of keys and values
  ProbeMode mode = ProbeMode::burst;
  CountedWork counted;
  Heat heat = Heat::memory;
  int peer = -1;
  std::vector<std::int32_t> members;  ///< devices of a collective in the order of their ranks; empty: one device
  bool beyond_cache = true;           ///< no cache can hold the operands, so roofs of memory hold
  double target = 0.01;               ///< of the stop rule
  bool back_to_back = true;           ///< samples follow each other without rest
  double sample_s = 0.004;            ///< length of one sample
  double prepare_s = 0.05;            ///< for operands, the choice of an algorithm and the check
  double warm_up_s = 0.5;             ///< at least; at most six times as long
  double budget_s = 1;                ///< of sampling
  double smallest_bytes = 0;          ///< down to which memory may be halved when it is refused
  double work_bytes_per_byte = 0;     ///< counted bytes of one byte of `size.bytes`, where these follow a halved size

  /// Seconds that the whole case should take, for the watchdog and for the time left.
  double predicted_s() const { return 0.25 + prepare_s + 3 * warm_up_s + 1.5 * budget_s + 20 * sample_s; }
  /// Of its result, by which people choose it. Another way to do the same is a probe of its own, so that fits and norms
  /// of the usual way do not meet it: "gemm.bf16.zeros".
  std::string name() const;
  /// Probe and size for people: "gemm.bf16 m=1 n=4096 k=4096".
  std::string title() const;

  static void fields(auto& one, const auto& visit) {
    visit("probe", one.probe, "dtype", one.dtype, "variant", one.variant, "size", one.size, "groups", one.groups,
          "mode", one.mode, "counted_bytes", one.counted.bytes, "counted_flops", one.counted.flops, "heat", one.heat,
          "peer", one.peer, "members", one.members, "beyond_cache", one.beyond_cache, "target", one.target,
          "back_to_back", one.back_to_back, "sample_s", one.sample_s, "prepare_s", one.prepare_s, "warm_up_s",
          one.warm_up_s, "budget_s", one.budget_s, "smallest_bytes", one.smallest_bytes, "work_bytes_per_byte",
          one.work_bytes_per_byte);
  }
};

/// The structure that the backend reads; it points into `one`.
PwCase case_for(const ProbeCase& one, double seed);

}  // namespace podwright::probes
