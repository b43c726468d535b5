#pragma once
/// Costs of a step without their trace, for what is solved or simulated on them.
#include <memory>

#include "base/trace.h"
#include "perf/speculative.h"
#include "perf/step_costs.h"

namespace podwright {

/// The same costs without their trace.
template <class Tracer>
EngineCosts<NoTrace> plain_costs(const EngineCosts<Tracer>& costs) {
  EngineCosts<NoTrace> result;
  result.gemm_precision = costs.gemm_precision;
  for (const StepProducts<Tracer>& product : costs.products)
    result.products.push_back({.count = value_of(product.count),
                               .row = value_of(product.row),
                               .stream = value_of(product.stream),
                               .activations = value_of(product.activations),
                               .row_work = value_of(product.row_work),
                               .weights = value_of(product.weights),
                               .row_traffic = value_of(product.row_traffic)});
  result.half_rows = value_of(costs.half_rows);
  result.overlap_loss = value_of(costs.overlap_loss);
  result.experts = {.count = value_of(costs.experts.count),
                    .experts = value_of(costs.experts.experts),
                    .experts_per_token = value_of(costs.experts.experts_per_token),
                    .ranks = value_of(costs.experts.ranks),
                    .rows_per_token = value_of(costs.experts.rows_per_token),
                    .padding = value_of(costs.experts.padding),
                    .row = value_of(costs.experts.row),
                    .stream = value_of(costs.experts.stream),
                    .row_extra = value_of(costs.experts.row_extra),
                    .start = value_of(costs.experts.start),
                    .overlap_loss = value_of(costs.experts.overlap_loss),
                    .routing_spread = value_of(costs.experts.routing_spread),
                    .row_work = value_of(costs.experts.row_work),
                    .weights = value_of(costs.experts.weights),
                    .row_traffic = value_of(costs.experts.row_traffic)};
  result.head_work_per_row = value_of(costs.head_work_per_row);
  result.head_bytes = value_of(costs.head_bytes);
  result.head_gemm = value_of(costs.head_gemm);
  result.head_streaming = value_of(costs.head_streaming);
  result.sampling_row = value_of(costs.sampling_row);
  result.cache_traffic = value_of(costs.cache_traffic);
  result.kv_read_per_sequence = value_of(costs.kv_read_per_sequence);
  result.decode_attention_work = value_of(costs.decode_attention_work);
  result.prefill_attention_work = value_of(costs.prefill_attention_work);
  result.attention_ranks = value_of(costs.attention_ranks);
  result.decode_rate = value_of(costs.decode_rate);
  result.attention = value_of(costs.attention);
  result.kv_reading = value_of(costs.kv_reading);
  result.starts = value_of(costs.starts);
  result.token_row = value_of(costs.token_row);
  result.host_step = value_of(costs.host_step);
  result.host_sequence = value_of(costs.host_sequence);
  result.bytes_per_hidden_value = value_of(costs.bytes_per_hidden_value);
  result.figures = {.time = value_of(costs.figures.time),
                    .experts = value_of(costs.figures.experts),
                    .prompts = value_of(costs.figures.prompts),
                    .host_step = value_of(costs.figures.host_step),
                    .host_sequence = value_of(costs.figures.host_sequence),
                    .first_token = value_of(costs.figures.first_token),
                    .burst = value_of(costs.figures.burst)};
  for (const StepCollective<Tracer>& collective : costs.collectives)
    result.collectives.push_back({.kind = static_cast<typename StepCollective<NoTrace>::Kind>(collective.kind),
                                  .count = value_of(collective.count),
                                  .ranks = value_of(collective.ranks),
                                  .span = value_of(collective.span),
                                  .token_share = value_of(collective.token_share),
                                  .width = value_of(collective.width),
                                  .bandwidth = value_of(collective.bandwidth),
                                  .start_up = value_of(collective.start_up)});
  if (costs.drafting)
    result.drafting = std::make_shared<const Drafting<NoTrace>>(
        Drafting<NoTrace>{.drafts = value_of(costs.drafting->drafts),
                          .tokens_per_step = value_of(costs.drafting->tokens_per_step),
                          .costs = plain_costs(costs.drafting->costs)});
  return result;
}

}  // namespace podwright
