#pragma once
/// The roofline: an operation takes the longer of its arithmetic and its memory traffic. Rates are measured ceilings of
/// real kernels, per GPU; the peak of a data sheet is never one. Derivation and limits: docs/method/roofline.md.
#include <algorithm>

#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// `rate` is what kernels reach, not the data sheet's peak.
constexpr Seconds compute_time(Flops work, FlopsPerSecond rate) { return work / rate; }
inline constexpr Formula<compute_time> kComputeTime{.id = "perf.compute_time",
                                                    .inputs = {"work", "rate"},
                                                    .equation = "work / rate",
                                                    .source = "Williams et al. 2009, Roofline"};

constexpr Seconds transfer_time(Bytes payload, BytesPerSecond bandwidth) { return payload / bandwidth; }
inline constexpr Formula<transfer_time> kTransferTime{.id = "perf.transfer_time",
                                                      .inputs = {"payload", "bandwidth"},
                                                      .equation = "payload / bandwidth",
                                                      .source = "Williams et al. 2009, Roofline"};

constexpr Seconds roofline_time(Flops work, FlopsPerSecond rate, Bytes payload, BytesPerSecond bandwidth) {
  return std::max(work / rate, payload / bandwidth);
}
inline constexpr Formula<roofline_time> kRooflineTime{.id = "perf.roofline_time",
                                                      .inputs = {"work", "rate", "payload", "bandwidth"},
                                                      .equation = "max(work / rate, payload / bandwidth)",
                                                      .source = "Williams et al. 2009, Roofline"};

/// Arithmetic per byte moved.
using FlopsPerByte = Quantity<Dim{.byte = -1, .flop = 1}>;

/// Work of an operation for each byte that it moves.
constexpr FlopsPerByte arithmetic_intensity(Flops work, Bytes moved) { return work / moved; }
inline constexpr Formula<arithmetic_intensity> kArithmeticIntensity{.id = "perf.arithmetic_intensity",
                                                                    .inputs = {"work", "moved"},
                                                                    .equation = "work / moved",
                                                                    .source = "Williams et al. 2009, Roofline"};

/// Intensity above which arithmetic limits and below which memory does.
constexpr FlopsPerByte ridge_point(FlopsPerSecond peak, BytesPerSecond bandwidth) { return peak / bandwidth; }
inline constexpr Formula<ridge_point> kRidgePoint{.id = "perf.ridge_point",
                                                  .inputs = {"peak", "bandwidth"},
                                                  .equation = "peak / bandwidth",
                                                  .source = "Williams et al. 2009, Roofline"};

/// Rate that an intensity allows: on the slope below the ridge, on the roof above it.
constexpr FlopsPerSecond attainable_rate(FlopsPerByte intensity, BytesPerSecond bandwidth, FlopsPerSecond peak) {
  const FlopsPerSecond slope = intensity * bandwidth;
  return slope < peak ? slope : peak;
}
inline constexpr Formula<attainable_rate> kAttainableRate{.id = "perf.attainable_rate",
                                                          .inputs = {"intensity", "bandwidth", "peak"},
                                                          .equation = "min(intensity * bandwidth, peak)",
                                                          .source = "Williams et al. 2009, Roofline"};

/// Rate that an operation reaches.
constexpr FlopsPerSecond attained_rate(Flops work, Seconds time) { return work / time; }
inline constexpr Formula<attained_rate> kAttainedRate{.id = "perf.attained_rate",
                                                      .inputs = {"work", "time"},
                                                      .equation = "work / time",
                                                      .source = "Williams et al. 2009, Roofline"};

/// What an operation reaches of the roof above its intensity, 0..1.
constexpr double roof_share(FlopsPerSecond attained, FlopsPerSecond roof) { return attained / roof; }
inline constexpr Formula<roof_share> kRoofShare{.id = "perf.roof_share",
                                                .inputs = {"attained", "roof"},
                                                .equation = "attained / roof",
                                                .source = "Williams et al. 2009, Roofline"};

/// Ceiling of a GPU nobody measured: the share of the peak that measured GPUs reach. An estimate.
constexpr FlopsPerSecond estimated_rate(FlopsPerSecond peak, double reached_share) { return peak * reached_share; }
inline constexpr Formula<estimated_rate> kEstimatedRate{
    .id = "perf.estimated_rate",
    .inputs = {"peak", "reached_share"},
    .equation = "peak * reached_share",
    .source = "docs/method/roofline.md#gpus-without-measured-kernels"};

constexpr BytesPerSecond estimated_bandwidth(BytesPerSecond peak, double reached_share) { return peak * reached_share; }
inline constexpr Formula<estimated_bandwidth> kEstimatedBandwidth{
    .id = "perf.estimated_bandwidth",
    .inputs = {"peak", "reached_share"},
    .equation = "peak * reached_share",
    .source = "docs/method/roofline.md#gpus-without-measured-kernels"};

/// Network bandwidth of one GPU when all GPUs of its system send.
constexpr BytesPerSecond network_bandwidth_per_gpu(BytesPerSecond line_rate, double nics, double gpus,
                                                   double reached_share) {
  return line_rate * nics / gpus * reached_share;
}
inline constexpr Formula<network_bandwidth_per_gpu> kNetworkCeiling{
    .id = "perf.network_bandwidth_per_gpu",
    .inputs = {"line_rate", "nics", "gpus", "reached_share"},
    .equation = "line_rate * nics / gpus * reached_share",
    .source = "docs/method/roofline.md#links"};

}  // namespace podwright
