#pragma once
/// What an engine said of itself, next to what is computed without it. docs/method/serving_memory.md#measured.
#include <optional>
#include <string_view>
#include <vector>

#include "base/message.h"
#include "catalog/catalog.h"
#include "memory/serving_run.h"
#include "perf/estimate_serving.h"

namespace podwright {

inline constexpr const char* kMeasuredPage = "docs/method/serving_memory.md#measured";

struct MeasuredFigure {
  std::string_view figure;                          ///< member of the request's `measured`
  std::optional<double> computed;                   ///< absent where there is nothing to compute it from
  std::optional<Bounds<NoTrace, double>> interval;  ///< of what is computed
  double measured = 0;
  Message says;
  std::vector<Message> check;  ///< what to look at where it is outside the interval; else empty
};

/// The run without what was measured at the engine.
ServingRun without_measurement(ServingRun run);

/// `plain`: the estimate of the run without what was measured.
std::vector<MeasuredFigure> measured_figures(const Catalog& catalog, const Model& model, const Gpu& gpu,
                                             const ServingRun& run, const ServingEstimate<NoTrace>& plain);

}  // namespace podwright
