#pragma once
/// What a layer saves for its backward pass, per token unless said otherwise. docs/method/training_memory.md.
/// `element` is a saved value, `linear_input` a saved input of a matrix product (narrower with fp8 linears).
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Inputs of the norms of a layer; a layer has up to two sublayers (mixer, MLP), each with one.
constexpr auto norm_input_bytes(Of<double> auto sublayers, Of<double> auto hidden, Of<Bytes> auto element) {
  return cited("arXiv 2205.05198 section 4.1", sublayers * hidden * element);
}

/// Inputs of the first matrix product of each sublayer.
constexpr auto column_input_bytes(Of<double> auto sublayers, Of<double> auto hidden, Of<Bytes> auto linear_input) {
  return cited("arXiv 2205.05198 section 4.1", sublayers * hidden * linear_input);
}

/// Dropout masks behind the sublayers, one byte a value.
constexpr auto dropout_mask_bytes(Of<double> auto sublayers, Of<double> auto hidden) {
  return cited("arXiv 2205.05198 section 4.1", in<Bytes>(sublayers * hidden));
}

/// Query, key, value and the output that the last projection reads.
constexpr auto attention_value_bytes(Of<double> auto heads, Of<double> auto kv_heads, Of<double> auto head_dim,
                                     Of<double> auto v_head_dim, Of<Bytes> auto element) {
  return cited("arXiv 2205.14135", (heads + kv_heads) * (head_dim + v_head_dim) * element);
}

/// The same where keys and values are repeated for all heads before the kernel and exist once more as made.
constexpr auto repeated_attention_bytes(Of<double> auto heads, Of<double> auto kv_heads, Of<double> auto head_dim,
                                        Of<double> auto v_head_dim, Of<Bytes> auto element) {
  return cited("transformers, repeat_kv", (2.0 * heads + kv_heads) * (head_dim + v_head_dim) * element);
}

/// The same of latent attention: latents before and after their norms, query and key, value and output.
constexpr auto latent_attention_value_bytes(Of<double> auto latents, Of<double> auto heads, Of<double> auto head_dim,
                                            Of<double> auto v_head_dim, Of<Bytes> auto element) {
  return cited("arXiv 2405.04434 section 2.1", (2.0 * latents + 2.0 * heads * (head_dim + v_head_dim)) * element);
}

/// 32-bit log-sum-exp of fused attention.
constexpr auto log_sum_exp_bytes(Of<double> auto heads) { return cited("arXiv 2205.14135", in<Bytes>(4.0 * heads)); }

/// Scores of unfused attention: softmax output; with dropout also its mask and the dropped output.
constexpr auto score_bytes(Of<double> auto heads, Of<double> auto sequence, Of<Bytes> auto element) {
  return cited("arXiv 2205.05198 section 4.1", heads * sequence * element);
}
constexpr auto dropped_score_bytes(Of<double> auto heads, Of<double> auto sequence, Of<Bytes> auto element) {
  return cited("arXiv 2205.05198 section 4.1", heads * sequence * (2.0 * element + Bytes(1)));
}

/// Narrow copy of the attention output that the output projection saves with fp8 linears.
constexpr auto output_copy_bytes(Of<double> auto heads, Of<double> auto v_head_dim, Of<Bytes> auto linear_input) {
  return cited("derived from the saved tensors of Transformer Engine's linear", heads * v_head_dim * linear_input);
}

/// MLP: outputs of its first products and the input of the last one.
constexpr auto mlp_value_bytes(Of<double> auto matrices, Of<double> auto width, Of<Bytes> auto element,
                               Of<Bytes> auto linear_input) {
  return cited("SimuMax v1.2", width * ((matrices - 1.0) * element + linear_input));
}

/// Routed experts with balanced routing: permuted inputs, gathered over the expert-tensor group.
constexpr auto permuted_input_bytes(Of<double> auto chosen, Of<double> auto inner, Of<double> auto expert_tensor,
                                    Of<Bytes> auto linear_input) {
  return cited("SimuMax v1.2", chosen * inner * expert_tensor * linear_input);
}
constexpr auto expert_value_bytes(Of<double> auto chosen, Of<Bytes> auto mlp_values) {
  return cited("SimuMax v1.2", chosen * mlp_values);
}

/// Linear mixer: output of its input projection, output of the convolution, the scan's result before and after its norm
/// and gate.
constexpr auto linear_mixer_value_bytes(Of<double> auto projected, Of<double> auto channels, Of<double> auto width,
                                        Of<Bytes> auto element) {
  return cited("derived from the layer's matrix products; no measurement",
               (projected + channels + 2.0 * width) * element);
}

/// Selective recompute that keeps every second matrix product of a dense gated layer, the attention output and the
/// layer's input.
constexpr auto alternate_product_bytes(Of<double> auto hidden, Of<double> auto attention_width,
                                       Of<double> auto value_width, Of<double> auto ffn, Of<Bytes> auto element) {
  return cited("torchtitan, selective activation checkpointing by operation",
               (2.0 * hidden + 2.0 * attention_width + value_width + ffn) * element);
}

