#pragma once
/// What the probes of a machine make surer: the rates of its own kernels. docs/method/probes.md#narrower-intervals.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"

namespace podwright {

/// The machine whose probes measured this GPU; null where the catalog's own figures stand.
const HostCalibration* host_of(const Catalog& catalog, std::string_view gpu_id);

/// Half of the width of the logarithm with which a machine knows its products in `gemm` and its reading of weights in
/// `streaming` (words of kernel_rates.csv): the wider of both. Absent unless it measured both.
std::optional<double> measured_kernels_width(const Catalog& catalog, std::string_view gpu_id, std::string_view gemm,
                                             std::string_view streaming);

/// How a prediction's kernels were known before the machine measured its own.
enum class ToldKernels {
  same_software,   ///< runs of this engine or framework on this GPU are in the fit
  other_software,  ///< the GPU's kernels were measured elsewhere
  family,          ///< those of a GPU of the same generation
  generation,      ///< those of the generation before
  data_sheet,      ///< its data sheet alone
};
/// What of a prediction's half width they are: no more than what was added for them.
double told_kernels_width(const Catalog& catalog, ToldKernels told);

/// What answers say of a machine that was measured, and of what its intervals make of it.
std::string host_sentence(const HostCalibration& host, const Gpu& gpu, const std::optional<double>& width);

}  // namespace podwright
