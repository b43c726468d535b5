/// How fast the main jobs run. Figures are for comparison within one run; machines differ.
#include <benchmark/benchmark.h>

#include "api/answer.h"
#include "perf/estimate_serving.h"
#include "sizing/search_serving.h"

namespace podwright {
namespace {

constexpr std::string_view kChat =
    R"({"kind":"plan","workloads":[{"name":"chat","type":"serving","model":"llama-3.1-70b","peak_requests_per_s":50,
  "input_tokens":2048,"output_tokens":512,"ttft_s_p95_max":2.0,"tpot_s_p95_max":0.05}],"constraints":{"gpus":["h100-sxm5-80gb","h200-sxm5-141gb","b200-sxm"]}})";

const ServingRun& deployment() {
  static const ServingRun run{.weight_precision = "fp8",
                              .engine = "vllm",
                              .parallelism = {.tensor = 4},
                              .input_tokens = 2048,
                              .output_tokens = 512,
                              .load = {LoadKind::max_throughput, 0}};
  return run;
}

void read_the_catalog(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(read_catalog(embedded_catalog()));
}
BENCHMARK(read_the_catalog)->Unit(benchmark::kMillisecond);

/// The inner loop of a search: one deployment, memory and speed, without a trace.
void estimate_one_deployment(benchmark::State& state) {
  const Catalog& catalog = embedded_catalog_facts();
  const Model& model = **find_model(catalog, "llama-3.1-70b");
  const Gpu& gpu = **find_gpu(catalog, "h100-sxm5-80gb");
  const LayerStack stack = layer_stack(model);
  NoTrace none;
  for (auto _ : state)
    benchmark::DoNotOptimize(estimate_serving(none, catalog, model, stack, gpu, deployment(), false));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(estimate_one_deployment)->Unit(benchmark::kMicrosecond);

/// The same with the trace on; the ratio of the two is the price of an explanation.
void explain_one_deployment(benchmark::State& state) {
  const Catalog& catalog = embedded_catalog_facts();
  const Model& model = **find_model(catalog, "llama-3.1-70b");
  const Gpu& gpu = **find_gpu(catalog, "h100-sxm5-80gb");
  const LayerStack stack = layer_stack(model);
  for (auto _ : state) {
    Trace trace;
    benchmark::DoNotOptimize(estimate_serving(trace, catalog, model, stack, gpu, deployment(), false));
  }
}
BENCHMARK(explain_one_deployment)->Unit(benchmark::kMicrosecond);

void search_one_gpu(benchmark::State& state) {
  const Catalog& catalog = embedded_catalog_facts();
  const Model& model = **find_model(catalog, "llama-3.1-70b");
  const Gpu& gpu = **find_gpu(catalog, "h100-sxm5-80gb");
  const sizing::ServingWorkload workload{.peak_requests_per_s = 50,
                                         .input_tokens = 2048,
                                         .output_tokens = 512,
                                         .limits = {{.latency = sizing::LatencyKind::ttft, .most = Seconds(2)},
                                                    {.latency = sizing::LatencyKind::tpot, .most = Seconds(0.05)}}};
  double layouts = 0;
  for (auto _ : state) layouts += sizing::search_serving(catalog, model, gpu, workload, {}).evaluated;
  state.counters["layouts/s"] = benchmark::Counter(layouts, benchmark::Counter::kIsRate);
}
BENCHMARK(search_one_gpu)->Unit(benchmark::kMicrosecond);

void answer_the_chat_plan(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(answer_request(embedded_catalog_facts(), kChat));
}
BENCHMARK(answer_the_chat_plan)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace podwright
