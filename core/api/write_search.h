#pragma once
/// Layouts that a search found, as members of an answer; traced or not.
#include <map>
#include <span>
#include <string>
#include <vector>

#include "api/write_plan.h"
#include "sizing/launch_options.h"
#include "sizing/run_totals.h"
#include "sizing/search_training.h"

namespace podwright {

/// Where the numbers of what a search found come from, for the trace: each stands at `list` and its index
/// ("/layouts/"), with the request's sources and, for the keys that the search chose, its page.
std::map<std::string, std::string> origins_of_found(const std::vector<Assumption>& assumptions, const std::string& list,
                                                    std::size_t count, std::span<const char* const> chosen);

/// What counts and shortfalls of rejected candidates are.
inline constexpr std::string_view kRejectedPage = "docs/method/search.md#rejected";

/// The front, and what was left out for which reason. Times are those of a step where the tokens are not told.
void write_search_tail(JsonWriter& out, Trace& trace, const sizing::TrainingSearch& search, bool tokens_told);
/// `rejected`: for each reason how many layouts it excluded, and the one that missed least.
void write_rejected(JsonWriter& out, Trace& trace, const std::vector<sizing::Rejection>& rejected);
void write_arguments(JsonWriter& out, const sizing::LaunchArguments& launch);
/// Arguments for Megatron-LM, torchtitan and torchrun.
void write_launch(JsonWriter& out, const Model& model, const sizing::TrainingCandidate& best, double node_gpus);

/// Time, GPU-hours, money and energy of all tokens, as far as they are known.
template <class Tracer>
void write_run(JsonWriter& out, const sizing::RunTotals<Tracer>& totals) {
  out.begin_object("run");
  out.quantity("time", unit::kDays, totals.time);
  out.quantity("gpu", unit::kHours, totals.gpu_time);
  write_optional(out, "cost", unit::kUsd, totals.cost);
  write_optional(out, "energy", unit::kKwh, totals.energy);
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
