#pragma once
/// The arithmetic of measured rates and of the samples behind them. docs/method/probes.md.
#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Independent samples that tell as much as `samples` ones whose neighbours have this correlation (0..1).
constexpr double effective_samples(double samples, double correlation) {
  return samples * (1.0 - correlation) / (1.0 + correlation);
}
inline constexpr Formula<effective_samples> kEffectiveSamples{
    .id = "measure.effective_samples",
    .inputs = {"samples", "correlation"},
    .equation = "samples * (1 - correlation) / (1 + correlation)",
    .source = "variance of the mean of a first-order autoregressive series"};

/// Work of one product of m x k and k x n matrices; a multiply-add is 2.
constexpr Flops matrix_product_work(double m, double n, double k) { return Flops(2.0 * m * n * k); }
inline constexpr Formula<matrix_product_work> kMatrixProductWork{.id = "measure.matrix_product_work",
                                                                 .inputs = {"m", "n", "k"},
                                                                 .equation = "2 * m * n * k",
                                                                 .source = "definition"};

/// Bytes of both factors and of the result of one product, each read or written once.
constexpr Bytes matrix_product_bytes(double factor_entries, double factor_width, double result_entries,
                                     double result_width) {
  return Bytes(factor_entries * factor_width + result_entries * result_width);
}
inline constexpr Formula<matrix_product_bytes> kMatrixProductBytes{
    .id = "measure.matrix_product_bytes",
    .inputs = {"factor_entries", "factor_width", "result_entries", "result_width"},
    .equation = "factor_entries * factor_width + result_entries * result_width",
    .source = "definition"};

/// Bandwidth that a bus of `bus_bits` reaches at a memory clock that moves two bits a cycle and line.
constexpr BytesPerSecond driver_bandwidth(double bus_bits, double memory_clock) {
  return BytesPerSecond(bus_bits / 8.0 * memory_clock * 2.0);
}
inline constexpr Formula<driver_bandwidth> kDriverBandwidth{.id = "measure.driver_bandwidth",
                                                            .inputs = {"bus_bits", "memory_clock"},
                                                            .equation = "bus_bits / 8 * memory_clock * 2",
                                                            .source = "definition"};

/// Bus bandwidth of a collective: what each link carries. `factor` is that of the operation.
constexpr BytesPerSecond bus_bandwidth(double factor, Bytes payload, Seconds time) { return factor * payload / time; }
inline constexpr Formula<bus_bandwidth> kBusBandwidth{.id = "measure.bus_bandwidth",
                                                      .inputs = {"factor", "payload", "time"},
                                                      .equation = "factor * payload / time",
                                                      .source = "nccl-tests PERFORMANCE.md"};

/// What one operation of `time` takes from a device that draws `power` while it works.
constexpr Joules operation_energy(Watts power, Seconds time) { return power * time; }
inline constexpr Formula<operation_energy> kOperationEnergy{
    .id = "measure.operation_energy", .inputs = {"power", "time"}, .equation = "power * time", .source = "definition"};

/// Share of the shorter one of two works that the other hides when both run together; below 0 they hinder each other.
constexpr double overlap_efficiency(Seconds first, Seconds second, Seconds together) {
  return (first + second - together) / (first < second ? first : second);
}
inline constexpr Formula<overlap_efficiency> kOverlapEfficiency{
    .id = "measure.overlap_efficiency",
    .inputs = {"first", "second", "together"},
    .equation = "(first + second - together) / min(first, second)",
    .source = "definition"};

constexpr double all_reduce_factor(double ranks) { return 2.0 * (ranks - 1.0) / ranks; }
inline constexpr Formula<all_reduce_factor> kAllReduceFactor{.id = "measure.all_reduce_factor",
                                                             .inputs = {"ranks"},
                                                             .equation = "2 * (ranks - 1) / ranks",
                                                             .source = "nccl-tests PERFORMANCE.md"};

/// Of all-gather, reduce-scatter and all-to-all.
constexpr double gather_factor(double ranks) { return (ranks - 1.0) / ranks; }
inline constexpr Formula<gather_factor> kGatherFactor{.id = "measure.gather_factor",
                                                      .inputs = {"ranks"},
                                                      .equation = "(ranks - 1) / ranks",
                                                      .source = "nccl-tests PERFORMANCE.md"};

}  // namespace podwright
