/// How fast serving deployments are estimated and searched.
#include <benchmark/benchmark.h>

#include "api/answer.h"
#include "sizing/search_serving.h"

namespace podwright {
namespace {

const Model& model(std::string_view id) { return **find_model(embedded_catalog_facts(), id); }

sizing::ServingWorkload chat_70b() {
  sizing::ServingWorkload workload;
  workload.peak_requests_per_s = 50;
  workload.input_tokens = 2048;
  workload.output_tokens = 512;
  workload.input_tokens_cv = 0.5;
  workload.output_tokens_cv = 0.6;
  workload.limits = {{.latency = sizing::LatencyKind::ttft, .most = Seconds(2)},
                     {.latency = sizing::LatencyKind::tpot, .most = Seconds(0.05)}};
  workload.arrangements = {sizing::Arrangement::aggregated, sizing::Arrangement::disaggregated};
  workload.engines = {"vllm", "tensorrt-llm", "sglang"};
  workload.weight_precisions = {"bf16", "fp8", "int4-awq", "nvfp4"};
  return workload;
}

/// Memory, speed and percentiles of deployments that all differ, without a trace.
void estimate_deployments(benchmark::State& state) {
  const Catalog& catalog = embedded_catalog_facts();
  const Model& llama = model("llama-3.3-70b");
  const Gpu& gpu = **find_gpu(catalog, "h100-sxm5-80gb");
  const LayerStack stack = layer_stack(llama);
  ServingRun run = sizing::serving_run(chat_70b());
  run.weight_precision = "fp8";
  run.load = {LoadKind::concurrency, 1};
  NoTrace none;
  double concurrency = 0;
  for (auto _ : state) {
    concurrency = concurrency >= 256 ? 1 : concurrency + 1;
    run.parallelism.tensor = concurrency > 128 ? 8 : 4;
    run.load.value = concurrency;
    benchmark::DoNotOptimize(estimate_serving(none, catalog, llama, stack, gpu, run, false));
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(estimate_deployments)->Unit(benchmark::kMicrosecond);

void search_every_gpu(benchmark::State& state, sizing::Effort effort,
                      const sizing::ServingWorkload& workload = chat_70b()) {
  const Catalog& catalog = embedded_catalog_facts();
  std::vector<sizing::GpuOffer> offers;
  for (const Gpu* gpu : sizing::data_centre_gpus(catalog))
    offers.push_back({.gpu = gpu, .system = nullptr, .price_per_gpu = usd_per_hour(2), .power_per_gpu = {}});
  double layouts = 0;
  for (auto _ : state)
    layouts += sizing::search_serving(catalog, model("llama-3.3-70b"), offers, workload, {.effort = effort}).evaluated;
  state.counters["gpus"] = static_cast<double>(offers.size());
  state.counters["layouts"] = benchmark::Counter(layouts, benchmark::Counter::kAvgIterations);
  state.counters["layouts/s"] = benchmark::Counter(layouts, benchmark::Counter::kIsRate);
}
void search_every_gpu_in_full(benchmark::State& state) { search_every_gpu(state, sizing::Effort::full); }
BENCHMARK(search_every_gpu_in_full)->Unit(benchmark::kMillisecond);
void search_every_gpu_coarsely(benchmark::State& state) { search_every_gpu(state, sizing::Effort::coarse); }
BENCHMARK(search_every_gpu_coarsely)->Unit(benchmark::kMillisecond);
/// Limits on whole requests leave no time for one alone; or only just, which more of either pool must keep.
void search_with_request_limit(benchmark::State& state, double seconds) {
  sizing::ServingWorkload workload = chat_70b();
  workload.peak_requests_per_s = 100;
  workload.limits = {{.latency = sizing::LatencyKind::request, .most = Seconds(seconds)}};
  search_every_gpu(state, sizing::Effort::full, workload);
}
void search_with_request_limit_out_of_reach(benchmark::State& state) { search_with_request_limit(state, 1); }
BENCHMARK(search_with_request_limit_out_of_reach)->Unit(benchmark::kMillisecond);
void search_with_tight_request_limit(benchmark::State& state) { search_with_request_limit(state, 6); }
BENCHMARK(search_with_tight_request_limit)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace podwright
