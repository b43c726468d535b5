#pragma once
/// Activation peak of an engine step on one GPU, by the engine's own convention. docs/method/serving_memory.md.
#include <algorithm>
#include <optional>

#include "base/formula.h"
#include "base/trace.h"
#include "catalog/engine.h"
#include "memory/serving_run.h"
#include "memory/serving_weights.h"
#include "model/layers.h"
#include "model/total.h"

namespace podwright {

/// Two-byte values, `multiple` of them per token and unit of attention width, and an overhead on top.
constexpr Bytes width_multiple_peak(double tokens, double width, double multiple, double overhead) {
  return Bytes(2.0 * tokens * width * multiple * (1.0 + overhead));
}
inline constexpr Formula<width_multiple_peak> kWidthMultiplePeak{
    .id = "memory.width_multiple_peak",
    .inputs = {"tokens", "width", "multiple", "overhead"},
    .equation = "2 * tokens * width * multiple * (1 + overhead)",
    .source = "ai-dynamo/aiconfigurator @095f58a51 trtllm_backend.py"};

/// Workspace of fine-grained experts with block scales: a 32-bit value per block, expert slot and hidden value.
constexpr Bytes fine_grained_workspace(double token_values, double expert_slots, double block) {
  return Bytes(token_values * expert_slots / block * 4.0);
}
inline constexpr Formula<fine_grained_workspace> kFineGrainedWorkspace{
    .id = "memory.fine_grained_workspace",
    .inputs = {"token_values", "expert_slots", "block"},
    .equation = "token_values * expert_slots / block * 4",
    .source = "ai-dynamo/aiconfigurator @095f58a51 trtllm_backend.py"};

/// Hidden values that all attention ranks send into the experts.
constexpr double gathered_token_values(double tokens, double hidden, double attention_data) {
  return tokens * hidden * attention_data;
}
inline constexpr Formula<gathered_token_values> kGatheredTokenValues{
    .id = "memory.gathered_token_values",
    .inputs = {"tokens", "hidden", "attention_data"},
    .equation = "tokens * hidden * attention_data",
    .source = "ai-dynamo/aiconfigurator @095f58a51 trtllm_backend.py"};

constexpr double expert_slots(double experts, double experts_per_token, double expert_parallel) {
  return experts * experts_per_token / expert_parallel;
}
inline constexpr Formula<expert_slots> kExpertSlots{.id = "memory.expert_slots",
                                                    .inputs = {"experts", "experts_per_token", "expert_parallel"},
                                                    .equation = "experts * experts_per_token / expert_parallel",
                                                    .source = "ai-dynamo/aiconfigurator @095f58a51 trtllm_backend.py"};

/// The widest moment of a layer: every projection into the MLP, and a few copies of the hidden state.
constexpr Bytes forward_peak(double tokens, double ffn_width, double hidden, double hidden_values) {
  return Bytes(2.0 * tokens * (ffn_width + hidden_values * hidden));
}
inline constexpr Formula<forward_peak> kForwardPeak{.id = "memory.forward_peak",
                                                    .inputs = {"tokens", "ffn_width", "hidden", "hidden_values"},
                                                    .equation = "2 * tokens * (ffn_width + hidden_values * hidden)",
                                                    .source = "fit to peaks printed by vLLM 0.17 to 0.19"};

/// Width of all MLP projections together on one GPU.
constexpr double ffn_width_on_gpu(double matrices, double ffn_hidden, double tensor) {
  return matrices * ffn_hidden / tensor;
}
inline constexpr Formula<ffn_width_on_gpu> kFfnWidthOnGpu{.id = "memory.ffn_width_on_gpu",
                                                          .inputs = {"matrices", "ffn_hidden", "tensor"},
                                                          .equation = "matrices * ffn_hidden / tensor",
                                                          .source = "arXiv 1909.08053"};

/// 16-bit hidden states of a step; `copies` of them.
constexpr Bytes hidden_state_bytes(double tokens, double hidden, double copies) {
  return Bytes(2.0 * copies * tokens * hidden);
}
inline constexpr Formula<hidden_state_bytes> kHiddenStateBytes{.id = "memory.hidden_state_bytes",
                                                               .inputs = {"tokens", "hidden", "copies"},
                                                               .equation = "2 * copies * tokens * hidden",
                                                               .source = "definition"};

/// Logits of the sequences sampled in one step with their copies in other widths, sorted values and masks.
constexpr Bytes logit_buffers(double sequences, double vocabulary, double logit_bytes) {
  return Bytes(sequences * vocabulary * logit_bytes);
}
inline constexpr Formula<logit_buffers> kLogitBuffers{.id = "memory.logit_buffers",
                                                      .inputs = {"sequences", "vocabulary", "logit_bytes"},
                                                      .equation = "sequences * vocabulary * logit_bytes",
                                                      .source = "fit to peaks printed by vLLM 0.15 to 0.19"};

/// Width of one expert on one GPU, where expert parallelism does not already spread whole experts.
constexpr double expert_width_on_gpu(double moe_ffn_hidden, double expert_parallel, double ranks) {
  return moe_ffn_hidden * expert_parallel / ranks;
}
inline constexpr Formula<expert_width_on_gpu> kExpertWidthOnGpu{
    .id = "memory.expert_width_on_gpu",
    .inputs = {"moe_ffn_hidden", "expert_parallel", "ranks"},
    .equation = "moe_ffn_hidden * expert_parallel / ranks",
    .source = "definition of expert and tensor parallel experts"};

/// Input and output buffers of the fused experts, which stay allocated while tokens are sampled.
constexpr Bytes expert_buffers(double tokens, double experts_per_token, double width, double hidden) {
  return Bytes(2.0 * tokens * experts_per_token * (std::max(2.0 * width, hidden) + std::max(width, hidden)));
}
inline constexpr Formula<expert_buffers> kExpertBuffers{
    .id = "memory.expert_buffers",
    .inputs = {"tokens", "experts_per_token", "width", "hidden"},
    .equation = "2 * tokens * experts_per_token * (max(2 * width, hidden) + max(width, hidden))",
    .source = "vLLM fused mixture-of-experts kernels; agrees with five printed peaks within 0.02 GiB"};

constexpr Bytes larger_of(Bytes a, Bytes b) { return a < b ? b : a; }
inline constexpr Formula<larger_of> kLargerOf{
    .id = "memory.larger_of", .inputs = {"a", "b"}, .equation = "max(a, b)", .source = "definition"};

/// Attention scores of one sequence of `context` tokens at 512 tokens a step, before fused attention.
constexpr Bytes context_score_bytes(double heads, double context, Bytes per_head_and_token, Bytes per_head) {
  return heads * (context * per_head_and_token + per_head);
}
inline constexpr Formula<context_score_bytes> kContextScoreBytes{
    .id = "memory.context_score_bytes",
    .inputs = {"heads", "context", "per_head_and_token", "per_head"},
    .equation = "heads * (context * per_head_and_token + per_head)",
    .source = "NyxKrage LLM model VRAM calculator"};

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
typename Tracer::template Known<double> attention_width(Tracer& trace, const Model& model) {
  if (model.kv_lora_rank > 0) return trace.fact(model, "hidden_size", model.hidden_size);
  return trace.step("memory.attention_width", kWidthOfHeads,
                    trace.fact(model, "attention_heads", model.attention_heads),
                    trace.fact(model, "head_dim", model.head_dim));
}

template <class Tracer>
std::optional<typename Tracer::template Known<Bytes>> width_multiple(Tracer& trace, const Model& model,
                                                                     const EngineConventions& c,
                                                                     const ServingParallelism& p,
                                                                     const EngineStep& step) {
  const ActivationConvention& rule = *c.activation;
  const bool experts = model.experts > 0;
  const std::optional<double> multiple = by_tensor(experts ? rule.expert_multiple : rule.dense_multiple, p.tensor);
  if (!multiple || step.tokens <= 0) return {};
  const auto tokens = trace.method("step_tokens", step.tokens, "docs/method/serving_memory.md#step");
  Total<Tracer, Bytes> parts;
  parts.add(trace.step("memory.width_multiple_peak", kWidthMultiplePeak, tokens, attention_width(trace, model),
                       trace.fact(c, experts ? "activation.expert_multiple" : "activation.dense_multiple", *multiple),
                       trace.fact(c, "activation.overhead", rule.overhead)));
  if (experts && model.kv_lora_rank > 0 && rule.expert_workspace_block) {
    const auto values = trace.step("memory.gathered_token_values", kGatheredTokenValues, tokens,
                                   trace.fact(model, "hidden_size", model.hidden_size),
                                   trace.input("/parallelism/attention_data", p.attention_data));
    const auto slots = trace.step("memory.expert_slots", kExpertSlots, trace.fact(model, "experts", model.experts),
                                  trace.fact(model, "experts_per_token", model.experts_per_token),
                                  trace.input("/parallelism/expert", p.expert));
    parts.add(trace.step("memory.fine_grained_workspace", kFineGrainedWorkspace, values, slots,
                         trace.fact(c, "activation.expert_workspace_block", *rule.expert_workspace_block)));
  }
  const auto peak = parts.sum(trace, "memory.activations_before_minimum");
  if (!rule.minimum) return peak;
  return trace.step("memory.activations", kLargerOf, peak, trace.fact(c, "activation.minimum", *rule.minimum));
}

template <class Tracer>
std::optional<typename Tracer::template Known<Bytes>> forward_or_sampler(Tracer& trace, const Model& model,
                                                                         const LayerStack& stack,
                                                                         const EngineConventions& c,
                                                                         const ServingParallelism& p,
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
  const auto ffn = widest == nullptr ? trace.constant("no_dense_mlp", 0.0, "definition")
                                     : trace.step("memory.ffn_width_on_gpu", kFfnWidthOnGpu,
                                                  trace.fact(model, "mlp_matrices", model.mlp_matrices),
                                                  layer_facts(trace, model, *widest).ffn_hidden_size, tensor);
  auto peak = trace.step("memory.forward_peak", kForwardPeak, tokens, ffn, hidden,
                         trace.fact(c, "activation.hidden_values", rule.hidden_values));
  if (step.last_stage && step.sequences > 0) {
    const auto sequences = trace.method("sampled_sequences", step.sequences, "docs/method/serving_memory.md#step");
    const auto logits =
        trace.step("memory.logit_buffers", kLogitBuffers, sequences, trace.fact(model, "vocab_size", model.vocab_size),
                   trace.fact(c, "activation.logit_bytes", rule.logit_bytes));
    const auto states = trace.step("memory.hidden_states", kHiddenStateBytes, tokens, hidden,
                                   trace.constant("copies", 1.0, "one hidden state per token"));
    peak = trace.step("memory.forward_or_sampler_peak", kLargerOf, peak,
                      sum_of(trace, "memory.sampler_peak", logits, states, constant));
  }
  Total<Tracer, Bytes> parts;
  parts.add(peak);
  if (p.pipeline > 1) {
    parts.add(trace.step("memory.stage_transfer", kHiddenStateBytes, tokens, hidden,
                         trace.constant("copies_between_stages", 2.0, "hidden state and residual")));
  }
  if (experts && rule.expert_workspace && step.expert_buffers) {
    const auto ranks = trace.step("memory.engine_ranks", kEngineRanks, tensor,
                                  trace.input("/parallelism/attention_data", p.attention_data));
    const auto width = trace.step("memory.expert_width_on_gpu", kExpertWidthOnGpu,
                                  trace.fact(model, "moe_ffn_hidden_size", model.moe_ffn_hidden_size),
                                  trace.input("/parallelism/expert", p.expert), ranks);
    parts.add(trace.step("memory.expert_buffers", kExpertBuffers, tokens,
                         trace.fact(model, "experts_per_token", model.experts_per_token), width, hidden));
  }
  return parts.sum(trace, "memory.activations");
}

}  // namespace serving_detail

