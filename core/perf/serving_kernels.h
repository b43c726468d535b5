#pragma once
/// Equations of the kernels of a serving step. docs/method/serving_time.md.
#include <algorithm>

#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Work of one row through a product of `columns` x `depth` on this GPU.
constexpr Flops product_row_work(double columns, double depth) { return Flops(2.0 * columns * depth); }
inline constexpr Formula<product_row_work> kProductRowWork{
    .id = "perf.product_row_work",
    .inputs = {"columns", "depth"},
    .equation = "2 * columns * depth",
    .source = "one multiply-add of 2 FLOP for each weight: arXiv 2001.08361 section 2.1"};

/// The same row where arithmetic binds.
constexpr Seconds product_row_time(double columns, double depth, FlopsPerSecond rate, double half_width,
                                   double half_depth) {
  return product_row_work(columns, depth) / rate * (1.0 + half_width / columns) * (1.0 + half_depth / depth);
}
inline constexpr Formula<product_row_time> kProductRowTime{
    .id = "perf.product_row_time",
    .inputs = {"columns", "depth", "rate", "half_width", "half_depth"},
    .equation = "2 * columns * depth / rate * (1 + half_width / columns) * (1 + half_depth / depth)",
    .source = "docs/method/serving_time.md#products"};

/// Weights of a product on this GPU, as wide as they are read.
constexpr Bytes product_weight_bytes(double columns, double depth, double bits) {
  return Bytes(columns * depth * bits / 8.0);
}
inline constexpr Formula<product_weight_bytes> kProductWeightBytes{.id = "perf.product_weight_bytes",
                                                                   .inputs = {"columns", "depth", "bits"},
                                                                   .equation = "columns * depth * bits / 8",
                                                                   .source = "definition of the format"};

/// The weights of a product, read once.
constexpr Seconds weight_stream_time(double columns, double depth, double bits, BytesPerSecond bandwidth,
                                     Seconds start) {
  return start + product_weight_bytes(columns, depth, bits) / bandwidth;
}
inline constexpr Formula<weight_stream_time> kWeightStreamTime{
    .id = "perf.weight_stream_time",
    .inputs = {"columns", "depth", "bits", "bandwidth", "start"},
    .equation = "start + columns * depth * bits / 8 / bandwidth",
    .source = "docs/method/serving_time.md#products"};

/// Inputs and outputs of one row, 16 bit.
constexpr Bytes activation_row_bytes(double passes, double columns, double depth) {
  return Bytes(passes * (columns + depth) * 2.0);
}
inline constexpr Formula<activation_row_bytes> kActivationRowBytes{.id = "perf.activation_row_bytes",
                                                                   .inputs = {"passes", "columns", "depth"},
                                                                   .equation = "passes * (columns + depth) * 2",
                                                                   .source = "docs/method/serving_time.md#products"};
constexpr Seconds activation_row_time(double passes, double columns, double depth, BytesPerSecond bandwidth) {
  return activation_row_bytes(passes, columns, depth) / bandwidth;
}
inline constexpr Formula<activation_row_time> kActivationRowTime{
    .id = "perf.activation_row_time",
    .inputs = {"passes", "columns", "depth", "bandwidth"},
    .equation = "passes * (columns + depth) * 2 / bandwidth",
    .source = "docs/method/serving_time.md#products"};

/// `count` equal products over the rows of a step: the longer of arithmetic and weights, a share of the shorter, and
/// the rows' own traffic.
constexpr Seconds step_product_time(double count, double rows, double half_rows, Seconds row_time, Seconds stream,
                                    double overlap_loss, Seconds activation_row) {
  const Seconds arithmetic = (rows + half_rows) * row_time;
  return count * (std::max(arithmetic, stream) + overlap_loss * std::min(arithmetic, stream) + rows * activation_row);
}
inline constexpr Formula<step_product_time> kStepProductTime{
    .id = "perf.step_product_time",
    .inputs = {"count", "rows", "half_rows", "row_time", "stream", "overlap_loss", "activation_row"},
    .equation =
        "count * (max((rows + half_rows) * row_time, stream)"
        " + overlap_loss * min((rows + half_rows) * row_time, stream) + rows * activation_row)",
    .source = "docs/method/serving_time.md#products"};

/// Rows that one token brings to the experts of the fullest GPU.
constexpr double routed_rows_per_token(double experts_per_token, double ranks, double imbalance) {
  return experts_per_token / ranks * (1.0 + imbalance * (1.0 - 1.0 / ranks));
}
inline constexpr Formula<routed_rows_per_token> kRoutedRowsPerToken{
    .id = "perf.routed_rows_per_token",
    .inputs = {"experts_per_token", "ranks", "imbalance"},
    .equation = "experts_per_token / ranks * (1 + imbalance * (1 - 1 / ranks))",
    .source = "docs/method/serving_time.md#experts"};

