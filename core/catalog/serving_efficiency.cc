#include "catalog/serving_efficiency.h"

#include "base/words.h"
#include "catalog/engine.h"
#include "catalog/table_reader.h"

namespace podwright {
namespace {

constexpr std::array<std::string_view, kServingConstants> kServingConstantWords = {"gemm_16_bit",
                                                                                   "gemm_8_bit",
                                                                                   "gemm_4_bit",
                                                                                   "weights_16_bit",
                                                                                   "weights_8_bit",
                                                                                   "weights_4_bit",
                                                                                   "weights_4_bit_to_wide",
                                                                                   "half_depth",
                                                                                   "half_width",
                                                                                   "half_rows",
                                                                                   "product_start_s",
                                                                                   "product_overlap_loss",
                                                                                   "activation_traffic",
                                                                                   "experts_16_bit",
                                                                                   "experts_8_bit",
                                                                                   "experts_4_bit",
                                                                                   "expert_weights_16_bit",
                                                                                   "expert_weights_8_bit",
                                                                                   "expert_weights_4_bit",
                                                                                   "expert_weights_4_bit_to_wide",
                                                                                   "expert_weights_mxfp4_to_wide",
                                                                                   "expert_padding",
                                                                                   "expert_half_depth",
                                                                                   "expert_overlap_loss",
                                                                                   "expert_start_s",
                                                                                   "expert_permute_passes",
                                                                                   "expert_row_s",
                                                                                   "routing_spread",
                                                                                   "expert_count_power",
                                                                                   "blackwell_8_bit_experts",
                                                                                   "expert_imbalance",
                                                                                   "kv_16_bit",
                                                                                   "kv_8_bit",
                                                                                   "decode_attention",
                                                                                   "decode_attention_start_s",
                                                                                   "state_start_s",
                                                                                   "state_rate",
                                                                                   "prompt_attention",
                                                                                   "all_reduce_start",
                                                                                   "all_reduce_start_pcie",
                                                                                   "link_rate",
                                                                                   "link_rate_pcie",
                                                                                   "link_rate_pcie_5",
                                                                                   "group_exchange_start",
                                                                                   "group_exchange",
                                                                                   "stage_start_s",
                                                                                   "host_stage_s",
                                                                                   "layer_start_s",
                                                                                   "elementwise_passes",
                                                                                   "sampling_passes",
                                                                                   "blackwell",
                                                                                   "blackwell_workstation",
                                                                                   "ampere",
                                                                                   "blackwell_start",
                                                                                   "file_weights",
                                                                                   "file_weights_16_bit",
                                                                                   "file_weights_hbm",
                                                                                   "file_products",
                                                                                   "file_products_16_bit",
                                                                                   "file_products_data_centre",
                                                                                   "file_power",
                                                                                   "file_kv",
                                                                                   "file_attention",
                                                                                   "file_stages_in_turn",
                                                                                   "host_step_s",
                                                                                   "host_sequence_s",
                                                                                   "unstreamed_host",
                                                                                   "first_token_s",
                                                                                   "burst"};

bool has_number(std::string_view version) {
  const std::size_t first = !version.empty() && version[0] == 'v' ? 1 : 0;
  return version.size() > first && version[first] >= '0' && version[first] <= '9';
}

}  // namespace

std::string_view serving_constant_word(ServingConstant constant) { return word_of(constant, kServingConstantWords); }

const EngineSoftware* ServingEfficiency::engine(std::string_view id) const {
  for (const EngineSoftware& row : software)
    if (row.level == EngineSoftware::Level::engine && row.engine == id) return &row;
  return nullptr;
}

const EngineSoftware* ServingEfficiency::period(std::string_view engine, std::string_view version) const {
  const EngineSoftware* found = nullptr;
  const bool newest = !has_number(version);
  for (const EngineSoftware& row : software) {
    if (row.level != EngineSoftware::Level::period || row.engine != engine) continue;
    if (row.period == version) return &row;
    if (row.from_version.empty()) continue;
    if (!newest && compare_versions(version, row.from_version) < 0) continue;
    if (found == nullptr || compare_versions(row.from_version, found->from_version) > 0) found = &row;
  }
  return found;
}

const EngineSoftware* ServingEfficiency::period_at(std::string_view engine, double year) const {
  const EngineSoftware* found = nullptr;
  for (const EngineSoftware& row : software) {
    if (row.level != EngineSoftware::Level::period || row.engine != engine || row.from_version.empty()) continue;
    if (row.from_year <= 0 || row.from_year > year) continue;
    if (found == nullptr || row.from_year > found->from_year) found = &row;
  }
  return found;
}

const ServingSpread* ServingEfficiency::spread(std::string_view metric, std::string_view knowledge,
                                               std::string_view architecture) const {
  for (const ServingSpread& row : spreads)
    if (row.metric == metric && row.knowledge == knowledge && row.architecture == architecture) return &row;
  return nullptr;
}

void read_serving_constants(const std::string& path, std::string_view text, ServingEfficiency& efficiency,
                            Errors& errors) {
  read_efficiency_constants(path, text, "step model", kServingConstantWords, efficiency.constants, errors);
}

void read_serving_software(const std::string& path, std::string_view text, ServingEfficiency& efficiency,
                           Errors& errors) {
  TableReader table(path, text,
                    {"level", "engine", "period", "from_version", "from_year", "time", "experts", "prompts",
                     "host_step", "host_sequence", "first_token", "burst", "rows", "source", "note"},
                    errors);
  std::vector<EngineSoftware> rows;
  while (table.next()) {
    EngineSoftware row;
    const std::string& word = table.needed_text("level");
    const auto level = of_word<EngineSoftware::Level>(word, EngineSoftware::kLevelWords);
    if (!level) table.error("out-of-range", "The level \"" + word + "\" is not known.", "engine or period");
    row.level = level.value_or(row.level);
    row.engine = table.needed_text("engine");
    row.period = table.text("period");
    const std::string name = row.period.empty() ? row.engine : row.engine + "/" + row.period;
    table.head(row, name, name);
    row.from_version = table.text("from_version");
    row.from_year = table.number("from_year").value_or(0);
    for (std::size_t i = 0; i < kEngineFactors; ++i) row.factors[i] = table.needed(kEngineFactorWords[i], -5, 5);
    row.rows = table.needed("rows");
    row.note = table.text("note");
    rows.push_back(std::move(row));
  }
  efficiency.software = std::move(rows);
}

void read_serving_spreads(const std::string& path, std::string_view text, ServingEfficiency& efficiency,
                          Errors& errors) {
  TableReader table(path, text, {"metric", "knowledge", "architecture", "half_width", "rows", "source", "note"},
                    errors);
  std::vector<ServingSpread> rows;
  while (table.next()) {
    ServingSpread row;
    row.metric = table.needed_text("metric");
    row.knowledge = table.needed_text("knowledge");
    row.architecture = table.needed_text("architecture");
    table.head(row, row.metric + "/" + row.knowledge + "/" + row.architecture, row.metric + " " + row.knowledge);
    row.half_width = table.needed("half_width", 1e-4, 5);
    row.rows = table.needed("rows");
    row.note = table.text("note");
    rows.push_back(std::move(row));
  }
  efficiency.spreads = std::move(rows);
}

void read_serving_support(const std::string& path, std::string_view text, ServingEfficiency& efficiency,
                          Errors& errors) {
  TableReader table(path, text, {"engine", "period", "gpu", "model", "rows", "source"}, errors);
  std::vector<ServingSupport> rows;
  while (table.next()) {
    ServingSupport row;
    row.engine = table.needed_text("engine");
    row.period = table.text("period");
    row.gpu = table.needed_text("gpu");
    row.model = table.needed_text("model");
    const std::string name = row.engine + "/" + row.period + "/" + row.gpu + "/" + row.model;
    table.head(row, name, name);
    row.rows = table.needed("rows");
    rows.push_back(std::move(row));
  }
  efficiency.support = std::move(rows);
}

}  // namespace podwright
