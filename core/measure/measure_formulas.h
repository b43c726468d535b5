#pragma once
/// The arithmetic of measured rates and of the samples behind them. docs/method/probes.md.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Independent samples that tell as much as `samples` ones whose neighbours have this correlation (0..1).
constexpr auto effective_samples(Of<double> auto samples, Of<double> auto correlation) {
  return cited("variance of the mean of a first-order autoregressive series",
               samples * (1.0 - correlation) / (1.0 + correlation));
}

/// Work of one product of m x k and k x n matrices; a multiply-add is 2.
constexpr auto matrix_product_work(Of<double> auto m, Of<double> auto n, Of<double> auto k) {
  return in<Flops>(2.0 * m * n * k);
}

/// Bytes of both factors and of the result of one product, each read or written once.
constexpr auto matrix_product_bytes(Of<double> auto factor_entries, Of<double> auto factor_width,
                                    Of<double> auto result_entries, Of<double> auto result_width) {
  return in<Bytes>(factor_entries * factor_width + result_entries * result_width);
}

/// Bandwidth that a bus of `bus_bits` reaches at a memory clock that moves two bits a cycle and line.
constexpr auto driver_bandwidth(Of<double> auto bus_bits, Of<double> auto memory_clock) {
  return in<BytesPerSecond>(bus_bits / 8.0 * memory_clock * 2.0);
}

/// Bus bandwidth of a collective: what each link carries. `factor` is that of the operation.
constexpr auto bus_bandwidth(Of<double> auto factor, Of<Bytes> auto payload, Of<Seconds> auto time) {
  return cited("nccl-tests PERFORMANCE.md", factor * payload / time);
}

/// What one operation of `time` takes from a device that draws `power` while it works.
constexpr auto operation_energy(Of<Watts> auto power, Of<Seconds> auto time) { return power * time; }

/// Share of the shorter one of two works that the other hides when both run together; below 0 they hinder each other.
constexpr auto overlap_efficiency(Of<Seconds> auto first, Of<Seconds> auto second, Of<Seconds> auto together) {
  return (first + second - together) / min(first, second);
}

constexpr auto all_reduce_factor(Of<double> auto ranks) {
  return cited("nccl-tests PERFORMANCE.md", 2.0 * (ranks - 1.0) / ranks);
}

/// Of all-gather, reduce-scatter and all-to-all.
constexpr auto gather_factor(Of<double> auto ranks) {
  return cited("nccl-tests PERFORMANCE.md", (ranks - 1.0) / ranks);
}

}  // namespace podwright
