#pragma once
/// The roofline: an operation takes the longer of its arithmetic and its memory traffic. Rates are measured ceilings of
/// real kernels, per GPU; the peak of a data sheet is never one. Derivation and limits: docs/method/roofline.md.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// `rate` is what kernels reach, not the data sheet's peak.
constexpr auto compute_time(Of<Flops> auto work, Of<FlopsPerSecond> auto rate) {
  return cited("Williams et al. 2009, Roofline", work / rate);
}

constexpr auto transfer_time(Of<Bytes> auto payload, Of<BytesPerSecond> auto bandwidth) {
  return cited("Williams et al. 2009, Roofline", payload / bandwidth);
}

constexpr auto roofline_time(Of<Flops> auto work, Of<FlopsPerSecond> auto rate, Of<Bytes> auto payload,
                             Of<BytesPerSecond> auto bandwidth) {
  return cited("Williams et al. 2009, Roofline", max(work / rate, payload / bandwidth));
}

/// Arithmetic per byte moved.
using FlopsPerByte = Quantity<Dim{.byte = -1, .flop = 1}>;

/// Work of an operation for each byte that it moves.
constexpr auto arithmetic_intensity(Of<Flops> auto work, Of<Bytes> auto moved) {
  return cited("Williams et al. 2009, Roofline", work / moved);
}

/// Intensity above which arithmetic limits and below which memory does.
constexpr auto ridge_point(Of<FlopsPerSecond> auto peak, Of<BytesPerSecond> auto bandwidth) {
  return cited("Williams et al. 2009, Roofline", peak / bandwidth);
}

/// Rate that an intensity allows: on the slope below the ridge, on the roof above it.
constexpr auto attainable_rate(Of<FlopsPerByte> auto intensity, Of<BytesPerSecond> auto bandwidth,
                               Of<FlopsPerSecond> auto peak) {
  const auto slope = intensity * bandwidth;
  return cited("Williams et al. 2009, Roofline", min(slope, peak));
}

/// Rate that an operation reaches.
constexpr auto attained_rate(Of<Flops> auto work, Of<Seconds> auto time) {
  return cited("Williams et al. 2009, Roofline", work / time);
}

/// What an operation reaches of the roof above its intensity, 0..1.
constexpr auto roof_share(Of<FlopsPerSecond> auto attained, Of<FlopsPerSecond> auto roof) {
  return cited("Williams et al. 2009, Roofline", attained / roof);
}

/// Rate or bandwidth of a GPU nobody measured: the share of the peak that measured GPUs reach. An estimate.
constexpr auto estimated_ceiling(const auto& peak, Of<double> auto reached_share) {
  return cited("docs/method/roofline.md#gpus-without-measured-kernels", peak * reached_share);
}

/// Network bandwidth of one GPU when all GPUs of its system send.
constexpr auto network_bandwidth_per_gpu(Of<BytesPerSecond> auto line_rate, Of<double> auto nics, Of<double> auto gpus,
                                         Of<double> auto reached_share) {
  return cited("docs/method/roofline.md#links", line_rate * nics / gpus * reached_share);
}

}  // namespace podwright
