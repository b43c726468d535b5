#pragma once
/// What the tokens and sequences of a step cost on one GPU of a layout: put together once, then evaluated for any
/// number of them (perf/engine_step.h). docs/method/serving_time.md.
#include <optional>
#include <string>
#include <vector>

#include "base/arithmetic.h"
#include "base/infeasible.h"
#include "catalog/catalog.h"
#include "memory/serving_run.h"
#include "model/flops.h"
#include "model/parameters.h"
#include "perf/step_attention.h"
#include "perf/step_exchanges.h"
#include "perf/step_products.h"

namespace podwright {

/// The output head and the choice of tokens.
template <class Tracer>
void add_head(Tracer& trace, const ServingEfficiency& efficiency, const Gpu& gpu, const Model& model,
              const LayerStack& stack, const ServingRun& run, const StepRates<Tracer>& rates,
              EngineCosts<Tracer>& costs) {
  const StepConstants<Tracer> constants(trace, efficiency);
  const auto tensor = trace.input("/parallelism/tensor", run.parallelism.tensor);
  costs.head_bytes =
      named("perf.head_bytes", weight_bytes(end_parameters(trace, model).output_head,
                                            trace.fact(*rates.format, "head_bits", rates.format->head_bits), tensor));
  costs.head_gemm =
      reached_products(trace, gpu, gemm_precision(gpu, "bf16"), rates.head_products, rates.factors.engine);
  costs.head_streaming = reached_bandwidth(trace, gpu, rates.wide_streaming, rates.factors.engine);
  costs.head_work_per_row =
      named("perf.head_work_per_row",
            named("perf.head_forward_work", cited("backward does twice the forward work",
                                                  flops_per_token(trace, model, stack, FlopsConvention{},
                                                                  trace.input("/input_tokens", run.input_tokens))
                                                          .output_head /
                                                      3.0)) /
                tensor);
  costs.sampling_row =
      named("perf.sampling_row",
            named("perf.sampling_row_time",
                  sampling_row_time(constants(ServingConstant::sampling_passes),
                                    trace.fact(model, "vocab_size", model.vocab_size), rates.wide_streaming)) *
                rates.factors.engine);
}

/// What a step takes beside its large kernels: starts, small kernels, the hosts.
template <class Tracer>
void add_overhead(Tracer& trace, const ServingEfficiency& efficiency, const Model& model, const LayerStack& stack,
                  const ServingRun& run, const StepRates<Tracer>& rates, EngineCosts<Tracer>& costs) {
  using C = ServingConstant;
  const StepConstants<Tracer> constants(trace, efficiency);
  double recurrent = 0;
  double half_layers = 0;
  for (const LayerKind& kind : stack.kinds) {
    if (kind.attention == AttentionKind::linear) recurrent += kind.count;
    if (kind.attention != AttentionKind::none) half_layers += kind.count;
    if (kind.mlp != MlpKind::none) half_layers += kind.count;
  }
  const char* const page = "docs/method/parameters_and_flops.md";
  const auto layers = trace.fact(model, "layers", model.layers);
  const auto recurrent_layers = trace.method("recurrent_layers", recurrent, page);
  const auto attending_layers = trace.method("attending_layers", model.layers - recurrent, page);
  const auto all_starts = sum_of(
      trace, "perf.layer_starts", named("perf.small_kernel_starts", layers * constants.seconds(C::layer_start_s)),
      named("perf.attention_starts", attending_layers * constants.seconds(C::decode_attention_start_s)),
      named("perf.state_starts", recurrent_layers * constants.seconds(C::state_start_s)));
  costs.starts = named("perf.starts", all_starts * rates.factors.starts);
  costs.token_row =
      named("perf.token_row",
            named("perf.elementwise_row",
                  elementwise_row_time(constants(C::elementwise_passes), trace.method("half_layers", half_layers, page),
                                       trace.fact(model, "hidden_size", model.hidden_size), rates.wide_streaming)) *
                rates.factors.starts);
  // Where no client waits for single tokens the host has less to do.
  const auto streamed = run.load.kind == LoadKind::max_throughput
                            ? constants(C::unstreamed_host)
                            : trace.constant("streamed_host", 1.0, "clients wait for single tokens");
  const auto stages = rates.from_file ? trace.constant("one_host", 1.0, "one process of llama.cpp drives all stages")
                                      : trace.input("/parallelism/pipeline", run.parallelism.pipeline);
  const auto per_stage = value_of(stages) > 1 ? constants.seconds(C::host_stage_s) : Seconds(0);
  costs.host_step = named("perf.host_step", host_step_time(stages, streamed, rates.figures.host_step, per_stage));
  costs.host_sequence = named("perf.host_sequence", rates.figures.host_sequence * streamed);
}

/// The costs of a layout whose rates are known; nothing, and the reason, where its links are not. `stack` is
/// layer_stack(model). `assumptions` gets a sentence for each estimated ceiling.
template <class Tracer>
std::optional<EngineCosts<Tracer>> costs_of_layout(Tracer& trace, const Catalog& catalog, const Gpu& gpu,
                                                   const Model& model, const LayerStack& stack, const ServingRun& run,
                                                   const StepRates<Tracer>& rates, Bytes kv_element,
                                                   std::vector<std::string>& assumptions,
                                                   std::vector<Infeasible>& reasons) {
  const ServingEfficiency& efficiency = catalog.serving_efficiency;
  EngineCosts<Tracer> costs;
  costs.gemm_precision = rates.gemm_precision;
  costs.figures = rates.figures;
  costs.attention_ranks = trace.input("/parallelism/attention_data", run.parallelism.attention_data);
  costs.bytes_per_hidden_value = trace.constant("bytes_per_hidden_value", 2.0, "hidden states are exchanged in 16 bit");
  add_products(trace, efficiency, model, stack, run, rates, costs);
  add_head(trace, efficiency, gpu, model, stack, run, rates, costs);
  add_attention_rates(trace, efficiency, gpu, rates, costs);
  add_attention_work(trace, efficiency, model, stack, run, kv_element, costs);
  add_overhead(trace, efficiency, model, stack, run, rates, costs);
  const LinkFactors<Tracer> links = link_factors(trace, efficiency, gpu, rates.factors);
  if (!add_collectives(trace, catalog, gpu, model, stack, run, links, costs, assumptions, reasons)) return std::nullopt;
  return costs;
}

/// Everything a step needs, or nothing and the reasons why not.
template <class Tracer>
std::optional<EngineCosts<Tracer>> engine_costs(Tracer& trace, const Catalog& catalog, const Gpu& gpu,
                                                const Model& model, const LayerStack& stack, const ServingRun& run,
                                                const ServingLimits<Tracer>& limits,
                                                std::vector<std::string>& assumptions,
                                                std::vector<Infeasible>& reasons) {
  const auto rates = step_rates(trace, catalog, gpu, model, run, limits.kv_element, assumptions, reasons);
  if (!rates) return std::nullopt;
  return costs_of_layout(trace, catalog, gpu, model, stack, run, *rates, limits.kv_element, assumptions, reasons);
}
}  // namespace podwright
