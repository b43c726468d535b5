#pragma once
/// What plans make of each rate that a machine's probes measured: the one place that says which of them share library
/// and method with the catalog's table. docs/method/probes.md#plans.
#include <optional>

#include "catalog/catalog.h"

namespace podwright {

/// Sets `use` and `why` of every rate. Of a GPU of `catalog` a rate is relative where its reference profile holds the
/// same results, absolute where it does not and the catalog's table has the same library and method, else none. A
/// device that the catalog lacks has nothing to scale: its rates are absolute, but for those of this project's kernels.
void decide_uses(const Catalog& catalog, HostCalibration& host);

/// The row that plans take in place of the catalog's; absent where they take none. `catalog` is that before any
/// calibration.
std::optional<KernelRate> plan_rate(const Catalog& catalog, const HostCalibration& host, const HostRate& rate);

/// `row` of the catalog as much faster or slower as the machine that `rate` was measured on is than the reference.
KernelRate scaled_row(const KernelRate& row, const HostCalibration& host, const HostRate& rate);

/// The row of exactly this GPU, operation, precision and number of ranks; null where there is none.
const KernelRate* find_exact_rate(const Catalog& catalog, const KernelRate& like);

}  // namespace podwright
