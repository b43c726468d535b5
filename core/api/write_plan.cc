#include "api/write_plan.h"

namespace podwright {
namespace {

void write_sizes(JsonWriter& out, const ServingParallelism& p) {
  out.number("tensor", p.tensor);
  out.number("pipeline", p.pipeline);
  out.number("expert", p.expert);
  out.number("attention_data", p.attention_data);
  out.number("data", p.data);
}

void write_sizes(JsonWriter& out, const TrainingParallelism& p) {
  out.number("tensor", p.tensor);
  out.number("pipeline", p.pipeline);
  out.number("virtual_pipeline", p.virtual_pipeline);
  out.number("context", p.context);
  out.number("expert", p.expert);
  out.number("expert_tensor", p.expert_tensor);
  out.number("data", p.data);
  out.boolean("sequence_parallel", p.sequence_parallel);
  out.number("zero_stage", p.zero_stage);
}

template <class Enum, std::size_t N>
std::string_view word_of(Enum value, const std::array<std::string_view, N>& words) {
  return words[static_cast<std::size_t>(value)];
}

}  // namespace

void write_layout(JsonWriter& out, const PlanRequest& request, const PlanDecision& decision,
                  const PlacedWorkload& placed) {
  const PlanWorkload& workload = request.workloads[placed.index];
  out.begin_object();
  out.text("workload", workload.name);
  out.text("model", workload.model->id);
  out.text("gpu", decision.gpu->id);
  // The trace says where the count comes from at /plans/<i>/gpu_count; here it is an echo of the chosen layout, like
  // its sizes.
  out.number("gpu_count", placed.gpu_count);
  out.begin_object("parallelism");
  if (workload.type == WorkloadType::serving) {
    write_sizes(out, placed.serving.parallelism);
    out.end_object();
    out.text("engine", placed.serving.engine);
    out.text("weight_precision", placed.serving.weight_precision);
    if (!placed.serving.kv_precision.empty()) out.text("kv_precision", placed.serving.kv_precision);
  } else {
    write_sizes(out, placed.training.parallelism);
    out.end_object();
    out.text("precision", word_of(placed.training.precision, kPrecisionWords));
    out.text("method", word_of(placed.training.method, kTrainingMethodWords));
    out.text("activation_recompute", word_of(placed.training.activation_recompute, kRecomputeWords));
    out.number("micro_batch_size", placed.training.micro_batch_size);
    out.number("global_batch_size", placed.training.global_batch_size);
    out.number("sequence_length", placed.training.sequence_length);
  }
  out.end_object();
}

void write_rules(JsonWriter& out, const ArchitectureDesign& design) {
  out.begin_list("rules_fired");
  for (const FiredRule& rule : design.rules_fired) {
    out.begin_object();
    out.number("rule", rule.number);
    out.text("text", rule.text);
    out.text("source", rule.source);
    out.end_object();
  }
  out.end_list();
}

}  // namespace podwright
