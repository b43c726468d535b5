#pragma once
/// Which probes a run takes: operation, sizes, counted bytes and FLOPs, and how long each may last.
#include <cstdint>
#include <string>
#include <vector>

#include "measure/profile.h"
#include "probes/probe_case.h"

namespace podwright::probes {

/// What the choice of sizes depends on.
struct Machine {
  std::string backend;      ///< cpu, cuda, fake
  double memory_bytes = 0;  ///< that one process may fill; 0 not known
  double cache_bytes = 0;   ///< last cache
  int threads = 1;          ///< of a CPU
  int devices = 1;
  int capability = 0;                 ///< 90 of compute capability 9.0; 0 not known
  int device = 0;                     ///< number of this one
  std::vector<std::int32_t> members;  ///< between which collectives run; empty: none are planned for this device
};

struct Budget {
  RunMode mode = RunMode::quick;
  double seconds = 0;  ///< for one device; 0: that of the mode
};
/// Seconds for one device, with everything besides the samples: 58 quick, 540 standard and cluster, 1600 soak.
double budget_seconds(const Budget& budget);
/// How long a group that heats may wait for the device to cool.
double cooling_seconds(RunMode mode);
/// What a run spends besides its cases: starting a worker for each group of one heat, and cooling.
double seconds_beside(const std::vector<ProbeCase>& cases, const std::string& backend, RunMode mode);
/// What the cases themselves take: planning and allocating, warm-up, samples.
double seconds_of(const std::vector<ProbeCase>& cases);

/// All cases of one device, coolest first, sizes of one group in an order that `seed` shuffles.
std::vector<ProbeCase> plan_cases(const Machine& machine, const Budget& budget, double seed);

/// Gives every case the same factor of warm-up and samples, so that all together fit into `seconds`.
void share_out(std::vector<ProbeCase>& cases, double seconds);
/// Drift over time must not look like a dependence on size.
void shuffle(std::vector<ProbeCase>& cases, double seed);

/// The parts of the plan.
std::vector<ProbeCase> cpu_cases(const Machine& machine, RunMode mode);
std::vector<ProbeCase> gpu_cases(const Machine& machine, RunMode mode);

/// Names of all probes that a run on some machine may have, sorted.
std::vector<std::string> probe_names();

/// What a plan cannot know when this probe is missing.
std::string consequence_of(const std::string& probe);

/// C = A·B of m x k by k x n, each value of `bytes_each` bytes in A and B and `result_bytes` in C.
CountedWork product_work(double m, double n, double k, double bytes_each, double result_bytes);

}  // namespace podwright::probes
