#pragma once
/// Random training runs with legal layouts, the same ones on every machine.
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "catalog/catalog.h"
#include "memory/training_run.h"
#include "model/layers.h"
#include "perf/layout_rules.h"
#include "perf/training_step.h"

namespace podwright::layouts {

struct Layout {
  const Model* model = nullptr;
  const Gpu* gpu = nullptr;
  TrainingRun run;
};

inline std::string text_of(const Layout& layout) {
  const TrainingParallelism& p = layout.run.parallelism;
  std::string text = layout.model->id + " on " + layout.gpu->id + ", " + layout.run.framework;
  for (const double size : {p.tensor, p.pipeline, p.virtual_pipeline, p.context, p.expert, p.expert_tensor, p.data,
                            static_cast<double>(p.zero_stage), layout.run.micro_batch_size,
                            layout.run.global_batch_size, layout.run.sequence_length})
    text += " " + std::to_string(static_cast<long>(size));
  text += " " + std::string(word_of(layout.run.precision, kPrecisionWords));
  text += " " + std::string(word_of(layout.run.schedule, kScheduleWords));
  text += " " + std::string(word_of(layout.run.activation_recompute, kRecomputeWords));
  return text + " " + std::string(word_of(layout.run.method, kTrainingMethodWords));
}

class Layouts {
 public:
  explicit Layouts(const Catalog& catalog, std::uint64_t seed = 1) : catalog_(catalog), generator_(seed) {}

  /// A legal layout whose time is modelled.
  Layout next() {
    for (;;) {
      Layout layout = draw();
      if (legal_layout(*layout.model, layout.run) && training_time_gaps(layout.run).empty()) return layout;
    }
  }

 private:
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(generator_() % count); }
  double power_of_two(std::size_t most) { return static_cast<double>(std::size_t{1} << below(most + 1)); }
  bool sometimes() { return below(4) == 0; }

  Layout draw() {
    static constexpr std::string_view kModels[] = {
        "llama-3-8b",  "llama-3.1-70b", "llama-3.1-405b", "bloom-176b", "mixtral-8x7b-v0.1",
        "deepseek-v3", "qwen3-30b-a3b", "gpt-oss-120b",   "gpt-3-175b", "gemma-3-12b"};
    static constexpr std::string_view kGpus[] = {"a100-sxm4-80gb", "h100-sxm5-80gb", "h200-sxm5-141gb", "b200-sxm"};
    Layout layout;
    layout.model = *find_model(catalog_, kModels[below(std::size(kModels))]);
    layout.gpu = *find_gpu(catalog_, kGpus[below(std::size(kGpus))]);
    TrainingRun& run = layout.run;
    TrainingParallelism& p = run.parallelism;
    run.sequence_length = 1024 * power_of_two(4);
    run.micro_batch_size = power_of_two(2);
    p.tensor = power_of_two(3);
    p.pipeline = power_of_two(4);
    p.context = sometimes() ? power_of_two(2) : 1;
    p.data = power_of_two(6);
    p.zero_stage = static_cast<int>(below(4));
    p.shard = sometimes() ? Shard::hybrid : Shard::full;
    p.sequence_parallel = !sometimes();
    if (layout.model->experts > 0) {
      p.expert = power_of_two(5);
      p.expert_tensor = sometimes() ? power_of_two(2) : 1;
      run.expert_imbalance = sometimes() ? 1.5 : 1;
      run.narrow_dispatch = sometimes();
    }
    run.global_batch_size = run.micro_batch_size * p.data * p.pipeline * power_of_two(3);
    run.schedule = static_cast<Schedule>(below(kScheduleWords.size()));
    if (run.schedule == Schedule::interleaved) p.virtual_pipeline = power_of_two(2);
    run.embedding_and_loss_as_layers = sometimes();
    run.activation_recompute = static_cast<Recompute>(below(3));
    run.method = sometimes() ? static_cast<TrainingMethod>(below(3)) : TrainingMethod::full;
    const bool narrow = layout.gpu->compute_capability != "8.0";
    run.precision = narrow && sometimes() ? Precision::fp8 : Precision::bf16;
    run.context_exchange = sometimes() ? ContextExchange::heads : ContextExchange::ring;
    if (sometimes()) run.attention_tokens = run.sequence_length / 4;
    run.framework = catalog_.training_frameworks[below(catalog_.training_frameworks.size())].id;
    return layout;
  }

  const Catalog& catalog_;
  std::mt19937_64 generator_;
};

}  // namespace podwright::layouts
