#pragma once
/// What training software reaches: constants of the time model, fitted on published runs, and how far predictions
/// missed them. Written by `podwright calibrate --from-measured`. docs/method/training_time.md.
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/efficiency_constant.h"
#include "catalog/item.h"
#include "catalog/training_constants.h"

namespace podwright {

// The enumeration Efficiency has the constants of the time model, in the order of training_constants.csv: first those
// that published runs fit, then those that are set.
inline constexpr std::size_t kEfficiencies = kEfficiencyWords.size();
inline constexpr std::size_t kFittedEfficiencies = static_cast<std::size_t>(Efficiency::optimizer_bytes_sgd);

/// Logarithms of factors on the time of arithmetic: of a family of frameworks, of a framework, or of one period of it
/// (a version, or the year of its source tree). `experts` multiplies what only layers with experts do.
struct SoftwareFactor : CatalogItem {
  enum class Level { family, framework, period };
  static constexpr std::array<std::string_view, 3> kLevelWords{"family", "framework", "period"};
  Level level = Level::framework;
  std::string software;  ///< a family's or a framework's id
  std::string period;    ///< empty but for periods
  double compute = 0;
  double experts = 0;
  double rows = 0;  ///< published runs behind it
};

/// How far predictions miss: half the width of the 90 % interval of the logarithm of a time.
struct PredictionSpread : CatalogItem {
  std::string knowledge;     ///< run, period, framework, none: of the software; gpu-..., shape-doubling,
                             ///< other-library: what is added without rows; memory
  std::string architecture;  ///< dense, moe; any; of memory a stack
  double half_width = 0;
  double rows = 0;
  std::string note;
};

/// What the published runs behind the constants have in common, so that a prediction can say how near to them it
/// stands: runs that agree in software, GPU, precision, kind and width of model, and what they span besides that.
/// docs/method/accuracy.md#intervals.
struct TrainingSupport : CatalogItem {
  std::string framework;     ///< id; empty: software that the catalog does not know
  std::string period;        ///< of the framework, as in training_software.csv; empty: none
  std::string gpu;           ///< id
  std::string precision;     ///< word of the request
  std::string architecture;  ///< dense, moe
  double hidden_size = 0;
  double rows = 0;
  double sequence_least = 0;  ///< tokens
  double sequence_most = 0;   ///< tokens
  double gpus_least = 0;
  double gpus_most = 0;
};

struct TrainingEfficiency {
  std::array<EfficiencyConstant, kEfficiencies> constants;
  std::vector<SoftwareFactor> software;
  std::vector<PredictionSpread> spreads;

  const EfficiencyConstant& operator[](Efficiency constant) const {
    return constants[static_cast<std::size_t>(constant)];
  }
  const SoftwareFactor* find(SoftwareFactor::Level level, std::string_view software, std::string_view period) const;
  const PredictionSpread* spread(std::string_view knowledge, std::string_view architecture) const;
};

}  // namespace podwright
