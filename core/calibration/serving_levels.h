#pragma once
/// What is kept of the levels of a fit: of each model on a GPU with a period of an engine, as far as its rows can tell.
/// docs/method/serving_time.md#levels.
#include <string>
#include <string_view>
#include <vector>

#include "catalog/serving_efficiency.h"

namespace podwright {

/// The fitted level of one measured figure: the logarithm of measured over predicted.
struct LevelOfFigure {
  ServingLevel group;  ///< what it is a level of; its figures do not count
  std::string source;
  std::string_view metric_class;  ///< ttft, tpot, throughput, prompt
  double level = 0;
};

/// Means over the figures of each group, shrunk by the numbers of their rows and of their sources: what one source has
/// to itself is its machine and its setting as much as the kernels.
std::vector<ServingLevel> serving_levels(const std::vector<LevelOfFigure>& figures);

}  // namespace podwright
