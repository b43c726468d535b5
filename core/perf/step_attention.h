#pragma once
/// Attention of a step: what sequences read of their cache, and the arithmetic of decoding and of prompts.
/// docs/method/serving_time.md#attention.
#include "base/arithmetic.h"
#include "memory/prefix_share.h"
#include "memory/serving_budget.h"
#include "model/kv_cache.h"
#include "model/layers.h"
#include "perf/lane_schedule.h"
#include "perf/step_arithmetic.h"
#include "perf/step_costs.h"
#include "perf/step_rates.h"

namespace podwright {

/// How far back a query of this kind of layer sees in `context` tokens.
inline double attention_span(const LayerKind& kind, double context) {
  if (kind.attention == AttentionKind::sliding || kind.attention == AttentionKind::chunked) return kind.window_tokens;
  if (kind.attention == AttentionKind::sparse && kind.read_tokens > 0) return kind.read_tokens;
  return context;
}

/// Pairs of a query and a key in a prompt of so many tokens.
template <class Tokens>
Tokens prompt_pairs(const LayerKind& kind, const Tokens& tokens, const Tokens& span) {
  return kind.attention == AttentionKind::chunked ? named("perf.prompt_pairs", chunked_pairs(tokens, span))
                                                  : named("perf.prompt_pairs", causal_pairs(tokens, span));
}

/// Rates of attention on this GPU, with the factors of the engine.
template <class Tracer>
void add_attention_rates(Tracer& trace, const ServingEfficiency& efficiency, const Gpu& gpu,
                         const StepRates<Tracer>& rates, EngineCosts<Tracer>& costs) {
  using C = ServingConstant;
  const StepConstants<Tracer> constants(trace, efficiency);
  const auto per_engine = named("perf.engine_rate_factor", rate_factor(rates.factors.engine));
  costs.kv_reading =
      reached_bandwidth(trace, gpu,
                        named("perf.kv_reading", rates.kv_reading * constants(rates.from_file ? C::file_kv
                                                                              : rates.wide_kv ? C::kv_16_bit
                                                                                              : C::kv_8_bit)),
                        rates.factors.engine);
  costs.decode_rate =
      named("perf.decode_attention_rate",
            named("perf.decode_attention_products", rates.head_products * constants(C::decode_attention)) * per_engine);
  costs.attention =
      rates.from_file ? named("perf.file_attention", rates.mlp_weights.rates->products * constants(C::file_attention))
                      : named("perf.prompt_attention_rate",
                              named("perf.prompt_attention", rates.prompt_attention * constants(C::prompt_attention)) *
                                  named("perf.kernel_rate_factor", rate_factor(rates.factors.kernels)));
}

/// Traffic of a sequence that decodes, arithmetic of it and of a whole prompt.
template <class Tracer>
void add_attention_work(Tracer& trace, const ServingEfficiency& efficiency, const Model& model, const LayerStack& stack,
                        const ServingRun& run, Bytes kv_element, EngineCosts<Tracer>& costs) {
  using Count = Known<Tracer, double>;
  const StepConstants<Tracer> constants(trace, efficiency);
  const auto tensor = trace.input("/parallelism/tensor", run.parallelism.tensor);
  const auto input = trace.input("/input_tokens", run.input_tokens);
  const auto output = trace.input("/output_tokens", run.output_tokens);
  const auto context =
      named("perf.mean_context",
            mean_context(input, named("memory.answer_met",
                                      met_length(output, trace.input("/output_tokens_cv", run.output_tokens_cv)))));
  const auto computed = named("perf.new_prompt_tokens", new_prompt_tokens(input, prefix_hits(trace, run)));
  const auto met = computed_met(trace, run, computed);
  const auto prefix = found_met(trace, run);
  const auto prompt = named("perf.prompt_of_a_token", prefix + met);
  // Pairs grow faster than lengths, so that they are counted for each computed token in the prompt that it stands in.
  const auto new_pairs = [&](const auto& pairs_of) {
    const auto pairs = named("perf.pairs_after_prefix", pairs_of(prompt) - pairs_of(prefix));
    if (value_of(met) == value_of(computed)) return pairs;
    return named("perf.pairs_of_mean_prompt", pairs * (computed / met));
  };
  const KvStore store{.element = kv_element, .tensor = run.parallelism.tensor, .indexer = false};
  Total<Tracer, Bytes> kv_read_total;
  Total<Tracer, Bytes> traffic_total;
  Total<Tracer, Flops> decode_total;
  Total<Tracer, Flops> prefill_total;
  for (const LayerKind& kind : stack.kinds) {
    const auto layers = trace.method("layers_of_kind", kind.count, "docs/method/parameters_and_flops.md");
    if (kind.attention == AttentionKind::linear) {
      const auto both_ways =
          trace.constant("state_read_and_written", 2.0, "a decode step reads the state and writes it back");
      const auto traffic =
          named("perf.state_traffic", bytes_in_layers(layers, both_ways, state_layer_bytes(trace, model, kind, store)));
      kv_read_total.add(
          named("perf.state_traffic_at_kv_rate",
                cited("docs/method/serving_time.md#attention", traffic / constants(ServingConstant::state_rate))));
      traffic_total.add(traffic);
    }
    if (!has_attention(kind)) continue;
    const LayerFacts<Tracer> facts = layer_facts(trace, model, kind);
    const auto heads = named("perf.heads_per_gpu", facts.heads / tensor);
    const auto span_of = [&](const Count& whole) {
      const double span = attention_span(kind, value_of(whole));
      return span == value_of(whole)
                 ? whole
                 : trace.method("perf.attention_span", span, "docs/method/serving_time.md#attention");
    };
    const auto read = named("perf.tokens_read", tokens_read(context, span_of(context)));
    const auto read_in_layers = named("perf.tokens_read_in_layers", layers * read);
    const auto rank = kind.latent ? trace.fact(model, "kv_lora_rank", model.kv_lora_rank) : facts.v_head_dim;
    const auto key_dim =
        kind.latent ? named("perf.latent_width", cited("arXiv 2405.04434 section 2.1.2 (absorbed projections)",
                                                       rank + trace.fact(model, "qk_rope_dim", model.qk_rope_dim)))
                    : facts.head_dim;
    const auto kv_read =
        named("perf.kv_read", bytes_in_layers(layers, read, kv_layer_token_bytes(trace, model, kind, store)));
    kv_read_total.add(kv_read);
    traffic_total.add(kv_read);
    decode_total.add(named("perf.decode_attention_work", attention_work(read_in_layers, heads, key_dim, rank)));

    const auto pairs = new_pairs([&](const Count& tokens) { return prompt_pairs(kind, tokens, span_of(tokens)); });
    const auto pairs_in_layers = named("perf.pairs_in_layers", layers * pairs);
    prefill_total.add(
        named("perf.prefill_attention_work", attention_work(pairs_in_layers, heads, facts.head_dim, facts.v_head_dim)));
    if (model.indexer && kind.attention == AttentionKind::sparse) {
      const auto selector_heads = trace.fact(model, "indexer.heads", model.indexer->heads);
      const auto selector_dim = trace.fact(model, "indexer.head_dim", model.indexer->head_dim);
      const auto selected =
          new_pairs([](const Count& tokens) { return named("perf.selector_pairs", causal_pairs(tokens, tokens)); });
      const auto selected_in_layers = named("perf.selector_pairs_in_layers", layers * selected);
      const auto keys = named(
          "perf.selector_keys",
          indexer_bytes_per_layer(
              selector_dim, trace.constant("selector_element", store.indexer_element, "selector keys are 16 bit")));
      const auto selector_read = named("perf.selector_read", bytes_in_layers(layers, context, keys));
      kv_read_total.add(selector_read);
      traffic_total.add(selector_read);
      decode_total.add(
          named("perf.selector_decode_work",
                attention_work(named("perf.selector_tokens", layers * context), selector_heads, selector_dim, 0.0)));
      prefill_total.add(
          named("perf.selector_prefill_work", attention_work(selected_in_layers, selector_heads, selector_dim, 0.0)));
    }
  }
  costs.kv_read_per_sequence = kv_read_total.sum(trace, "perf.kv_read_per_sequence");
  costs.cache_traffic = traffic_total.sum(trace, "perf.cache_traffic_per_sequence");
  costs.decode_attention_work = decode_total.sum(trace, "perf.decode_attention_work_per_sequence");
  costs.prefill_attention_work = prefill_total.sum(trace, "perf.prefill_attention_work_per_prompt");
}

}  // namespace podwright