/// `count` layers of experts: touched experts are read, their rows padded to tiles.
constexpr Seconds expert_layers_time(double count, double rows, double touched, double padding, Seconds row_time,
                                     Seconds stream, double overlap_loss, Seconds row_extra, Seconds start) {
  const Seconds arithmetic = (rows + touched * padding) * row_time;
  const Seconds weights = touched * stream;
  return count *
         (std::max(arithmetic, weights) + overlap_loss * std::min(arithmetic, weights) + rows * row_extra + start);
}
inline constexpr Formula<expert_layers_time> kExpertLayersTime{
    .id = "perf.expert_layers_time",
    .inputs = {"count", "rows", "touched", "padding", "row_time", "stream", "overlap_loss", "row_extra", "start"},
    .equation =
        "count * (max((rows + touched * padding) * row_time, touched * stream)"
        " + overlap_loss * min((rows + touched * padding) * row_time, touched * stream) + rows * row_extra + start)",
    .source = "docs/method/serving_time.md#experts"};

/// Permuting one routed row, and what the kernels around the products take for it.
constexpr Seconds expert_row_extra(double passes, double width, BytesPerSecond bandwidth, Seconds row) {
  return Bytes(passes * width * 2.0) / bandwidth + row;
}
inline constexpr Formula<expert_row_extra> kExpertRowExtra{.id = "perf.expert_row_extra",
                                                           .inputs = {"passes", "width", "bandwidth", "row"},
                                                           .equation = "passes * width * 2 / bandwidth + row",
                                                           .source = "docs/method/serving_time.md#experts"};

/// Norms, residuals and activations of one token over all half layers, 16 bit.
constexpr Seconds elementwise_row_time(double passes, double half_layers, double width, BytesPerSecond bandwidth) {
  return Bytes(passes * half_layers * width * 2.0) / bandwidth;
}
inline constexpr Formula<elementwise_row_time> kElementwiseRowTime{
    .id = "perf.elementwise_row_time",
    .inputs = {"passes", "half_layers", "width", "bandwidth"},
    .equation = "passes * half_layers * width * 2 / bandwidth",
    .source = "docs/method/serving_time.md#layers"};

/// Choosing a token from its logits, 32 bit.
constexpr Seconds sampling_row_time(double passes, double vocabulary, BytesPerSecond bandwidth) {
  return Bytes(passes * vocabulary * 4.0) / bandwidth;
}
inline constexpr Formula<sampling_row_time> kSamplingRowTime{.id = "perf.sampling_row_time",
                                                             .inputs = {"passes", "vocabulary", "bandwidth"},
                                                             .equation = "passes * vocabulary * 4 / bandwidth",
                                                             .source = "docs/method/serving_time.md#layers"};

/// A step beside its kernels: their starts, small kernels of each token, and the host's work for the step (on every
/// pipeline stage) and for each sequence.
constexpr Seconds step_overhead(Seconds starts, double tokens, Seconds token_time, Seconds host_step, double sequences,
                                Seconds host_sequence) {
  return starts + tokens * token_time + host_step + sequences * host_sequence;
}
inline constexpr Formula<step_overhead> kStepOverhead{
    .id = "perf.step_overhead_time",
    .inputs = {"starts", "tokens", "token_time", "host_step", "sequences", "host_sequence"},
    .equation = "starts + tokens * token_time + host_step + sequences * host_sequence",
    .source = "docs/method/serving_time.md#layers"};

/// The output head and the choice of tokens.
constexpr Seconds head_step_time(Seconds products, double rows, Seconds sampling_row) {
  return products + rows * sampling_row;
}
inline constexpr Formula<head_step_time> kHeadStepTime{.id = "perf.head_step_time",
                                                       .inputs = {"products", "rows", "sampling_row"},
                                                       .equation = "products + rows * sampling_row",
                                                       .source = "docs/method/serving_time.md#layers"};

/// Traffic at a rate of its own, as bytes at the rate of keys and values.
constexpr Bytes traffic_at_rate(Bytes traffic, double rate) { return traffic / rate; }
inline constexpr Formula<traffic_at_rate> kTrafficAtRate{.id = "perf.traffic_at_rate",
                                                         .inputs = {"traffic", "rate"},
                                                         .equation = "traffic / rate",
                                                         .source = "docs/method/serving_time.md#attention"};

/// Rate of llama.cpp's products: `unit_rate` for each multiprocessor and GHz at 2 W for each, more or less with the
/// board power that there is for them.
FlopsPerSecond file_product_rate(double multiprocessors, double mhz, Watts power, double unit_rate, double exponent);
inline constexpr Formula<file_product_rate> kFileProductRate{
    .id = "perf.file_product_rate",
    .inputs = {"multiprocessors", "mhz", "power", "unit_rate", "exponent"},
    .equation =
        "unit_rate * 1000000000000 * multiprocessors * mhz / 1000 * (power / (multiprocessors * mhz / 1000) / 2) ^ "
        "exponent",
    .source = "docs/method/serving_time.md#llamacpp"};

}  // namespace podwright
