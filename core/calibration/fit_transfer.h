#pragma once
/// How far a fit of one machine misses on another one. docs/method/probes.md#transfer.
#include <optional>

#include "catalog/catalog.h"

namespace podwright {

/// Where a fit was made, as the GPU that is planned sees it.
enum class FitOrigin {
  same_gpu,
  family,      ///< another GPU of the same major compute capability
  generation,  ///< the generation before or after
  data_sheet,  ///< nothing that near was measured
};

struct FitTransfer {
  FitOrigin origin = FitOrigin::data_sheet;
  bool other_software = false;
  std::optional<double> half_width;  ///< to add, of the logarithm of a time; absent where the catalog gives none
  /// Nothing measured is behind the plan.
  bool uncalibrated() const { return origin == FitOrigin::data_sheet; }
};

/// `measured` null: no GPU was. Another library and another GPU are independent errors.
FitTransfer fit_transfer(const Catalog& catalog, const Gpu* measured, const Gpu& planned, bool other_software);

}  // namespace podwright
