#pragma once
/// What serving engines reach: constants of the step model, fitted on published runs, what differs between engines and
/// their periods, and how far predictions missed. Written by `podwright calibrate --from-measured`.
/// docs/method/serving_time.md.
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/efficiency_constant.h"
#include "catalog/item.h"

namespace podwright {

/// The constants of the step model, in the order of their words; docs/method/serving_time.md#constants names each.
enum class ServingConstant : std::size_t {
  gemm_16_bit,
  gemm_8_bit,
  gemm_4_bit,
  weights_16_bit,
  weights_8_bit,
  weights_4_bit,
  weights_4_bit_to_wide,
  half_depth,
  half_width,
  half_rows,
  product_start_s,
  product_overlap_loss,
  activation_traffic,
  experts_16_bit,
  experts_8_bit,
  experts_4_bit,
  expert_weights_16_bit,
  expert_weights_8_bit,
  expert_weights_4_bit,
  expert_weights_4_bit_to_wide,
  expert_weights_mxfp4_to_wide,
  expert_padding,
  expert_half_depth,
  expert_overlap_loss,
  expert_start_s,
  expert_permute_passes,
  expert_row_s,
  routing_spread,
  expert_count_power,
  blackwell_8_bit_experts,
  expert_imbalance,
  kv_16_bit,
  kv_8_bit,
  decode_attention,
  decode_attention_start_s,
  state_start_s,
  state_rate,
  prompt_attention,
  all_reduce_start,
  all_reduce_start_pcie,
  link_rate,
  link_rate_pcie,
  link_rate_pcie_5,
  group_exchange_start,
  group_exchange,
  stage_start_s,
  host_stage_s,
  layer_start_s,
  elementwise_passes,
  sampling_passes,
  blackwell,
  blackwell_workstation,
  ampere,
  blackwell_start,
  file_weights,
  file_weights_16_bit,
  file_weights_hbm,
  file_products,
  file_products_16_bit,
  file_products_data_centre,
  file_power,
  file_kv,
  file_attention,
  file_stages_in_turn,
  host_step_s,
  host_sequence_s,
  unstreamed_host,
  first_token_s,
  burst,
  count
};
inline constexpr std::size_t kServingConstants = static_cast<std::size_t>(ServingConstant::count);
std::string_view serving_constant_word(ServingConstant constant);

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
  double rows = 0;  ///< published runs behind it
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

struct ServingEfficiency {
  std::array<EfficiencyConstant, kServingConstants> constants;
  std::vector<EngineSoftware> software;
  std::vector<ServingSpread> spreads;
  std::vector<ServingSupport> support;

  double operator[](ServingConstant constant) const { return constants[static_cast<std::size_t>(constant)].value; }
  const EfficiencyConstant& constant(ServingConstant constant) const {
    return constants[static_cast<std::size_t>(constant)];
  }
  /// Null where the engine has no row.
  const EngineSoftware* engine(std::string_view id) const;
  /// The period of a version; the newest where the version is empty, has no number or is newer; null where none is
  /// known.
  const EngineSoftware* period(std::string_view engine, std::string_view version) const;
  /// The period of a date, for runs that tell no version; null where none is known.
  const EngineSoftware* period_at(std::string_view engine, double year) const;
  const ServingSpread* spread(std::string_view metric, std::string_view knowledge, std::string_view architecture) const;
};

/// Reads serving_constants.csv: id, value, prior, spread, source, note; every constant once.
void read_serving_constants(const std::string& path, std::string_view text, ServingEfficiency& efficiency,
                            Errors& errors);
/// Reads serving_software.csv: level, engine, period, from_version, from_year, one column for each factor, rows,
/// source, note.
void read_serving_software(const std::string& path, std::string_view text, ServingEfficiency& efficiency,
                           Errors& errors);
/// Reads serving_spreads.csv: metric, knowledge, architecture, half_width, rows, source, note.
void read_serving_spreads(const std::string& path, std::string_view text, ServingEfficiency& efficiency,
                          Errors& errors);
/// Reads serving_support.csv: engine, period, gpu, model, rows, source.
void read_serving_support(const std::string& path, std::string_view text, ServingEfficiency& efficiency,
                          Errors& errors);

}  // namespace podwright
