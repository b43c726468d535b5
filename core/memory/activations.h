#pragma once
/// What a layer saves for its backward pass, per token unless said otherwise. docs/method/training_memory.md.
/// `element` is a saved value, `linear_input` a saved input of a matrix product (narrower with fp8 linears).
#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Inputs of the norms of a layer; a layer has up to two sublayers (mixer, MLP), each with one.
constexpr Bytes norm_input_bytes(double sublayers, double hidden, Bytes element) {
  return sublayers * hidden * element;
}
inline constexpr Formula<norm_input_bytes> kNormInputBytes{.id = "memory.norm_input_bytes",
                                                           .inputs = {"sublayers", "hidden", "element"},
                                                           .equation = "sublayers * hidden * element",
                                                           .source = "arXiv 2205.05198 section 4.1"};

/// Inputs of the first matrix product of each sublayer.
constexpr Bytes column_input_bytes(double sublayers, double hidden, Bytes linear_input) {
  return sublayers * hidden * linear_input;
}
inline constexpr Formula<column_input_bytes> kColumnInputBytes{.id = "memory.column_input_bytes",
                                                               .inputs = {"sublayers", "hidden", "linear_input"},
                                                               .equation = "sublayers * hidden * linear_input",
                                                               .source = "arXiv 2205.05198 section 4.1"};

/// Dropout masks behind the sublayers, one byte a value.
constexpr Bytes dropout_mask_bytes(double sublayers, double hidden) { return Bytes(sublayers * hidden); }
inline constexpr Formula<dropout_mask_bytes> kDropoutMaskBytes{.id = "memory.dropout_mask_bytes",
                                                               .inputs = {"sublayers", "hidden"},
                                                               .equation = "sublayers * hidden",
                                                               .source = "arXiv 2205.05198 section 4.1"};

/// Query, key, value and the output that the last projection reads.
constexpr Bytes attention_value_bytes(double heads, double kv_heads, double head_dim, double v_head_dim,
                                      Bytes element) {
  return (heads + kv_heads) * (head_dim + v_head_dim) * element;
}
inline constexpr Formula<attention_value_bytes> kAttentionValueBytes{
    .id = "memory.attention_value_bytes",
    .inputs = {"heads", "kv_heads", "head_dim", "v_head_dim", "element"},
    .equation = "(heads + kv_heads) * (head_dim + v_head_dim) * element",
    .source = "arXiv 2205.14135"};

/// The same of latent attention: latents before and after their norms, query and key, value and output.
constexpr Bytes latent_attention_value_bytes(double latents, double heads, double head_dim, double v_head_dim,
                                             Bytes element) {
  return (2.0 * latents + 2.0 * heads * (head_dim + v_head_dim)) * element;
}
inline constexpr Formula<latent_attention_value_bytes> kLatentAttentionValueBytes{
    .id = "memory.latent_attention_value_bytes",
    .inputs = {"latents", "heads", "head_dim", "v_head_dim", "element"},
    .equation = "(2 * latents + 2 * heads * (head_dim + v_head_dim)) * element",
    .source = "arXiv 2405.04434 section 2.1"};

/// 32-bit log-sum-exp of fused attention.
constexpr Bytes log_sum_exp_bytes(double heads) { return Bytes(4.0 * heads); }
inline constexpr Formula<log_sum_exp_bytes> kLogSumExpBytes{
    .id = "memory.log_sum_exp_bytes", .inputs = {"heads"}, .equation = "4 * heads", .source = "arXiv 2205.14135"};

/// Scores of unfused attention: softmax output; with dropout also its mask and the dropped output.
constexpr Bytes score_bytes(double heads, double sequence, Bytes element) { return heads * sequence * element; }
inline constexpr Formula<score_bytes> kScoreBytes{.id = "memory.score_bytes",
                                                  .inputs = {"heads", "sequence", "element"},
                                                  .equation = "heads * sequence * element",
                                                  .source = "arXiv 2205.05198 section 4.1"};
constexpr Bytes dropped_score_bytes(double heads, double sequence, Bytes element) {
  return heads * sequence * (2.0 * element + Bytes(1));
}
inline constexpr Formula<dropped_score_bytes> kDroppedScoreBytes{.id = "memory.dropped_score_bytes",
                                                                 .inputs = {"heads", "sequence", "element"},
                                                                 .equation = "heads * sequence * (2 * element + 1)",
                                                                 .source = "arXiv 2205.05198 section 4.1"};

