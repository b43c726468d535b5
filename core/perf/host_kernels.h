#pragma once
/// What the probes of a machine make of predictions on it. docs/method/probes.md#intervals-of-measured-machines.
#include <optional>
#include <string>
#include <string_view>

#include "catalog/catalog.h"

namespace podwright {

/// The machine whose probes measured this GPU; null where none was.
const HostCalibration* host_of(const Catalog& catalog, std::string_view gpu_id);
/// True where that machine's own rates stand for products: of a device that the catalog lacks.
bool has_own_rates(const Catalog& catalog, std::string_view gpu_id);

/// What a machine makes of the width of a prediction whose products are in `gemm` and whose weights are read in
/// `streaming` (words of kernel_rates.csv): half widths of logarithms.
struct MeasuredKernels {
  std::optional<double> own;  ///< of its own products and reading of weights: the wider of both; absent unless both
                              ///< stand for themselves
  double ratio = 0;           ///< of the widest ratio to the reference machine; 0 where there is none
};
MeasuredKernels measured_kernels(const Catalog& catalog, std::string_view gpu_id, std::string_view gemm,
                                 std::string_view streaming);
/// `half_width` with what the machine knows of its kernels in place of `told`.
double width_on_machine(double half_width, double told, const MeasuredKernels& measured);

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

/// What answers say of a machine that was measured: which rates follow it, and why others do not.
std::string host_sentence(const HostCalibration& host, const Gpu& gpu, const MeasuredKernels& measured);

}  // namespace podwright
