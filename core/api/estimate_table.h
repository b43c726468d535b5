#pragma once
/// Fields of the estimates of deployments and runs, with rooflines and calendars; traced or not.
#include <optional>

#include "api/answer_field.h"
#include "api/common_table.h"
#include "api/requests.h"
#include "base/message.h"
#include "base/nearest.h"
#include "cost/purchase.h"
#include "model/parameters.h"
#include "perf/calendar.h"
#include "perf/estimate_serving.h"
#include "perf/estimate_training.h"
#include "perf/serving_roofline.h"

namespace podwright {

/// What a config.json was taken for.
inline Message read_text(const Model& model) {
  NoTrace none;
  const auto parts = parameter_parts(none, model);
  const auto type = "type"_v = model.family;
  const auto total = "total_billion"_v = parts.total / 1e9;
  const auto layers = "layers"_v = model.layers;
  if (model.experts <= 0) return say("model-read", type, total, layers);
  return say("model-read/experts", type, total, "active_billion"_v = parts.active / 1e9, layers,
             "experts"_v = model.experts);
}

/// What the shape of a model counts up to, beside the size that its name or publisher states.
void describe_model_parameters(auto& v, auto& tracer, const Model* model) {
  v.object(
      {"model_parameters"}, [&] { return parameter_parts(tracer, *model); },
      [&](const auto& parts) {
        v.number({"total"}, parts.total);
        v.number({"active"}, parts.active);
        v.text({"stated", "Size in the model's name"}, [&] { return unless_empty(model->total_parameters_label); });
      });
}

/// What was read of a model's file, and keys of an inline model that no formula reads.
void describe_unread_fields(auto& v, const Model* model) {
  static const std::vector<std::string> kNone;
  std::vector<Message> notes;
  if (model != nullptr && model->source == kConfigFile) notes.push_back(read_text(*model));
  if (model != nullptr && !model->unread_fields.empty())
    notes.push_back(say("model-unread", "fields"_v = joined(model->unread_fields)));
  describe_messages(v, {"model_notes", "The model's file"}, notes);
  v.texts({"unread_model_fields"}, model == nullptr ? kNone : model->unread_fields);
}

void describe(auto& v, const Binding& binding) {
  v.text({"limit"}, binding.code);
  describe_message(v, binding.says);
}

/// Where the weights do not fit there is no pool, and so neither a sum nor a count of what it holds.
template <class Table, class Tracer>
void describe(Table& v, const ServingMemory<Tracer>& memory) {
  const bool pool = value_of(memory.kv_cache) >= Bytes(0);
  if (const auto part = v.when(pool)) v.number({"total_gib", "Memory in use", unit::kGib}, memory.total);
  v.number({"weights_gib", unit::kGib}, memory.weights);
  if (const auto part = v.when(pool)) v.number({"kv_cache_gib", unit::kGib}, memory.kv_cache);
  v.number({"activations_gib", unit::kGib}, memory.activations);
  v.number({"runtime_gib", unit::kGib}, memory.runtime);
  v.number({"capacity_gib", unit::kGib, "What the driver reports"}, memory.capacity);
}

/// Of the pools: what running sequences and the prefix cache share.
inline constexpr AnswerField kCapacityTokens{"capacity_tokens", "Tokens that fit", unit::kNone,
                                             "In the whole deployment"};

template <class Table, class Tracer>
void describe_kv_cache(Table& v, const ServingMemory<Tracer>& memory) {
  v.number({"bytes_per_token", "KV cache of one token", unit::kBytes, "One sequence of one replica, all layers"},
           memory.bytes_per_token);
  if (const auto part = v.when(!memory.infeasible)) {
    v.number(kCapacityTokens, memory.capacity_tokens);
    v.number({"max_sequences", "Sequences that fit", unit::kNone, "In the whole deployment"}, memory.max_sequences);
  }
}

/// Which pool binds, what each of them could serve and how idle it is.
template <class Table, class Tracer>
void describe(Table& v, const DisaggregatedPools<Tracer>& pools) {
  if (const auto part = v.when(pools.prefill_rate.has_value()))
    v.text({"binding_pool", "Pool that limits the rate"}, pools.prefill_binds ? "prefill" : "decode");
  const auto pool = [&](const AnswerField& field, const auto& memory, const auto& rate, const auto& idle) {
    v.group(field, [&] {
      v.object({"memory_per_gpu"}, memory);
      v.number({"requests_per_s", unit::kPerSecond}, rate);
      v.number({"idle_share"}, idle);
    });
  };
  pool({"prefill"}, pools.prefill_memory, pools.prefill_rate, pools.prefill_idle);
  pool({"decode"}, pools.decode_memory, pools.decode_rate, pools.decode_idle);
  v.number({"kv_transfer_s", unit::kSeconds}, pools.transfer);
}

inline constexpr AnswerField kTtft{"ttft_s", "Time to first token", unit::kSeconds};
inline constexpr AnswerField kTpot{"tpot_s", "Time per output token", unit::kSeconds};
inline constexpr AnswerField kRequest{"request_s", "Whole request", unit::kSeconds};

template <class Table, class Tracer>
void describe_latency(Table& v, const ServingPerformance<Tracer>& speed,
                      const std::optional<ServingBounds<Tracer>>& bounds) {
  using B = ServingBounds<Tracer>;
  using P = ServingPercentiles<Tracer>;
  v.number(kTtft, speed.ttft, member_of(bounds, &B::ttft));
  v.percentiles(kTtft, member_of(speed.percentiles, &P::ttft));
  v.number({"wait_s", "Of which waiting", unit::kSeconds}, speed.wait);
  v.number(kTpot, speed.tpot, member_of(bounds, &B::tpot));
  v.percentiles(kTpot, member_of(speed.percentiles, &P::tpot));
  v.number(kRequest, speed.request, member_of(bounds, &B::request));
  v.percentiles(kRequest, member_of(speed.percentiles, &P::request));
}

inline constexpr AnswerField kHostFound{"host_hit_ratio", "Of these loaded from host memory"};
inline constexpr AnswerField kHostLoad{"host_load_gb_per_s", "Loaded from host memory by each GPU", unit::kGbPerSecond};

template <class Table, class Tracer>
void describe(Table& v, const PrefixCacheFigures<Tracer>& prefix) {
  v.number({"prefix_hit_ratio", "Share of prompts found in the cache"}, prefix.hit_ratio);
  v.number(kHostFound, prefix.host_hit_ratio);
  v.number({"unlimited_hit_ratio", "The same with a cache that forgets nothing"}, prefix.unlimited);
  v.number({"kept_s", "Time that an unused prefix stays", unit::kSeconds}, prefix.kept);
  v.number({"host_kept_s", "The same with host memory", unit::kSeconds}, prefix.host_kept);
  v.number(kHostLoad, prefix.host_load);
}

template <class Table, class Tracer>
void describe_serving_throughput(Table& v, const ServingPerformance<Tracer>& speed,
                                 const std::optional<ServingBounds<Tracer>>& bounds) {
  using B = ServingBounds<Tracer>;
  v.number({"requests_per_s", unit::kPerSecond}, speed.requests_per_s, member_of(bounds, &B::requests_per_s));
  v.number({"output_tokens_per_s", unit::kPerSecond}, speed.output_tokens_per_s,
           member_of(bounds, &B::output_tokens_per_s));
  v.number({"total_tokens_per_s", "All tokens", unit::kPerSecond}, speed.total_tokens_per_s,
           member_of(bounds, &B::total_tokens_per_s));
  v.number({"output_tokens_per_s_per_gpu", "Output tokens per GPU", unit::kPerSecond},
           speed.output_tokens_per_s_per_gpu, member_of(bounds, &B::output_tokens_per_s_per_gpu));
}

template <class Table, class Tracer>
void describe(Table& v, const ServingEnergy<Tracer>& energy) {
  v.number({"mean_gpu_power_w", "Mean power of a GPU", unit::kWatts}, energy.gpu_power, energy.gpu_power_bounds);
  v.number({"energy_per_output_token_j", "Energy of an output token", unit::kJoules, "Of the GPUs alone"},
           energy.per_output_token, energy.per_output_token_bounds);
  v.number({"energy_per_request_j", "Energy of a request", unit::kJoules, "Of the GPUs alone"}, energy.per_request,
           energy.per_request_bounds);
}

template <class Table, class Tracer>
void describe(Table& v, const ServingEstimate<Tracer>& estimate) {
  v.object({"memory_per_gpu"}, estimate.memory);
  v.object({"kv_cache"}, estimate.memory, [&](const auto& memory) { describe_kv_cache(v, memory); });
  v.object({"disaggregated", "Pools"}, estimate.pools);
  const auto performance = [&](const ServingPerformance<Tracer>& speed) {
    v.number({"admitted_concurrency", "Requests served at once"}, speed.admitted_concurrency);
    v.object({"prefix_cache"}, estimate.prefix);
    v.group({"latency", "Latency, mean over requests"}, [&] { describe_latency(v, speed, estimate.bounds); });
    v.group({"throughput"}, [&] { describe_serving_throughput(v, speed, estimate.bounds); });
    v.flag({"stable", "Keeps up with the load"}, speed.stable);
    v.number({"stable_requests_per_s", "Requests that it can complete", unit::kPerSecond}, speed.stable_requests_per_s);
    v.object({"binding", "What limits it"}, speed.binding);
  };
  v.fields(estimate.performance, performance);
  v.object({"gpu_energy", "Power and energy of the GPUs"}, estimate.energy);
}

template <class Table, class Tracer>
void describe_training_memory(Table& v, const TrainingMemory<Tracer>& memory,
                              const std::optional<Bounds<Tracer, Bytes>>& total,
                              const std::optional<Known<Tracer, double>>& fit_probability) {
  v.number({"total_gib", "Memory in use", unit::kGib}, memory.total, total);
  v.number({"weights_gib", unit::kGib}, memory.weights);
  v.number({"gradients_gib", unit::kGib}, memory.gradients);
  v.number({"optimizer_gib", unit::kGib}, memory.optimizer);
  v.number({"activations_gib", unit::kGib}, memory.activations);
  v.number({"buffers_gib", unit::kGib}, memory.buffers);
  v.number({"runtime_gib", unit::kGib}, memory.runtime);
  v.number({"capacity_gib", unit::kGib, "What the driver reports"}, memory.capacity);
  v.number({"fit_probability", "Probability that it fits"}, fit_probability);
  if (const auto part = v.when(value_of(memory.offloaded) > Bytes(0)))
    v.number({"offloaded_gib", "Moved to the host", unit::kGib}, memory.offloaded);
}

template <class Table, class Tracer>
void describe_step(Table& v, const TrainingStep<Tracer>& step, const std::optional<StepBounds<Tracer>>& bounds) {
  v.number({"time_s", unit::kSeconds}, step.total, member_of(bounds, &StepBounds<Tracer>::time));
  v.number({"compute_s", unit::kSeconds}, step.compute);
  v.number({"attention_s", unit::kSeconds}, step.attention);
  v.number({"recompute_s", unit::kSeconds}, step.recompute);
  v.number({"tensor_comm_s", "Tensor-parallel traffic", unit::kSeconds}, step.tensor_comm);
  v.number({"context_comm_s", "Context-parallel traffic", unit::kSeconds}, step.context_comm);
  v.number({"expert_comm_s", "Expert-parallel traffic", unit::kSeconds}, step.expert_comm);
  v.number({"pipeline_comm_s", "Pipeline traffic", unit::kSeconds}, step.pipeline_comm);
  v.number({"pipeline_bubble_s", unit::kSeconds}, step.pipeline_bubble);
  v.number({"data_comm_exposed_s", "Exposed data-parallel traffic", unit::kSeconds}, step.data_comm_exposed);
  v.number({"optimizer_s", unit::kSeconds}, step.optimizer);
  v.number({"other_s", unit::kSeconds}, step.other);
}

template <class Table, class Tracer>
void describe_training_throughput(Table& v, const TrainingStep<Tracer>& step,
                                  const std::optional<StepBounds<Tracer>>& bounds) {
  using B = StepBounds<Tracer>;
  v.number({"tokens_per_s", unit::kPerSecond}, step.tokens_per_s, member_of(bounds, &B::tokens_per_s));
  v.number({"tokens_per_s_per_gpu", "Tokens per GPU", unit::kPerSecond}, step.tokens_per_s_per_gpu,
           member_of(bounds, &B::tokens_per_s_per_gpu));
  v.number({"model_tflops_per_gpu", "Model arithmetic per GPU", unit::kTflops}, step.model_flops_per_gpu,
           member_of(bounds, &B::model_flops_per_gpu));
  v.number({"mfu", "Model FLOP utilisation (MFU)"}, step.mfu, member_of(bounds, &B::mfu));
  v.number({"hfu", "Hardware FLOP utilisation (HFU)"}, step.hfu, member_of(bounds, &B::hfu));
  v.text(
      {"flop_convention", "What counts as arithmetic"},
      "causal attention, gate and output head counted; frozen weights of adapters count two passes; recompute in hfu "
      "only");
}

template <class Table, class Tracer>
void describe(Table& v, const TrainingEstimate<Tracer>& estimate) {
  v.object({"memory_per_gpu"}, estimate.memory, [&](const auto& memory) {
    describe_training_memory(v, memory, estimate.memory_bounds, estimate.fit_probability);
  });
  v.fields(estimate.step, [&](const TrainingStep<Tracer>& step) {
    v.group({"step", "One training step"}, [&] { describe_step(v, step, estimate.step_bounds); });
    v.group({"throughput"}, [&] { describe_training_throughput(v, step, estimate.step_bounds); });
    v.object({"binding", "What limits it"}, step.binding);
  });
}

template <class Table, class Tracer>
void describe(Table& v, const RooflinePoint<Tracer>& point) {
  v.text({"phase"}, point.phase);
  v.number({"tokens"}, point.tokens);
  v.number({"time_s", unit::kSeconds}, point.time);
  v.number({"work_tflop", unit::kTflop}, point.work);
  v.number({"memory_traffic_gb", unit::kGb}, point.traffic);
  v.number({"intensity_flop_per_byte", "Arithmetic intensity", unit::kFlopPerByte}, point.intensity);
  v.number({"attained_tflops", unit::kTflops}, point.attained, point.bounds);
  v.number({"roof_tflops", unit::kTflops}, point.roof);
  v.number({"roof_fraction", "Share of the roof"}, point.share);
  v.text({"limit"}, point.compute_binds ? "compute" : "memory-bandwidth");
}

template <class Table, class Tracer>
void describe(Table& v, const ServingRoofline<Tracer>& roofline) {
  v.text({"precision"}, roofline.precision);
  v.number({"tflops", "Peak arithmetic, dense", unit::kTflops}, roofline.peak);
  v.number({"memory_gb_per_s", "Memory bandwidth", unit::kGbPerSecond}, roofline.bandwidth);
  v.number({"ridge_flop_per_byte", unit::kFlopPerByte, "Intensity above which arithmetic is the limit"},
           roofline.ridge);
  v.list({"points"}, roofline.points);
}

/// Absent where the estimate has no step (it does not fit, a rate is not known, pools) or the data sheet no roof.
template <class Table, class Tracer>
void describe_roofline(Table& v, Tracer& trace, const Gpu* gpu, const ServingRun& run,
                       const ServingEstimate<Tracer>& estimate) {
  v.object({"roofline", "Roofline: work for each byte read"}, [&]() -> std::optional<ServingRoofline<Tracer>> {
    if (!estimate.performance || !estimate.costs) return std::nullopt;
    return serving_roofline(trace, *gpu, run, *estimate.costs, estimate.performance->lane, estimate.widths);
  });
}

/// The estimate of a run and, where the request names its tokens, its calendar.
template <class Tracer>
struct CalendarEstimate : TrainingEstimate<Tracer> {
  std::optional<Calendar<Tracer>> calendar;
  std::optional<CalendarBounds<Tracer>> calendar_bounds;
  std::optional<Known<Tracer, Watts>> power_per_gpu;
};

template <class Tracer>
CalendarEstimate<Tracer> estimate_with_calendar(Tracer& trace, const Catalog& catalog, const TrainingRequest& r) {
  const System* system = r.system ? &*r.system : nullptr;
  CalendarEstimate<Tracer> estimate{estimate_training(trace, catalog, *r.model, *r.gpu, r.run, system), {}, {}, {}};
  if (!r.calendar.tokens || !estimate.step) return estimate;
  if (r.power.power_kw_per_gpu)
    estimate.power_per_gpu = trace.input("/power_kw_per_gpu", kw(*r.power.power_kw_per_gpu));
  else
    estimate.power_per_gpu = mean_gpu_power(trace, catalog, system, *r.gpu, trace.input("/load", r.power.load),
                                            trace.input("/pue", r.power.pue), estimate.assumptions);
  std::optional<Known<Tracer, Seconds>> per_failure;
  if (r.calendar.gpu_hours_per_failure)
    per_failure = trace.input("/gpu_hours_per_failure", hours(*r.calendar.gpu_hours_per_failure));
  const std::size_t reasons = estimate.reasons.size();
  estimate.calendar = training_calendar(
      trace, catalog, *r.model, *r.gpu, system, r.run, trace.input("/gpu_count", r.gpu_count), r.calendar, per_failure,
      estimate.step->tokens_per_s, estimate.power_per_gpu, estimate.assumptions, estimate.reasons);
  if (estimate.calendar && estimate.step_bounds)
    estimate.calendar_bounds = calendar_bounds(*estimate.calendar, estimate.step_bounds->factors);
  if (estimate.reasons.size() > reasons) estimate.feasible = false;
  return estimate;
}

/// What interrupts a run, and the share of time that is left to it.
template <class Table, class Tracer>
void describe_interruptions(Table& v, const Calendar<Tracer>& calendar) {
  v.number({"goodput", "Goodput (productive share of time)"}, calendar.goodput.share);
  v.number({"checkpoint_interval_s", unit::kSeconds}, calendar.goodput.interval);
  v.number({"checkpoint_write_s", unit::kSeconds}, calendar.write);
  v.number({"checkpoint_pause_s", unit::kSeconds}, calendar.pause);
  v.number({"checkpoint_gb", unit::kGb}, calendar.checkpoint);
  v.number({"mean_time_between_failures_h", "Time between failures", unit::kHours},
           calendar.mean_time_between_failures);
}

template <class Table, class Tracer>
void describe_calendar(Table& v, const CalendarEstimate<Tracer>& estimate) {
  using B = CalendarBounds<Tracer>;
  const std::optional<B>& bounds = estimate.calendar_bounds;
  v.object({"calendar", "The whole run"}, estimate.calendar, [&](const Calendar<Tracer>& calendar) {
    v.number({"run_time_days", unit::kDays}, calendar.run_time, member_of(bounds, &B::run_time));
    v.number({"run_time_days_without_interruptions", "Time without failures", unit::kDays},
             calendar.without_interruptions, member_of(bounds, &B::without_interruptions));
    describe_interruptions(v, calendar);
    v.number({"expected_failures"}, calendar.expected_failures, member_of(bounds, &B::expected_failures));
    v.number({"slowest_over_mean", "Slowest rank over the mean"}, calendar.slowest_over_mean);
    v.number({"gpu_hours", "GPU-hours", unit::kHours}, calendar.gpu_time, member_of(bounds, &B::gpu_time));
    v.number({"power_kw_per_gpu", "Mean power per GPU", unit::kKw}, estimate.power_per_gpu);
    v.number({"energy_kwh", unit::kKwh}, calendar.energy, member_of(bounds, &B::energy));
    v.number({"cost_usd", unit::kUsd}, calendar.cost, member_of(bounds, &B::cost));
  });
}

}  // namespace podwright
