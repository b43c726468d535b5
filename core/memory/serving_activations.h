#pragma once
/// Activation peak of an engine step on one GPU, by the engine's own convention. docs/method/serving_memory.md.
#include <optional>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "catalog/engine.h"
#include "memory/serving_run.h"
#include "memory/serving_weights.h"
#include "model/layers.h"
#include "model/total.h"

namespace podwright {

/// Two-byte values, `multiple` of them per token and unit of attention width, and an overhead on top.
constexpr auto width_multiple_peak(Of<double> auto tokens, Of<double> auto width, Of<double> auto multiple,
                                   Of<double> auto overhead) {
  return cited("ai-dynamo/aiconfigurator @095f58a51 trtllm_backend.py",
               in<Bytes>(2.0 * tokens * width * multiple * (1.0 + overhead)));
}

/// Workspace of fine-grained experts with block scales: a 32-bit value per block, expert slot and hidden value.
constexpr auto fine_grained_workspace(Of<double> auto token_values, Of<double> auto expert_slots,
                                      Of<double> auto block) {
  return cited("ai-dynamo/aiconfigurator @095f58a51 trtllm_backend.py",
               in<Bytes>(token_values * expert_slots / block * 4.0));
}

/// Hidden values that all attention ranks send into the experts.
constexpr auto gathered_token_values(Of<double> auto tokens, Of<double> auto hidden, Of<double> auto attention_data) {
  return cited("ai-dynamo/aiconfigurator @095f58a51 trtllm_backend.py", tokens * hidden * attention_data);
}

constexpr auto expert_slots(Of<double> auto experts, Of<double> auto experts_per_token,
                            Of<double> auto expert_parallel) {
  return cited("ai-dynamo/aiconfigurator @095f58a51 trtllm_backend.py", experts * experts_per_token / expert_parallel);
}

/// The widest moment of a layer: every projection into the MLP, and a few copies of the hidden state.
constexpr auto forward_peak(Of<double> auto tokens, Of<double> auto ffn_width, Of<double> auto hidden,
                            Of<double> auto hidden_values) {
  return cited("fit to peaks printed by vLLM 0.17 to 0.19",
               in<Bytes>(2.0 * tokens * (ffn_width + hidden_values * hidden)));
}

/// Width of all MLP projections together on one GPU.
constexpr auto ffn_width_on_gpu(Of<double> auto matrices, Of<double> auto ffn_hidden, Of<double> auto tensor) {
  return cited("arXiv 1909.08053", matrices * ffn_hidden / tensor);
}

/// 16-bit hidden states of a step; `copies` of them.
constexpr auto hidden_state_bytes(Of<double> auto tokens, Of<double> auto hidden, Of<double> auto copies) {
  return in<Bytes>(2.0 * copies * tokens * hidden);
}

/// Logits of the sequences sampled in one step with their copies in other widths, sorted values and masks.
constexpr auto logit_buffers(Of<double> auto sequences, Of<double> auto vocabulary, Of<double> auto logit_bytes) {
  return cited("fit to peaks printed by vLLM 0.15 to 0.19", in<Bytes>(sequences * vocabulary * logit_bytes));
}

/// Width of one expert on one GPU, where expert parallelism does not already spread whole experts.
constexpr auto expert_width_on_gpu(Of<double> auto moe_ffn_hidden, Of<double> auto expert_parallel,
                                   Of<double> auto ranks) {
  return cited("definition of expert and tensor parallel experts", moe_ffn_hidden * expert_parallel / ranks);
}

/// Input and output buffers of the fused experts, which stay allocated while tokens are sampled.
constexpr auto expert_buffers(Of<double> auto tokens, Of<double> auto experts_per_token, Of<double> auto width,
                              Of<double> auto hidden) {
  return cited("vLLM fused mixture-of-experts kernels; agrees with five printed peaks within 0.02 GiB",
               in<Bytes>(2.0 * tokens * experts_per_token * (max(2.0 * width, hidden) + max(width, hidden))));
}

/// Attention scores of one sequence of `context` tokens at 512 tokens a step, before fused attention.
constexpr auto context_score_bytes(Of<double> auto heads, Of<double> auto context, Of<Bytes> auto per_head_and_token,
                                   Of<Bytes> auto per_head) {
  return cited("NyxKrage LLM model VRAM calculator", heads * (context * per_head_and_token + per_head));
}

/// One engine step.
struct EngineStep {
  double tokens = 0;     ///< that the engine prepares for
  double sequences = 0;  ///< whose next token it samples at once
  double context = 0;    ///< length that a sequence may reach
  bool last_stage = true;
  bool expert_buffers = true;  ///< the weight format's kernels keep the experts' buffers
};

namespace serving_detail {

/// Width of attention: heads x head size; with latent attention the hidden size.
template <class Tracer>
Known<Tracer, double> attention_width(Tracer& trace, const Model& model) {
  if (model.kv_lora_rank > 0) return trace.fact(model, "hidden_size", model.hidden_size);
  return named("memory.attention_width", trace.fact(model, "attention_heads", model.attention_heads) *
                                             trace.fact(model, "head_dim", model.head_dim));
}

template <class Tracer>
std::optional<Known<Tracer, Bytes>> width_multiple(Tracer& trace, const Model& model, const EngineConventions& c,
                                                   const ServingParallelism& p, const EngineStep& step) {
  const ActivationConvention& rule = *c.activation;
  const bool experts = model.experts > 0;
  const std::optional<double> multiple = by_tensor(experts ? rule.expert_multiple : rule.dense_multiple, p.tensor);
  if (!multiple || step.tokens <= 0) return {};
  const auto tokens = trace.method("step_tokens", step.tokens, "docs/method/serving_memory.md#step");
  Total<Tracer, Bytes> parts;
  parts.add(named("memory.width_multiple_peak",
                  width_multiple_peak(
                      tokens, attention_width(trace, model),
                      trace.fact(c, experts ? "activation.expert_multiple" : "activation.dense_multiple", *multiple),
                      trace.fact(c, "activation.overhead", rule.overhead))));
  if (experts && model.kv_lora_rank > 0 && rule.expert_workspace_block) {
    const auto values = named("memory.gathered_token_values",
                              gathered_token_values(tokens, trace.fact(model, "hidden_size", model.hidden_size),
                                                    trace.input("/parallelism/attention_data", p.attention_data)));
    const auto slots = named("memory.expert_slots",
                             podwright::expert_slots(trace.fact(model, "experts", model.experts),
                                                     trace.fact(model, "experts_per_token", model.experts_per_token),
                                                     trace.input("/parallelism/expert", p.expert)));
    parts.add(
        named("memory.fine_grained_workspace",
              fine_grained_workspace(
                  values, slots, trace.fact(c, "activation.expert_workspace_block", *rule.expert_workspace_block))));
  }
  const auto peak = parts.sum(trace, "memory.activations_before_minimum");
  if (!rule.minimum) return peak;
  return named("memory.activations", max(peak, trace.fact(c, "activation.minimum", *rule.minimum)));
}

template <class Tracer>
std::optional<Known<Tracer, Bytes>> forward_or_sampler(Tracer& trace, const Model& model, const LayerStack& stack,
                                                       const EngineConventions& c, const ServingParallelism& p,
                                                       const EngineStep& step) {
  if (step.tokens <= 0) return {};
  const ActivationConvention& rule = *c.activation;
  const auto tokens = trace.method("step_tokens", step.tokens, "docs/method/serving_memory.md#step");
  const auto hidden = trace.fact(model, "hidden_size", model.hidden_size);
  const auto tensor = trace.input("/parallelism/tensor", p.tensor);
  const auto constant = trace.fact(c, "activation.constant", rule.constant.value_or(Bytes(0)));

  const LayerKind* widest = nullptr;
  bool experts = false;
  for (const LayerKind& kind : stack.kinds) {
    experts = experts || kind.mlp == MlpKind::moe;
    const bool dense = kind.mlp == MlpKind::dense || (kind.mlp == MlpKind::moe && model.moe_parallel_dense_mlp);
    if (dense && (widest == nullptr || kind.ffn_hidden_size > widest->ffn_hidden_size)) widest = &kind;
  }
  const auto ffn = widest == nullptr
                       ? 0.0
                       : named("memory.ffn_width_on_gpu",
                               ffn_width_on_gpu(trace.fact(model, "mlp_matrices", model.mlp_matrices),
                                                layer_facts(trace, model, *widest).ffn_hidden_size, tensor));
  auto peak = named("memory.forward_peak",
                    forward_peak(tokens, ffn, hidden, trace.fact(c, "activation.hidden_values", rule.hidden_values)));
  if (step.last_stage && step.sequences > 0) {
    const auto sequences = trace.method("sampled_sequences", step.sequences, "docs/method/serving_memory.md#step");
    const auto logits =
        named("memory.logit_buffers", logit_buffers(sequences, trace.fact(model, "vocab_size", model.vocab_size),
                                                    trace.fact(c, "activation.logit_bytes", rule.logit_bytes)));
    const auto states = named("memory.hidden_states", hidden_state_bytes(tokens, hidden, 1.0));
    peak = named("memory.forward_or_sampler_peak",
                 max(peak, sum_of(trace, "memory.sampler_peak", logits, states, constant)));
  }
  Total<Tracer, Bytes> parts;
  parts.add(peak);
  if (p.pipeline > 1) {
    parts.add(named(
        "memory.stage_transfer",
        hidden_state_bytes(tokens, hidden, trace.constant("copies_between_stages", 2.0, "hidden state and residual"))));
  }
  if (experts && rule.expert_workspace && step.expert_buffers) {
    const auto ranks = named("memory.engine_ranks",
                             engine_ranks(tensor, trace.input("/parallelism/attention_data", p.attention_data)));
    const auto width = named("memory.expert_width_on_gpu",
                             expert_width_on_gpu(trace.fact(model, "moe_ffn_hidden_size", model.moe_ffn_hidden_size),
                                                 trace.input("/parallelism/expert", p.expert), ranks));
    parts.add(named("memory.expert_buffers",
                    podwright::expert_buffers(tokens, trace.fact(model, "experts_per_token", model.experts_per_token),
                                              width, hidden)));
  }
  return parts.sum(trace, "memory.activations");
}

}  // namespace serving_detail

/// Absent where the engine's convention is not known.
template <class Tracer>
std::optional<Known<Tracer, Bytes>> serving_activations(Tracer& trace, const Model& model, const LayerStack& stack,
                                                        const EngineConventions& c,
                                                        const ServingParallelism& parallelism, const EngineStep& step) {
  if (!c.activation) return {};
  const ActivationConvention& rule = *c.activation;
  switch (rule.rule) {
    case ActivationRule::width_multiple:
      return serving_detail::width_multiple(trace, model, c, parallelism, step);
    case ActivationRule::forward_or_sampler:
      return serving_detail::forward_or_sampler(trace, model, stack, c, parallelism, step);
    case ActivationRule::context_scores:
      return named(
          "memory.activations",
          context_score_bytes(trace.fact(model, "attention_heads", model.attention_heads),
                              trace.method("context_tokens", step.context, "docs/method/serving_memory.md#step"),
                              trace.fact(c, "activation.scores_per_head_and_token", rule.scores_per_head_and_token),
                              trace.fact(c, "activation.scores_per_head", rule.scores_per_head)));
    case ActivationRule::logits:
      return named("memory.activations", logit_buffers(trace.method("sampled_sequences", step.sequences,
                                                                    "docs/method/serving_memory.md#step"),
                                                       trace.fact(model, "vocab_size", model.vocab_size),
                                                       trace.fact(c, "activation.logit_bytes", rule.logit_bytes)));
  }
  return {};
}

}  // namespace podwright
