/// How fast training layouts are evaluated and searched. Evaluations are counted, not sampled.
#include <benchmark/benchmark.h>

#include "api/answer.h"
#include "sizing/search_training.h"
#include "sizing/training_evaluator.h"

namespace podwright {
namespace {

constexpr std::string_view kSearch405b =
    R"({"kind":"search","model":"llama-3.1-405b","gpu":"h100-sxm5-80gb","gpu_count":16384,"sequence_length":8192,
  "global_batch_size":2048,"tokens":15.6e12})";

const Model& model(std::string_view id) { return **find_model(embedded_catalog_facts(), id); }
const Gpu& gpu(std::string_view id) { return **find_gpu(embedded_catalog_facts(), id); }

sizing::TrainingWorkload workload_405b() {
  sizing::TrainingWorkload workload;
  workload.sequence_length = 8192;
  workload.global_batch_size = 2048;
  workload.tokens = 15.6e12;
  return workload;
}

/// Memory, time and throughput of each layout, whether it fits or not.
class Evaluate : public sizing::LayoutVisitor {
 public:
  explicit Evaluate(sizing::TrainingEvaluator& evaluator) : evaluator_(evaluator) {}
  void fixed(const TrainingRun& run) override { evaluator_.fix(run); }
  void layout(const TrainingRun& run) override {
    const sizing::LayoutNumbers numbers = evaluator_.evaluate(run, true);
    if (numbers.step > Seconds(0)) evaluations += 1;
    sum += numbers.tokens_per_s.base_units();
  }
  double evaluations = 0;
  double sum = 0;

 private:
  sizing::TrainingEvaluator& evaluator_;
};

void evaluate_in_full(benchmark::State& state, const char* model_id, const char* gpu_id, double gpus,
                      const sizing::TrainingWorkload& workload) {
  const LayerStack stack = layer_stack(model(model_id));
  const TrainingRun plain = sizing::training_run(workload);
  sizing::TrainingLimits limits = sizing::usual_limits(workload.sequence_length);
  limits.shards = {Shard::full};
  const sizing::TrainingSpace space(model(model_id), plain, limits, 8);
  double evaluations = 0;
  for (auto _ : state) {
    sizing::TrainingEvaluator evaluator(embedded_catalog_facts(), model(model_id), stack, gpu(gpu_id), nullptr, plain);
    Evaluate visitor(evaluator);
    TrainingRun run = plain;
    space.visit(gpus, run, visitor);
    benchmark::DoNotOptimize(visitor.sum);
    evaluations += visitor.evaluations;
  }
  state.counters["evaluations"] = benchmark::Counter(evaluations, benchmark::Counter::kAvgIterations);
  state.counters["evaluations/s"] = benchmark::Counter(evaluations, benchmark::Counter::kIsRate);
}

void evaluate_405b_on_16384_h100(benchmark::State& state) {
  evaluate_in_full(state, "llama-3.1-405b", "h100-sxm5-80gb", 16384, workload_405b());
}
BENCHMARK(evaluate_405b_on_16384_h100)->Unit(benchmark::kMillisecond);

void evaluate_deepseek_v3_on_2048_h100(benchmark::State& state) {
  sizing::TrainingWorkload workload;
  workload.sequence_length = 4096;
  workload.global_batch_size = 15360;
  evaluate_in_full(state, "deepseek-v3", "h100-sxm5-80gb", 2048, workload);
}
BENCHMARK(evaluate_deepseek_v3_on_2048_h100)->Unit(benchmark::kMillisecond);

/// From all legal layouts to ranked ones with reasons; a layout that does not fit gets no time.
void search_405b_on_16384_h100(benchmark::State& state) {
  const sizing::TrainingWorkload workload = workload_405b();
  sizing::TrainingConstraints constraints;
  constraints.gpu_counts = {16384};
  constraints.limits = sizing::usual_limits(workload.sequence_length);
  constraints.every_layout = true;
  double layouts = 0;
  for (auto _ : state)
    layouts += sizing::search_training(embedded_catalog_facts(), model("llama-3.1-405b"),
                                       {{.gpu = &gpu("h100-sxm5-80gb")}}, workload, constraints)
                   .evaluated;
  state.counters["layouts"] = benchmark::Counter(layouts, benchmark::Counter::kAvgIterations);
  state.counters["layouts/s"] = benchmark::Counter(layouts, benchmark::Counter::kIsRate);
}
BENCHMARK(search_405b_on_16384_h100)->Unit(benchmark::kMillisecond);

/// The same as text in and text out; wasm_search.mjs times it in the browser's engine.
void answer_the_405b_search(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(answer_request(embedded_catalog_facts(), kSearch405b));
}
BENCHMARK(answer_the_405b_search)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace podwright
