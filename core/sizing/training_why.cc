#include "sizing/training_why.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "base/words.h"
#include "sizing/faster_runs.h"

namespace podwright::sizing {
namespace {

std::vector<StepPart> parts_of(const TrainingStep<NoTrace>& step) {
  return {{"matrix products", step.compute.base_units()},
          {"attention", step.attention.base_units()},
          {"recompute", step.recompute.base_units()},
          {"tensor exchanges", step.tensor_comm.base_units()},
          {"context exchanges", step.context_comm.base_units()},
          {"expert exchanges", step.expert_comm.base_units()},
          {"sends between stages", step.pipeline_comm.base_units()},
          {"the pipeline bubble", step.pipeline_bubble.base_units()},
          {"the gradient exchange", step.data_comm_exposed.base_units()},
          {"the optimizer", step.optimizer.base_units()},
          {"host and scale", step.other.base_units()}};
}

std::string gib_text(Bytes amount) { return fixed_number(amount / gib(1), 1) + " GiB"; }

void change(std::string& text, std::string_view name, std::string_view from, std::string_view to) {
  if (from == to) return;
  if (!text.empty()) text += ", ";
  text.append(name).append(" ").append(from).append(" -> ").append(to);
}

void change(std::string& text, std::string_view name, double from, double to) {
  change(text, name, shortest_number(from), shortest_number(to));
}

}  // namespace

std::string layout_changes(const TrainingRun& from, const TrainingRun& to) {
  const TrainingParallelism& a = from.parallelism;
  const TrainingParallelism& b = to.parallelism;
  std::string text;
  change(text, "precision", word_of(from.precision, kPrecisionWords), word_of(to.precision, kPrecisionWords));
  change(text, "tensor", a.tensor, b.tensor);
  change(text, "pipeline", a.pipeline, b.pipeline);
  change(text, "virtual pipeline", a.virtual_pipeline, b.virtual_pipeline);
  change(text, "context", a.context, b.context);
  change(text, "expert", a.expert, b.expert);
  change(text, "expert tensor", a.expert_tensor, b.expert_tensor);
  change(text, "data", a.data, b.data);
  change(text, "micro-batch", from.micro_batch_size, to.micro_batch_size);
  change(text, "ZeRO", a.zero_stage, b.zero_stage);
  change(text, "shard", word_of(a.shard, kShardWords), word_of(b.shard, kShardWords));
  change(text, "recompute", word_of(from.activation_recompute, kRecomputeWords),
         word_of(to.activation_recompute, kRecomputeWords));
  if (a.pipeline > 1 && b.pipeline > 1)
    change(text, "schedule", word_of(from.schedule, kScheduleWords), word_of(to.schedule, kScheduleWords));
  return text;
}

std::vector<std::string> why_best(const Catalog& catalog, const Model& model, const LayerStack& stack,
                                  const TrainingCandidate& best, const TrainingEstimate<NoTrace>& estimate) {
  std::vector<std::string> why{estimate.step->binding.says.text()};
  const Bytes capacity = estimate.memory->capacity;
  std::string memory = "The fullest GPU holds " + gib_text(estimate.memory->total) + " of " + gib_text(capacity) + ".";
  NoTrace none;
  double fastest = best.step.base_units();
  std::string nearest;
  for (const auto& [set, run] : hungrier(model, best.run)) {
    const auto other = estimate_training(none, catalog, model, stack, *best.gpu, run, best.system);
    if (other.feasible || !other.step || !other.memory || !(other.step->total.base_units() < fastest)) continue;
    fastest = other.step->total.base_units();
    nearest = " Memory binds: " + layout_changes(best.run, run) + " would be " +
              percent_text(1 - fastest / best.step.base_units(), 2) + " faster, but needs " +
              gib_text(other.memory->total) + ".";
  }
  why.push_back(memory + nearest);
  return why;
}

std::string why_not(const TrainingCandidate& best, const TrainingEstimate<NoTrace>& best_estimate,
                    const TrainingCandidate& other, const TrainingEstimate<NoTrace>& estimate) {
  const bool same_cluster = best.gpu == other.gpu && best.gpus == other.gpus;
  // Steps of clusters of different size are compared by the GPU time that they take.
  const double scale = same_cluster ? 1 : other.gpus / best.gpus;
  const double ratio = other.step.base_units() / best.step.base_units();
  std::string text;
  if (same_cluster) {
    text = ratio >= 1 ? percent_text(ratio - 1, 2) + " slower" : percent_text(1 - ratio, 2) + " faster";
  } else {
    text = shortest_number(other.gpus) + " x " + other.gpu->name + " instead of " + shortest_number(best.gpus) + " x " +
           best.gpu->name + ", " +
           (ratio >= 1 ? percent_text(ratio - 1, 2) + " slower" : percent_text(1 - ratio, 2) + " faster") + " with " +
           percent_text(std::fabs(ratio * scale - 1), 2) + (ratio * scale >= 1 ? " more" : " less") + " GPU time";
  }
  const std::string changes = layout_changes(best.run, other.run);
  if (!changes.empty()) text += ": " + changes;
  const StepShifts found = step_shifts(parts_of(*best_estimate.step), parts_of(*estimate.step), scale);
  const double least = 1e-3 * best.step.base_units();  // smaller shifts say nothing
  std::string parts = text_of(found, least);
  if (found.more.seconds > least)
    parts += " (" + percent_text(found.more_before / best.step.base_units(), 2) + " -> " +
             percent_text(found.more_after / (other.step.base_units() * scale), 2) + " of the step)";
  if (!parts.empty()) text += "; " + parts;
  return text + ".";
}

}  // namespace podwright::sizing