/// Narrow copy of the attention output that the output projection saves with fp8 linears.
constexpr Bytes output_copy_bytes(double heads, double v_head_dim, Bytes linear_input) {
  return heads * v_head_dim * linear_input;
}
inline constexpr Formula<output_copy_bytes> kOutputCopyBytes{
    .id = "memory.output_copy_bytes",
    .inputs = {"heads", "v_head_dim", "linear_input"},
    .equation = "heads * v_head_dim * linear_input",
    .source = "derived from the saved tensors of Transformer Engine's linear"};

/// MLP: outputs of its first products and the input of the last one.
constexpr Bytes mlp_value_bytes(double matrices, double width, Bytes element, Bytes linear_input) {
  return width * ((matrices - 1.0) * element + linear_input);
}
inline constexpr Formula<mlp_value_bytes> kMlpValueBytes{
    .id = "memory.mlp_value_bytes",
    .inputs = {"matrices", "width", "element", "linear_input"},
    .equation = "width * ((matrices - 1) * element + linear_input)",
    .source = "SimuMax v1.2"};

/// Routed experts with balanced routing: permuted inputs, gathered over the expert-tensor group.
constexpr Bytes permuted_input_bytes(double chosen, double inner, double expert_tensor, Bytes linear_input) {
  return chosen * inner * expert_tensor * linear_input;
}
inline constexpr Formula<permuted_input_bytes> kPermutedInputBytes{
    .id = "memory.permuted_input_bytes",
    .inputs = {"chosen", "inner", "expert_tensor", "linear_input"},
    .equation = "chosen * inner * expert_tensor * linear_input",
    .source = "SimuMax v1.2"};
constexpr Bytes expert_value_bytes(double chosen, Bytes mlp_values) { return chosen * mlp_values; }
inline constexpr Formula<expert_value_bytes> kExpertValueBytes{.id = "memory.expert_value_bytes",
                                                               .inputs = {"chosen", "mlp_values"},
                                                               .equation = "chosen * mlp_values",
                                                               .source = "SimuMax v1.2"};

/// Linear mixer: output of its input projection, output of the convolution, the scan's result before and after its norm
/// and gate.
constexpr Bytes linear_mixer_value_bytes(double projected, double channels, double width, Bytes element) {
  return (projected + channels + 2.0 * width) * element;
}
inline constexpr Formula<linear_mixer_value_bytes> kLinearMixerValueBytes{
    .id = "memory.linear_mixer_value_bytes",
    .inputs = {"projected", "channels", "width", "element"},
    .equation = "(projected + channels + 2 * width) * element",
    .source = "derived from the layer's matrix products; no measurement"};

/// Selective recompute that keeps every second matrix product of a dense gated layer, the attention output and the
/// layer's input.
constexpr Bytes alternate_product_bytes(double hidden, double attention_width, double value_width, double ffn,
                                        Bytes element) {
  return (2.0 * hidden + 2.0 * attention_width + value_width + ffn) * element;
}
inline constexpr Formula<alternate_product_bytes> kAlternateProductBytes{
    .id = "memory.alternate_product_bytes",
    .inputs = {"hidden", "attention_width", "value_width", "ffn", "element"},
    .equation = "(2 * hidden + 2 * attention_width + value_width + ffn) * element",
    .source = "torchtitan, selective activation checkpointing by operation"};

/// Latent attention whose up-projections are computed again: latents before and after their norms, output.
constexpr Bytes latent_output_bytes(double latents, double heads, double v_head_dim, Bytes element) {
  return (2.0 * latents + heads * v_head_dim) * element;
}
inline constexpr Formula<latent_output_bytes> kLatentOutputBytes{
    .id = "memory.latent_output_bytes",
    .inputs = {"latents", "heads", "v_head_dim", "element"},
    .equation = "(2 * latents + heads * v_head_dim) * element",
    .source = "Megatron-Core, recompute of mla_up_proj"};

/// MLP whose activation function is computed again: outputs of its first products.
constexpr Bytes mlp_product_bytes(double matrices, double width, Bytes element) {
  return width * (matrices - 1.0) * element;
}
inline constexpr Formula<mlp_product_bytes> kMlpProductBytes{.id = "memory.mlp_product_bytes",
                                                             .inputs = {"matrices", "width", "element"},
                                                             .equation = "width * (matrices - 1) * element",
                                                             .source = "Megatron-Core, recompute of moe_act"};

