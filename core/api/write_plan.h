#pragma once
/// A plan as members of an answer; traced or not.
#include "api/write_calendar.h"
#include "api/write_estimate.h"
#include "api/write_roofline.h"
#include "base/words.h"
#include "plan/planner.h"

namespace podwright {

/// Numbers that the search chose; the trace names its method page instead of an equation.
template <class Tracer>
class ChosenNumbers {
 public:
  ChosenNumbers(JsonWriter& out, Tracer& tracer) : out_(out), tracer_(tracer) {}
  void write(std::string_view key, double value) {
    out_.quantity_as(key, unit::kNone, tracer_.method("layout." + std::string(key), value, "docs/method/search.md"));
  }
  void write(const ServingParallelism& p) {
    write("tensor", p.tensor);
    write("pipeline", p.pipeline);
    write("expert", p.expert);
    write("attention_data", p.attention_data);
    write("data", p.data);
  }
  void write(const TrainingParallelism& p) {
    write("tensor", p.tensor);
    write("pipeline", p.pipeline);
    write("virtual_pipeline", p.virtual_pipeline);
    write("context", p.context);
    write("expert", p.expert);
    write("expert_tensor", p.expert_tensor);
    write("data", p.data);
    out_.boolean("sequence_parallel", p.sequence_parallel);
    write("zero_stage", p.zero_stage);
  }

 private:
  JsonWriter& out_;
  Tracer& tracer_;
};

template <class Tracer>
void write_layout(JsonWriter& out, Tracer& tracer, const PlanRequest& request, const PlanDecision& decision,
                  const PlacedWorkload& placed) {
  const PlanWorkload& workload = request.workloads[placed.index];
  ChosenNumbers<Tracer> chosen(out, tracer);
  out.begin_object();
  out.text("workload", workload.name);
  out.text("model", workload.model->id);
  out.text("gpu", decision.gpu->id);
  chosen.write("gpu_count", placed.gpu_count);
  out.begin_object("parallelism");
  if (workload.type == WorkloadType::serving) {
    chosen.write(placed.serving.parallelism);
    out.end_object();
    out.text("engine", placed.serving.engine);
    out.text("weight_precision", placed.serving.weight_precision);
    if (!placed.serving.kv_precision.empty()) out.text("kv_precision", placed.serving.kv_precision);
  } else {
    chosen.write(placed.training.parallelism);
    out.end_object();
    out.text("precision", word_of(placed.training.precision, kPrecisionWords));
    out.text("method", word_of(placed.training.method, kTrainingMethodWords));
    out.text("activation_recompute", word_of(placed.training.activation_recompute, kRecomputeWords));
    chosen.write("micro_batch_size", placed.training.micro_batch_size);
    chosen.write("global_batch_size", placed.training.global_batch_size);
    chosen.write("sequence_length", placed.training.sequence_length);
  }
  out.end_object();
}

template <class Tracer>
void write_workload_numbers(JsonWriter& out, const WorkloadNumbers<Tracer>& numbers) {
  if (numbers.serving) write_serving_estimate(out, *numbers.serving);
  if (numbers.training) write_training_estimate(out, *numbers.training);
  if (!numbers.run_time) return;
  out.begin_object("run");
  out.quantity("time", unit::kDays, *numbers.run_time);
  out.quantity("time_without_interruptions", unit::kDays, numbers.calendar->without_interruptions);
  write_interruptions(out, *numbers.calendar);
  out.quantity_as("expected_failures", unit::kNone, *numbers.calendar->expected_failures);
  out.quantity("gpu", unit::kHours, *numbers.gpu_time);
  if (numbers.run_rent) out.quantity("rent", unit::kUsd, *numbers.run_rent);
  out.end_object();
}

/// The members of one plan; `numbers` are the plan's own, or their traced twin where an explanation is asked for.
template <class Tracer>
void write_plan(JsonWriter& out, Tracer& trace, const PlanRequest& request, const Plan& plan,
                const PlanNumbers<Tracer>& numbers, std::size_t rank);

}  // namespace podwright
