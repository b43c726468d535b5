#pragma once
/// What serving engines reach: constants of the step model, fitted on published runs, what differs between engines and
/// their periods, and how far predictions missed. Written by `podwright calibrate --from-measured`.
/// docs/method/serving_time.md.
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/words.h"
#include "catalog/efficiency_constant.h"
#include "catalog/item.h"
#include "catalog/serving_constants.h"

namespace podwright {

// The enumeration ServingConstant has the constants of the step model, in the order of serving_constants.csv;
// docs/method/serving_time.md#constants names each.
inline constexpr std::size_t kServingConstants = kServingConstantWords.size();
constexpr std::string_view serving_constant_word(ServingConstant constant) {
  return word_of(constant, kServingConstantWords);
}

/// What differs between engines: logarithms of factors, in the order of kEngineFactorWords.
enum class EngineFactor : std::size_t { time, experts, prompts, host_step, host_sequence, first_token, burst, count };
inline constexpr std::size_t kEngineFactors = static_cast<std::size_t>(EngineFactor::count);
inline constexpr std::array<std::string_view, kEngineFactors> kEngineFactorWords{
    "time", "experts", "prompts", "host_step", "host_sequence", "first_token", "burst"};

/// Factors of an engine, or of one period of it. A period serves the versions from `from_version` to the next one's;
/// one without serves the version of its name alone.
struct EngineSoftware : CatalogItem {
  enum class Level { engine, period };
  static constexpr std::array<std::string_view, 2> kLevelWords{"engine", "period"};
  Level level = Level::engine;
  std::string engine;
  std::string period;
  std::string from_version;
  double from_year = 0;  ///< of the first published run; 0: not given
  std::array<double, kEngineFactors> factors{};
  double host_prior = 0;  ///< of a period: what is documented of `host_step` and `host_sequence` beyond those of the
                          ///< period in the next row; 0: nothing is
  double rows = 0;        ///< published runs behind it
  std::string note;

  double operator[](EngineFactor factor) const { return factors[static_cast<std::size_t>(factor)]; }
};

/// Runs behind the fit by what a prediction is told to resemble.
struct ServingSupport : CatalogItem {
  std::string engine;
  std::string period;
  std::string gpu;
  std::string model;  ///< id
  double rows = 0;
};

/// How far predictions miss: half the width of the 90 % interval of the logarithm of a metric.
struct ServingSpread : CatalogItem {
  std::string metric;     ///< tpot, ttft, throughput, prompt; any
  std::string knowledge;  ///< run: the fit saw engine, GPU and model together; engine: not together; none: the engine
                          ///< is in no run; gpu, roofline: what is added for unmeasured GPUs
  std::string architecture;  ///< dense, moe; any
  double half_width = 0;
  double rows = 0;
  std::string note;
};

/// What published runs of a model on a GPU with a period of an engine have to themselves beyond constants and factors:
/// kernels that somebody made for them. Logarithms of factors, shrunk to what the rows can tell.
struct ServingLevel : CatalogItem {
  std::string engine;
  std::string period;  ///< empty: none is known
  std::string gpu;     ///< id
  std::string model;   ///< id
  double time = 0;
  double prompts = 0;  ///< beside `time`
  double rows = 0;
};

struct ServingEfficiency {
  std::array<EfficiencyConstant, kServingConstants> constants;
  std::vector<EngineSoftware> software;
  std::vector<ServingSpread> spreads;
  std::vector<ServingSupport> support;
  std::vector<ServingLevel> levels;

  double operator[](ServingConstant constant) const { return constants[static_cast<std::size_t>(constant)].value; }
  const EfficiencyConstant& constant(ServingConstant constant) const {
    return constants[static_cast<std::size_t>(constant)];
  }
  /// Of the engines that have published runs.
  double mean_factor(EngineFactor factor) const;
  /// Null where the engine has no row.
  const EngineSoftware* engine(std::string_view id) const;
  /// The period of a version; the newest where the version is empty, has no number or is newer; null where none is
  /// known.
  const EngineSoftware* period(std::string_view engine, std::string_view version) const;
  /// The period of a date, for runs that tell no version; null where none is known.
  const EngineSoftware* period_at(std::string_view engine, double year) const;
  /// Null where no published runs tell one.
  const ServingLevel* level(std::string_view engine, std::string_view period, std::string_view gpu,
                            std::string_view model) const;
  const ServingSpread* spread(std::string_view metric, std::string_view knowledge, std::string_view architecture) const;
};

}  // namespace podwright
