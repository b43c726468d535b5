#pragma once
/// Time of one step of a serving engine on one layout, from its costs. docs/method/serving_time.md.
#include <algorithm>

#include "model/total.h"
#include "perf/collectives.h"
#include "perf/engine_costs.h"
#include "perf/roofline.h"

namespace podwright {

/// Parts of one step, one after the other.
template <class Tracer>
struct StepTimes {
  using Known = typename Tracer::template Known<Seconds>;
  Known linear{};  ///< products of attention and MLP, and the experts
  Known head{};    ///< output head and choice of tokens
  Known decode_attention{};
  Known prefill_attention{};
  Known communication{};
  Known overhead{};  ///< starts of kernels, small kernels, the host
  Known draft{};     ///< of the draft model's own steps
  Known total{};
  bool weights_bind = false;  ///< the linear layers wait for their weights, not for arithmetic
  bool kv_binds = false;      ///< decode attention waits for the cache
};

/// What one step carries: `decoding` sequences that decode and `prompt_tokens` prompt tokens, which are `prompts` whole
/// prompts on average.
template <class Tracer>
struct StepLoad {
  typename Tracer::template Known<double> decoding{};
  typename Tracer::template Known<double> prompt_tokens{};
  typename Tracer::template Known<double> prompts{};
};

/// Tokens of a step, rows of its output head, and the share of one attention data rank in them.
template <class Tracer>
struct StepRows {
  using Count = typename Tracer::template Known<double>;
  Count tokens{};
  Count own_tokens{};
  Count own_rows{};
  Count own_sequences{};
  Count own_prompts{};
};
template <class Tracer>
StepRows<Tracer> rows_of_step(Tracer& trace, const EngineCosts<Tracer>& costs, const StepLoad<Tracer>& load) {
  StepRows<Tracer> step;
  step.tokens = sum_of(trace, "perf.tokens_of_step", load.decoding, load.prompt_tokens);
  const auto rows = sum_of(trace, "perf.head_rows_of_step", load.decoding, load.prompts);
  step.own_tokens = trace.step("perf.tokens_per_attention_rank", kEvenlyShared, step.tokens, costs.attention_ranks);
  step.own_rows = trace.step("perf.head_rows_per_attention_rank", kEvenlyShared, rows, costs.attention_ranks);
  step.own_sequences =
      trace.step("perf.sequences_per_attention_rank", kEvenlyShared, load.decoding, costs.attention_ranks);
  step.own_prompts = trace.step("perf.prompts_per_attention_rank", kEvenlyShared, load.prompts, costs.attention_ranks);
  return step;
}

/// Experts of a layer that the fullest GPU reads in a step, and the rows that they work on.
template <class Tracer>
struct ExpertLoad {
  typename Tracer::template Known<double> touched{};
  typename Tracer::template Known<double> rows{};
};
template <class Tracer>
ExpertLoad<Tracer> experts_of_step(Tracer& trace, const StepExperts<Tracer>& experts,
                                   const typename Tracer::template Known<double>& tokens) {
  const auto untouched =
      trace.step("perf.untouched_expert_share", kUntouchedExpertShare, experts.experts, experts.experts_per_token,
                 trace.step("perf.independent_tokens", kIndependentTokens, tokens, experts.routing_spread));
  return {.touched = trace.step("perf.experts_touched_on_gpu", kEvenlyShared,
                                trace.step("perf.experts_touched", kExpertsTouched, experts.experts, untouched),
                                experts.ranks),
          .rows = trace.step("perf.routed_rows", kCountProduct, tokens, experts.rows_per_token)};
}

/// One collective with this message.
template <class Tracer>
typename Tracer::template Known<Seconds> collective_time(Tracer& trace, const StepCollective<Tracer>& collective,
                                                         const typename Tracer::template Known<Bytes>& message) {
  using Kind = typename StepCollective<Tracer>::Kind;
  switch (collective.kind) {
    case Kind::point_to_point:
      return trace.step("perf.point_to_point_time", kPointToPointTime, message, collective.bandwidth,
                        collective.start_up);
    case Kind::dispatch:
      return trace.step("perf.dispatch_and_combine_time", kDispatchAndCombineTime, message, collective.bandwidth,
                        collective.start_up);
    default:
      return trace.step("perf.all_reduce_time", kAllReduceTime, collective.ranks, message, collective.bandwidth,
                        collective.start_up);
  }
}

/// One step with such a load.
template <class Tracer>
StepTimes<Tracer> engine_step(Tracer& trace, const EngineCosts<Tracer>& costs,
                              const typename Tracer::template Known<double>& decoding,
                              const typename Tracer::template Known<double>& prompt_tokens,
                              const typename Tracer::template Known<double>& prompts) {
  const auto [tokens, own_tokens, own_rows, own_sequences, own_prompts] =
      rows_of_step(trace, costs, StepLoad<Tracer>{decoding, prompt_tokens, prompts});
  StepTimes<Tracer> step;

  Total<Tracer, Seconds> linear;
  Seconds waiting;
  for (const StepProducts<Tracer>& product : costs.products) {
    const auto time = trace.step("perf.products_time", kStepProductTime, product.count, own_tokens, costs.half_rows,
                                 product.row, product.stream, costs.overlap_loss, product.activations);
    if (value_of(product.stream) > (value_of(own_tokens) + value_of(costs.half_rows)) * value_of(product.row))
      waiting = waiting + value_of(time);
    linear.add(time);
  }
  const StepExperts<Tracer>& experts = costs.experts;
  if (value_of(experts.count) > 0) {
    const auto [touched, routed] = experts_of_step(trace, experts, tokens);
    const auto time =
        trace.step("perf.experts_time", kExpertLayersTime, experts.count, routed, touched, experts.padding, experts.row,
                   experts.stream, experts.overlap_loss, experts.row_extra, experts.start);
    if (value_of(touched) * value_of(experts.stream) >
        (value_of(routed) + value_of(touched) * value_of(experts.padding)) * value_of(experts.row))
      waiting = waiting + value_of(time);
    linear.add(time);
  }
  step.linear = linear.sum(trace, "perf.linear_time");
  step.weights_bind = waiting + waiting > value_of(step.linear);

  step.head = trace.step("perf.head_time", kHeadStepTime,
                         trace.step("perf.head_products_time", kRooflineTime,
                                    trace.step("perf.head_work", kWorkOfTokens, costs.head_work_per_row, own_rows),
                                    costs.head_gemm, costs.head_bytes, costs.head_streaming),
                         own_rows, costs.sampling_row);
  const auto decode_work =
      trace.step("perf.decode_attention_work_of_step", kWorkOfTokens, costs.decode_attention_work, own_sequences);
  const auto kv_read = trace.step("perf.kv_read_of_step", kReadOfSequences, costs.kv_read_per_sequence, own_sequences);
  step.decode_attention = trace.step("perf.decode_attention_time", kRooflineTime, decode_work, costs.decode_rate,
                                     kv_read, costs.kv_reading);
  step.kv_binds = value_of(step.decode_attention) > value_of(decode_work) / value_of(costs.decode_rate);
  step.prefill_attention = trace.step(
      "perf.prefill_attention_time", kComputeTime,
      trace.step("perf.prefill_attention_work_of_step", kWorkOfTokens, costs.prefill_attention_work, own_prompts),
      costs.attention);
  Total<Tracer, Seconds> communication;
  for (const StepCollective<Tracer>& collective : costs.collectives) {
    const auto carried = trace.step("perf.tokens_of_message", kCountProduct, tokens, collective.token_share);
    const auto message =
        trace.step("perf.message_bytes", kMessageBytes, carried, collective.width, costs.bytes_per_hidden_value);
    communication.add(trace.step("perf.exchanges_time", kRepeatedTime, collective.count,
                                 collective_time(trace, collective, message)));
  }
  step.communication = communication.sum(trace, "perf.communication_time");
  step.overhead = trace.step("perf.step_overhead", kStepOverhead, costs.starts, own_tokens, costs.token_row,
                             costs.host_step, decoding, costs.host_sequence);
  step.total = sum_of(trace, "perf.step_time", step.linear, step.head, step.decode_attention, step.prefill_attention,
                      step.communication, step.overhead);
  return step;
}

}  // namespace podwright