/// Values between the two matrices of low-rank adapters.
constexpr Bytes adapter_value_bytes(double rank, double adapters, Bytes element) { return rank * adapters * element; }
inline constexpr Formula<adapter_value_bytes> kAdapterValueBytes{.id = "memory.adapter_value_bytes",
                                                                 .inputs = {"rank", "adapters", "element"},
                                                                 .equation = "rank * adapters * element",
                                                                 .source = "arXiv 2106.09685 section 4.1"};

/// Tokens of one micro-batch on one context-parallel rank.
constexpr double tokens_per_rank(double sequence, double micro_batch, double context) {
  return sequence * micro_batch / context;
}
inline constexpr Formula<tokens_per_rank> kTokensPerRank{.id = "memory.tokens_per_rank",
                                                         .inputs = {"sequence", "micro_batch", "context"},
                                                         .equation = "sequence * micro_batch / context",
                                                         .source = "definition"};

/// Bytes of one layer and micro-batch on one GPU. Values inside the sublayers divide by the tensor-parallel size; those
/// between them only with sequence parallelism (`norm_ranks`, and `input_ranks` where the saved input is not gathered
/// first).
constexpr Bytes layer_activation_bytes(double tokens, Bytes norms, double norm_ranks, Bytes inputs, double input_ranks,
                                       Bytes inside, double tensor) {
  return tokens * (norms / norm_ranks + inputs / input_ranks + inside / tensor);
}
inline constexpr Formula<layer_activation_bytes> kLayerActivationBytes{
    .id = "memory.layer_activation_bytes",
    .inputs = {"tokens", "norms", "norm_ranks", "inputs", "input_ranks", "inside", "tensor"},
    .equation = "tokens * (norms / norm_ranks + inputs / input_ranks + inside / tensor)",
    .source = "arXiv 2205.05198 table 2"};

/// Input of a layer, all that full recompute keeps of it.
constexpr Bytes checkpoint_bytes(double tokens, double hidden, Bytes element, double norm_ranks) {
  return tokens * hidden * element / norm_ranks;
}
inline constexpr Formula<checkpoint_bytes> kCheckpointBytes{.id = "memory.checkpoint_bytes",
                                                            .inputs = {"tokens", "hidden", "element", "norm_ranks"},
                                                            .equation = "tokens * hidden * element / norm_ranks",
                                                            .source = "arXiv 2205.05198 table 2"};

/// Activations of the layers of a stage over the micro-batches in flight.
constexpr Bytes stage_activation_bytes(double layers, Bytes per_layer, double in_flight) {
  return layers * per_layer * in_flight;
}
inline constexpr Formula<stage_activation_bytes> kStageActivationBytes{.id = "memory.stage_activation_bytes",
                                                                       .inputs = {"layers", "per_layer", "in_flight"},
                                                                       .equation = "layers * per_layer * in_flight",
                                                                       .source = "arXiv 2205.05198 section 4.2"};

/// What exists of one layer while its backward pass runs, beyond what is kept of it all along.
constexpr Bytes recomputed_bytes(Bytes all, Bytes kept) { return all > kept ? all - kept : Bytes(0); }
inline constexpr Formula<recomputed_bytes> kRecomputedBytes{.id = "memory.recomputed_bytes",
                                                            .inputs = {"all", "kept"},
                                                            .equation = "max(all - kept, 0)",
                                                            .source = "arXiv 2205.05198 section 5"};

/// Kept activations that stay on the GPU when the rest is offloaded: those of the layer at work and of one on its way.
constexpr double layers_not_offloaded(double layers, double in_flight) {
  return layers * in_flight < 2.0 ? layers * in_flight : 2.0;
}
inline constexpr Formula<layers_not_offloaded> kLayersNotOffloaded{.id = "memory.layers_not_offloaded",
                                                                   .inputs = {"layers", "in_flight"},
                                                                   .equation = "min(layers * in_flight, 2)",
                                                                   .source = "arXiv 2104.07857 section 5.1.2"};

/// What of the kept activations lies elsewhere.
constexpr Bytes moved_activation_bytes(double layers, Bytes per_layer, double in_flight, double not_offloaded) {
  return (layers * in_flight - not_offloaded) * per_layer;
}
inline constexpr Formula<moved_activation_bytes> kMovedActivationBytes{
    .id = "memory.moved_activation_bytes",
    .inputs = {"layers", "per_layer", "in_flight", "not_offloaded"},
    .equation = "(layers * in_flight - not_offloaded) * per_layer",
    .source = "arXiv 2104.07857 section 5.1.2"};

