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
void write_serving_memory_per_gpu(JsonWriter& out, const ServingMemory<Tracer>& memory) {
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
}

template <class Tracer>
void write_serving_memory(JsonWriter& out, const ServingMemory<Tracer>& memory) {
  write_serving_memory_per_gpu(out, memory);
  out.begin_object("kv_cache");
  out.quantity_as("bytes_per_token", unit::kBytes, memory.bytes_per_token);
  if (!memory.infeasible) {
    out.quantity_as("capacity_tokens", unit::kNone, memory.capacity_tokens);
    out.quantity_as("max_sequences", unit::kNone, memory.max_sequences);
  }
  out.end_object();
}

/// `<whole_key>_p50` to `<whole_key>_p99`.
template <class Times>
void write_percentiles(JsonWriter& out, const std::string& whole_key, const Times& times) {
  static constexpr const char* kSuffixes[] = {"_p50", "_p90", "_p95", "_p99"};
  for (std::size_t i = 0; i < times.size(); ++i) out.quantity_as(whole_key + kSuffixes[i], unit::kSeconds, times[i]);
}

/// `disaggregated`: which pool binds, what each of them could serve and how idle it is.
template <class Tracer>
void write_pools(JsonWriter& out, const DisaggregatedPools<Tracer>& pools) {
  out.begin_object("disaggregated");
  if (pools.prefill_rate) out.text("binding_pool", pools.prefill_binds ? "prefill" : "decode");
  const auto pool = [&](const char* name, const auto& memory, const auto& rate, const auto& idle) {
    out.begin_object(name);
    write_serving_memory_per_gpu(out, memory);
    write_optional(out, "requests", unit::kPerSecond, rate);
    write_optional(out, "idle_share", unit::kNone, idle);
    out.end_object();
  };
  pool("prefill", pools.prefill_memory, pools.prefill_rate, pools.prefill_idle);
  pool("decode", pools.decode_memory, pools.decode_rate, pools.decode_idle);
  write_optional(out, "kv_transfer", unit::kSeconds, pools.transfer);
  out.end_object();
}

/// `<whole_key>_low` and `<whole_key>_high` where there are bounds.
template <class B>
void write_bounds(JsonWriter& out, const std::string& whole_key, const DisplayUnit& display, const B* bounds) {
  if (bounds == nullptr) return;
  out.quantity_as(whole_key + "_low", display, bounds->low);
  out.quantity_as(whole_key + "_high", display, bounds->high);
}

template <class Tracer>
void write_serving_estimate(JsonWriter& out, const ServingEstimate<Tracer>& estimate) {
  if (estimate.memory) write_serving_memory(out, *estimate.memory);
  if (estimate.pools) write_pools(out, *estimate.pools);
  if (!estimate.performance) return;
  const ServingPerformance<Tracer>& speed = *estimate.performance;
  out.quantity_as("admitted_concurrency", unit::kNone, speed.admitted_concurrency);
  out.begin_object("latency");
  const ServingPercentiles<Tracer>* percentiles = speed.percentiles ? &*speed.percentiles : nullptr;
  const ServingBounds<Tracer>* bounds = estimate.bounds ? &*estimate.bounds : nullptr;
  const auto of_latency = [&](const auto& member) { return bounds != nullptr && member ? &*member : nullptr; };
  static const ServingBounds<Tracer> kNone{};
  const ServingBounds<Tracer>& told = bounds != nullptr ? *bounds : kNone;
  write_optional(out, "ttft", unit::kSeconds, speed.ttft);
  write_bounds(out, "ttft_s", unit::kSeconds, of_latency(told.ttft));
  if (percentiles != nullptr) write_percentiles(out, "ttft_s", percentiles->ttft);
  write_optional(out, "tpot", unit::kSeconds, speed.tpot);
  write_bounds(out, "tpot_s", unit::kSeconds, of_latency(told.tpot));
  if (percentiles != nullptr && percentiles->tpot) write_percentiles(out, "tpot_s", *percentiles->tpot);
  write_optional(out, "request", unit::kSeconds, speed.request);
  write_bounds(out, "request_s", unit::kSeconds, of_latency(told.request));
  if (percentiles != nullptr) write_percentiles(out, "request_s", percentiles->request);
  out.end_object();
  out.begin_object("throughput");
  out.quantity("requests", unit::kPerSecond, speed.requests_per_s);
  write_bounds(out, "requests_per_s", unit::kPerSecond, bounds != nullptr ? &told.requests_per_s : nullptr);
  out.quantity("output_tokens", unit::kPerSecond, speed.output_tokens_per_s);
  write_bounds(out, "output_tokens_per_s", unit::kPerSecond, bounds != nullptr ? &told.output_tokens_per_s : nullptr);
  out.quantity("total_tokens", unit::kPerSecond, speed.total_tokens_per_s);
  write_bounds(out, "total_tokens_per_s", unit::kPerSecond, bounds != nullptr ? &told.total_tokens_per_s : nullptr);
  out.quantity_as("output_tokens_per_s_per_gpu", unit::kPerSecond, speed.output_tokens_per_s_per_gpu);
  write_bounds(out, "output_tokens_per_s_per_gpu", unit::kPerSecond,
               bounds != nullptr ? &told.output_tokens_per_s_per_gpu : nullptr);
  out.end_object();
  out.boolean("stable", speed.stable);
  write_optional(out, "stable_requests", unit::kPerSecond, speed.stable_requests_per_s);
  write_binding(out, speed.binding);
}

