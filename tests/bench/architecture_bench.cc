/// Choice and design of clusters. Figures are for comparison within one run; machines differ.
#include <benchmark/benchmark.h>

#include "api/answer.h"
#include "architecture/design_wiring.h"

namespace podwright {
namespace {

const Gpu& h100() { return **find_gpu(embedded_catalog_facts(), "h100-sxm5-80gb"); }

DesignRequest gpus(double count) {
  DesignRequest request;
  request.need.gpu_count = count;
  return request;
}

/// Which design, without its numbers.
void choose_a_design(benchmark::State& state) {
  const DesignRequest request = gpus(static_cast<double>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(choose_architecture(embedded_catalog_facts(), h100(), request.need));
}
BENCHMARK(choose_a_design)->Arg(96)->Arg(1016)->Arg(16384)->Unit(benchmark::kMicrosecond);

/// All numbers of the design, without wires.
void design_a_cluster(benchmark::State& state) {
  const Catalog& catalog = embedded_catalog_facts();
  const DesignRequest request = gpus(static_cast<double>(state.range(0)));
  const auto choice = choose_architecture(catalog, h100(), request.need);
  NoTrace none;
  for (auto _ : state)
    benchmark::DoNotOptimize(make_design(none, catalog, h100(), choice.designs.front().parts, request));
}
BENCHMARK(design_a_cluster)->Arg(96)->Arg(1016)->Arg(16384)->Unit(benchmark::kMicrosecond);

/// Request to answer, with every cable of every network port to port.
void answer_with_schedule(benchmark::State& state) {
  const std::string request =
      R"({"kind":"architecture","gpu":"h100-sxm5-80gb","cable_schedule":true,"elevations":true,"gpu_count":)" +
      std::to_string(state.range(0)) + "}";
  for (auto _ : state) benchmark::DoNotOptimize(answer(request));
}
BENCHMARK(answer_with_schedule)->Arg(1016)->Arg(16384)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace podwright