/// Outputs of a pipeline stage, or inputs from the one before, of so many micro-batches.
constexpr Bytes pipeline_buffer_bytes(double tokens, double hidden, Bytes element, double norm_ranks,
                                      double micro_batches) {
  return tokens * hidden * element / norm_ranks * micro_batches;
}
inline constexpr Formula<pipeline_buffer_bytes> kPipelineBufferBytes{
    .id = "memory.pipeline_buffer_bytes",
    .inputs = {"tokens", "hidden", "element", "norm_ranks", "micro_batches"},
    .equation = "tokens * hidden * element / norm_ranks * micro_batches",
    .source = "torch.distributed.pipelining and DeepSpeed's pipeline engine"};

/// Logits, their copies and their gradient at the loss.
constexpr Bytes logit_bytes(double tokens, double vocabulary, double tensor, Bytes per_logit) {
  return tokens * vocabulary / tensor * per_logit;
}
inline constexpr Formula<logit_bytes> kLogitBytes{.id = "memory.logit_bytes",
                                                  .inputs = {"tokens", "vocabulary", "tensor", "per_logit"},
                                                  .equation = "tokens * vocabulary / tensor * per_logit",
                                                  .source = "arXiv 2205.05198 section 4.3"};

/// Inputs of the final norm and of the output head.
constexpr Bytes head_input_bytes(double tokens, double hidden, Bytes element, double norm_ranks, double head_ranks) {
  return tokens * hidden * element * (1.0 / norm_ranks + 1.0 / head_ranks);
}
inline constexpr Formula<head_input_bytes> kHeadInputBytes{
    .id = "memory.head_input_bytes",
    .inputs = {"tokens", "hidden", "element", "norm_ranks", "head_ranks"},
    .equation = "tokens * hidden * element * (1 / norm_ranks + 1 / head_ranks)",
    .source = "arXiv 2205.05198 section 4.3"};

/// Mask of the embedding's dropout over the micro-batches in flight on the first stage.
constexpr Bytes embedding_mask_bytes(double tokens, double hidden, double norm_ranks, double in_flight) {
  return Bytes(tokens * hidden / norm_ranks * in_flight);
}
inline constexpr Formula<embedding_mask_bytes> kEmbeddingMaskBytes{
    .id = "memory.embedding_mask_bytes",
    .inputs = {"tokens", "hidden", "norm_ranks", "in_flight"},
    .equation = "tokens * hidden / norm_ranks * in_flight",
    .source = "arXiv 2205.05198 section 4.3"};

/// What freeing the output of each stage after sending it saves on the first stage.
constexpr Bytes pipeline_output_bytes(double tokens, double hidden, Bytes element, double pipeline) {
  return tokens * hidden * element * pipeline;
}
inline constexpr Formula<pipeline_output_bytes> kPipelineOutputBytes{
    .id = "memory.pipeline_output_bytes",
    .inputs = {"tokens", "hidden", "element", "pipeline"},
    .equation = "tokens * hidden * element * pipeline",
    .source = "arXiv 2205.05198 appendix B"};

/// Activations of the first stage of a GPT-style model with tensor and sequence parallelism, and the share that
/// interleaving adds.
constexpr Bytes gpt_first_stage_bytes(double tokens, double hidden, double layers, double tensor) {
  return Bytes(34.0 * tokens * hidden * layers / tensor);
}
inline constexpr Formula<gpt_first_stage_bytes> kGptFirstStageBytes{
    .id = "memory.gpt_first_stage_bytes",
    .inputs = {"tokens", "hidden", "layers", "tensor"},
    .equation = "34 * tokens * hidden * layers / tensor",
    .source = "arXiv 2205.05198 section 5"};
constexpr double interleaving_factor(double pipeline, double virtual_pipeline) {
  return 1.0 + (pipeline - 1.0) / (pipeline * virtual_pipeline);
}
inline constexpr Formula<interleaving_factor> kInterleavingFactor{
    .id = "memory.interleaving_factor",
    .inputs = {"pipeline", "virtual_pipeline"},
    .equation = "1 + (pipeline - 1) / (pipeline * virtual_pipeline)",
    .source = "arXiv 2205.05198 section 4.2.3"};

}  // namespace podwright
