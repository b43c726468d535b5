#include "calibration/fit_transfer.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "calibration/machine_formulas.h"
#include "catalog/compute_capability.h"
#include "perf/training_interval.h"

namespace podwright {
namespace {

int major_capability(const Gpu& gpu) { return static_cast<int>(capability_number(gpu.compute_capability)); }

/// Neighbours among the major compute capabilities of the vendor's GPUs in the catalog.
bool are_neighbours(const Catalog& catalog, const Gpu& a, const Gpu& b) {
  std::set<int> generations;
  for (const Gpu& gpu : catalog.gpus)
    if (gpu.vendor == a.vendor && major_capability(gpu) > 0) generations.insert(major_capability(gpu));
  const auto lower = generations.find(std::min(major_capability(a), major_capability(b)));
  return lower != generations.end() && std::next(lower) != generations.end() &&
         *std::next(lower) == std::max(major_capability(a), major_capability(b));
}

FitOrigin origin_of(const Catalog& catalog, const Gpu* measured, const Gpu& planned) {
  if (measured == nullptr) return FitOrigin::data_sheet;
  if (measured->id == planned.id) return FitOrigin::same_gpu;
  const bool comparable =
      measured->vendor == planned.vendor && major_capability(*measured) > 0 && major_capability(planned) > 0;
  if (!comparable) return FitOrigin::data_sheet;
  if (major_capability(*measured) == major_capability(planned)) return FitOrigin::family;
  return are_neighbours(catalog, *measured, planned) ? FitOrigin::generation : FitOrigin::data_sheet;
}

/// The rule of training predictions for GPUs that no row is of.
GpuKnowledge knowledge_of(FitOrigin origin) {
  switch (origin) {
    case FitOrigin::same_gpu:
      return GpuKnowledge::rows;
    case FitOrigin::family:
      return GpuKnowledge::family;
    case FitOrigin::generation:
      return GpuKnowledge::generation;
    case FitOrigin::data_sheet:
      return GpuKnowledge::data_sheet;
  }
  return GpuKnowledge::data_sheet;
}

}  // namespace

FitTransfer fit_transfer(const Catalog& catalog, const Gpu* measured, const Gpu& planned, bool other_software) {
  FitTransfer transfer;
  transfer.origin = origin_of(catalog, measured, planned);
  transfer.other_software = other_software;
  const PredictionSpread* library = catalog.training_efficiency.spread("other-library", "any");
  if (library == nullptr) return transfer;
  TrainingKnowledge knowledge;
  knowledge.gpu = knowledge_of(transfer.origin);
  const double gpu = transfer_width(catalog.training_efficiency, knowledge);
  transfer.half_width = independent_half_width(gpu, other_software ? library->half_width : 0.0);
  return transfer;
}

}  // namespace podwright
