#pragma once
/// What training software reaches: constants of the time model, fitted on published runs, and how far predictions
/// missed them. Written by `podwright calibrate --from-measured`. docs/method/training_time.md.
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "catalog/efficiency_constant.h"
#include "catalog/item.h"

namespace podwright {

/// The constants of the time model, in the order of kEfficiencyWords: first those that published runs fit, then those
/// that are set.
enum class Efficiency : std::size_t {
  gemm_16_bit,
  gemm_8_bit,
  gemm_4_bit,
  power_exponent,
  kernel_start_s,
  quantisation_share,
  half_depth,
  misaligned_width,
  attention_forward,
  attention_backward,
  flash_1_on_newer,
  flash_2_on_newer,
  narrow_head,
  latent_attention,
  unfused_products,
  softmax_passes,
  softmax_passes_with_sinks,
  head_not_of_64,
  head_not_of_8,
  elementwise_eager,
  elementwise_compiled,
  elementwise_fused,
  memory_rate,
  quantise_passes,
  host_unfused_s,
  host_eager_s,
  host_compiled_s,
  host_fused_s,
  host_experts_s,
  layer_start_s,
  accumulate_eager_bytes,
  accumulate_fused_bytes,
  loss_passes,
  loss_passes_fused,
  alternate_products,
  link_rate,
  link_start,
  network_rate,
  network_start_s,
  tensor_exposed_compiled,
  tensor_exposed_fused,
  context_exposed,
  pipeline_exposed,
  data_exposed,
  shard_window_eager,
  shard_window,
  shard_interference_eager,
  shard_interference,
  shard_interference_zero_3,
  optimizer_bytes,
  micro_batch_s,
  step_s,
  scale_loss,
  grouped_products,
  permute_passes,
  all_to_all_rate,
  expert_network_rate,
  dual_batch_exposed,
  optimizer_bytes_sgd,
  pipeline_exposed_fused,
  micro_batch_fused,
  casts_with_own_scale,
  casts_backward,
  casts_backward_frozen,
  unpacked_bytes,
  host_backward,
  count
};
inline constexpr std::size_t kEfficiencies = static_cast<std::size_t>(Efficiency::count);
inline constexpr std::size_t kFittedEfficiencies = static_cast<std::size_t>(Efficiency::optimizer_bytes_sgd);
/// The id of a constant in the table.
std::string_view efficiency_word(Efficiency constant);

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

/// Reads training_constants.csv: id, value, prior, spread, source, note; every constant once.
void read_training_constants(const std::string& path, std::string_view text, TrainingEfficiency& efficiency,
                             Errors& errors);
/// Reads training_software.csv: level, software, period, compute, experts, rows, source, note.
void read_training_software(const std::string& path, std::string_view text, TrainingEfficiency& efficiency,
                            Errors& errors);
/// Reads training_spreads.csv: knowledge, architecture, half_width, rows, source, note.
void read_training_spreads(const std::string& path, std::string_view text, TrainingEfficiency& efficiency,
                           Errors& errors);

}  // namespace podwright