template <class Tracer>
void write_training_memory(JsonWriter& out, const TrainingMemory<Tracer>& memory, const Bounds<Tracer, Bytes>* total) {
  out.begin_object("memory_per_gpu");
  out.quantity("total", unit::kGib, memory.total);
  write_bounds(out, "total_gib", unit::kGib, total);
  out.quantity("weights", unit::kGib, memory.weights);
  out.quantity("gradients", unit::kGib, memory.gradients);
  out.quantity("optimizer", unit::kGib, memory.optimizer);
  out.quantity("activations", unit::kGib, memory.activations);
  out.quantity("buffers", unit::kGib, memory.buffers);
  out.quantity("runtime", unit::kGib, memory.runtime);
  out.quantity("capacity", unit::kGib, memory.capacity);
  if (value_of(memory.offloaded) > Bytes(0)) out.quantity("offloaded", unit::kGib, memory.offloaded);
  out.end_object();
}

template <class Tracer>
void write_training_estimate(JsonWriter& out, const TrainingEstimate<Tracer>& estimate) {
  if (estimate.memory)
    write_training_memory(out, *estimate.memory, estimate.memory_bounds ? &*estimate.memory_bounds : nullptr);
  if (!estimate.step) return;
  const StepBounds<Tracer>* bounds = estimate.step_bounds ? &*estimate.step_bounds : nullptr;
  const TrainingStep<Tracer>& step = *estimate.step;
  out.begin_object("step");
  out.quantity("time", unit::kSeconds, step.total);
  write_bounds(out, "time_s", unit::kSeconds, bounds == nullptr ? nullptr : &bounds->time);
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
  write_bounds(out, "tokens_per_s", unit::kPerSecond, bounds == nullptr ? nullptr : &bounds->tokens_per_s);
  out.quantity_as("tokens_per_s_per_gpu", unit::kPerSecond, step.tokens_per_s_per_gpu);
  write_bounds(out, "tokens_per_s_per_gpu", unit::kPerSecond,
               bounds == nullptr ? nullptr : &bounds->tokens_per_s_per_gpu);
  out.quantity_as("model_tflops_per_gpu", unit::kTflops, step.model_flops_per_gpu);
  write_bounds(out, "model_tflops_per_gpu", unit::kTflops, bounds == nullptr ? nullptr : &bounds->model_flops_per_gpu);
  out.quantity_as("mfu", unit::kNone, step.mfu);
  write_bounds(out, "mfu", unit::kNone, bounds == nullptr ? nullptr : &bounds->mfu);
  out.quantity_as("hfu", unit::kNone, step.hfu);
  write_bounds(out, "hfu", unit::kNone, bounds == nullptr ? nullptr : &bounds->hfu);
  out.text(
      "flop_convention",
      "causal attention, gate and output head counted; frozen weights of adapters count two passes; recompute in hfu "
      "only");
  out.end_object();
  write_binding(out, step.binding);
}

}  // namespace podwright
