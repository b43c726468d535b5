#pragma once
/// Time of one step of a serving engine on one layout: what the tokens cost per GPU, put together once, then evaluated
/// for any number of sequences. docs/method/roofline.md#serving.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "memory/infeasible.h"
#include "memory/serving_run.h"
#include "model/flops.h"
#include "model/kv_cache.h"
#include "model/parameters.h"
#include "perf/attention.h"
#include "perf/ceilings.h"
#include "perf/collectives.h"
#include "perf/engine_step_formulas.h"
#include "perf/serving_formulas.h"

namespace podwright {

/// What the memory side says about a deployment.
template <class Tracer>
struct ServingLimits {
  typename Tracer::template Known<double> max_sequences{};       ///< of the whole deployment
  typename Tracer::template Known<double> max_batched_tokens{};  ///< of one engine step
  Bytes kv_element = bytes(2);                                   ///< one key or value element
  double pool_tokens = 0;  ///< that one pool holds whose sequences may be preempted; 0: none are
  double pools = 1;        ///< of the deployment
};

/// One kind of collective of a step: `count` times over `ranks` GPUs.
template <class Tracer>
struct StepCollective {
  enum class Kind { all_reduce, all_to_all, point_to_point };
  Kind kind = Kind::all_reduce;
  typename Tracer::template Known<double> count{};
  typename Tracer::template Known<double> ranks{};
  typename Tracer::template Known<double> span{};  ///< GPUs among which the ranks stand
  typename Tracer::template Known<double>
      token_share{};  ///< tokens of the step that one rank's message carries, as a share
  typename Tracer::template Known<double> width{};
  typename Tracer::template Known<BytesPerSecond> bandwidth{};
  typename Tracer::template Known<Seconds> start_up{};
};

template <class Tracer>
struct Drafting;

/// Costs per GPU, per token or per sequence, and the ceilings that turn them into time.
template <class Tracer>
struct EngineCosts {
  template <class T>
  using Known = typename Tracer::template Known<T>;

