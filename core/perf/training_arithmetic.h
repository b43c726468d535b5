#pragma once
/// Equations of one training step. A stage works micro-batch by micro-batch; the bubble, the gradient exchange and the
/// optimizer follow. docs/method/training_time.md. Kernels with their shape and what slows them come first, then the
/// pipeline, what lives outside the GPU (docs/method/calendar.md#offload), and days of work (docs/method/calendar.md).
#include "base/arithmetic.h"
#include "base/math.h"
#include "base/units.h"

namespace podwright {

/// A product of `rows` x `depth` with `depth` x `columns`. Tiles are 128 x 128; `wave` is how many run at once (the
/// multiprocessors), and `quantisation_share` of the loss in half-empty tiles and waves remains with the best tile
/// shape. `half_depth` is the depth of half rate. `misaligned` is added where width or depth is no multiple of 64.
auto matrix_product_time(Of<double> auto rows, Of<double> auto columns, Of<double> auto depth,
                         Of<FlopsPerSecond> auto rate, Of<double> auto wave, Of<double> auto quantisation_share,
                         Of<double> auto half_depth, Of<double> auto misaligned, Of<Seconds> auto start) {
  const auto tiles = ceil(rows / 128.0) * ceil(columns / 128.0);
  const auto loss = ceil(tiles / wave) * wave * 16384.0 / (rows * columns) - 1.0;
  const auto off = max(min(1.0, ceil(columns / 64.0) * 64.0 - columns), min(1.0, ceil(depth / 64.0) * 64.0 - depth));
  return cited("docs/method/training_time.md#matrix-products",
               start + in<Flops>(2.0 * rows * columns * depth) / rate * (1.0 + quantisation_share * loss) *
                           (1.0 + half_depth / depth) * (1.0 + misaligned * off));
}

/// The products of several experts in one kernel: `rows` tokens in all, `rows_each` per expert.
auto grouped_product_time(Of<double> auto rows, Of<double> auto rows_each, Of<double> auto columns,
                          Of<double> auto depth, Of<FlopsPerSecond> auto rate, Of<double> auto quantisation_share,
                          Of<double> auto half_depth, Of<Seconds> auto start) {
  return cited("docs/method/training_time.md#experts",
               start + in<Flops>(2.0 * rows * columns * depth) / rate *
                           (1.0 + quantisation_share * (ceil(rows_each / 128.0) * 128.0 / rows_each - 1.0)) *
                           (1.0 + half_depth / depth));
}

/// Attention in one kernel that keeps the scores on the chip.
constexpr auto fused_attention_time(Of<Flops> auto work, Of<FlopsPerSecond> auto rate, Of<Seconds> auto start) {
  return cited("arXiv 2307.08691 section 3", start + work / rate);
}

/// Attention whose scores go through memory: two batched products, slowed by `slowdown`, and passes over the scores.
constexpr auto unfused_attention_time(Of<Flops> auto work, Of<FlopsPerSecond> auto rate, Of<double> auto slowdown,
                                      Of<double> auto passes, Of<Bytes> auto scores, Of<BytesPerSecond> auto bandwidth,
                                      Of<Seconds> auto start) {
  return cited("arXiv 2205.05198 section 4.1", 3.0 * start + work / rate * slowdown + passes * scores / bandwidth);
}

constexpr auto score_pass_bytes(Of<double> auto tokens, Of<double> auto heads, Of<double> auto sequence,
                                Of<double> auto tensor) {
  return cited("arXiv 2205.05198 section 4.1", in<Bytes>(2.0 * tokens * heads * sequence / tensor));
}

/// Work of one micro-batch on one of the ranks that share the heads.
constexpr auto attention_work_of_rank(Of<Flops> auto training_per_token, Of<double> auto tokens,
                                      Of<double> auto tensor) {
  return cited("definition: a forward pass is a third of training", training_per_token * tokens / (3.0 * tensor));
}

/// Norms, residuals, rotary embedding and activation of one layer forward, in 16 bit. `wide` values pass once each
/// (read or written) 12 times per hidden value, 4 per projected head value, and once more than the MLP has matrices per
/// MLP value.
constexpr auto elementwise_bytes(Of<double> auto tokens, Of<double> auto hidden, Of<double> auto norm_ranks,
                                 Of<double> auto heads_width, Of<double> auto mlp_width, Of<double> auto tensor) {
  return cited("docs/method/training_time.md#streaming-operations",
               in<Bytes>(2.0 * tokens * (12.0 * hidden / norm_ranks + (4.0 * heads_width + mlp_width) / tensor)));
}

/// Tokens that one rank's experts work on: each token comes once for each expert it chose.
constexpr auto expert_rows(Of<double> auto tokens, Of<double> auto experts_per_token, Of<double> auto tensor,
                           Of<double> auto imbalance) {
  return cited("arXiv 2101.03961 section 2.2", tokens * experts_per_token / tensor * imbalance);
}

/// Five products backward for two forward.
constexpr auto backward_attention_work(Of<Flops> auto forward) {
  return cited("arXiv 2307.08691 section 4.1", 2.5 * forward);
}

/// Activation inside the experts.
constexpr auto expert_elementwise_bytes(Of<double> auto rows, Of<double> auto width) {
  return cited("docs/method/training_time.md#experts", in<Bytes>(8.0 * rows * width));
}

/// Sorting tokens by expert and back, forward.
constexpr auto permuted_bytes(Of<double> auto rows, Of<double> auto width, Of<double> auto passes) {
  return cited("docs/method/training_time.md#experts", in<Bytes>(2.0 * rows * width * passes));
}

/// Casting inputs of narrow products: 16 bit read, two layouts in 8 bit written.
constexpr auto quantised_bytes(Of<double> auto tokens, Of<double> auto width, Of<double> auto rows,
                               Of<double> auto expert_width) {
  return cited("docs/method/training_time.md#narrow-precisions",
               in<Bytes>(4.0 * (tokens * width + rows * expert_width)));
}

/// An operation that memory limits.
constexpr auto streaming_time(Of<Bytes> auto payload, Of<double> auto passes, Of<BytesPerSecond> auto bandwidth) {
  return payload * passes / bandwidth;
}

/// Low-rank adapters of `width` bytes per value beside weights of `element` bytes, whose inputs and outputs have `in`
/// and `out` values in all. Forward: inputs cast and read; outputs written, scaled, added to those of the weights,
/// cast.
constexpr auto adapter_forward_bytes(Of<double> auto tokens, Of<double> auto in_values, Of<double> auto out_values,
                                     Of<Bytes> auto width, Of<Bytes> auto element) {
  return cited("peft, tuners/lora/layer.py",
               tokens * (in_values * (2.0 * width + element) + out_values * (6.0 * width + 2.0 * element)));
}

/// Backward: inputs read, their gradients written, cast and added to those of the weights; gradients of outputs split,
/// cast, scaled and read for both matrices.
constexpr auto adapter_backward_bytes(Of<double> auto tokens, Of<double> auto in_values, Of<double> auto out_values,
                                      Of<Bytes> auto width, Of<Bytes> auto element) {
  return cited("peft, tuners/lora/layer.py",
               tokens * (in_values * (3.0 * width + 4.0 * element) + out_values * (6.0 * width + 2.0 * element)));
}

/// Adapters of a layer: `starts` products too small to fill the GPU, and what passes through memory.
constexpr auto adapter_time(Of<double> auto starts, Of<Seconds> auto start, Of<Bytes> auto payload,
                            Of<BytesPerSecond> auto bandwidth) {
  return cited("docs/method/training_time.md#kernels", starts * start + payload / bandwidth);
}

/// Adding a micro-batch's gradients of `parameters` weights to the running sum.
constexpr auto accumulation_time(Of<double> auto parameters, Of<double> auto bytes_per_parameter,
                                 Of<BytesPerSecond> auto bandwidth) {
  return cited("docs/method/training_time.md#gradient-accumulation",
               in<Bytes>(parameters * bytes_per_parameter) / bandwidth);
}

/// What the host needs beyond the time that the GPU computes.
constexpr auto host_excess(Of<Seconds> auto host, Of<Seconds> auto gpu) {
  return cited("docs/method/training_time.md#host", max(Seconds(0), host - gpu));
}

/// Part of an exchange that runs beside computation: what is longer than it, and what interference exposes of the rest.
constexpr auto interfering_exchange(Of<Seconds> auto exchange, Of<Seconds> auto window, Of<double> auto exposed) {
  return cited("docs/method/training_time.md#overlap",
               max(Seconds(0), exchange - window) + exposed * min(exchange, window));
}

/// Keys and values that context-parallel ranks pass round, one layer forward. `latent` heads pass whole heads.
constexpr auto ring_bytes(Of<double> auto tokens, Of<double> auto kv_width, Of<double> auto ranks) {
  return cited("arXiv 2310.01889 section 3", in<Bytes>(2.0 * tokens * kv_width * (ranks - 1.0)));
}

/// Queries, keys, values and output that change between sequence and head split, one layer forward.
constexpr auto head_exchange_bytes(Of<double> auto tokens, Of<double> auto width, Of<double> auto ranks) {
  return cited("arXiv 2309.14509 section 3", in<Bytes>(2.0 * tokens * width * (ranks - 1.0) / ranks));
}

/// Nodes that the chosen experts of a token stand on, on average, when routing is even.
auto nodes_of_token(Of<double> auto nodes, Of<double> auto experts_per_token, Of<double> auto nodes_max) {
  const auto even = nodes * (1.0 - math::pow((nodes - 1.0) / nodes, experts_per_token));
  return cited("arXiv 2412.19437 section 3.2.2", min(even, nodes_max));
}

/// Bytes of one exchange that leave the node: one copy for each other node that has a chosen expert.
constexpr auto expert_bytes_across(Of<Bytes> auto tokens, Of<double> auto nodes_of_token, Of<double> auto nodes) {
  return cited("arXiv 2412.19437 section 3.2.2", tokens * nodes_of_token * (nodes - 1.0) / nodes);
}

constexpr auto expert_bytes_inside(Of<Bytes> auto tokens, Of<double> auto experts_per_token, Of<double> auto ranks) {
  return cited("arXiv 2412.19437 section 3.2.2", tokens * experts_per_token * (ranks - 1.0) / ranks);
}

/// Both networks carry at once.
constexpr auto expert_exchange_time(Of<Bytes> auto inside, Of<BytesPerSecond> auto link, Of<Bytes> auto across,
                                    Of<BytesPerSecond> auto network, Of<Seconds> auto start) {
  return cited("arXiv 2412.19437 section 3.2.2", 2.0 * start + max(inside / link, across / network));
}

/// Time of the longest stage and of the mean one: the shorter sets the bubble.
constexpr auto shorter_time(Of<Seconds> auto one, Of<Seconds> auto other) {
  return cited("arXiv 2104.04473 section 2.2", min(one, other));
}

/// Share of a transfer between stages that computation does not hide, forward and backward, for all chunks.
constexpr auto stage_transfers(Of<Seconds> auto each, Of<double> auto chunks, Of<double> auto exposed) {
  return cited("arXiv 2104.04473 section 4.1", 2.0 * each * chunks * exposed);
}

/// Stragglers and jitter: what each doubling of the GPUs beyond one node costs.
constexpr auto lost_to_scale(Of<Seconds> auto step, Of<double> auto loss, Of<double> auto doublings) {
  return cited("docs/method/training_time.md#scale", step * loss * doublings);
}

/// Least time of a step: its work at the best rate that a matrix product was measured at.
constexpr auto fastest_time(Of<Flops> auto work, Of<double> auto gpus, Of<FlopsPerSecond> auto best) {
  return cited("docs/method/training_time.md#rates", work / gpus / best);
}

/// What a time lacks of the least one.
constexpr auto missing_time(Of<Seconds> auto least, Of<Seconds> auto found) {
  return cited("docs/method/training_time.md#rates", max(Seconds(0), least - found));
}

/// Forward and backward, in forward passes of equal cost.
constexpr auto passes_time(Of<double> auto passes, Of<Seconds> auto forward) {
  return cited("docs/method/training_time.md#kernels", passes * forward);
}

/// Parameters of a model part that one GPU holds.
constexpr auto parameters_per_gpu(Of<double> auto parameters, Of<double> auto ranks, Of<double> auto pipeline) {
  return cited("arXiv 2104.04473 section 2", parameters / (ranks * pipeline));
}

constexpr auto payload_of(Of<double> auto values, Of<double> auto bytes_per_value) {
  return in<Bytes>(values * bytes_per_value);
}

/// Values of a row for each token: hidden states that ranks exchange, logits.
constexpr auto row_bytes(Of<double> auto tokens, Of<double> auto width, Of<double> auto bytes_per_value) {
  return cited("arXiv 2205.05198 section 4.2.2", in<Bytes>(tokens * width * bytes_per_value));
}

constexpr auto micro_batches_time(Of<double> auto count, Of<Seconds> auto each) {
  return cited("arXiv 2104.04473 section 2.2", count * each);
}

/// An optimizer reads and writes its states once; nothing else limits it.
constexpr auto optimizer_time(Of<double> auto parameters, Of<double> auto bytes_per_parameter,
                              Of<BytesPerSecond> auto bandwidth) {
  return cited("docs/method/training_time.md#streaming-operations",
               in<Bytes>(parameters * bytes_per_parameter) / bandwidth);
}

constexpr auto tokens_per_step(Of<double> auto global_batch_size, Of<double> auto sequence_length) {
  return global_batch_size * sequence_length;
}

constexpr auto tokens_per_second(Of<double> auto tokens, Of<Seconds> auto step) { return tokens / step; }

constexpr auto achieved_rate(Of<Flops> auto work, Of<Seconds> auto step, Of<double> auto gpus) {
  return cited("arXiv 2104.04473 section 5.1", work / step / gpus);
}

/// Work of a frozen weight: forward, and backward to the inputs only.
constexpr auto frozen_weight_work(Of<Flops> auto training) {
  return cited("arXiv 2106.09685 section 4", training * 2.0 / 3.0);
}

/// Bubble over ideal time, 1F1B with `chunks` model chunks per stage (1: not interleaved). GPipe has the same.
constexpr auto bubble_over_ideal(Of<double> auto stages, Of<double> auto micro_batches, Of<double> auto chunks) {
  return cited("arXiv 2104.04473 section 2.2", (stages - 1.0) / (chunks * micro_batches));
}

/// Bubble over total time.
constexpr auto bubble_over_total(Of<double> auto stages, Of<double> auto micro_batches, Of<double> auto chunks) {
  return cited("arXiv 2104.04473 section 2.2", (stages - 1.0) / (chunks * micro_batches + stages - 1.0));
}

/// Idle time of every stage in a step; `stage_time` is forward and backward of one micro-batch through all chunks of
/// one stage.
constexpr auto bubble_time(Of<double> auto stages, Of<double> auto chunks, Of<Seconds> auto stage_time) {
  return cited("arXiv 2104.04473 section 2.2", (stages - 1.0) / chunks * stage_time);
}

/// Backward split into its input and its weight part, the weight part filling the wait (ZB-H1).
constexpr auto bubble_time_zb_h1(Of<double> auto stages, Of<Seconds> auto forward, Of<Seconds> auto backward_input,
                                 Of<Seconds> auto backward_weight) {
  return cited("arXiv 2401.10241 table 2", (stages - 1.0) * (forward + backward_input - backward_weight));
}

/// Bytes that leave the GPU in one step when the optimizer lives on the host: the gradients of the parameters that it
/// updates. The new weights come back: kOffloadedWeightBytes.
constexpr auto offloaded_gradient_bytes(Of<double> auto updated_parameters, Of<Bytes> auto gradient) {
  return cited("arXiv 2101.06840 section 3.3", updated_parameters * gradient);
}

/// Bytes that return: the updated weights in the format of the forward pass.
constexpr auto offloaded_weight_bytes(Of<double> auto updated_parameters, Of<Bytes> auto weight) {
  return cited("arXiv 2101.06840 section 3.3", updated_parameters * weight);
}

/// Bytes of weights fetched when the parameters live on the host: once for each pass of each micro-batch over them
/// (forward, backward, and the repeated forward of full recomputation).
constexpr auto fetched_weight_bytes(Of<double> auto parameters, Of<Bytes> auto weight, Of<double> auto passes,
                                    Of<double> auto micro_batches) {
  return cited("arXiv 2104.07857 section 4.1", parameters * weight * passes * micro_batches);
}

/// One direction of a link; both directions carry at once.
constexpr auto offload_transfer_time(Of<Bytes> auto out, Of<Bytes> auto back, Of<BytesPerSecond> auto one_way) {
  return cited("docs/method/calendar.md#offload", max(out, back) / one_way);
}

/// Update by the host's processors, which the GPUs of a node share. `rate` is in parameters per second of one node.
constexpr auto host_optimizer_time(Of<double> auto updated_parameters, Of<double> auto gpus_per_node,
                                   Of<PerSecond> auto rate) {
  return cited("arXiv 2101.06840 table 4", updated_parameters * gpus_per_node / rate);
}

/// Optimizer states that live on NVMe are read and written once in a step.
constexpr auto nvme_state_time(Of<double> auto updated_parameters, Of<Bytes> auto states,
                               Of<BytesPerSecond> auto rate) {
  return cited("arXiv 2104.07857 section 4.1", 2.0 * (updated_parameters * states) / rate);
}

/// What a step waits for at its end. Gradients leave while the backward pass still runs, and what does not fit behind
/// it waits; then the host updates, and the new weights return while it updates the next ones, so the longer of the two
/// counts.
constexpr auto exposed_optimizer_offload(Of<Seconds> auto gradients_out, Of<Seconds> auto backward,
                                         Of<Seconds> auto update, Of<Seconds> auto weights_back) {
  return cited("arXiv 2101.06840 section 4.1", max(Seconds(0), gradients_out - backward) + max(update, weights_back));
}

/// Weights and activations that stream beside the computation: what is longer than it waits.
constexpr auto exposed_streaming(Of<Seconds> auto transfer, Of<Seconds> auto compute) {
  return cited("arXiv 2104.07857 section 6.2", max(Seconds(0), transfer - compute));
}

/// GPU time of a run, in GPU-seconds.
constexpr auto gpu_time(Of<double> auto gpu_count, Of<Seconds> auto run) { return gpu_count * run; }

/// Time of some work on GPUs that reach a share of their peak.
constexpr auto time_at_utilisation(Of<Flops> auto work, Of<double> auto gpus, Of<FlopsPerSecond> auto peak_per_gpu,
                                   Of<double> auto utilisation) {
  return cited("arXiv 2104.04473 section 5.1", work / (gpus * utilisation * peak_per_gpu));
}

/// GPUs that do some work in a time at a share of their peak.
auto gpus_for_time(Of<Flops> auto work, Of<Seconds> auto time, Of<FlopsPerSecond> auto peak_per_gpu,
                   Of<double> auto utilisation) {
  return cited("arXiv 2104.04473 section 5.1", ceil(work / (time * utilisation * peak_per_gpu)));
}

constexpr auto rate_of_utilisation(Of<double> auto utilisation, Of<FlopsPerSecond> auto peak) {
  return cited("arXiv 2204.02311 appendix B", utilisation * peak);
}

}  // namespace podwright
