#pragma once
/// Equations of one engine step: kernels, arithmetic, weight traffic and messages of a number of tokens, per GPU.
/// docs/method/serving_time.md. One multiply-add is 2 FLOP. Of attention the `span` is how far back a query sees: the
/// window, the tokens that sparse attention reads, or the whole length.
#include "base/arithmetic.h"
#include "base/math.h"
#include "base/units.h"

namespace podwright {

/// Query-key pairs of a causal sequence; a window longer than the sequence changes nothing.
constexpr auto causal_pairs(Of<double> auto tokens, Of<double> auto span) {
  return cited("area of the causal mask, windowed: arXiv 2310.06825 section 2",
               tokens * min(tokens, span) - min(tokens, span) * min(tokens, span) / 2.0);
}

/// Attention that restarts at multiples of `chunk`.
auto chunked_pairs(Of<double> auto tokens, Of<double> auto chunk) {
  const auto whole = floor(tokens / chunk);
  const auto rest = tokens - whole * chunk;
  return cited("area of the block-diagonal causal mask", whole * (chunk * chunk) / 2.0 + rest * rest / 2.0);
}

/// One layer. `query_dim` is the width of a query and key head, `value_dim` of a value head.
constexpr auto attention_work(Of<double> auto pairs, Of<double> auto heads, Of<double> auto query_dim,
                              Of<double> auto value_dim) {
  return cited("arXiv 2205.14135 section 2", in<Flops>(2.0 * pairs * heads * (query_dim + value_dim)));
}

/// Stored tokens that one decode step of one sequence reads in one layer.
constexpr auto tokens_read(Of<double> auto context, Of<double> auto span) {
  return cited("definition of a window", min(context, span));
}

/// Useful work of `count` equal products: no rows that only fill a tile.
constexpr auto products_work(Of<double> auto count, Of<double> auto rows, Of<Flops> auto row_work) {
  return count * rows * row_work;
}

/// Memory traffic of `count` equal products: weights, of which `reads` are read by each, and the rows' own.
constexpr auto products_traffic(Of<double> auto count, Of<double> auto reads, Of<Bytes> auto weights,
                                Of<double> auto rows, Of<Bytes> auto row_traffic) {
  return cited("docs/method/serving_time.md#roofline", count * (reads * weights + rows * row_traffic));
}

/// Weights that one GPU holds and reads.
constexpr auto weight_bytes(Of<double> auto parameters, Of<double> auto bits_per_weight, Of<double> auto gpus) {
  return cited("definition of the format", in<Bytes>(parameters * bits_per_weight / 8.0 / gpus));
}

/// Experts that a step does not touch, as a share: every token chooses evenly and independently.
auto untouched_expert_share(Of<double> auto experts, Of<double> auto experts_per_token, Of<double> auto tokens) {
  return cited("docs/method/serving_time.md#experts", math::pow(max(1.0 - experts_per_token / experts, 0.0), tokens));
}

/// Experts whose weights a step reads.
constexpr auto experts_touched(Of<double> auto experts, Of<double> auto untouched_share) {
  return cited("docs/method/serving_time.md#experts", experts * (1.0 - untouched_share));
}

/// Hidden states of a step, 16 bit.
constexpr auto message_bytes(Of<double> auto tokens, Of<double> auto width, Of<double> auto bytes_per_value) {
  return in<Bytes>(tokens * width * bytes_per_value);
}

/// Copies of a token that go to other places, when its experts lie evenly and independently over all of them: a place
/// with several of its experts gets one.
auto copies_sent(Of<double> auto places, Of<double> auto experts_per_token) {
  return cited("docs/method/serving_time.md#exchanges",
               (places - 1.0) * (1.0 - math::pow(max(1.0 - 1.0 / places, 0.0), experts_per_token)));
}

/// Share of a step's tokens in one GPU's message of both ways, counted in values that come back: a value goes out with
/// `value_out` bytes and comes back with `value_back`.
constexpr auto dispatched_share(Of<double> auto copies, Of<double> auto value_out, Of<double> auto value_back,
                                Of<double> auto gpus) {
  return cited("docs/method/serving_time.md#exchanges", copies * (1.0 + value_out / value_back) / gpus);
}

/// Tokens to their experts and back; `payload` is what one GPU sends both ways.
constexpr auto dispatch_and_combine_time(Of<Bytes> auto payload, Of<BytesPerSecond> auto bandwidth,
                                         Of<Seconds> auto start_up) {
  return cited("docs/method/serving_time.md#exchanges", 2.0 * start_up + payload / bandwidth);
}

/// Reads (or reads and writes) of one sequence over all layers of a kind.
constexpr auto bytes_in_layers(Of<double> auto layers, Of<double> auto count, Of<Bytes> auto each) {
  return layers * count * each;
}

/// One direction of a GPU's 16 lanes.
auto pcie_bandwidth(Of<double> auto generation) {
  return cited("PCI Express base specification: 8 GT/s a lane in generation 3, doubled by each, 128b/130b",
               in<BytesPerSecond>(16 * 1e9 * math::pow(2, generation - 3) * 128 / 130));
}

/// Work of one row through a product of `columns` x `depth` on this GPU.
constexpr auto product_row_work(Of<double> auto columns, Of<double> auto depth) {
  return cited("one multiply-add of 2 FLOP for each weight: arXiv 2001.08361 section 2.1",
               in<Flops>(2.0 * columns * depth));
}

/// The same row where arithmetic binds.
constexpr auto product_row_time(Of<double> auto columns, Of<double> auto depth, Of<FlopsPerSecond> auto rate,
                                Of<double> auto half_width, Of<double> auto half_depth) {
  return cited("docs/method/serving_time.md#products",
               product_row_work(columns, depth) / rate * (1.0 + half_width / columns) * (1.0 + half_depth / depth));
}

/// Weights of a product on this GPU, as wide as they are read.
constexpr auto product_weight_bytes(Of<double> auto columns, Of<double> auto depth, Of<double> auto bits) {
  return cited("definition of the format", in<Bytes>(columns * depth * bits / 8.0));
}

/// The weights of a product, read once.
constexpr auto weight_stream_time(Of<double> auto columns, Of<double> auto depth, Of<double> auto bits,
                                  Of<BytesPerSecond> auto bandwidth, Of<Seconds> auto start) {
  return cited("docs/method/serving_time.md#products", start + product_weight_bytes(columns, depth, bits) / bandwidth);
}

/// Inputs and outputs of one row, 16 bit.
constexpr auto activation_row_bytes(Of<double> auto passes, Of<double> auto columns, Of<double> auto depth) {
  return cited("docs/method/serving_time.md#products", in<Bytes>(passes * (columns + depth) * 2.0));
}

/// `count` equal products over the rows of a step: the longer of arithmetic and weights, a share of the shorter, and
/// the rows' own traffic.
constexpr auto step_product_time(Of<double> auto count, Of<double> auto rows, Of<double> auto half_rows,
                                 Of<Seconds> auto row_time, Of<Seconds> auto stream, Of<double> auto overlap_loss,
                                 Of<Seconds> auto activation_row) {
  const auto arithmetic = (rows + half_rows) * row_time;
  return cited("docs/method/serving_time.md#products",
               count * (max(arithmetic, stream) + overlap_loss * min(arithmetic, stream) + rows * activation_row));
}

/// Rows that one token brings to the experts of the fullest GPU.
constexpr auto routed_rows_per_token(Of<double> auto experts_per_token, Of<double> auto ranks,
                                     Of<double> auto imbalance) {
  return cited("docs/method/serving_time.md#experts",
               experts_per_token / ranks * (1.0 + imbalance * (1.0 - 1.0 / ranks)));
}

/// `count` layers of experts: touched experts are read, their rows padded to tiles.
constexpr auto expert_layers_time(Of<double> auto count, Of<double> auto rows, Of<double> auto touched,
                                  Of<double> auto padding, Of<Seconds> auto row_time, Of<Seconds> auto stream,
                                  Of<double> auto overlap_loss, Of<Seconds> auto row_extra, Of<Seconds> auto start) {
  const auto arithmetic = (rows + touched * padding) * row_time;
  const auto weights = touched * stream;
  return cited("docs/method/serving_time.md#experts",
               count * (max(arithmetic, weights) + overlap_loss * min(arithmetic, weights) + rows * row_extra + start));
}

/// Permuting one routed row, and what the kernels around the products take for it.
constexpr auto expert_row_extra(Of<double> auto passes, Of<double> auto width, Of<BytesPerSecond> auto bandwidth,
                                Of<Seconds> auto row) {
  return cited("docs/method/serving_time.md#experts", in<Bytes>(passes * width * 2.0) / bandwidth + row);
}

/// Norms, residuals and activations of one token over all half layers, 16 bit.
constexpr auto elementwise_row_time(Of<double> auto passes, Of<double> auto half_layers, Of<double> auto width,
                                    Of<BytesPerSecond> auto bandwidth) {
  return cited("docs/method/serving_time.md#layers", in<Bytes>(passes * half_layers * width * 2.0) / bandwidth);
}

/// Choosing a token from its logits, 32 bit.
constexpr auto sampling_row_time(Of<double> auto passes, Of<double> auto vocabulary,
                                 Of<BytesPerSecond> auto bandwidth) {
  return cited("docs/method/serving_time.md#layers", in<Bytes>(passes * vocabulary * 4.0) / bandwidth);
}

/// A step beside its kernels: their starts, small kernels of each token, and the host's work for the step (on every
/// pipeline stage) and for each sequence.
constexpr auto step_overhead(Of<Seconds> auto starts, Of<double> auto tokens, Of<Seconds> auto token_time,
                             Of<Seconds> auto host_step, Of<double> auto sequences, Of<Seconds> auto host_sequence) {
  return cited("docs/method/serving_time.md#layers",
               starts + tokens * token_time + host_step + sequences * host_sequence);
}

/// The output head and the choice of tokens.
constexpr auto head_step_time(Of<Seconds> auto products, Of<double> auto rows, Of<Seconds> auto sampling_row) {
  return cited("docs/method/serving_time.md#layers", products + rows * sampling_row);
}

/// Rate of llama.cpp's products: `unit_rate` for each multiprocessor and GHz at 2 W for each, more or less with the
/// board power that there is for them.
auto file_product_rate(Of<double> auto multiprocessors, Of<double> auto mhz, Of<Watts> auto power,
                       Of<double> auto unit_rate, Of<double> auto exponent) {
  const auto units = multiprocessors * (mhz / 1000.0);
  return cited("docs/method/serving_time.md#llamacpp",
               in<FlopsPerSecond>(unit_rate * 1e12 * units * math::pow(raw(power) / units / 2.0, exponent)));
}

}  // namespace podwright
