#pragma once
/// What a measured machine takes for products, memory, collectives and launches. docs/method/probes.md#calibration.

#include "base/arithmetic.h"
#include "base/math.h"
#include "base/units.h"

namespace podwright {

/// Time of one dense product before the correction by its measured neighbours.
constexpr auto product_time(Of<Seconds> auto start, Of<Seconds> auto compute, Of<Seconds> auto memory) {
  return cited("roofline with a start-up time", start + max(compute, memory));
}

/// Time of one dense product whose arithmetic and memory traffic hide each other in part: the norm of both, which is
/// the larger one for a large exponent (at least 1).
auto smooth_product_time(Of<Seconds> auto start, Of<Seconds> auto compute, Of<Seconds> auto memory,
                         Of<double> auto norm) {
  const auto larger = max(compute, memory);
  const auto ratio = min(compute, memory) / larger;
  // Powers by logarithms: fits come here millions of times, and the last digits of a power do not matter to them.
  const auto part = math::exp(norm * math::log(max(ratio, 1e-9)));
  return cited("p-norm as a smooth maximum", start + larger * math::exp(math::log(1.0 + part) / norm));
}

/// Multiprocessors that wait in the last wave of 128 x 128 tiles, over those that tiles fill.
auto wave_loss(Of<double> auto rows, Of<double> auto columns, Of<double> auto multiprocessors) {
  const auto tiles = ceil(rows / 128.0) * ceil(columns / 128.0);
  return ceil(tiles / multiprocessors) * multiprocessors / tiles - 1.0;
}

/// Share of the outputs of 128 x 128 tiles in whole waves that a product asks for: the rest is computed or waited for.
auto tile_fill(Of<double> auto rows, Of<double> auto columns, Of<double> auto multiprocessors) {
  const auto tiles = ceil(rows / 128.0) * ceil(columns / 128.0);
  return rows * columns / (ceil(tiles / multiprocessors) * multiprocessors * 16384.0);
}

/// Share of a rate that quantisation leaves, where other tile shapes avoid all but a share of its loss.
constexpr auto quantised_share(Of<double> auto fill, Of<double> auto loss_share) {
  return 1.0 / (1.0 + loss_share * (1.0 / fill - 1.0));
}

/// Share of a rate that the start-up time of an operation leaves.
constexpr auto started_share(Of<Seconds> auto time, Of<Seconds> auto start) { return (time - start) / time; }

/// Time of arithmetic with a share of the loss in the last wave, that which other tile shapes do not avoid.
constexpr auto waved_compute_time(Of<Seconds> auto compute, Of<double> auto wave_share, Of<double> auto loss) {
  return compute * (1.0 + wave_share * loss);
}

/// Time of moving `bytes` in one kernel.
constexpr auto started_transfer_time(Of<Seconds> auto start, Of<Bytes> auto bytes, Of<BytesPerSecond> auto bandwidth) {
  return cited("latency-bandwidth model", start + bytes / bandwidth);
}

/// Time of reading a buffer again that a cache holds up to `cached` bytes of.
constexpr auto cached_read_time(Of<Seconds> auto start, Of<Bytes> auto bytes, Of<Bytes> auto cached,
                                Of<BytesPerSecond> auto cache, Of<BytesPerSecond> auto memory) {
  return cited("latency-bandwidth model of two levels",
               start + min(bytes, cached) / cache + max(Bytes(0), bytes - cached) / memory);
}

/// Time of attention over a whole prompt; the efficiency is that of its length.
constexpr auto prompt_attention_time(Of<Seconds> auto start, Of<Flops> auto work, Of<FlopsPerSecond> auto peak,
                                     Of<double> auto efficiency) {
  return cited("roofline with a start-up time", start + work / (peak * efficiency));
}

/// Time of a message from that of the nearest smaller measured one, along a straight line of logarithms.
auto time_between_sizes(Of<Bytes> auto message, Of<Bytes> auto size, Of<Seconds> auto time, Of<double> auto slope) {
  return cited("docs/method/probes.md#collectives", time * math::exp(slope * math::log(message / size)));
}

/// All-reduce over nodes in three stages; pipelining hides a share of their sum.
constexpr auto hierarchical_time(Of<Seconds> auto scatter, Of<Seconds> auto between, Of<Seconds> auto gather,
                                 Of<double> auto hidden) {
  return cited("reduce-scatter in the node, all-reduce between nodes, all-gather in the node",
               (scatter + between + gather) * (1.0 - hidden));
}

/// Half width of a family of parts whose errors go together, with one more part of it.
constexpr auto correlated_half_width(Of<double> auto others, Of<double> auto share, Of<double> auto half_width) {
  return cited("sum of fully correlated errors", others + share * half_width);
}

/// Half width of the logarithm of a machine's rate over the reference machine's: the errors of both measurements, and
/// how far the ratios of single sizes scatter.
auto ratio_half_width(Of<double> auto host, Of<double> auto reference, Of<double> auto scatter) {
  return cited("sum of independent errors", sqrt(host * host + reference * reference + scatter * scatter));
}

/// How far a measured time lies from the fitted one; above 0: slower than the fit.
constexpr auto fit_residual(Of<Seconds> auto measured, Of<Seconds> auto fitted) { return measured / fitted - 1.0; }

/// One direction of a host link that runs on `lanes` of its 16.
constexpr auto host_link_bandwidth(Of<BytesPerSecond> auto sixteen_lanes, Of<double> auto lanes) {
  return sixteen_lanes * (lanes / 16.0);
}

}  // namespace podwright
