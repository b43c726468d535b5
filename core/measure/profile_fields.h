#pragma once
/// The keys of a profile, once: reading and writing go through these tables. A visitor has members for texts, numbers,
/// words, lists and objects. Numbers and flags that are no std::optional, and what is called needed, must stand in a
/// file.

#include "base/object_reader.h"
#include "base/told_number.h"
#include "base/whole.h"
#include "measure/profile.h"

namespace podwright {

inline constexpr Range kAtLeastZero{0, kToldSize.max};
inline constexpr Range kAboveZero{1e-30, kToldSize.max};
inline constexpr Range kRatio{0, 1};

void describe_profile(auto& v, NamedText& x) {
  v.needed_text("name", x.name);
  v.needed_text("value", x.value);
}

void describe_profile(auto& v, ProfileTool& x) {
  v.needed_text("name", x.name);
  v.text("version", x.version);
  v.text("build", x.build);
  v.text("compiler", x.compiler);
}

void describe_profile(auto& v, ProfileRank& x) {
  v.number("rank", x.rank, {0, 1e6});
  v.number("ranks", x.ranks, {1, 1e6});
  v.needed_word("part", x.part, kRankPartWords);
  v.text("node", x.node);
  v.number("came_s", x.came_s, kAtLeastZero);
  v.number("waited_s", x.waited_s, kAtLeastZero);
}

void describe_profile(auto& v, ProfileRun& x) {
  v.text("started", x.started);
  v.number("duration_s", x.duration_s, kAtLeastZero);
  v.word("mode", x.mode, kRunModeWords);
  v.needed_text("backend", x.backend);
  v.number("seed", x.seed, {0, kMostSeed});
  v.texts("arguments", x.arguments);
  v.flag("complete", x.complete);
  v.number("exit_code", x.exit_code, {0, 5});
  v.object("rank", x.rank);
}

void describe_profile(auto& v, ProfileEnvironment& x) {
  v.text("os", x.os);
  v.text("kernel", x.kernel);
  v.text("cpu_architecture", x.cpu_architecture);
  v.flag("container", x.container);
  v.text("driver", x.driver);
  v.text("cuda_driver", x.cuda_driver);
  v.text("cuda_runtime", x.cuda_runtime);
  v.text("cublaslt", x.cublaslt);
  v.text("nccl", x.nccl);
  v.text("blas", x.blas);
  v.text("frequency_governor", x.frequency_governor);
  v.list("other_software", x.other_software);
  v.list("variables", x.variables);
}

void describe_profile(auto& v, ProfileHost& x) {
  v.text("name", x.name);
  v.text("cpu_model", x.cpu_model);
  v.number("sockets", x.sockets, kAboveZero);
  v.number("cores", x.cores, kAboveZero);
  v.number("logical_cores", x.logical_cores, kAboveZero);
  v.number("numa_nodes", x.numa_nodes, kAboveZero);
  v.number("memory_gib", x.memory_gib, kAboveZero);
}

void describe_profile(auto& v, ProfileDevice& x) {
  v.needed_text("id", x.id);
  v.needed_text("kind", x.kind);
  v.text("key", x.key);
  v.word("key_match", x.key_match, kKeyMatchWords);
  v.text("name", x.name);
  v.text("pci_bus_id", x.pci_bus_id);
  v.text("identity_hash", x.identity_hash);
  v.text("vbios", x.vbios);
  v.text("compute_capability", x.compute_capability);
  v.text("mig_slice", x.mig_slice);
  v.text("virtualization", x.virtualization);
  v.number("sm_count", x.sm_count, kAboveZero);
  v.number("l2_bytes", x.l2_bytes, kAtLeastZero);
  v.number("memory_bus_bits", x.memory_bus_bits, kAboveZero);
  v.number("memory_clock_hz", x.memory_clock_hz, kAboveZero);
  v.number("sm_clock_max_hz", x.sm_clock_max_hz, kAboveZero);
  v.number("power_limit_w", x.power_limit_w, kAboveZero);
  v.number("power_limit_default_w", x.power_limit_default_w, kAboveZero);
  v.flag("clocks_locked", x.clocks_locked);
  v.flag("ecc", x.ecc);
  v.number("pcie_generation", x.pcie_generation, {1, 10});
  v.number("pcie_width", x.pcie_width, {1, 64});
  v.number("pcie_generation_max", x.pcie_generation_max, {1, 10});
  v.number("pcie_width_max", x.pcie_width_max, {1, 64});
  v.number("nvlinks", x.nvlinks, kAtLeastZero);
  v.number("numa_node", x.numa_node, kAtLeastZero);
  v.number("memory_total_gib", x.memory_total_gib, kAboveZero);
  v.number("memory_free_gib", x.memory_free_gib, kAtLeastZero);
  v.number("memory_allocatable_gib", x.memory_allocatable_gib, kAtLeastZero);
  v.number("context_gib", x.context_gib, kAtLeastZero);
  v.number("collectives_gib", x.collectives_gib, kAtLeastZero);
  v.number("idle_power_w", x.idle_power_w, kAtLeastZero);
  v.number("datasheet_bytes_per_s", x.datasheet_bytes_per_s, kAboveZero);
  v.number("driver_bytes_per_s", x.driver_bytes_per_s, kAboveZero);
}

void describe_profile(auto& v, ProfileLink& x) {
  v.needed_text("from", x.from);
  v.needed_text("to", x.to);
  v.text("type", x.type);
  v.number("lanes", x.lanes, kAboveZero);
  v.number("bytes_per_s", x.bytes_per_s, kAboveZero);
}

void describe_profile(auto& v, ProbeSize& x) {
  for (const ProbeSizeField& field : kProbeSizeFields)
    v.number(field.word, x.*field.value, field.value == &ProbeSize::bytes ? kAtLeastZero : kAboveZero);
}

void describe_profile(auto& v, CountedWork& x) {
  v.number("bytes", x.bytes, kAtLeastZero);
  v.number("flops", x.flops, kAtLeastZero);
}

void describe_profile(auto& v, SampleSummary& x) {
  v.number("n", x.n, {1, 1e9});
  v.number("median", x.median, kAboveZero);
  v.number("lo95", x.lo95, kAboveZero);
  v.number("hi95", x.hi95, kAboveZero);
  v.number("min", x.min, kAboveZero);
  v.number("q1", x.q1, kAboveZero);
  v.number("q3", x.q3, kAboveZero);
  v.number("p95", x.p95, kAboveZero);
  v.number("cv", x.cv, kAtLeastZero);
  v.number("mad", x.mad, kAtLeastZero);
  v.number("rho", x.rho, kRatio);
  v.number("n_eff", x.n_eff, kAtLeastZero);
}

void describe_profile(auto& v, ProbeCheck& x) {
  v.word("status", x.status, kCheckStatusWords);
  v.number("worst", x.worst, kAtLeastZero);
  v.number("tolerance", x.tolerance, kAtLeastZero);
  v.number("nan_count", x.nan_count, {0, 2147483647});
}

void describe_profile(auto& v, ReasonShare& x) {
  v.needed_text("reason", x.reason);
  v.number("share", x.share, kRatio);
}

void describe_profile(auto& v, ProbeContext& x) {
  v.number("sm_clock_hz", x.sm_clock_hz, kAtLeastZero);
  v.number("burst_sm_clock_hz", x.burst_sm_clock_hz, kAboveZero);
  v.number("temperature_c", x.temperature_c, {-60, 300});
  v.number("power_w", x.power_w, kAtLeastZero);
  v.list("reasons", x.reasons);
  v.number("host_s", x.host_s, kAtLeastZero);
  v.number("device_s", x.device_s, kAtLeastZero);
  v.number("other_processes", x.other_processes, {0, 1e6});
  v.number("idle_utilization", x.idle_utilization, kRatio);
  v.number("entry_skew_s", x.entry_skew_s, kAtLeastZero);
}

void describe_profile(auto& v, CounterRise& x) {
  v.needed_text("name", x.name);
  v.number("count", x.count, kAboveZero);
}

void describe_profile(auto& v, LoadFigures& x) {
  v.number("power_w", x.power_w, kAtLeastZero);
  v.number("power_w_p50", x.power_w_p50, kAtLeastZero);
  v.number("power_w_p95", x.power_w_p95, kAtLeastZero);
  v.number("energy_j", x.energy_j, kAtLeastZero);
  v.number("energy_window_s", x.energy_window_s, kAboveZero);
  v.number("j_per_flop", x.j_per_flop, kAtLeastZero);
  v.number("j_per_byte", x.j_per_byte, kAtLeastZero);
  v.number("temperature_c_max", x.temperature_c_max, {-60, 300});
  v.number("memory_temperature_c_max", x.memory_temperature_c_max, {-60, 300});
  v.number("power_capped_after_s", x.power_capped_after_s, kAtLeastZero);
  v.number("throttled_after_s", x.throttled_after_s, kAtLeastZero);
  v.list("counters", x.counters);
}

void describe_profile(auto& v, ProbeVariant& x) {
  v.text("algorithm", x.algorithm);
  v.text("library", x.library);
  v.flag("graph", x.graph);
  v.flag("nvls", x.nvls);
  v.flag("registered", x.registered);
  v.number("heuristic_first_s", x.heuristic_first_s, kAboveZero);
}

void describe_profile(auto& v, ProbeFlag& x) {
  v.needed_word("kind", x.kind, kFlagWords);
  v.text("detail", x.detail);
}

void describe_profile(auto& v, Skip& x) {
  v.needed_word("reason", x.reason, kSkipReasonWords);
  v.text("message", x.message);
  v.text("consequence", x.consequence);
}

void describe_profile(auto& v, ProbeResult& x) {
  v.needed_text("probe", x.probe);
  v.number("version", x.version, {1, 1e6});
  v.texts("devices", x.devices);
  v.object("size", x.size);
  v.text("dtype", x.dtype);
  v.word("mode", x.mode, kProbeModeWords);
  v.object("counted", x.counted);
  v.number("batch_operations", x.batch_operations, kAboveZero);
  v.object("time_s", x.time_s);
  v.numbers("samples_s", x.samples_s, kAboveZero);
  v.object("check", x.check);
  v.object("context", x.context);
  v.object("load", x.load);
  v.number("overlap_efficiency", x.overlap_efficiency, {-1e3, 1e3});
  v.object("variant", x.variant);
  v.list("flags", x.flags);
  v.object("skip", x.skip);
}

void describe_profile(auto& v, HealthCounter& x) {
  v.needed_text("device", x.device);
  v.needed_text("name", x.name);
  v.number("before", x.before, kAtLeastZero);
  v.number("after", x.after, kAtLeastZero);
}

void describe_profile(auto& v, HealthEvent& x) {
  v.needed_text("device", x.device);
  v.needed_text("name", x.name);
  v.text("message", x.message);
}

void describe_profile(auto& v, NamedNumber& x) {
  v.needed_text("name", x.name);
  v.number("value", x.value, {-kToldSize.max, kToldSize.max});
}

void describe_profile(auto& v, HealthCheck& x) {
  v.needed_text("name", x.name);
  v.needed_text("device", x.device);
  v.needed_word("state", x.state, kHealthStateWords);
  v.text("seen", x.seen);
  v.text("expected", x.expected);
  v.text("advice", x.advice);
  v.text("code", x.code);
  v.list("values", x.values);
}

void describe_profile(auto& v, HardwareProfile& x) {
  v.object("tool", x.tool);
  v.object("run", x.run);
  v.object("environment", x.environment);
  v.object("host", x.host);
  v.list("devices", x.devices);
  v.list("links", x.links);
  v.list("results", x.results);
  v.list("exchanges", x.exchanges);
  v.list("health_counters", x.health_counters);
  v.list("health_events", x.health_events);
  v.list("health_checks", x.health_checks);
  v.texts("limits", x.limits);
}

}  // namespace podwright