/// Absent where the engine's convention is not known.
template <class Tracer>
std::optional<typename Tracer::template Known<Bytes>> serving_activations(Tracer& trace, const Model& model,
                                                                          const LayerStack& stack,
                                                                          const EngineConventions& c,
                                                                          const ServingParallelism& parallelism,
                                                                          const EngineStep& step) {
  if (!c.activation) return {};
  const ActivationConvention& rule = *c.activation;
  switch (rule.rule) {
    case ActivationRule::width_multiple:
      return serving_detail::width_multiple(trace, model, c, parallelism, step);
    case ActivationRule::forward_or_sampler:
      return serving_detail::forward_or_sampler(trace, model, stack, c, parallelism, step);
    case ActivationRule::context_scores:
      return trace.step("memory.activations", kContextScoreBytes,
                        trace.fact(model, "attention_heads", model.attention_heads),
                        trace.method("context_tokens", step.context, "docs/method/serving_memory.md#step"),
                        trace.fact(c, "activation.scores_per_head_and_token", rule.scores_per_head_and_token),
                        trace.fact(c, "activation.scores_per_head", rule.scores_per_head));
    case ActivationRule::logits:
      return trace.step("memory.activations", kLogitBuffers,
                        trace.method("sampled_sequences", step.sequences, "docs/method/serving_memory.md#step"),
                        trace.fact(model, "vocab_size", model.vocab_size),
                        trace.fact(c, "activation.logit_bytes", rule.logit_bytes));
  }
  return {};
}

}  // namespace podwright
