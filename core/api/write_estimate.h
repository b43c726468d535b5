#pragma once
/// Estimates of deployments and runs as members of an answer; traced or not.
#include "api/write_common.h"
#include "model/parameters.h"
#include "perf/estimate_serving.h"
#include "perf/estimate_training.h"

namespace podwright {

/// What the shape of a model counts up to, beside the size that its name or publisher states.
template <class Tracer>
void write_model_parameters(JsonWriter& out, Tracer& tracer, const Model& model) {
  const auto parts = parameter_parts(tracer, model);
  out.begin_object("model_parameters");
  out.quantity("total", unit::kNone, parts.total);
  out.quantity("active", unit::kNone, parts.active);
  if (!model.total_parameters_label.empty()) out.text("stated", model.total_parameters_label);
  out.end_object();
}

inline void write_binding(JsonWriter& out, const Binding& binding) {
  out.begin_object("binding");
  out.text("limit", binding.code);
  out.text("message", binding.message);
  out.end_object();
}

template <class Tracer>
void write_serving_memory(JsonWriter& out, const ServingMemory<Tracer>& memory) {
  // Where the weights do not fit there is no pool, and so neither a sum nor a count of what it holds.
  const bool pool = value_of(memory.kv_cache) >= Bytes(0);
  out.begin_object("memory_per_gpu");
  if (pool) out.quantity("total", unit::kGib, memory.total);
  out.quantity("weights", unit::kGib, memory.weights);
  if (pool) out.quantity("kv_cache", unit::kGib, memory.kv_cache);
  write_optional(out, "activations", unit::kGib, memory.activations);
  write_optional(out, "runtime", unit::kGib, memory.runtime);
  out.quantity("capacity", unit::kGib, memory.capacity);
  out.end_object();
  out.begin_object("kv_cache");
  out.quantity_as("bytes_per_token", unit::kBytes, memory.bytes_per_token);
  if (!memory.infeasible) {
    out.quantity_as("capacity_tokens", unit::kNone, memory.capacity_tokens);
    out.quantity_as("max_sequences", unit::kNone, memory.max_sequences);
  }
  out.end_object();
}

template <class Tracer>
void write_serving_estimate(JsonWriter& out, const ServingEstimate<Tracer>& estimate) {
  if (estimate.memory) write_serving_memory(out, *estimate.memory);
  if (!estimate.performance) return;
  const ServingPerformance<Tracer>& speed = *estimate.performance;
  out.quantity_as("admitted_concurrency", unit::kNone, speed.admitted_concurrency);
  out.begin_object("latency");
  write_optional(out, "ttft", unit::kSeconds, speed.ttft);
  if (speed.ttft) out.text("ttft_basis", "lower bound: an even stream of requests, without bursts and their queue");
  write_optional(out, "tpot", unit::kSeconds, speed.tpot);
  write_optional(out, "request", unit::kSeconds, speed.request);
  out.end_object();
  out.begin_object("throughput");
  out.quantity("requests", unit::kPerSecond, speed.requests_per_s);
  out.quantity("output_tokens", unit::kPerSecond, speed.output_tokens_per_s);
  out.quantity("total_tokens", unit::kPerSecond, speed.total_tokens_per_s);
  out.quantity_as("output_tokens_per_s_per_gpu", unit::kPerSecond, speed.output_tokens_per_s_per_gpu);
  out.end_object();
  out.boolean("stable", speed.stable);
  write_binding(out, speed.binding);
}

template <class Tracer>
void write_training_memory(JsonWriter& out, const TrainingMemory<Tracer>& memory) {
  out.begin_object("memory_per_gpu");
  out.quantity("total", unit::kGib, memory.total);
  out.quantity("weights", unit::kGib, memory.weights);
  out.quantity("gradients", unit::kGib, memory.gradients);
  out.quantity("optimizer", unit::kGib, memory.optimizer);
  out.quantity("activations", unit::kGib, memory.activations);
  out.quantity("buffers", unit::kGib, memory.buffers);
  out.quantity("runtime", unit::kGib, memory.runtime);
  out.quantity("capacity", unit::kGib, memory.capacity);
  out.end_object();
}

template <class Tracer>
void write_training_estimate(JsonWriter& out, const TrainingEstimate<Tracer>& estimate) {
  if (estimate.memory) write_training_memory(out, *estimate.memory);
  if (!estimate.step) return;
  const TrainingStep<Tracer>& step = *estimate.step;
  out.begin_object("step");
  out.quantity("time", unit::kSeconds, step.total);
  out.quantity("compute", unit::kSeconds, step.compute);
  out.quantity("attention", unit::kSeconds, step.attention);
  out.quantity("recompute", unit::kSeconds, step.recompute);
  out.quantity("tensor_comm", unit::kSeconds, step.tensor_comm);
  out.quantity("context_comm", unit::kSeconds, step.context_comm);
  out.quantity("expert_comm", unit::kSeconds, step.expert_comm);
  out.quantity("pipeline_comm", unit::kSeconds, step.pipeline_comm);
  out.quantity("pipeline_bubble", unit::kSeconds, step.pipeline_bubble);
  out.quantity("data_comm_exposed", unit::kSeconds, step.data_comm_exposed);
  out.quantity("optimizer", unit::kSeconds, step.optimizer);
  out.quantity("other", unit::kSeconds, step.other);
  out.end_object();
  out.begin_object("throughput");
  out.quantity("tokens", unit::kPerSecond, step.tokens_per_s);
  out.quantity_as("tokens_per_s_per_gpu", unit::kPerSecond, step.tokens_per_s_per_gpu);
  out.quantity_as("model_tflops_per_gpu", unit::kTflops, step.model_flops_per_gpu);
  out.quantity_as("mfu", unit::kNone, step.mfu);
  out.quantity_as("hfu", unit::kNone, step.hfu);
  out.text(
      "flop_convention",
      "causal attention, gate and output head counted; frozen weights of adapters count two passes; recompute in hfu "
      "only");
  out.end_object();
  write_binding(out, step.binding);
}

}  // namespace podwright
