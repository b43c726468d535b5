#include "probes/catalogue.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/random.h"

namespace podwright::probes {
namespace {

constexpr double kLeastFactor = 0.02;

/// Gives every one of these cases the same factor of warm-up and samples, so that all together fit into `seconds`. What
/// they then take.
double share_out(const std::vector<ProbeCase*>& cases, double seconds) {
  double fixed = 0;
  double wanted = 0;
  for (const ProbeCase* one : cases) {
    fixed += one->prepare_s;
    wanted += one->warm_up_s + one->budget_s;
  }
  const double factor = std::clamp((seconds - fixed) / std::max(wanted, 1e-9), kLeastFactor, 1.0);
  if (factor >= 1) return fixed + wanted;
  for (ProbeCase* one : cases) {
    one->warm_up_s *= factor;
    one->budget_s *= factor;
    // 24 samples are the fewest that tell their own correlation.
    one->sample_s = std::clamp(one->budget_s / 25, std::min(one->sample_s, 1e-3), one->sample_s);
  }
  return fixed + factor * wanted;
}

}  // namespace

/// Rest and full load say nothing when they are short: the other cases make room for them, up to half of the run.
void share_out(std::vector<ProbeCase>& cases, double seconds) {
  std::vector<ProbeCase*> lasting;
  std::vector<ProbeCase*> others;
  for (ProbeCase& one : cases) (one.heat == Heat::idle || one.heat == Heat::load ? lasting : others).push_back(&one);
  const double taken = share_out(lasting, seconds / 2);
  share_out(others, seconds - taken);
}

void shuffle(std::vector<ProbeCase>& cases, double seed) {
  const random::Stream draws(static_cast<std::uint64_t>(seed), 5);
  for (std::size_t i = cases.size(); i > 1; --i) std::swap(cases[i - 1], cases[draws.bits(i) % i]);
}

double budget_seconds(const Budget& budget) {
  if (budget.seconds > 0) return budget.seconds;
  switch (budget.mode) {
    case RunMode::quick:
      return 58;
    case RunMode::soak:
      return 1600;
    default:
      return 540;
  }
}

double cooling_seconds(RunMode mode) { return mode == RunMode::quick ? 5 : 10; }

double seconds_beside(const std::vector<ProbeCase>& cases, const std::string& backend, RunMode mode) {
  if (backend != "cuda") return 0;
  constexpr double kStart = 2;  // of a process with its context
  const auto has = [&](Heat heat) {
    return std::any_of(cases.begin(), cases.end(), [&](const ProbeCase& one) { return one.heat == heat; });
  };
  double seconds = kStart + 2;               // the inventory, and two seconds in which neighbours would show
  if (mode != RunMode::quick) seconds += 3;  // the host's memory
  for (int heat = 0; heat <= static_cast<int>(Heat::load); ++heat)
    if (has(static_cast<Heat>(heat)))
      seconds += kStart + (static_cast<Heat>(heat) >= Heat::compute ? cooling_seconds(mode) : 0);
  return seconds;
}

double seconds_of(const std::vector<ProbeCase>& cases) {
  double seconds = 0;
  for (const ProbeCase& one : cases) seconds += one.prepare_s + one.warm_up_s + one.budget_s;
  return seconds;
}

std::vector<ProbeCase> plan_cases(const Machine& machine, const Budget& budget, double seed) {
  std::vector<ProbeCase> cases =
      machine.backend == "cpu" ? cpu_cases(machine, budget.mode) : gpu_cases(machine, budget.mode);
  share_out(cases, budget_seconds(budget) - seconds_beside(cases, machine.backend, budget.mode));
  shuffle(cases, seed);
  std::stable_sort(cases.begin(), cases.end(), [](const ProbeCase& a, const ProbeCase& b) { return a.heat < b.heat; });
  return cases;
}

std::vector<std::string> probe_names() {
  std::set<std::string> names;
  for (const RunMode mode : {RunMode::quick, RunMode::standard}) {
    const auto take = [&](const std::vector<ProbeCase>& cases) {
      for (const ProbeCase& one : cases) names.insert(one.name());
    };
    take(cpu_cases({.backend = "cpu", .threads = 2}, mode));
    // Of a capability that is not known, and of one whose formats newer devices replaced.
    for (const int capability : {0, 75})
      take(gpu_cases({.backend = "fake", .devices = 2, .capability = capability, .members = {0, 1}}, mode));
  }
  return {names.begin(), names.end()};
}

CountedWork product_work(double m, double n, double k, double bytes_each, double result_bytes) {
  return {bytes_each * (m * k + k * n) + result_bytes * m * n, 2 * m * n * k};
}

std::string consequence_of(const std::string& probe) {
  constexpr std::pair<const char*, const char*> kConsequences[] = {
      {"gemm.", "the plan keeps the catalog's efficiency for matrix products of this format"},
      {"cpu.gemm.", "matrix products of this machine stay unknown"},
      {"hbm.", "the plan keeps the catalog's efficiency of memory"},
      {"cpu.stream.", "the memory bandwidth of this machine stays unknown"},
      {"decode.", "decoding is planned from the sweep of memory bandwidth instead"},
      {"prefill.", "attention over the prompt keeps the catalog's efficiency"},
      {"moe.", "products of experts are planned from those of dense layers"},
      {"coll.allreduce.", "collectives are planned from their usual way"},
      {"coll.", "collectives are planned from the datasheet's links"},
      {"p2p.", "links between devices are planned from the datasheet"},
      {"pcie.", "the link to the host is planned from its negotiated width"},
      {"launch.", "start-up times of kernels keep their default"},
      {"layer.", "no end-to-end check of a training layer"},
      {"idle", "power at rest is what the driver reported once"},
      {"soak", "power, heat and energy under full load stay unknown"},
      {"overlap", "the plan keeps its default for what exchanges hide"},
      {"mem.integrity", "faults of the memory that no error counter sees stay unknown"},
      {"mem.", "usable memory is taken as nominal less a margin"},
  };
  for (const auto& [begins, consequence] : kConsequences)
    if (probe.starts_with(begins)) return consequence;
  return "";
}

}  // namespace podwright::probes
