#pragma once
/// Neighbours of a run, each with one thing changed, that may be faster on the same GPUs; whether they are and whether
/// they fit, an estimate says. docs/method/search.md#what-would-make-it-faster.
#include <optional>
#include <string_view>
#include <vector>

#include "base/patch.h"
#include "catalog/catalog.h"
#include "memory/serving_run.h"
#include "memory/training_run.h"

namespace podwright::sizing {

struct Neighbour {
  Patch set;  ///< of the request
  TrainingRun run;
};

/// The next narrower format of weights or products that the GPU multiplies in; absent where there is none.
std::optional<std::string_view> narrower_format(const Gpu& gpu, std::string_view format);

/// Layouts that spend memory for time.
std::vector<Neighbour> hungrier(const Model& model, const TrainingRun& run);
/// Those and all others: software, formats, layouts. Not each of them is a legal request.
std::vector<Patch> faster_settings(const Model& model, const Gpu& gpu, const TrainingRun& run);
std::vector<Patch> faster_settings(const Model& model, const Gpu& gpu, const ServingRun& run);

}  // namespace podwright::sizing
