#pragma once
/// Equations of the kernels of a training step: matrix products with their shape, attention, streaming operations, and
/// what slows them. docs/method/training_time.md#kernels.
#include <algorithm>
#include <cmath>

#include "base/formula.h"
#include "base/math.h"
#include "base/units.h"

namespace podwright {

/// A product of `rows` x `depth` with `depth` x `columns`. Tiles are 128 x 128; `wave` is how many run at once (the
/// multiprocessors), and `quantisation_share` of the loss in half-empty tiles and waves remains with the best tile
/// shape. `half_depth` is the depth of half rate. `misaligned` is added where width or depth is no multiple of 64.
inline Seconds matrix_product_time(double rows, double columns, double depth, FlopsPerSecond rate, double wave,
                                   double quantisation_share, double half_depth, double misaligned, Seconds start) {
  const double tiles = std::ceil(rows / 128.0) * std::ceil(columns / 128.0);
  const double loss = std::ceil(tiles / wave) * wave * 16384.0 / (rows * columns) - 1.0;
  const double off = std::max(std::min(1.0, std::ceil(columns / 64.0) * 64.0 - columns),
                              std::min(1.0, std::ceil(depth / 64.0) * 64.0 - depth));
  return start + Flops(2.0 * rows * columns * depth) / rate * (1.0 + quantisation_share * loss) *
                     (1.0 + half_depth / depth) * (1.0 + misaligned * off);
}
inline constexpr Formula<matrix_product_time> kMatrixProductTime{
    .id = "perf.matrix_product_time",
    .inputs = {"rows", "columns", "depth", "rate", "wave", "quantisation_share", "half_depth", "misaligned", "start"},
    .equation =
        "start + 2 * rows * columns * depth / rate"
        " * (1 + quantisation_share"
        " * (ceil(ceil(rows / 128) * ceil(columns / 128) / wave) * wave * 16384 / (rows * columns) - 1))"
        " * (1 + half_depth / depth)"
        " * (1 + misaligned * max(min(1, ceil(columns / 64) * 64 - columns),"
        " min(1, ceil(depth / 64) * 64 - depth)))",
    .source = "docs/method/training_time.md#matrix-products"};

/// The products of several experts in one kernel: `rows` tokens in all, `rows_each` per expert.
inline Seconds grouped_product_time(double rows, double rows_each, double columns, double depth, FlopsPerSecond rate,
                                    double quantisation_share, double half_depth, Seconds start) {
  return start + Flops(2.0 * rows * columns * depth) / rate *
                     (1.0 + quantisation_share * (std::ceil(rows_each / 128.0) * 128.0 / rows_each - 1.0)) *
                     (1.0 + half_depth / depth);
}
inline constexpr Formula<grouped_product_time> kGroupedProductTime{
    .id = "perf.grouped_product_time",
    .inputs = {"rows", "rows_each", "columns", "depth", "rate", "quantisation_share", "half_depth", "start"},
    .equation =
        "start + 2 * rows * columns * depth / rate"
        " * (1 + quantisation_share * (ceil(rows_each / 128) * 128 / rows_each - 1))"
        " * (1 + half_depth / depth)",
    .source = "docs/method/training_time.md#experts"};

/// Attention in one kernel that keeps the scores on the chip.
constexpr Seconds fused_attention_time(Flops work, FlopsPerSecond rate, Seconds start) { return start + work / rate; }
inline constexpr Formula<fused_attention_time> kFusedAttentionTime{.id = "perf.fused_attention_time",
                                                                   .inputs = {"work", "rate", "start"},
                                                                   .equation = "start + work / rate",
                                                                   .source = "arXiv 2307.08691 section 3"};

/// Attention whose scores go through memory: two batched products, slowed by `slowdown`, and passes over the scores.
constexpr Seconds unfused_attention_time(Flops work, FlopsPerSecond rate, double slowdown, double passes, Bytes scores,
                                         BytesPerSecond bandwidth, Seconds start) {
  return 3.0 * start + work / rate * slowdown + passes * scores / bandwidth;
}
inline constexpr Formula<unfused_attention_time> kUnfusedAttentionTime{
    .id = "perf.unfused_attention_time",
    .inputs = {"work", "rate", "slowdown", "passes", "scores", "bandwidth", "start"},
    .equation = "3 * start + work / rate * slowdown + passes * scores / bandwidth",
    .source = "arXiv 2205.05198 section 4.1"};

constexpr Bytes score_pass_bytes(double tokens, double heads, double sequence, double tensor) {
  return Bytes(2.0 * tokens * heads * sequence / tensor);
}
inline constexpr Formula<score_pass_bytes> kScorePassBytes{.id = "perf.score_pass_bytes",
                                                           .inputs = {"tokens", "heads", "sequence", "tensor"},
                                                           .equation = "2 * tokens * heads * sequence / tensor",
                                                           .source = "arXiv 2205.05198 section 4.1"};

/// Work of one micro-batch on one of the ranks that share the heads.
constexpr Flops attention_work_of_rank(Flops training_per_token, double tokens, double tensor) {
  return training_per_token * tokens / (3.0 * tensor);
}
inline constexpr Formula<attention_work_of_rank> kAttentionWorkOfRank{
    .id = "perf.attention_work_of_rank",
    .inputs = {"training_per_token", "tokens", "tensor"},
    .equation = "training_per_token * tokens / (3 * tensor)",
    .source = "definition: a forward pass is a third of training"};

/// Norms, residuals, rotary embedding and activation of one layer forward, in 16 bit. `wide` values pass once each
/// (read or written) 12 times per hidden value, 4 per projected head value, and once more than the MLP has matrices per
/// MLP value.
constexpr Bytes elementwise_bytes(double tokens, double hidden, double norm_ranks, double heads_width, double mlp_width,
                                  double tensor) {
  return Bytes(2.0 * tokens * (12.0 * hidden / norm_ranks + (4.0 * heads_width + mlp_width) / tensor));
}
inline constexpr Formula<elementwise_bytes> kElementwiseBytes{
    .id = "perf.elementwise_bytes",
    .inputs = {"tokens", "hidden", "norm_ranks", "heads_width", "mlp_width", "tensor"},
    .equation = "2 * tokens * (12 * hidden / norm_ranks + (4 * heads_width + mlp_width) / tensor)",
    .source = "docs/method/training_time.md#streaming-operations"};

/// Tokens that one rank's experts work on: each token comes once for each expert it chose.
constexpr double expert_rows(double tokens, double experts_per_token, double tensor, double imbalance) {
  return tokens * experts_per_token / tensor * imbalance;
}
inline constexpr Formula<expert_rows> kExpertRows{.id = "perf.expert_rows",
                                                  .inputs = {"tokens", "experts_per_token", "tensor", "imbalance"},
                                                  .equation = "tokens * experts_per_token / tensor * imbalance",
                                                  .source = "arXiv 2101.03961 section 2.2"};

constexpr Seconds mean_time(Seconds all, double count) { return all / count; }
inline constexpr Formula<mean_time> kMeanTime{
    .id = "perf.mean_time", .inputs = {"all", "count"}, .equation = "all / count", .source = "definition"};

/// Five products backward for two forward.
constexpr Flops backward_attention_work(Flops forward) { return 2.5 * forward; }
inline constexpr Formula<backward_attention_work> kBackwardAttentionWork{.id = "perf.backward_attention_work",
                                                                         .inputs = {"forward"},
                                                                         .equation = "2.5 * forward",
                                                                         .source = "arXiv 2307.08691 section 4.1"};

/// Activation inside the experts.
constexpr Bytes expert_elementwise_bytes(double rows, double width) { return Bytes(8.0 * rows * width); }
inline constexpr Formula<expert_elementwise_bytes> kExpertElementwiseBytes{
    .id = "perf.expert_elementwise_bytes",
    .inputs = {"rows", "width"},
    .equation = "8 * rows * width",
    .source = "docs/method/training_time.md#experts"};

/// Sorting tokens by expert and back, forward.
constexpr Bytes permuted_bytes(double rows, double width, double passes) { return Bytes(2.0 * rows * width * passes); }
inline constexpr Formula<permuted_bytes> kPermutedBytes{.id = "perf.permuted_bytes",
                                                        .inputs = {"rows", "width", "passes"},
                                                        .equation = "2 * rows * width * passes",
                                                        .source = "docs/method/training_time.md#experts"};

/// Casting inputs of narrow products: 16 bit read, two layouts in 8 bit written.
constexpr Bytes quantised_bytes(double tokens, double width, double rows, double expert_width) {
  return Bytes(4.0 * (tokens * width + rows * expert_width));
}
inline constexpr Formula<quantised_bytes> kQuantisedBytes{.id = "perf.quantised_bytes",
                                                          .inputs = {"tokens", "width", "rows", "expert_width"},
                                                          .equation = "4 * (tokens * width + rows * expert_width)",
                                                          .source = "docs/method/training_time.md#narrow-precisions"};

/// An operation that memory limits.
constexpr Seconds streaming_time(Bytes payload, double passes, BytesPerSecond bandwidth) {
  return payload * passes / bandwidth;
}
inline constexpr Formula<streaming_time> kStreamingTime{.id = "perf.streaming_time",
                                                        .inputs = {"payload", "passes", "bandwidth"},
                                                        .equation = "payload * passes / bandwidth",
                                                        .source = "definition"};

/// Adding a micro-batch's gradients of `parameters` weights to the running sum.
constexpr Seconds accumulation_time(double parameters, double bytes_per_parameter, BytesPerSecond bandwidth) {
  return Bytes(parameters * bytes_per_parameter) / bandwidth;
}
inline constexpr Formula<accumulation_time> kAccumulationTime{
    .id = "perf.accumulation_time",
    .inputs = {"parameters", "bytes_per_parameter", "bandwidth"},
    .equation = "parameters * bytes_per_parameter / bandwidth",
    .source = "docs/method/training_time.md#gradient-accumulation"};

/// What the host needs beyond the time that the GPU computes.
constexpr Seconds host_excess(Seconds host, Seconds gpu) { return std::max(Seconds(0), host - gpu); }
inline constexpr Formula<host_excess> kHostExcess{.id = "perf.host_excess",
                                                  .inputs = {"host", "gpu"},
                                                  .equation = "max(0, host - gpu)",
                                                  .source = "docs/method/training_time.md#host"};

/// Part of an exchange that runs beside computation: what is longer than it, and what interference exposes of the rest.
constexpr Seconds interfering_exchange(Seconds exchange, Seconds window, double exposed) {
  return std::max(Seconds(0), exchange - window) + exposed * std::min(exchange, window);
}
inline constexpr Formula<interfering_exchange> kInterferingExchange{
    .id = "perf.interfering_exchange",
    .inputs = {"exchange", "window", "exposed"},
    .equation = "max(0, exchange - window) + exposed * min(exchange, window)",
    .source = "docs/method/training_time.md#overlap"};

/// Keys and values that context-parallel ranks pass round, one layer forward. `latent` heads pass whole heads.
constexpr Bytes ring_bytes(double tokens, double kv_width, double ranks) {
  return Bytes(2.0 * tokens * kv_width * (ranks - 1.0));
}
inline constexpr Formula<ring_bytes> kRingBytes{.id = "perf.ring_bytes",
                                                .inputs = {"tokens", "kv_width", "ranks"},
                                                .equation = "2 * tokens * kv_width * (ranks - 1)",
                                                .source = "arXiv 2310.01889 section 3"};

/// Queries, keys, values and output that change between sequence and head split, one layer forward.
constexpr Bytes head_exchange_bytes(double tokens, double width, double ranks) {
  return Bytes(2.0 * tokens * width * (ranks - 1.0) / ranks);
}
inline constexpr Formula<head_exchange_bytes> kHeadExchangeBytes{.id = "perf.head_exchange_bytes",
                                                                 .inputs = {"tokens", "width", "ranks"},
                                                                 .equation = "2 * tokens * width * (ranks - 1) / ranks",
                                                                 .source = "arXiv 2309.14509 section 3"};

/// Nodes that the chosen experts of a token stand on, on average, when routing is even.
inline double nodes_of_token(double nodes, double experts_per_token, double nodes_max) {
  const double even = nodes * (1.0 - math::pow((nodes - 1.0) / nodes, experts_per_token));
  return std::min(even, nodes_max);
}
inline constexpr Formula<nodes_of_token> kNodesOfToken{
    .id = "perf.nodes_of_token",
    .inputs = {"nodes", "experts_per_token", "nodes_max"},
    .equation = "min(nodes * (1 - ((nodes - 1) / nodes)^experts_per_token), nodes_max)",
    .source = "arXiv 2412.19437 section 3.2.2"};

/// Bytes of one exchange that leave the node: one copy for each other node that has a chosen expert.
constexpr Bytes expert_bytes_across(Bytes tokens, double nodes_of_token, double nodes) {
  return tokens * nodes_of_token * (nodes - 1.0) / nodes;
}
inline constexpr Formula<expert_bytes_across> kExpertBytesAcross{
    .id = "perf.expert_bytes_across",
    .inputs = {"tokens", "nodes_of_token", "nodes"},
    .equation = "tokens * nodes_of_token * (nodes - 1) / nodes",
    .source = "arXiv 2412.19437 section 3.2.2"};

constexpr Bytes expert_bytes_inside(Bytes tokens, double experts_per_token, double ranks) {
  return tokens * experts_per_token * (ranks - 1.0) / ranks;
}
inline constexpr Formula<expert_bytes_inside> kExpertBytesInside{
    .id = "perf.expert_bytes_inside",
    .inputs = {"tokens", "experts_per_token", "ranks"},
    .equation = "tokens * experts_per_token * (ranks - 1) / ranks",
    .source = "arXiv 2412.19437 section 3.2.2"};

/// Both networks carry at once.
constexpr Seconds expert_exchange_time(Bytes inside, BytesPerSecond link, Bytes across, BytesPerSecond network,
                                       Seconds start) {
  return 2.0 * start + std::max(inside / link, across / network);
}
inline constexpr Formula<expert_exchange_time> kExpertExchangeTime{
    .id = "perf.expert_exchange_time",
    .inputs = {"inside", "link", "across", "network", "start"},
    .equation = "2 * start + max(inside / link, across / network)",
    .source = "arXiv 2412.19437 section 3.2.2"};

/// Time of the longest stage and of the mean one: the shorter sets the bubble.
constexpr Seconds shorter_time(Seconds one, Seconds other) { return std::min(one, other); }
inline constexpr Formula<shorter_time> kShorterTime{.id = "perf.shorter_time",
                                                    .inputs = {"one", "other"},
                                                    .equation = "min(one, other)",
                                                    .source = "arXiv 2104.04473 section 2.2"};

/// Share of a transfer between stages that computation does not hide, forward and backward, for all chunks.
constexpr Seconds stage_transfers(Seconds each, double chunks, double exposed) { return 2.0 * each * chunks * exposed; }
inline constexpr Formula<stage_transfers> kStageTransfers{.id = "perf.stage_transfers",
                                                          .inputs = {"each", "chunks", "exposed"},
                                                          .equation = "2 * each * chunks * exposed",
                                                          .source = "arXiv 2104.04473 section 4.1"};

/// Stragglers and jitter: what each doubling of the GPUs beyond one node costs.
constexpr Seconds lost_to_scale(Seconds step, double loss, double doublings) { return step * loss * doublings; }
inline constexpr Formula<lost_to_scale> kLostToScale{.id = "perf.lost_to_scale",
                                                     .inputs = {"step", "loss", "doublings"},
                                                     .equation = "step * loss * doublings",
                                                     .source = "docs/method/training_time.md#scale"};

/// Least time of a step: its work at the best rate that a matrix product was measured at.
constexpr Seconds fastest_time(Flops work, double gpus, FlopsPerSecond best) { return work / gpus / best; }
inline constexpr Formula<fastest_time> kFastestTime{.id = "perf.fastest_time",
                                                    .inputs = {"work", "gpus", "best"},
                                                    .equation = "work / gpus / best",
                                                    .source = "docs/method/training_time.md#rates"};

/// What a time lacks of the least one.
constexpr Seconds missing_time(Seconds least, Seconds found) { return std::max(Seconds(0), least - found); }
inline constexpr Formula<missing_time> kMissingTime{.id = "perf.missing_time",
                                                    .inputs = {"least", "found"},
                                                    .equation = "max(0, least - found)",
                                                    .source = "docs/method/training_time.md#rates"};

}  // namespace podwright
