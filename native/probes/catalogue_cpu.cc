/// Probes of processors: the same kinds as of a GPU, at sizes that a processor finishes in time.
#include "probes/catalogue.h"

#include "measure/sample_summary.h"
#include "probes/probe_case.h"

namespace podwright::probes {
namespace {

ProbeCase cpu_case(const std::string& probe, Heat heat) {
  ProbeCase one;
  one.probe = probe;
  one.heat = heat;
  one.target = kCpuTarget;
  one.sample_s = 0.05;  // far above the gaps that a scheduler makes
  one.warm_up_s = 0.1;
  one.budget_s = 1.35;
  return one;
}

void add_stream(std::vector<ProbeCase>& cases, const char* loop, double arrays, double bytes, double threads,
                bool alone = false) {
  // One thread has a name of its own: what a machine does is fitted on all threads.
  ProbeCase one = cpu_case(std::string(!alone ? "cpu.stream." : "cpu.threads.") + loop, Heat::memory);
  one.dtype = "fp64";
  one.size = {.bytes = bytes, .threads = threads};
  one.counted.bytes = arrays * bytes;
  one.work_bytes_per_byte = arrays;
  one.counted.flops = (std::string(loop) == "triad" || std::string(loop) == "dot" ? 2 : 1) * bytes / 8;
  if (std::string(loop) == "copy") one.counted.flops = 0;
  one.smallest_bytes = 8 * kMiB;
  one.beyond_cache = bytes >= 64 * kMiB;
  cases.push_back(one);
}

void add_memory(std::vector<ProbeCase>& cases, const Machine& machine, RunMode mode) {
  // Beyond the caches of one processor; a package's shared cache may still hold it, which the size says.
  constexpr double kLarge = 128 * kMiB;
  const double all = machine.threads;
  if (machine.threads > 1) add_stream(cases, "triad", 3, kLarge, 1, true);
  // Beyond the second cache, so that one line of start and bandwidth tells them all.
  for (double bytes = 2 * kMiB; bytes <= kLarge; bytes *= 2) add_stream(cases, "triad", 3, bytes, all);
  add_stream(cases, "copy", 2, kLarge, all);
  if (mode == RunMode::quick) return;
  for (double bytes = 32 * kKiB; bytes < kLarge; bytes *= 4) add_stream(cases, "copy", 2, bytes, all);
  add_stream(cases, "scale", 2, kLarge, all);
  add_stream(cases, "add", 3, kLarge, all);
  add_stream(cases, "dot", 2, kLarge, all);
}

void add_latencies(std::vector<ProbeCase>& cases, const Machine& machine, RunMode mode) {
  std::vector<double> sets = {16 * kKiB, 64 * kMiB};
  if (mode != RunMode::quick) sets = {16 * kKiB, 256 * kKiB, 1 * kMiB, 16 * kMiB, 64 * kMiB, 256 * kMiB};
  for (const double bytes : sets) {
    ProbeCase one = cpu_case("cpu.lat", Heat::latency);
    one.size = {.bytes = bytes, .threads = 1};
    one.target = kLatencyTarget;
    cases.push_back(one);
  }
  ProbeCase fork = cpu_case("cpu.launch", Heat::latency);
  fork.size.threads = machine.threads;
  fork.target = kLatencyTarget;
  cases.push_back(fork);
}

void add_copies(std::vector<ProbeCase>& cases, RunMode mode) {
  std::vector<double> copies = {4 * kKiB, 64 * kMiB};
  if (mode != RunMode::quick) copies = {4 * kKiB, 64 * kKiB, 1 * kMiB, 16 * kMiB, 64 * kMiB, 256 * kMiB};
  for (const double bytes : copies) {
    ProbeCase one = cpu_case("cpu.copy", Heat::link);
    one.size = {.bytes = bytes, .threads = 1};
    one.counted.bytes = bytes;
    one.work_bytes_per_byte = 1;
    cases.push_back(one);
  }
}

/// The design of a GPU's 48 points, at a scale that one processor multiplies in a tenth of a second.
void add_products(std::vector<ProbeCase>& cases, const Machine& machine, RunMode mode) {
  struct Weight {
    double n, k;
  };
  std::vector<double> rows = {1, 32, 256, 1024};
  std::vector<Weight> weights = {{256, 256}, {512, 512}, {1024, 1024}, {512, 2048}, {2048, 512}, {2048, 1024}};
  if (mode != RunMode::quick) {
    rows = {1, 8, 32, 128, 512, 1024};
    weights.insert(weights.end(), {{768, 768}, {1024, 2048}});
  }
  const auto add = [&](const char* probe, const char* dtype, double bytes, double result_bytes, double m,
                       Weight weight) {
    ProbeCase one = cpu_case(probe, Heat::compute);
    one.dtype = dtype;
    one.size = {.m = m, .n = weight.n, .k = weight.k, .threads = machine.threads};
    one.counted = product_work(m, weight.n, weight.k, bytes, result_bytes);
    cases.push_back(one);
  };
  for (const double m : rows)
    for (const Weight& weight : weights) {
      add("cpu.gemm.f32", "fp32", 4, 4, m, weight);
      if (mode == RunMode::quick) continue;
      add("cpu.gemm.f64", "fp64", 8, 8, m, weight);
      add("cpu.gemm.bf16", "bf16", 2, 4, m, weight);
    }
  if (mode == RunMode::quick) return;
  add("cpu.gemm.f32", "fp32", 4, 4, 1024, {1024, 1024});
  cases.back().mode = ProbeMode::sustained;
  cases.back().heat = Heat::sustained;
  cases.back().budget_s = mode == RunMode::soak ? 600 : 20;
}

}  // namespace

std::vector<ProbeCase> cpu_cases(const Machine& machine, RunMode mode) {
  std::vector<ProbeCase> cases;
  add_latencies(cases, machine, mode);
  add_copies(cases, mode);
  add_memory(cases, machine, mode);
  add_products(cases, machine, mode);
  return cases;
}

}  // namespace podwright::probes
