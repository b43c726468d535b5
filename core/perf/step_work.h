#pragma once
/// Work and memory traffic of one engine step on one GPU: what its times (perf/engine_step.h) are made of.
/// docs/method/serving_time.md#roofline.
#include "base/arithmetic.h"
#include "perf/speculative.h"

namespace podwright {

template <class Tracer>
struct StepWork {
  typename Tracer::template Known<Flops> work{};     ///< of products and attention
  typename Tracer::template Known<Bytes> traffic{};  ///< weights, keys and values, states, rows in and out of products
};

/// Of the engine's own step.
template <class Tracer>
StepWork<Tracer> step_work(Tracer& trace, const EngineCosts<Tracer>& costs, const StepLoad<Tracer>& load) {
  const StepRows<Tracer> rows = rows_of_step(trace, costs, load);
  Total<Tracer, Flops> work;
  Total<Tracer, Bytes> traffic;
  for (const StepProducts<Tracer>& product : costs.products) {
    work.add(named("perf.products_work", products_work(product.count, rows.own_tokens, product.row_work)));
    traffic.add(named("perf.products_traffic",
                      products_traffic(product.count, 1.0, product.weights, rows.own_tokens, product.row_traffic)));
  }
  const StepExperts<Tracer>& experts = costs.experts;
  if (value_of(experts.count) > 0) {
    const ExpertLoad<Tracer> routed = experts_of_step(experts, rows.tokens);
    work.add(named("perf.experts_work", products_work(experts.count, routed.rows, experts.row_work)));
    traffic.add(named("perf.experts_traffic", products_traffic(experts.count, routed.touched, experts.weights,
                                                               routed.rows, experts.row_traffic)));
  }
  work.add(named("perf.head_work", costs.head_work_per_row * rows.own_rows));
  work.add(named("perf.decode_attention_work_of_step", costs.decode_attention_work * rows.own_sequences));
  work.add(named("perf.prefill_attention_work_of_step", costs.prefill_attention_work * rows.own_prompts));
  traffic.add(costs.head_bytes);
  traffic.add(named("perf.cache_traffic_of_step", costs.cache_traffic * rows.own_sequences));
  return {.work = work.sum(trace, "perf.work_of_step"), .traffic = traffic.sum(trace, "perf.traffic_of_step")};
}

/// With the draft's steps before it where there is a draft, as lane_step() takes their times.
template <class Tracer>
StepWork<Tracer> lane_work(Tracer& trace, const EngineCosts<Tracer>& costs, const StepLoad<Tracer>& load) {
  if (!costs.drafting) return step_work(trace, costs, load);
  const Drafting<Tracer>& drafting = *costs.drafting;
  StepWork<Tracer> step = step_work(trace, costs, verified_load(trace, drafting, load));
  StepWork<Tracer> first = step_work(trace, drafting.costs, load);
  Total<Tracer, Flops> work;
  Total<Tracer, Bytes> traffic;
  work.add(step.work);
  work.add(first.work);
  traffic.add(step.traffic);
  traffic.add(first.traffic);
  if (value_of(load.decoding) > 0) {
    const StepWork<Tracer> later = step_work(trace, drafting.costs, {load.decoding, 0.0, 0.0});
    const auto times = named("perf.later_drafts", later_drafts(drafting.drafts));
    work.add(named("perf.later_drafts_work", later.work * times));
    traffic.add(named("perf.later_drafts_traffic", later.traffic * times));
  }
  return {.work = work.sum(trace, "perf.work_with_draft"), .traffic = traffic.sum(trace, "perf.traffic_with_draft")};
}

}  // namespace podwright