/// Latent attention whose up-projections are computed again: latents before and after their norms, output.
constexpr auto latent_output_bytes(Of<double> auto latents, Of<double> auto heads, Of<double> auto v_head_dim,
                                   Of<Bytes> auto element) {
  return cited("Megatron-Core, recompute of mla_up_proj", (2.0 * latents + heads * v_head_dim) * element);
}

/// MLP whose activation function is computed again: outputs of its first products.
constexpr auto mlp_product_bytes(Of<double> auto matrices, Of<double> auto width, Of<Bytes> auto element) {
  return cited("Megatron-Core, recompute of moe_act", width * (matrices - 1.0) * element);
}

/// Values between the two matrices of low-rank adapters.
constexpr auto adapter_value_bytes(Of<double> auto rank, Of<double> auto adapters, Of<Bytes> auto element) {
  return cited("arXiv 2106.09685 section 4.1", rank * adapters * element);
}

/// What enters low-rank adapters that are wider than what they adapt: a copy for each of them.
constexpr auto adapter_input_bytes(Of<double> auto inputs, Of<Bytes> auto adapter) {
  return cited("peft, tuners/lora/layer.py", inputs * adapter);
}

/// Tokens of one micro-batch on one context-parallel rank.
constexpr auto tokens_per_rank(Of<double> auto sequence, Of<double> auto micro_batch, Of<double> auto context) {
  return sequence * micro_batch / context;
}

/// Bytes of one layer and micro-batch on one GPU. Values inside the sublayers divide by the tensor-parallel size; those
/// between them only with sequence parallelism (`norm_ranks`, and `input_ranks` where the saved input is not gathered
/// first).
constexpr auto layer_activation_bytes(Of<double> auto tokens, Of<Bytes> auto norms, Of<double> auto norm_ranks,
                                      Of<Bytes> auto inputs, Of<double> auto input_ranks, Of<Bytes> auto inside,
                                      Of<double> auto tensor) {
  return cited("arXiv 2205.05198 table 2", tokens * (norms / norm_ranks + inputs / input_ranks + inside / tensor));
}

/// Input of a layer, all that full recompute keeps of it.
constexpr auto checkpoint_bytes(Of<double> auto tokens, Of<double> auto hidden, Of<Bytes> auto element,
                                Of<double> auto norm_ranks) {
  return cited("arXiv 2205.05198 table 2", tokens * hidden * element / norm_ranks);
}

/// Activations of the layers of a stage over the micro-batches in flight.
constexpr auto stage_activation_bytes(Of<double> auto layers, Of<Bytes> auto per_layer, Of<double> auto in_flight) {
  return cited("arXiv 2205.05198 section 4.2", layers * per_layer * in_flight);
}

/// What exists of one layer while its backward pass runs, beyond what is kept of it all along.
constexpr auto recomputed_bytes(Of<Bytes> auto all, Of<Bytes> auto kept) {
  return cited("arXiv 2205.05198 section 5", max(all - kept, Bytes(0)));
}

/// Kept activations that stay on the GPU when the rest is offloaded: those of the layer at work and of one on its way.
constexpr auto layers_not_offloaded(Of<double> auto layers, Of<double> auto in_flight) {
  return cited("arXiv 2104.07857 section 5.1.2", min(layers * in_flight, 2.0));
}

/// What of the kept activations lies elsewhere.
constexpr auto moved_activation_bytes(Of<double> auto layers, Of<Bytes> auto per_layer, Of<double> auto in_flight,
                                      Of<double> auto not_offloaded) {
  return cited("arXiv 2104.07857 section 5.1.2", (layers * in_flight - not_offloaded) * per_layer);
}

/// Outputs of a pipeline stage, or inputs from the one before, of so many micro-batches.
constexpr auto pipeline_buffer_bytes(Of<double> auto tokens, Of<double> auto hidden, Of<Bytes> auto element,
                                     Of<double> auto norm_ranks, Of<double> auto micro_batches) {
  return cited("torch.distributed.pipelining and DeepSpeed's pipeline engine",
               tokens * hidden * element / norm_ranks * micro_batches);
}

/// Logits, their copies and their gradient at the loss.
constexpr auto logit_bytes(Of<double> auto tokens, Of<double> auto vocabulary, Of<double> auto tensor,
                           Of<Bytes> auto per_logit) {
  return cited("arXiv 2205.05198 section 4.3", tokens * vocabulary / tensor * per_logit);
}

/// Inputs of the final norm and of the output head.
constexpr auto head_input_bytes(Of<double> auto tokens, Of<double> auto hidden, Of<Bytes> auto element,
                                Of<double> auto norm_ranks, Of<double> auto head_ranks) {
  return cited("arXiv 2205.05198 section 4.3", tokens * hidden * element * (1.0 / norm_ranks + 1.0 / head_ranks));
}

/// Mask of the embedding's dropout over the micro-batches in flight on the first stage.
constexpr auto embedding_mask_bytes(Of<double> auto tokens, Of<double> auto hidden, Of<double> auto norm_ranks,
                                    Of<double> auto in_flight) {
  return cited("arXiv 2205.05198 section 4.3", in<Bytes>(tokens * hidden / norm_ranks * in_flight));
}

}  // namespace podwright
