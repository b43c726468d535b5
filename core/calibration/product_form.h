#pragma once
/// Equations that a fit of dense matrix products may take, and their parameters. docs/method/probes.md#products.
#include <optional>
#include <vector>

#include "base/units.h"

namespace podwright {

/// A product of m x k and k x n matrices; `bytes` of both factors and the result together.
struct ProductShape {
  double m = 0;
  double n = 0;
  double k = 0;
  Bytes bytes;
};

/// Peaks of the device, of which efficiencies are shares.
struct MachinePeaks {
  FlopsPerSecond flops;
  BytesPerSecond bandwidth;
  /// Of a GPU whose products may lose time in half-filled waves of tiles (compute capability 10.x); 0: no such term.
  double multiprocessors = 0;
};

/// start + max(work / rate, bytes / bandwidth), or a variant of it.
struct ProductForm {
  Seconds start;
  double compute_efficiency = 0;     ///< of the peak
  double bandwidth_efficiency = 0;   ///< of the bandwidth
  std::optional<double> norm;        ///< exponent >= 1 of a smooth maximum; absent: the larger of the two counts
  std::optional<double> wave_share;  ///< 0..1 of the loss in the last wave of tiles; absent: no such term

  Seconds time(const ProductShape& shape, const MachinePeaks& peaks) const;
  /// What a search moves: the start in microseconds, logarithms of the others that the form has.
  std::vector<double> parameters() const;
  void set_parameters(const std::vector<double>& parameters);
  /// First moves of a search.
  std::vector<double> steps() const;
};

/// The form without variants from which searches set out.
ProductForm first_product_form();

}  // namespace podwright
