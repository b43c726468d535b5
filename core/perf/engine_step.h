#pragma once
/// Time of one step of a serving engine on one layout, from its costs. docs/method/serving_time.md.
#include "base/arithmetic.h"
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
  Known<Tracer, double> decoding{};
  Known<Tracer, double> prompt_tokens{};
  Known<Tracer, double> prompts{};
};

/// Tokens of a step, rows of its output head, and the share of one attention data rank in them.
template <class Tracer>
struct StepRows {
  using Count = Known<Tracer, double>;
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
  step.own_tokens = named("perf.tokens_per_attention_rank", step.tokens / costs.attention_ranks);
  step.own_rows = named("perf.head_rows_per_attention_rank", rows / costs.attention_ranks);
  step.own_sequences = named("perf.sequences_per_attention_rank", load.decoding / costs.attention_ranks);
  step.own_prompts = named("perf.prompts_per_attention_rank", load.prompts / costs.attention_ranks);
  return step;
}

/// Experts of a layer that the fullest GPU reads in a step, and the rows that they work on.
template <class Tracer>
struct ExpertLoad {
  Known<Tracer, double> touched{};
  Known<Tracer, double> rows{};
};
template <class Tracer>
ExpertLoad<Tracer> experts_of_step(const StepExperts<Tracer>& experts, const Known<Tracer, double>& tokens) {
  const auto untouched = named(
      "perf.untouched_expert_share",
      untouched_expert_share(experts.experts, experts.experts_per_token,
                             named("perf.independent_tokens", independent_tokens(tokens, experts.routing_spread))));
  return {.touched = named("perf.experts_touched_on_gpu",
                           named("perf.experts_touched", experts_touched(experts.experts, untouched)) / experts.ranks),
          .rows = named("perf.routed_rows", tokens * experts.rows_per_token)};
}

/// One collective with this message.
template <class Tracer>
Known<Tracer, Seconds> collective_time(const StepCollective<Tracer>& collective, const Known<Tracer, Bytes>& message) {
  using Kind = typename StepCollective<Tracer>::Kind;
  switch (collective.kind) {
    case Kind::point_to_point:
      return named("perf.point_to_point_time", point_to_point_time(message, collective.bandwidth, collective.start_up));
    case Kind::dispatch:
      return named("perf.dispatch_and_combine_time",
                   dispatch_and_combine_time(message, collective.bandwidth, collective.start_up));
    default:
      return named("perf.all_reduce_time",
                   all_reduce_time(collective.ranks, message, collective.bandwidth, collective.start_up));
  }
}

/// One step with such a load.
template <class Tracer>
StepTimes<Tracer> engine_step(Tracer& trace, const EngineCosts<Tracer>& costs, const StepLoad<Tracer>& load) {
  const auto [tokens, own_tokens, own_rows, own_sequences, own_prompts] = rows_of_step(trace, costs, load);
  StepTimes<Tracer> step;

  Total<Tracer, Seconds> linear;
  Seconds waiting;
  for (const StepProducts<Tracer>& product : costs.products) {
    const auto time =
        named("perf.products_time", step_product_time(product.count, own_tokens, costs.half_rows, product.row,
                                                      product.stream, costs.overlap_loss, product.activations));
    if (value_of(product.stream) > (value_of(own_tokens) + value_of(costs.half_rows)) * value_of(product.row))
      waiting = waiting + value_of(time);
    linear.add(time);
  }
  const StepExperts<Tracer>& experts = costs.experts;
  if (value_of(experts.count) > 0) {
    const auto [touched, routed] = experts_of_step(experts, tokens);
    const auto time = named("perf.experts_time",
                            expert_layers_time(experts.count, routed, touched, experts.padding, experts.row,
                                               experts.stream, experts.overlap_loss, experts.row_extra, experts.start));
    if (value_of(touched) * value_of(experts.stream) >
        (value_of(routed) + value_of(touched) * value_of(experts.padding)) * value_of(experts.row))
      waiting = waiting + value_of(time);
    linear.add(time);
  }
  step.linear = linear.sum(trace, "perf.linear_time");
  step.weights_bind = waiting + waiting > value_of(step.linear);

  step.head = named("perf.head_time",
                    head_step_time(named("perf.head_products_time",
                                         roofline_time(named("perf.head_work", costs.head_work_per_row * own_rows),
                                                       costs.head_gemm, costs.head_bytes, costs.head_streaming)),
                                   own_rows, costs.sampling_row));
  const auto decode_work = named("perf.decode_attention_work_of_step", costs.decode_attention_work * own_sequences);
  const auto kv_read = named("perf.kv_read_of_step", costs.kv_read_per_sequence * own_sequences);
  step.decode_attention =
      named("perf.decode_attention_time", roofline_time(decode_work, costs.decode_rate, kv_read, costs.kv_reading));
  step.kv_binds = value_of(step.decode_attention) > value_of(decode_work) / value_of(costs.decode_rate);
  step.prefill_attention =
      named("perf.prefill_attention_time",
            compute_time(named("perf.prefill_attention_work_of_step", costs.prefill_attention_work * own_prompts),
                         costs.attention));
  Total<Tracer, Seconds> communication;
  for (const StepCollective<Tracer>& collective : costs.collectives) {
    const auto carried = named("perf.tokens_of_message", tokens * collective.token_share);
    const auto message =
        named("perf.message_bytes", message_bytes(carried, collective.width, costs.bytes_per_hidden_value));
    communication.add(named("perf.exchanges_time", collective.count * collective_time(collective, message)));
  }
  step.communication = communication.sum(trace, "perf.communication_time");
  step.overhead = named("perf.step_overhead", step_overhead(costs.starts, own_tokens, costs.token_row, costs.host_step,
                                                            load.decoding, costs.host_sequence));
  step.total = sum_of(trace, "perf.step_time", step.linear, step.head, step.decode_attention, step.prefill_attention,
                      step.communication, step.overhead);
  return step;
}

}  // namespace podwright
