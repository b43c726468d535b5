#include "sizing/candidates.h"

#include <algorithm>
#include <limits>

#include "base/number_text.h"
#include "base/stable_sort.h"
#include "base/words.h"
#include "sizing/latency_limit.h"

namespace podwright::sizing {

void reject(std::vector<Rejection>& rejected, Infeasible reason, const std::string& layout, double count) {
  for (Rejection& known : rejected) {
    if (known.reason.code != reason.code) continue;
    known.count += count;
    if (reason.shortfall < known.reason.shortfall) {
      known.reason = std::move(reason);
      known.layout = layout;
    }
    return;
  }
  rejected.push_back({.reason = std::move(reason), .layout = layout, .count = count});
}

std::vector<std::size_t> pareto_front(const std::vector<double>& x, const std::vector<double>& y) {
  const std::vector<std::size_t> order = stable_order(
      x.size(), [&](std::size_t a, std::size_t b) { return x[a] < x[b] || (x[a] == x[b] && y[a] < y[b]); });
  std::vector<std::size_t> front;
  double best = std::numeric_limits<double>::infinity();
  for (const std::size_t index : order) {
    if (!(y[index] < best)) continue;
    best = y[index];
    front.push_back(index);
  }
  return front;
}

StepShifts step_shifts(const std::vector<StepPart>& from, const std::vector<StepPart>& to, double scale) {
  StepShifts found;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const double after = to[i].seconds * scale;
    const double difference = after - from[i].seconds;
    if (-difference > found.less.seconds) found.less = {from[i].name, -difference};
    if (difference > found.more.seconds) found = {found.less, {from[i].name, difference}, from[i].seconds, after};
  }
  return found;
}

std::string text_of(const StepShifts& shifts, double least) {
  std::string text;
  if (shifts.less.seconds > least) text = time_text(Seconds(shifts.less.seconds)) + " less in " + shifts.less.name;
  if (shifts.more.seconds > least)
    text += (text.empty() ? "" : ", but ") + time_text(Seconds(shifts.more.seconds)) + " more in " + shifts.more.name;
  return text;
}

namespace {

std::string sizes_text(const ServingParallelism& p) {
  std::string text = "tensor " + shortest_number(p.tensor);
  if (p.pipeline > 1) text += ", pipeline " + shortest_number(p.pipeline);
  if (p.attention_data > 1) text += ", attention data " + shortest_number(p.attention_data);
  if (p.expert > 1) text += ", expert " + shortest_number(p.expert);
  return text;
}

std::string pool_text(std::string_view name, const ServingParallelism& p) {
  return std::string(name) + " " + shortest_number(p.data) + " x (" + sizes_text(p) + ")";
}

std::string draft_text(const ServingRun& run) {
  return run.speculative ? ", " + shortest_number(run.speculative->draft_tokens) + " tokens drafted" : "";
}

}  // namespace

std::string layout_text(const ServingRun& run) {
  if (run.disaggregated)
    return run.weight_precision + ", " + pool_text("prefill", run.disaggregated->prefill) + ", " +
           pool_text("decode", run.disaggregated->decode) + draft_text(run);
  const ServingParallelism& p = run.parallelism;
  std::string text = run.weight_precision + ", " + sizes_text(p);
  if (p.data > 1) text += ", replicas " + shortest_number(p.data);
  return text + draft_text(run);
}

std::string layout_text(const TrainingRun& run) {
  const TrainingParallelism& p = run.parallelism;
  std::string text = std::string(word_of(run.precision, kPrecisionWords)) + ", tensor " + shortest_number(p.tensor) +
                     ", pipeline " + shortest_number(p.pipeline);
  if (p.virtual_pipeline > 1) text += " x " + shortest_number(p.virtual_pipeline);
  if (p.context > 1) text += ", context " + shortest_number(p.context);
  if (p.expert > 1) text += ", expert " + shortest_number(p.expert);
  if (p.expert_tensor > 1) text += ", expert tensor " + shortest_number(p.expert_tensor);
  text += ", data " + shortest_number(p.data) + ", micro-batch " + shortest_number(run.micro_batch_size) + ", ZeRO " +
          shortest_number(p.zero_stage);
  if (p.zero_stage == 3 && p.shard == Shard::hybrid) text += " hybrid";
  if (p.pipeline > 1) text += ", " + std::string(word_of(run.schedule, kScheduleWords));
  return text + ", recompute " + std::string(word_of(run.activation_recompute, kRecomputeWords));
}

}  // namespace podwright::sizing
