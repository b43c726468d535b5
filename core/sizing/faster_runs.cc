#include "sizing/faster_runs.h"

#include <algorithm>
#include <cmath>

#include "base/append.h"
#include "base/words.h"
#include "perf/layout_rules.h"
#include "sizing/training_launch.h"

namespace podwright::sizing {
namespace {

bool is_even(double size) { return std::fmod(size, 2) == 0; }

Patch tuned() { return Patch("/tuning", word_of(Tuning::tuned, kTuningWords)); }

template <class Change>
void offer(std::vector<Neighbour>& found, const TrainingRun& run, Patch set, const Change& change) {
  found.push_back({std::move(set), run});
  change(found.back().run);
}

/// Legal layouts, and such that the launcher starts where it starts the run itself.
void keep_startable(const Model& model, const TrainingRun& run, std::vector<Neighbour>& found) {
  const Launcher launcher = launcher_of(run.framework);
  const bool starts = launches(launcher, model, run);
  std::erase_if(found, [&](const Neighbour& one) {
    return !legal_layout(model, one.run) || (starts && !launches(launcher, model, one.run));
  });
}

/// Half as many ranks of one kind, twice as many replicas.
void offer_fewer_ranks(std::vector<Neighbour>& found, const TrainingRun& run, std::string_view key,
                       double TrainingParallelism::*size) {
  const TrainingParallelism& p = run.parallelism;
  if (!is_even(p.*size)) return;
  const double ranks = p.*size / 2;
  Patch set = Patch("/parallelism/" + std::string(key), ranks).set("/parallelism/data", p.data * 2);
  const bool flat = size == &TrainingParallelism::pipeline && ranks == 1;
  if (flat && p.virtual_pipeline > 1) set.set("/parallelism/virtual_pipeline", 1);
  if (flat && run.schedule != Schedule::one_f_one_b)
    set.set("/schedule", word_of(Schedule::one_f_one_b, kScheduleWords));
  const double expert_tensor = std::min(p.expert_tensor, size == &TrainingParallelism::tensor ? ranks : p.tensor);
  if (expert_tensor != p.expert_tensor) set.set("/parallelism/expert_tensor", expert_tensor);
  offer(found, run, std::move(set), [&](TrainingRun& changed) {
    changed.parallelism.*size = ranks;
    changed.parallelism.data *= 2;
    changed.parallelism.expert_tensor = expert_tensor;
    if (changed.parallelism.pipeline > 1) return;
    changed.parallelism.virtual_pipeline = 1;
    changed.schedule = Schedule::one_f_one_b;
  });
}

/// Twice or half as many tensor ranks of the same GPUs, and the ranks of attention and of experts.
void offer_layouts(std::vector<Patch>& found, const Model& model, const ServingParallelism& p) {
  const auto layout = [&](double tensor, double attention, double expert, double data) {
    Patch set;
    const auto change = [&](const char* key, double from, double to) {
      if (from != to) set.set(key, to);
    };
    change("/parallelism/tensor", p.tensor, tensor);
    change("/parallelism/attention_data", p.attention_data, attention);
    change("/parallelism/expert", p.expert, expert);
    change("/parallelism/data", p.data, data);
    found.push_back(std::move(set));
  };
  const bool grouped = p.expert > 1;
  const double ranks = p.tensor * p.attention_data;
  if (is_even(p.data)) layout(p.tensor * 2, p.attention_data, grouped ? p.expert * 2 : 1, p.data / 2);
  if (is_even(p.tensor)) layout(p.tensor / 2, p.attention_data, grouped ? std::max(1.0, p.expert / 2) : 1, p.data * 2);
  if (model.experts < 2 || ranks == 1) return;
  layout(p.tensor, p.attention_data, grouped ? 1 : ranks, p.data);
  if (p.tensor > 1) layout(1, ranks, ranks, p.data);
}

}  // namespace

std::optional<std::string_view> narrower_format(const Gpu& gpu, std::string_view format) {
  if (format == "bf16" && gpu.peak_dense_flops.count("fp8") > 0) return "fp8";
  if (format == "fp8" && gpu.peak_dense_flops.count("fp4") > 0) return "nvfp4";
  return std::nullopt;
}

std::vector<Neighbour> hungrier(const Model& model, const TrainingRun& run) {
  std::vector<Neighbour> found;
  const auto recompute = [&](Recompute to) {
    offer(found, run, Patch("/activation_recompute", word_of(to, kRecomputeWords)),
          [&](TrainingRun& changed) { changed.activation_recompute = to; });
  };
  if (run.activation_recompute != Recompute::none) recompute(Recompute::none);
  if (run.activation_recompute == Recompute::full) recompute(Recompute::selective);
  offer(found, run, Patch("/micro_batch_size", run.micro_batch_size * 2),
        [](TrainingRun& changed) { changed.micro_batch_size *= 2; });
  offer_fewer_ranks(found, run, "tensor", &TrainingParallelism::tensor);
  offer_fewer_ranks(found, run, "pipeline", &TrainingParallelism::pipeline);
  offer_fewer_ranks(found, run, "context", &TrainingParallelism::context);
  if (run.parallelism.zero_stage > 1)
    offer(found, run, Patch("/parallelism/zero_stage", 1),
          [](TrainingRun& changed) { changed.parallelism.zero_stage = 1; });
  keep_startable(model, run, found);
  return found;
}

std::vector<Patch> faster_settings(const Model& model, const Gpu& gpu, const TrainingRun& run) {
  const TrainingParallelism& p = run.parallelism;
  std::vector<Neighbour> found;
  if (p.pipeline > 1 && (run.schedule == Schedule::one_f_one_b || run.schedule == Schedule::interleaved))
    offer(found, run,
          Patch("/parallelism/virtual_pipeline", p.virtual_pipeline * 2)
              .set("/schedule", word_of(Schedule::interleaved, kScheduleWords)),
          [](TrainingRun& changed) {
            changed.parallelism.virtual_pipeline *= 2;
            changed.schedule = Schedule::interleaved;
          });
  if (is_even(p.data))
    offer(found, run, Patch("/parallelism/tensor", p.tensor * 2).set("/parallelism/data", p.data / 2),
          [](TrainingRun& changed) {
            changed.parallelism.tensor *= 2;
            changed.parallelism.data /= 2;
          });
  keep_startable(model, run, found);
  append(found, hungrier(model, run));
  std::vector<Patch> settings{tuned(), Patch("/overlap", true)};
  if (const auto format = narrower_format(gpu, word_of(run.precision, kPrecisionWords)))
    settings.emplace_back("/precision", *format);
  if (model.experts > 1) settings.emplace_back("/narrow_dispatch", true);
  for (Neighbour& one : found) settings.push_back(std::move(one.set));
  return settings;
}

std::vector<Patch> faster_settings(const Model& model, const Gpu& gpu, const ServingRun& run) {
  std::vector<Patch> settings{tuned(), Patch("/kv_precision", "fp8"), Patch("/max_batched_tokens", 8192),
                              Patch("/max_batched_tokens", 16384)};
  const auto format = narrower_format(gpu, run.weight_precision);
  if (format && !run.exact_weights) settings.emplace_back("/weight_precision", *format);
  if (!run.engine_version.empty()) settings.push_back(Patch().clear("/engine_version"));
  if (run.max_batch_size) settings.emplace_back("/max_batch_size", *run.max_batch_size * 2);
  if (run.load.kind == LoadKind::static_batch) settings.emplace_back("/load/static_batch", run.load.value * 2);
  if (model.multi_token_depths > 0 && !run.speculative) settings.emplace_back("/speculative/draft_tokens", 1);
  if (!run.disaggregated) offer_layouts(settings, model, run.parallelism);
  return settings;
}

}  // namespace podwright::sizing
