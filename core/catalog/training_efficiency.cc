#include "catalog/training_efficiency.h"

#include "base/words.h"
#include "catalog/table_reader.h"

namespace podwright {
namespace {

constexpr std::array<std::string_view, kEfficiencies> kEfficiencyWords = {"gemm_16_bit",
                                                                          "gemm_8_bit",
                                                                          "gemm_4_bit",
                                                                          "power_exponent",
                                                                          "kernel_start_s",
                                                                          "quantisation_share",
                                                                          "half_depth",
                                                                          "misaligned_width",
                                                                          "attention_forward",
                                                                          "attention_backward",
                                                                          "flash_1_on_newer",
                                                                          "flash_2_on_newer",
                                                                          "narrow_head",
                                                                          "latent_attention",
                                                                          "unfused_products",
                                                                          "softmax_passes",
                                                                          "softmax_passes_with_sinks",
                                                                          "head_not_of_64",
                                                                          "head_not_of_8",
                                                                          "elementwise_eager",
                                                                          "elementwise_compiled",
                                                                          "elementwise_fused",
                                                                          "memory_rate",
                                                                          "quantise_passes",
                                                                          "host_unfused_s",
                                                                          "host_eager_s",
                                                                          "host_compiled_s",
                                                                          "host_fused_s",
                                                                          "host_experts_s",
                                                                          "layer_start_s",
                                                                          "accumulate_eager_bytes",
                                                                          "accumulate_fused_bytes",
                                                                          "loss_passes",
                                                                          "loss_passes_fused",
                                                                          "alternate_products",
                                                                          "link_rate",
                                                                          "link_start",
                                                                          "network_rate",
                                                                          "network_start_s",
                                                                          "tensor_exposed_compiled",
                                                                          "tensor_exposed_fused",
                                                                          "context_exposed",
                                                                          "pipeline_exposed",
                                                                          "data_exposed",
                                                                          "shard_window_eager",
                                                                          "shard_window",
                                                                          "shard_interference_eager",
                                                                          "shard_interference",
                                                                          "shard_interference_zero_3",
                                                                          "optimizer_bytes",
                                                                          "micro_batch_s",
                                                                          "step_s",
                                                                          "scale_loss",
                                                                          "grouped_products",
                                                                          "permute_passes",
                                                                          "all_to_all_rate",
                                                                          "expert_network_rate",
                                                                          "dual_batch_exposed",
                                                                          "optimizer_bytes_sgd",
                                                                          "pipeline_exposed_fused",
                                                                          "micro_batch_fused",
                                                                          "casts_with_own_scale",
                                                                          "casts_backward",
                                                                          "casts_backward_frozen",
                                                                          "unpacked_bytes",
                                                                          "host_backward"};

}  // namespace

std::string_view efficiency_word(Efficiency constant) { return word_of(constant, kEfficiencyWords); }

const SoftwareFactor* TrainingEfficiency::find(SoftwareFactor::Level level, std::string_view name,
                                               std::string_view period) const {
  for (const SoftwareFactor& factor : software)
    if (factor.level == level && factor.software == name && factor.period == period) return &factor;
  return nullptr;
}

const PredictionSpread* TrainingEfficiency::spread(std::string_view knowledge, std::string_view architecture) const {
  for (const PredictionSpread& spread : spreads)
    if (spread.knowledge == knowledge && spread.architecture == architecture) return &spread;
  return nullptr;
}

void read_training_constants(const std::string& path, std::string_view text, TrainingEfficiency& efficiency,
                             Errors& errors) {
  read_efficiency_constants(path, text, "time model", kEfficiencyWords, efficiency.constants, errors);
}

void read_training_software(const std::string& path, std::string_view text, TrainingEfficiency& efficiency,
                            Errors& errors) {
  TableReader table(path, text, {"level", "software", "period", "compute", "experts", "rows", "source", "note"},
                    errors);
  std::vector<SoftwareFactor> factors;
  while (table.next()) {
    SoftwareFactor factor;
    const std::string& word = table.needed_text("level");
    const auto level = of_word<SoftwareFactor::Level>(word, SoftwareFactor::kLevelWords);
    if (!level) table.error("out-of-range", "The level \"" + word + "\" is not known.", "family, framework or period");
    factor.level = level.value_or(factor.level);
    factor.software = table.needed_text("software");
    factor.period = table.text("period");
    const std::string name = factor.period.empty() ? factor.software : factor.software + "/" + factor.period;
    table.head(factor, name, name);
    factor.compute = table.needed("compute", -3, 3);
    factor.experts = table.needed("experts", -3, 3);
    factor.rows = table.needed("rows");
    factors.push_back(std::move(factor));
  }
  efficiency.software = std::move(factors);
}

void read_training_spreads(const std::string& path, std::string_view text, TrainingEfficiency& efficiency,
                           Errors& errors) {
  TableReader table(path, text, {"knowledge", "architecture", "half_width", "rows", "source", "note"}, errors);
  std::vector<PredictionSpread> spreads;
  while (table.next()) {
    PredictionSpread spread;
    spread.knowledge = table.needed_text("knowledge");
    spread.architecture = table.needed_text("architecture");
    table.head(spread, spread.knowledge + "/" + spread.architecture, spread.knowledge);
    spread.half_width = table.needed("half_width", 1e-4, 3);
    spread.rows = table.needed("rows");
    spread.note = table.text("note");
    spreads.push_back(std::move(spread));
  }
  efficiency.spreads = std::move(spreads);
}

}  // namespace podwright
