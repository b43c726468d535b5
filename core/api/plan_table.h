#pragma once
/// Fields of a plan; traced or not.
#include <optional>

#include "api/answer_field.h"
#include "plan/planner.h"

namespace podwright {

/// A number that the search chose; the trace names its method page instead of an equation.
void describe_chosen(auto& v, auto& tracer, const AnswerField& field, double value) {
  v.number(field, [&] { return tracer.method("layout." + std::string(field.key), value, "docs/method/search.md"); });
}

void describe_sizes(auto& v, auto& tracer, const ServingParallelism& p) {
  describe_chosen(v, tracer, {"tensor", "Tensor parallel"}, p.tensor);
  describe_chosen(v, tracer, {"pipeline", "Pipeline parallel"}, p.pipeline);
  describe_chosen(v, tracer, {"expert", "Expert parallel"}, p.expert);
  describe_chosen(v, tracer, {"attention_data", "Attention data parallel"}, p.attention_data);
  describe_chosen(v, tracer, {"data", "Replicas"}, p.data);
}

void describe_sizes(auto& v, auto& tracer, const TrainingParallelism& p) {
  describe_chosen(v, tracer, {"tensor", "Tensor parallel"}, p.tensor);
  describe_chosen(v, tracer, {"pipeline", "Pipeline parallel"}, p.pipeline);
  describe_chosen(v, tracer, {"virtual_pipeline"}, p.virtual_pipeline);
  describe_chosen(v, tracer, {"context", "Context parallel"}, p.context);
  describe_chosen(v, tracer, {"expert", "Expert parallel"}, p.expert);
  describe_chosen(v, tracer, {"expert_tensor", "Expert tensor parallel"}, p.expert_tensor);
  describe_chosen(v, tracer, {"data", "Replicas"}, p.data);
  v.flag({"sequence_parallel"}, p.sequence_parallel);
  describe_chosen(v, tracer, {"zero_stage", "ZeRO stage"}, p.zero_stage);
}

/// `numbers` are the plan's own, or their traced twin where an explanation is asked for.
template <class Table, class Tracer>
void describe_plan(Table& v, Tracer& trace, const Catalog& catalog, const PlanRequest& request, const Plan& plan,
                   const PlanNumbers<Tracer>& numbers, std::size_t rank);

}  // namespace podwright
