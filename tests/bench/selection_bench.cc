/// How long the choice of an architecture takes.
#include <benchmark/benchmark.h>

#include "architecture/selection.h"

namespace podwright {
namespace {

const Gpu& h100() { return **find_gpu(embedded_catalog_facts(), "h100-sxm5-80gb"); }

ArchitectureNeed need_of(double gpus) {
  ArchitectureNeed need;
  need.gpu_count = gpus;
  need.rack_power = kw(41);
  return need;
}

void choose_a_design(benchmark::State& state) {
  const ArchitectureNeed need = need_of(static_cast<double>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(choose_architecture(embedded_catalog_facts(), h100(), need));
}
BENCHMARK(choose_a_design)->Arg(8)->Arg(1016)->Arg(16384)->Unit(benchmark::kMicrosecond);

/// Nothing fits: ways out are tried, other GPUs are asked.
void refuse_a_site(benchmark::State& state) {
  ArchitectureNeed need = need_of(1016);
  need.rack_power = kw(8);
  for (auto _ : state) benchmark::DoNotOptimize(choose_architecture(embedded_catalog_facts(), h100(), need));
}
BENCHMARK(refuse_a_site)->Unit(benchmark::kMicrosecond);

void find_the_first_band(benchmark::State& state) {
  const ArchitectureNeed need = need_of(1016);
  for (auto _ : state) benchmark::DoNotOptimize(first_band(embedded_catalog_facts(), h100().id, need));
}
BENCHMARK(find_the_first_band)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace podwright
