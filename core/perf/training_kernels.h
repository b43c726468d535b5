#pragma once
/// Equations of the kernels of a training step: matrix products with their shape, attention, streaming operations, and
/// what slows them. docs/method/training_time.md#kernels.
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

}  // namespace podwright
