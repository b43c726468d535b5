#pragma once
/// Equations of the kernels of a serving step. docs/method/serving_time.md.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

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
