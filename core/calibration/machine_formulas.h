#pragma once
/// What a measured machine takes for products, memory, collectives and launches. docs/method/probes.md#calibration.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/formula.h"
#include "base/math.h"
#include "base/units.h"

namespace podwright {

/// Time of one dense product before the correction by its measured neighbours.
constexpr Seconds product_time(Seconds start, Seconds compute, Seconds memory) {
  return start + std::max(compute, memory);
}
inline constexpr Formula<product_time> kProductTime{.id = "calibration.product_time",
                                                    .inputs = {"start", "compute", "memory"},
                                                    .equation = "start + max(compute, memory)",
                                                    .source = "roofline with a start-up time"};

/// Time of one dense product whose arithmetic and memory traffic hide each other in part: the norm of both, which is
/// the larger one for a large exponent (at least 1).
inline Seconds smooth_product_time(Seconds start, Seconds compute, Seconds memory, double norm) {
  const Seconds larger = std::max(compute, memory);
  const double ratio = std::min(compute, memory) / larger;
  // Powers by logarithms: fits come here millions of times, and the last digits of a power do not matter to them.
  const double part = math::exp(norm * math::log(std::max(ratio, 1e-9)));
  return start + larger * math::exp(math::log(1.0 + part) / norm);
}
inline constexpr Formula<smooth_product_time> kSmoothProductTime{
    .id = "calibration.smooth_product_time",
    .inputs = {"start", "compute", "memory", "norm"},
    .equation =
        "start + max(compute, memory) * (1 + (min(compute, memory) / max(compute, memory)) ^ norm) ^ (1 / norm)",
    .source = "p-norm as a smooth maximum"};

/// Multiprocessors that wait in the last wave of 128 x 128 tiles, over those that tiles fill.
inline double wave_loss(double rows, double columns, double multiprocessors) {
  const double tiles = std::ceil(rows / 128.0) * std::ceil(columns / 128.0);
  return std::ceil(tiles / multiprocessors) * multiprocessors / tiles - 1.0;
}
inline constexpr Formula<wave_loss> kWaveLoss{
    .id = "calibration.wave_loss",
    .inputs = {"rows", "columns", "multiprocessors"},
    .equation =
        "ceil(ceil(rows / 128) * ceil(columns / 128) / multiprocessors) * multiprocessors"
        " / (ceil(rows / 128) * ceil(columns / 128)) - 1",
    .source = "definition"};

/// Share of the outputs of 128 x 128 tiles in whole waves that a product asks for: the rest is computed or waited for.
inline double tile_fill(double rows, double columns, double multiprocessors) {
  const double tiles = std::ceil(rows / 128.0) * std::ceil(columns / 128.0);
  return rows * columns / (std::ceil(tiles / multiprocessors) * multiprocessors * 16384.0);
}
inline constexpr Formula<tile_fill> kTileFill{
    .id = "calibration.tile_fill",
    .inputs = {"rows", "columns", "multiprocessors"},
    .equation =
        "rows * columns / (ceil(ceil(rows / 128) * ceil(columns / 128) / multiprocessors) * multiprocessors * 16384)",
    .source = "definition"};

/// Share of a rate that quantisation leaves, where other tile shapes avoid all but a share of its loss.
constexpr double quantised_share(double fill, double loss_share) {
  return 1.0 / (1.0 + loss_share * (1.0 / fill - 1.0));
}
inline constexpr Formula<quantised_share> kQuantisedShare{.id = "calibration.quantised_share",
                                                          .inputs = {"fill", "loss_share"},
                                                          .equation = "1 / (1 + loss_share * (1 / fill - 1))",
                                                          .source = "definition"};

/// Share of a rate that the start-up time of an operation leaves.
constexpr double started_share(Seconds time, Seconds start) { return (time - start) / time; }
inline constexpr Formula<started_share> kStartedShare{.id = "calibration.started_share",
                                                      .inputs = {"time", "start"},
                                                      .equation = "(time - start) / time",
                                                      .source = "definition"};

/// Time of arithmetic with a share of the loss in the last wave, that which other tile shapes do not avoid.
constexpr Seconds waved_compute_time(Seconds compute, double wave_share, double loss) {
  return compute * (1.0 + wave_share * loss);
}
inline constexpr Formula<waved_compute_time> kWavedComputeTime{.id = "calibration.waved_compute_time",
                                                               .inputs = {"compute", "wave_share", "loss"},
                                                               .equation = "compute * (1 + wave_share * loss)",
                                                               .source = "definition"};

/// Time of moving `bytes` in one kernel.
constexpr Seconds started_transfer_time(Seconds start, Bytes bytes, BytesPerSecond bandwidth) {
  return start + bytes / bandwidth;
}
inline constexpr Formula<started_transfer_time> kStartedTransferTime{.id = "calibration.started_transfer_time",
                                                                     .inputs = {"start", "bytes", "bandwidth"},
                                                                     .equation = "start + bytes / bandwidth",
                                                                     .source = "latency-bandwidth model"};

/// Bytes at which a kernel reaches half of the fitted bandwidth.
constexpr Bytes half_size(Seconds start, BytesPerSecond bandwidth) { return start * bandwidth; }
inline constexpr Formula<half_size> kHalfSize{.id = "calibration.half_size",
                                              .inputs = {"start", "bandwidth"},
                                              .equation = "start * bandwidth",
                                              .source = "latency-bandwidth model"};

/// Share of the peak that a kernel reaches with this many bytes.
constexpr double reached_efficiency(double efficiency, Bytes bytes, Bytes half_size) {
  return efficiency * (bytes / (bytes + half_size));
}
inline constexpr Formula<reached_efficiency> kReachedEfficiency{.id = "calibration.reached_efficiency",
                                                                .inputs = {"efficiency", "bytes", "half_size"},
                                                                .equation = "efficiency * bytes / (bytes + half_size)",
                                                                .source = "latency-bandwidth model"};

/// Time of reading a buffer again that a cache holds up to `cached` bytes of.
constexpr Seconds cached_read_time(Seconds start, Bytes bytes, Bytes cached, BytesPerSecond cache,
                                   BytesPerSecond memory) {
  return start + std::min(bytes, cached) / cache + std::max(Bytes(0), bytes - cached) / memory;
}
inline constexpr Formula<cached_read_time> kCachedReadTime{
    .id = "calibration.cached_read_time",
    .inputs = {"start", "bytes", "cached", "cache", "memory"},
    .equation = "start + min(bytes, cached) / cache + max(0, bytes - cached) / memory",
    .source = "latency-bandwidth model of two levels"};

/// Time of attention over a whole prompt; the efficiency is that of its length.
constexpr Seconds prompt_attention_time(Seconds start, Flops work, FlopsPerSecond peak, double efficiency) {
  return start + work / (peak * efficiency);
}
inline constexpr Formula<prompt_attention_time> kPromptAttentionTime{.id = "calibration.prompt_attention_time",
                                                                     .inputs = {"start", "work", "peak", "efficiency"},
                                                                     .equation = "start + work / (peak * efficiency)",
                                                                     .source = "roofline with a start-up time"};

/// Time of a message from that of the nearest smaller measured one, along a straight line of logarithms.
inline Seconds time_between_sizes(Bytes message, Bytes size, Seconds time, double slope) {
  return time * math::exp(slope * math::log(message / size));
}
inline constexpr Formula<time_between_sizes> kTimeBetweenSizes{.id = "calibration.time_between_sizes",
                                                               .inputs = {"message", "size", "time", "slope"},
                                                               .equation = "time * (message / size) ^ slope",
                                                               .source = "docs/method/probes.md#collectives"};

/// All-reduce over nodes in three stages; pipelining hides a share of their sum.
constexpr Seconds hierarchical_time(Seconds scatter, Seconds between, Seconds gather, double hidden) {
  return (scatter + between + gather) * (1.0 - hidden);
}
inline constexpr Formula<hierarchical_time> kHierarchicalTime{
    .id = "calibration.hierarchical_time",
    .inputs = {"scatter", "between", "gather", "hidden"},
    .equation = "(scatter + between + gather) * (1 - hidden)",
    .source = "reduce-scatter in the node, all-reduce between nodes, all-gather in the node"};

/// Half width of a family of parts whose errors go together, with one more part of it.
constexpr double correlated_half_width(double others, double share, double half_width) {
  return others + share * half_width;
}
inline constexpr Formula<correlated_half_width> kCorrelatedHalfWidth{.id = "calibration.correlated_half_width",
                                                                     .inputs = {"others", "share", "half_width"},
                                                                     .equation = "others + share * half_width",
                                                                     .source = "sum of fully correlated errors"};

/// Half width of a sum whose parts err independently.
inline double independent_half_width(double one, double other) { return std::sqrt(one * one + other * other); }
inline constexpr Formula<independent_half_width> kIndependentHalfWidth{.id = "calibration.independent_half_width",
                                                                       .inputs = {"one", "other"},
                                                                       .equation = "sqrt(one * one + other * other)",
                                                                       .source = "sum of independent errors"};

/// Half width of the logarithm of a machine's rate over the reference machine's: the errors of both measurements, and
/// how far the ratios of single sizes scatter.
inline double ratio_half_width(double host, double reference, double scatter) {
  return std::sqrt(host * host + reference * reference + scatter * scatter);
}
inline constexpr Formula<ratio_half_width> kRatioHalfWidth{.id = "calibration.ratio_half_width",
                                                           .inputs = {"host", "reference", "scatter"},
                                                           .equation = "sqrt(host^2 + reference^2 + scatter^2)",
                                                           .source = "sum of independent errors"};

/// Share of the extra time of sustained products that applies at this power: none below 0.9 of the limit, all at it.
constexpr double power_share(double idle_power, double burst_power, double duty, double power_limit) {
  return std::min(
      1.0, std::max(0.0, (idle_power + duty * (burst_power - idle_power) - 0.9 * power_limit) / (0.1 * power_limit)));
}
inline constexpr Formula<power_share> kPowerShare{
    .id = "calibration.power_share",
    .inputs = {"idle_power", "burst_power", "duty", "power_limit"},
    .equation =
        "min(1, max(0, (idle_power + duty * (burst_power - idle_power) - 0.9 * power_limit) / (0.1 * power_limit)))",
    .source = "linear onset of the power cap"};

/// Sustained over burst time of products that keep the tensor cores busy for a share of the step.
constexpr double sustained_factor(double measured, double power_share_of_step) {
  return 1.0 + (measured - 1.0) * power_share_of_step;
}
inline constexpr Formula<sustained_factor> kSustainedFactor{.id = "calibration.sustained_factor",
                                                            .inputs = {"measured", "power_share"},
                                                            .equation = "1 + (measured - 1) * power_share",
                                                            .source = "definition"};

/// How far a measured time lies from the fitted one; above 0: slower than the fit.
constexpr double fit_residual(Seconds measured, Seconds fitted) { return measured / fitted - 1.0; }
inline constexpr Formula<fit_residual> kFitResidual{.id = "calibration.fit_residual",
                                                    .inputs = {"measured", "fitted"},
                                                    .equation = "measured / fitted - 1",
                                                    .source = "definition"};

/// One direction of a host link that runs on `lanes` of its 16.
constexpr BytesPerSecond host_link_bandwidth(BytesPerSecond sixteen_lanes, double lanes) {
  return sixteen_lanes * (lanes / 16.0);
}
inline constexpr Formula<host_link_bandwidth> kHostLinkBandwidth{.id = "calibration.host_link_bandwidth",
                                                                 .inputs = {"sixteen_lanes", "lanes"},
                                                                 .equation = "sixteen_lanes * (lanes / 16)",
                                                                 .source = "definition"};

inline constexpr auto kCalibrationFormulas =
    std::make_tuple(kProductTime, kSmoothProductTime, kWaveLoss, kTileFill, kQuantisedShare, kStartedShare,
                    kWavedComputeTime, kStartedTransferTime, kHalfSize, kReachedEfficiency, kCachedReadTime,
                    kPromptAttentionTime, kTimeBetweenSizes, kRatioHalfWidth, kHierarchicalTime, kCorrelatedHalfWidth,
                    kIndependentHalfWidth, kPowerShare, kSustainedFactor, kFitResidual, kHostLinkBandwidth);

}  // namespace podwright
