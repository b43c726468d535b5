#pragma once
/// What one probe measured at one size on one device or group of devices. Members are named as the keys of the profile;
/// a name ends in its unit. docs/method/probes.md#results.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/probe_size.h"
#include "measure/load_figures.h"
#include "measure/probe_flag.h"
#include "measure/sample_summary.h"
#include "measure/skip_reason.h"

namespace podwright {

/// What one operation moves and computes, as the probe counts it.
struct CountedWork {
  double bytes = 0;
  double flops = 0;
};

enum class CheckStatus { not_checked, pass, fail };
inline constexpr std::array<std::string_view, 3> kCheckStatusWords = {"not_checked", "pass", "fail"};

/// The output compared with a reference.
struct ProbeCheck {
  CheckStatus status = CheckStatus::not_checked;
  std::optional<double> worst;      ///< largest error, in the tolerance's measure
  std::optional<double> tolerance;  ///< in the words of the probe
  int nan_count = 0;                ///< NaN and infinite outputs among those that were read
};

/// What was seen besides the samples.
struct ProbeContext {
  std::optional<double> sm_clock_hz;        ///< median over the samples
  std::optional<double> burst_sm_clock_hz;  ///< of the same kernel's burst
  std::optional<double> temperature_c;
  std::optional<double> power_w;
  std::vector<ReasonShare> reasons;  ///< that were set at all
  std::optional<double> host_s;      ///< host time of all samples together
  std::optional<double> device_s;    ///< device time of the same
  std::optional<int> other_processes;
  std::optional<double> idle_utilization;  ///< 0..1, in the window before the probe
  std::optional<double> entry_skew_s;      ///< of a collective between processes: how far apart its ranks came
};

/// How it was done, where that can be chosen.
struct ProbeVariant {
  std::string algorithm;  ///< id of the library's algorithm, kernel or protocol
  std::string library;    ///< with version: "cublaslt 12.9.1"; "own" for kernels of this project
  std::optional<bool> graph;
  std::optional<bool> nvls;                 ///< reduction in the switch was allowed
  std::optional<bool> registered;           ///< buffers were made known to the library before
  std::optional<double> heuristic_first_s;  ///< median time of the algorithm that the library proposes first
};

struct ProbeResult {
  std::string probe;                 ///< id: "hbm.triad", "gemm.bf16", "coll.allreduce", "cpu.stream.triad"
  int version = 1;                   ///< of the probe: another one must not be compared
  std::vector<std::string> devices;  ///< ids within the profile; several for links and collectives
  ProbeSize size;
  std::string
      dtype;  ///< fp32, tf32, bf16, fp16, fp8, fp8-block, mxfp8, nvfp4, int8, fp64; empty where it does not matter
  ProbeMode mode = ProbeMode::burst;
  CountedWork counted;
  double batch_operations = 1;          ///< operations in one sample
  std::optional<SampleSummary> time_s;  ///< of one operation; absent where skipped or withheld
  std::vector<double> samples_s;        ///< raw times in order, for audit; may be empty
  ProbeCheck check;
  ProbeContext context;
  std::optional<LoadFigures> load;           ///< of sustained results
  std::optional<double> overlap_efficiency;  ///< of two works at once: share of the shorter one that is hidden
  ProbeVariant variant;
  std::vector<ProbeFlag> flags;
  std::optional<Skip> skip;  ///< instead of a time

  /// Counted bytes (or FLOPs) over the median time; absent without a time or without such work, and where the output
  /// was wrong.
  std::optional<double> bytes_per_s() const;
  std::optional<double> flops_per_s() const;
  /// May calibrate: measured, not invalid, output not wrong.
  bool usable() const { return time_s && !invalid(flags) && check.status != CheckStatus::fail; }
};

/// Facts that turn raw samples into a finished result.
struct FinishFacts {
  double target = kBandwidthTarget;
  double clock_resolution_s = 0;   ///< of the backend's clock, for a whole sample
  bool precise = true;             ///< the stop rule ended with StopState::precise
  std::vector<double> byte_roofs;  ///< bytes/s that the device cannot exceed (datasheet, driver); empty where caches or
                                   ///< switches may help
  std::vector<double> flop_roofs;  ///< FLOP/s likewise
};

/// Fills time_s from `samples_s`, energies per FLOP and byte from the load's power, and adds every flag that samples,
/// check and context of this one result tell. The rate of a wrong result is withheld: its time_s stays absent.
/// `samples_s` must not be empty.
void finish_result(ProbeResult& result, const FinishFacts& facts);

/// Adds the flags that show only across the sizes of one probe: `results` of one probe, device, dtype and mode, of
/// which the usable ones are compared by their counted bytes, or FLOPs where they count.
void add_curve_flags(std::vector<ProbeResult*>& results);

}  // namespace podwright
