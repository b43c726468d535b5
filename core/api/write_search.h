#pragma once
/// Layouts that a search found, as members of an answer; traced or not.
#include "api/write_plan.h"
#include "perf/calendar_formulas.h"
#include "sizing/launch_arguments.h"
#include "sizing/search_training.h"

namespace podwright {

/// The front, and what was left out for which reason. Times are those of a step where the tokens are not told.
void write_search_tail(JsonWriter& out, const sizing::TrainingSearch& search, bool tokens_told);
/// Arguments for Megatron-LM, torchtitan and torchrun.
void write_launch(JsonWriter& out, const Model& model, const sizing::TrainingCandidate& best, double node_gpus);

/// Time, GPU-hours, money and energy of all tokens. `price` and `power` are absent where nobody told them.
template <class Tracer>
void write_run(JsonWriter& out, Tracer& tracer, double tokens, const sizing::TrainingCandidate& candidate,
               const TrainingStep<Tracer>& step,
               const std::optional<typename Tracer::template Known<UsdPerSecond>>& price,
               const std::optional<typename Tracer::template Known<Watts>>& power) {
  const auto run_time =
      tracer.step("search.run_time", kRunTimeOfTokens, tracer.input("/tokens", tokens), step.tokens_per_s);
  const auto hours = tracer.step("search.gpu_time", kGpuTime,
                                 tracer.method("search.gpus", candidate.gpus, "docs/method/search.md"), run_time);
  out.begin_object("run");
  out.quantity("time", unit::kDays, run_time);
  out.quantity("gpu", unit::kHours, hours);
  if (price) out.quantity("cost", unit::kUsd, tracer.step("search.run_rent", kRunRent, hours, *price));
  if (power) out.quantity("energy", unit::kKwh, tracer.step("search.run_energy", kRunEnergy, hours, *power));
  out.end_object();
}

/// The members of one layout: sizes that the search chose, then its estimate.
template <class Tracer>
void write_found_layout(JsonWriter& out, Tracer& tracer, const sizing::TrainingCandidate& candidate) {
  ChosenNumbers<Tracer> chosen(out, tracer);
  const TrainingRun& run = candidate.run;
  out.text("layout", sizing::layout_text(run));
  out.text("gpu", candidate.gpu->id);
  if (candidate.system != nullptr) out.text("system", candidate.system->id);
  chosen.write("gpu_count", candidate.gpus);
  out.begin_object("parallelism");
  chosen.write(run.parallelism);
  out.text("shard", word_of(run.parallelism.shard, kShardWords));
  out.end_object();
  out.text("precision", word_of(run.precision, kPrecisionWords));
  chosen.write("micro_batch_size", run.micro_batch_size);
  out.text("schedule", word_of(run.schedule, kScheduleWords));
  out.boolean("embedding_and_loss_as_layers", run.embedding_and_loss_as_layers);
  out.text("activation_recompute", word_of(run.activation_recompute, kRecomputeWords));
}

}  // namespace podwright
