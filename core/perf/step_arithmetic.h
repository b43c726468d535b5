#pragma once
/// Equations of one engine step: arithmetic, weight traffic and messages of a number of tokens, per GPU.
#include "base/arithmetic.h"
#include "base/math.h"
#include "base/units.h"

namespace podwright {

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

}  // namespace podwright