  std::string gemm_precision;
  Known<Flops> linear_work_per_token{};
  Known<Flops> head_work_per_row{};
  Known<Bytes> dense_weight_bytes{};
  Known<Bytes> expert_weight_bytes{};
  Known<Bytes> head_bytes{};
  Known<double> experts{};
  double experts_per_token = 0;  ///< 0: no experts
  Known<Bytes> kv_read_per_sequence{};
  Known<Flops> decode_attention_work{};   ///< per sequence
  Known<Flops> prefill_attention_work{};  ///< per prompt
  Known<double> attention_ranks{};        ///< attention data parallel: sequences are spread over them
  Known<FlopsPerSecond> gemm{};
  Known<FlopsPerSecond> head_gemm{};
  Known<FlopsPerSecond> attention{};
  Known<BytesPerSecond> weight_streaming{};
  Known<BytesPerSecond> head_streaming{};
  Known<BytesPerSecond> kv_reading{};
  Known<Seconds> overhead{};  ///< of one step
  Known<double> bytes_per_hidden_value{};
  std::vector<StepCollective<Tracer>> collectives;
  std::shared_ptr<const Drafting<Tracer>> drafting;  ///< null: a step yields one token of each sequence
};

/// Parts of one step, one after the other.
template <class Tracer>
struct StepTimes {
  using Known = typename Tracer::template Known<Seconds>;
  Known linear{};
  Known head{};
  Known decode_attention{};
  Known prefill_attention{};
  Known communication{};
  Known overhead{};
  Known draft{};  ///< of the draft model's own steps
  Known total{};
  bool weights_bind = false;  ///< the linear layers wait for their weights, not for arithmetic
  bool kv_binds = false;      ///< decode attention waits for the cache
};

namespace engine_detail {

/// How far back a query of this kind of layer sees in `context` tokens.
inline double attention_span(const LayerKind& kind, double context) {
  if (kind.attention == AttentionKind::sliding || kind.attention == AttentionKind::chunked) return kind.window_tokens;
  if (kind.attention == AttentionKind::sparse && kind.read_tokens > 0) return kind.read_tokens;
  return context;
}

template <class Tracer>
typename Tracer::template Known<double> pairs(Tracer& trace, const LayerKind& kind,
                                              const typename Tracer::template Known<double>& tokens,
                                              const typename Tracer::template Known<double>& span) {
  if (kind.attention == AttentionKind::chunked) return trace.step("perf.prompt_pairs", kChunkedPairs, tokens, span);
  return trace.step("perf.prompt_pairs", kCausalPairs, tokens, span);
}

}  // namespace engine_detail

/// Weights that a step reads.
template <class Tracer>
struct ReadParameters {
  using Known = typename Tracer::template Known<double>;
  Known dense{};    ///< in every step
  Known experts{};  ///< where touched
  Known head{};     ///< output head, also where tied
};

template <class Tracer>
ReadParameters<Tracer> read_parameters(Tracer& trace, const Model& model, const LayerStack& stack) {
  Total<Tracer, double> dense, experts;
  for (const LayerKind& kind : stack.kinds) {
    const LayerParameters<Tracer> layer = layer_parameters(trace, model, kind);
    const auto count = trace.method("layers_of_kind", kind.count, "docs/method/parameters_and_flops.md");
    const auto always = sum_of(trace, "perf.dense_parameters_of_layer", layer.attention, layer.dense_mlp,
                               layer.shared_experts, layer.router);
    dense.add(trace.step("perf.dense_parameters_of_kind", kParametersOfLayers, count, always));
    experts.add(trace.step("perf.expert_parameters_of_kind", kParametersOfLayers, count, layer.experts));
  }
  return {.dense = dense.sum(trace, "perf.dense_parameters"),
          .experts = experts.sum(trace, "perf.expert_parameters"),
          .head = end_parameters(trace, model).output_head};
}

namespace engine_detail {

/// Fills in bandwidth and start-up time of a collective; false where the links are not known.
template <class Tracer>
bool add_collective(Tracer& trace, const Catalog& catalog, const Gpu& gpu, StepCollective<Tracer> collective,
                    EngineCosts<Tracer>& costs, std::vector<std::string>& assumptions,
                    std::vector<Infeasible>& reasons) {
  using Kind = typename StepCollective<Tracer>::Kind;
  const double ranks = value_of(collective.ranks);
  if (value_of(collective.count) <= 0 || ranks <= 1) return true;
  const std::string_view operation =
      collective.kind == Kind::all_to_all ? "all-to-all-bus-bandwidth" : "all-reduce-bus-bandwidth";
  const bool inside = value_of(collective.span) <= node_gpus(catalog, gpu);
  std::optional<typename Tracer::template Known<BytesPerSecond>> bandwidth;
  if (inside) {
    bandwidth = node_ceiling(trace, catalog, gpu, operation, ranks, assumptions);
  } else if (const System* system = system_with_network(catalog, gpu)) {
    bandwidth = network_ceiling(trace, catalog, *system);
  }
  const bool fused = collective.kind == Kind::all_reduce &&
                     find_kernel_rate(catalog, gpu.id, "fused-all-reduce-latency", "any", ranks) != nullptr;
  const auto start_up =
      start_up_time(trace, catalog, gpu, fused ? "fused-all-reduce-latency" : "all-reduce-latency", ranks, assumptions);
  if (!bandwidth || !start_up) {
    reasons.push_back(
        {.code = inside ? "link-unknown" : "network-unknown",
         .message = "The catalog knows no link between " + std::to_string(static_cast<int>(value_of(collective.span))) +
                    " " + gpu.name +
                    (inside ? " of one node." : " on several nodes: no system with this GPU states its network."),
         .shortfall = 0,
         .unit = "",
         .ways_out = {merge_patch(
             collective.kind == Kind::point_to_point ? "parallelism.pipeline" : "parallelism.tensor", 1.0)}});
    return false;
  }
  collective.bandwidth = *bandwidth;
  collective.start_up = *start_up;
  costs.collectives.push_back(collective);
  return true;
}

/// Two exchanges a layer (after attention, after the MLP), and one send between pipeline stages.
template <class Tracer>
bool add_collectives(Tracer& trace, const Catalog& catalog, const Gpu& gpu, const Model& model, const LayerStack& stack,
                     const ServingRun& run, EngineCosts<Tracer>& costs, std::vector<std::string>& assumptions,
                     std::vector<Infeasible>& reasons) {
  using Kind = typename StepCollective<Tracer>::Kind;
  const ServingParallelism& parallelism = run.parallelism;
  double mixers = 0;
  double dense = 0;
  double moe = 0;
  for (const LayerKind& kind : stack.kinds) {
    if (kind.attention != AttentionKind::none) mixers += kind.count;
    if (kind.mlp == MlpKind::dense) dense += kind.count;
    if (kind.mlp == MlpKind::moe) moe += kind.count;
  }
  const char* const page = "docs/method/roofline.md#serving";
  const auto tensor = trace.input("/parallelism/tensor", parallelism.tensor);
  const auto attention_data = trace.input("/parallelism/attention_data", parallelism.attention_data);
  const auto group = trace.step("perf.gpus_of_group", kCountProduct, tensor, attention_data);
  const auto expert = trace.input("/parallelism/expert", parallelism.expert);
  const auto width = trace.fact(model, "hidden_size", model.hidden_size);
  const auto one = trace.constant("whole_step", 1.0, "definition");
  const auto attention_share = trace.step("perf.token_share", kEvenlyShared, one, attention_data);
  const auto gpu_share = trace.step("perf.token_share", kEvenlyShared, one, group);
  const bool replicas_of_attention = parallelism.attention_data > 1;
  const auto add = [&](Kind kind, double count, const auto& ranks, const auto& span, const auto& token_share,
                       const auto& message_width) {
    return add_collective(trace, catalog, gpu,
                          {.kind = kind,
                           .count = trace.method("perf.exchanges", count, page),
                           .ranks = ranks,
                           .span = span,
                           .token_share = token_share,
                           .width = message_width,
                           .bandwidth = {},
                           .start_up = {}},
                          costs, assumptions, reasons);
  };
  const bool all_to_all = replicas_of_attention && parallelism.expert > 1;
  if (!add(Kind::all_reduce, mixers + dense + (replicas_of_attention ? 0 : moe), tensor, tensor, attention_share,
           width))
    return false;
  if (replicas_of_attention && moe > 0 && !all_to_all && !add(Kind::all_reduce, moe, group, group, one, width))
    return false;
  if (all_to_all && moe > 0) {
    const auto copies = trace.step("perf.dispatch_width", kCountProduct, width,
                                   trace.fact(model, "experts_per_token", model.experts_per_token));
    if (!add(Kind::all_to_all, 2 * moe, expert, group, gpu_share, copies)) return false;
  }
  if (parallelism.pipeline > 1) {
    const auto two = trace.constant("sender_and_receiver", 2.0, "definition");
    const auto span = trace.step("perf.gpus_of_replica", kCountProduct, group,
                                 trace.input("/parallelism/pipeline", parallelism.pipeline));
    if (!add(Kind::point_to_point, parallelism.pipeline - 1, two, span, gpu_share, width)) return false;
  }
  return true;
}

}  // namespace engine_detail

/// Everything a step needs, or nothing and the reasons why not. `assumptions` gets a sentence for each estimated
/// ceiling.
template <class Tracer>
std::optional<EngineCosts<Tracer>> engine_costs(Tracer& trace, const Catalog& catalog, const Gpu& gpu,
                                                const Model& model, const ServingRun& run,
                                                const ServingLimits<Tracer>& limits,
                                                std::vector<std::string>& assumptions,
                                                std::vector<Infeasible>& reasons) {
  using Count = typename Tracer::template Known<double>;
  EngineCosts<Tracer> costs;
  const ServingParallelism& parallelism = run.parallelism;
  const WeightFormat* format = weight_format_of(catalog.weight_formats, run);
  if (format == nullptr) {
    reasons.push_back({.code = "format-not-supported",
                       .message = "The weight format " + run.weight_precision + " is not known.",
                       .shortfall = 0,
                       .unit = "",
                       .ways_out = {}});
    return std::nullopt;
  }
  costs.gemm_precision = gemm_precision(gpu, format->compute_precision);
  const std::string wide = gemm_precision(gpu, "bf16");
  if (costs.gemm_precision.empty()) {
    reasons.push_back({.code = "format-not-supported",
                       .message = gpu.name + " has no " + format->compute_precision +
                                  " matrix products and no bf16 ones to run " + format->id + " weights with.",
                       .shortfall = 0,
                       .unit = "",
                       .ways_out = {merge_patch("weight_precision", "fp16")}});
    return std::nullopt;
  }
  if (costs.gemm_precision != format->compute_precision)
    assumptions.push_back(format->id + " weights are multiplied in " + costs.gemm_precision + " on " + gpu.name +
                          ", which has no " + format->compute_precision + " products.");

  const auto gemm = gemm_ceiling(trace, catalog, gpu, costs.gemm_precision, assumptions);
  const auto head_gemm = gemm_ceiling(trace, catalog, gpu, wide, assumptions);
  const auto attention = attention_ceiling(trace, catalog, gpu, assumptions);
  const auto streaming = memory_ceiling(trace, catalog, gpu, "weight-streaming",
                                        streaming_precision(format->bits_per_weight), assumptions);
  const auto head_streaming =
      memory_ceiling(trace, catalog, gpu, "weight-streaming", streaming_precision(format->head_bits), assumptions);
  const auto kv_reading =
      memory_ceiling(trace, catalog, gpu, "kv-reading", limits.kv_element > bytes(1.5) ? "bf16" : "fp8", assumptions);
  const KernelRate* overhead = find_kernel_rate(catalog, "any", "layer-overhead", "any");
  if (!gemm || !head_gemm || !attention || !streaming || !head_streaming || !kv_reading || overhead == nullptr) {
    reasons.push_back({.code = "rate-unknown",
                       .message = "The catalog has no rate of matrix products or of memory for " + gpu.name + ".",
                       .shortfall = 0,
                       .unit = "",
                       .ways_out = {}});
    return std::nullopt;
  }
  costs.gemm = *gemm;
  costs.head_gemm = *head_gemm;
  costs.attention = *attention;
  costs.weight_streaming = *streaming;
  costs.head_streaming = *head_streaming;
  costs.kv_reading = *kv_reading;

  const auto tensor = trace.input("/parallelism/tensor", parallelism.tensor);
  const auto attention_data = trace.input("/parallelism/attention_data", parallelism.attention_data);
  const auto group = trace.step("perf.gpus_of_group", kCountProduct, tensor, attention_data);
  const LayerStack stack = layer_stack(model);
  const ReadParameters<Tracer> weights = read_parameters(trace, model, stack);
  const auto bits = trace.fact(*format, "bits_per_weight", format->bits_per_weight);
  const auto head_bits = trace.fact(*format, "head_bits", format->head_bits);
  costs.dense_weight_bytes = trace.step("perf.dense_weight_bytes", kStreamedWeightBytes, weights.dense, bits, tensor);
  costs.expert_weight_bytes =
      trace.step("perf.expert_weight_bytes", kStreamedWeightBytes, weights.experts, bits, group);
  costs.head_bytes = trace.step("perf.head_bytes", kStreamedWeightBytes, weights.head, head_bits, tensor);
  costs.experts = trace.fact(model, "experts", model.experts);
  costs.experts_per_token = model.experts > 0 ? model.experts_per_token : 0;
  costs.attention_ranks = attention_data;

  const auto input = trace.input("/input_tokens", run.input_tokens);
  const auto output = trace.input("/output_tokens", run.output_tokens);
  const auto hit = trace.input("/prefix_hit_ratio", run.prefix_hit_ratio);
  const auto context = trace.step("perf.mean_context", kMeanContext, input, output);
  const auto prefix = trace.step("perf.prefix_tokens", kCountProduct, input, hit);
  const KvStore store{.element = limits.kv_element, .tensor = parallelism.tensor, .indexer = false};
  const FlopsPerToken<Tracer> flops = flops_per_token(trace, model, stack, FlopsConvention{}, input);
  const auto layer_work = trace.step("perf.forward_work", kForwardFlops,
                                     sum_of(trace, "perf.layer_flops", flops.mixer_projections, flops.mlp));
  costs.linear_work_per_token = trace.step("perf.linear_work_per_token", kWorkPerGpu, layer_work, group);
  costs.head_work_per_row = trace.step("perf.head_work_per_row", kWorkPerGpu,
                                       trace.step("perf.head_forward_work", kForwardFlops, flops.output_head), group);
  Total<Tracer, Bytes> kv_read_total;
  Total<Tracer, Flops> decode_total;
  Total<Tracer, Flops> prefill_total;
  for (const LayerKind& kind : stack.kinds) {
    const auto layers = trace.method("layers_of_kind", kind.count, "docs/method/parameters_and_flops.md");
    if (kind.attention == AttentionKind::linear) {
      const auto passes =
          trace.constant("state_read_and_written", 2.0, "a decode step reads the state and writes it back");
      kv_read_total.add(trace.step("perf.state_traffic", kBytesInLayers, layers, passes,
                                   state_layer_bytes(trace, model, kind, store)));
    }
    if (!has_attention(kind)) continue;
    const LayerFacts<Tracer> facts = layer_facts(trace, model, kind);
    const auto heads = trace.step("perf.heads_per_gpu", kEvenlyShared, facts.heads, tensor);
    const auto span_of = [&](const Count& whole) {
      const double span = engine_detail::attention_span(kind, value_of(whole));
      return span == value_of(whole) ? whole
                                     : trace.method("perf.attention_span", span, "docs/method/roofline.md#attention");
    };
    const auto read = trace.step("perf.tokens_read", kTokensRead, context, span_of(context));
    const auto read_in_layers = trace.step("perf.tokens_read_in_layers", kCountProduct, layers, read);
    const auto rank = kind.latent ? trace.fact(model, "kv_lora_rank", model.kv_lora_rank) : facts.v_head_dim;
    const auto key_dim = kind.latent ? trace.step("perf.latent_width", kLatentWidth, rank,
                                                  trace.fact(model, "qk_rope_dim", model.qk_rope_dim))
                                     : facts.head_dim;
    kv_read_total.add(
        trace.step("perf.kv_read", kBytesInLayers, layers, read, kv_layer_token_bytes(trace, model, kind, store)));
    decode_total.add(trace.step("perf.decode_attention_work", kAttentionWork, read_in_layers, heads, key_dim, rank));

    const auto whole_pairs = engine_detail::pairs(trace, kind, input, span_of(input));
    const auto prefix_pairs = engine_detail::pairs(trace, kind, prefix, span_of(prefix));
    const auto new_pairs = trace.step("perf.pairs_after_prefix", kCountDifference, whole_pairs, prefix_pairs);
    const auto pairs_in_layers = trace.step("perf.pairs_in_layers", kCountProduct, layers, new_pairs);
    prefill_total.add(trace.step("perf.prefill_attention_work", kAttentionWork, pairs_in_layers, heads, facts.head_dim,
                                 facts.v_head_dim));
    if (model.indexer && kind.attention == AttentionKind::sparse) {
      const auto selector_heads = trace.fact(model, "indexer.heads", model.indexer->heads);
      const auto selector_dim = trace.fact(model, "indexer.head_dim", model.indexer->head_dim);
      const auto no_values = trace.constant("no_values", 0.0, "the selector computes scores only");
      const auto whole = trace.step("perf.selector_pairs", kCausalPairs, input, input);
      const auto known = trace.step("perf.selector_pairs", kCausalPairs, prefix, prefix);
      const auto pairs = trace.step("perf.selector_pairs_in_layers", kCountProduct, layers,
                                    trace.step("perf.pairs_after_prefix", kCountDifference, whole, known));
      const auto keys =
          trace.step("perf.selector_keys", kIndexerBytesPerLayer, selector_dim,
                     trace.constant("selector_element", store.indexer_element, "selector keys are 16 bit"));
      kv_read_total.add(trace.step("perf.selector_read", kBytesInLayers, layers, context, keys));
      decode_total.add(trace.step("perf.selector_decode_work", kAttentionWork,
                                  trace.step("perf.selector_tokens", kCountProduct, layers, context), selector_heads,
                                  selector_dim, no_values));
      prefill_total.add(
          trace.step("perf.selector_prefill_work", kAttentionWork, pairs, selector_heads, selector_dim, no_values));
    }
  }
  costs.kv_read_per_sequence = kv_read_total.sum(trace, "perf.kv_read_per_sequence");
  costs.decode_attention_work = decode_total.sum(trace, "perf.decode_attention_work_per_sequence");
  costs.prefill_attention_work = prefill_total.sum(trace, "perf.prefill_attention_work_per_prompt");

  const auto layers = trace.fact(model, "layers", model.layers);
  costs.overhead = trace.step("perf.step_overhead", kRepeatedTime, layers,
                              trace.fact(*overhead, "typical", Seconds(overhead->typical)));
  costs.bytes_per_hidden_value = trace.constant("bytes_per_hidden_value", 2.0, "hidden states are exchanged in 16 bit");
  if (!engine_detail::add_collectives(trace, catalog, gpu, model, stack, run, costs, assumptions, reasons))
    return std::nullopt;
  return costs;
}

/// One step with `decoding` sequences that decode and `prompt_tokens` prompt tokens, which are `prompts` whole prompts
/// on average.
template <class Tracer>
StepTimes<Tracer> engine_step(Tracer& trace, const EngineCosts<Tracer>& costs,
                              const typename Tracer::template Known<double>& decoding,
                              const typename Tracer::template Known<double>& prompt_tokens,
                              const typename Tracer::template Known<double>& prompts) {
  using Kind = typename StepCollective<Tracer>::Kind;
  const auto tokens = sum_of(trace, "perf.tokens_of_step", decoding, prompt_tokens);
  const auto rows = sum_of(trace, "perf.head_rows_of_step", decoding, prompts);
  StepTimes<Tracer> step;
  auto weights = costs.dense_weight_bytes;
  if (costs.experts_per_token > 0) {
    const auto untouched =
        trace.method("perf.untouched_expert_share",
                     untouched_expert_share(value_of(costs.experts), costs.experts_per_token, value_of(tokens)),
                     "docs/method/roofline.md#experts");
    const auto touched = trace.step("perf.experts_touched", kExpertsTouched, costs.experts, untouched);
    weights = sum_of(
        trace, "perf.weights_read", weights,
        trace.step("perf.expert_weights_read", kBytesOfExperts, costs.expert_weight_bytes, touched, costs.experts));
  }
  const auto linear_work = trace.step("perf.linear_work", kWorkOfTokens, costs.linear_work_per_token, tokens);
  step.linear = trace.step("perf.linear_time", kRooflineTime, linear_work, costs.gemm, weights, costs.weight_streaming);
  step.weights_bind = value_of(step.linear) > value_of(linear_work) / value_of(costs.gemm);
  step.head = trace.step("perf.head_time", kRooflineTime,
                         trace.step("perf.head_work", kWorkOfTokens, costs.head_work_per_row, rows), costs.head_gemm,
                         costs.head_bytes, costs.head_streaming);
  const auto own_sequences =
      trace.step("perf.sequences_per_attention_rank", kEvenlyShared, decoding, costs.attention_ranks);
  const auto own_prompts = trace.step("perf.prompts_per_attention_rank", kEvenlyShared, prompts, costs.attention_ranks);
  const auto decode_work =
      trace.step("perf.decode_attention_work_of_step", kWorkOfTokens, costs.decode_attention_work, own_sequences);
  const auto kv_read = trace.step("perf.kv_read_of_step", kReadOfSequences, costs.kv_read_per_sequence, own_sequences);
  step.decode_attention =
      trace.step("perf.decode_attention_time", kRooflineTime, decode_work, costs.attention, kv_read, costs.kv_reading);
  step.kv_binds = value_of(step.decode_attention) > value_of(decode_work) / value_of(costs.attention);
  step.prefill_attention = trace.step(
      "perf.prefill_attention_time", kComputeTime,
      trace.step("perf.prefill_attention_work_of_step", kWorkOfTokens, costs.prefill_attention_work, own_prompts),
      costs.attention);
  Total<Tracer, Seconds> communication;
  for (const StepCollective<Tracer>& collective : costs.collectives) {
    const auto carried = trace.step("perf.tokens_of_message", kCountProduct, tokens, collective.token_share);
    const auto message =
        trace.step("perf.message_bytes", kMessageBytes, carried, collective.width, costs.bytes_per_hidden_value);
    const auto each =
        collective.kind == Kind::all_reduce   ? trace.step("perf.all_reduce_time", kAllReduceTime, collective.ranks,
                                                           message, collective.bandwidth, collective.start_up)
        : collective.kind == Kind::all_to_all ? trace.step("perf.all_to_all_time", kAllToAllTime, collective.ranks,
                                                           message, collective.bandwidth, collective.start_up)
                                              : trace.step("perf.point_to_point_time", kPointToPointTime, message,
                                                           collective.bandwidth, collective.start_up);
    communication.add(trace.step("perf.exchanges_time", kRepeatedTime, collective.count, each));
  }
  step.communication = communication.sum(trace, "perf.communication_time");
  step.overhead = costs.overhead;
  step.total = sum_of(trace, "perf.step_time", step.linear, step.head, step.decode_attention, step.prefill_attention,
                      step.communication, step.overhead);
  return step;
}

}  // namespace podwright
