#include <algorithm>

#include "base/nearest.h"
#include "catalog/architecture_word.h"
#include "catalog/catalog_table.h"

namespace podwright {
namespace {

/// Each word of `ids` once, in any order, into the places of the words; `model` is its name in messages.
void read_constants(TableReader table, const std::string& path, std::string_view model,
                    std::span<const std::string_view> ids, std::span<EfficiencyConstant> constants, Errors& errors) {
  const std::size_t before = errors.size();
  std::vector<bool> seen(ids.size());
  do {
    const std::string& id = table.needed_text("id");
    EfficiencyConstant constant;
    table.head(constant, id, id);
    constant.called = id;
    constant.value = table.needed("value", 1e-12);
    constant.prior = table.needed("prior", 1e-12);
    constant.spread = table.needed("spread", 1e-6);
    const auto i = static_cast<std::size_t>(std::find(ids.begin(), ids.end(), id) - ids.begin());
    if (i == ids.size()) {
      table.error("unknown-key", "The " + std::string(model) + " has no constant \"" + id + "\".",
                  did_you_mean(id, {ids.begin(), ids.end()}, ""));
      continue;
    }
    if (seen[i])
      table.error("duplicate-key", "The constant \"" + id + "\" is in the table twice.", "One row for each constant.");
    seen[i] = true;
    constants[i] = std::move(constant);
  } while (table.next());
  for (std::size_t i = 0; i < ids.size(); ++i)
    if (!seen[i] && errors.size() == before)
      errors.push_back({"missing", path, "The constant \"" + std::string(ids[i]) + "\" is missing.", ""});
}

void read_training_constants(std::string_view path, std::string_view text, Catalog& catalog, Errors& errors) {
  read_constants({path, text, errors}, std::string(path), "time model", kEfficiencyWords,
                 catalog.training_efficiency.constants, errors);
}

void read_serving_constants(std::string_view path, std::string_view text, Catalog& catalog, Errors& errors) {
  read_constants({path, text, errors}, std::string(path), "step model", kServingConstantWords,
                 catalog.serving_efficiency.constants, errors);
}

void read_training_software(TableReader& table, SoftwareFactor& factor) {
  factor.level = table.word<SoftwareFactor::Level>("level", SoftwareFactor::kLevelWords);
  factor.software = table.needed_text("software");
  factor.period = table.text("period");
  const std::string name = factor.period.empty() ? factor.software : factor.software + "/" + factor.period;
  table.head(factor, name, name);
  factor.compute = table.needed("compute", -3, 3);
  factor.experts = table.needed("experts", -3, 3);
  factor.rows = table.needed("rows");
  table.text("note");
}

void read_training_spread(TableReader& table, PredictionSpread& spread) {
  spread.knowledge = table.needed_text("knowledge");
  spread.architecture = table.needed_text("architecture");
  table.head(spread, spread.knowledge + "/" + spread.architecture, spread.knowledge);
  spread.half_width = table.needed("half_width", 1e-4, 3);
  spread.rows = table.needed("rows");
  spread.note = table.text("note");
}

void read_training_support(TableReader& table, TrainingSupport& entry) {
  entry.framework = table.text("framework");
  entry.period = table.text("period");
  entry.gpu = table.needed_text("gpu");
  entry.precision = table.needed_text("precision");
  entry.architecture = table.needed_text("architecture");
  if (entry.architecture != architecture_word(false) && entry.architecture != architecture_word(true))
    table.error("out-of-range", "The kind of model \"" + entry.architecture + "\" is not known.", "dense or moe");
  const std::string name = entry.framework + "/" + entry.period + "/" + entry.gpu;
  table.head(entry, name, name);
  entry.hidden_size = table.needed("hidden_size", 1);
  entry.rows = table.needed("rows", 1);
  entry.sequence_least = table.needed("sequence_least", 1);
  entry.sequence_most = table.needed("sequence_most", entry.sequence_least);
  entry.gpus_least = table.needed("gpus_least", 1);
  entry.gpus_most = table.needed("gpus_most", entry.gpus_least);
}

void read_measured_source(TableReader& table, MeasuredSource& source) {
  source.words = table.needed_text("words");
  table.head(source, source.words, source.words);
  source.tuning = table.word<Tuning>("tuning", kTuningWords);
}

void read_serving_software(TableReader& table, EngineSoftware& row) {
  row.level = table.word<EngineSoftware::Level>("level", EngineSoftware::kLevelWords);
  row.engine = table.needed_text("engine");
  row.period = table.text("period");
  const std::string name = row.period.empty() ? row.engine : row.engine + "/" + row.period;
  table.head(row, name, name);
  row.from_version = table.text("from_version");
  row.from_year = table.number("from_year").value_or(0);
  for (std::size_t i = 0; i < kEngineFactors; ++i) row.factors[i] = table.needed(kEngineFactorWords[i], -5, 5);
  row.host_prior = table.needed("host_prior", -5, 5);
  row.rows = table.needed("rows");
  row.note = table.text("note");
}

void read_serving_spread(TableReader& table, ServingSpread& row) {
  row.metric = table.needed_text("metric");
  row.knowledge = table.needed_text("knowledge");
  row.architecture = table.needed_text("architecture");
  table.head(row, row.metric + "/" + row.knowledge + "/" + row.architecture, row.metric + " " + row.knowledge);
  row.half_width = table.needed("half_width", 1e-4, 5);
  row.rows = table.needed("rows");
  row.note = table.text("note");
}

/// Software, GPU and model, by which the row is named, and its runs.
template <class Row>
void read_group_of_runs(TableReader& table, Row& row) {
  row.engine = table.needed_text("engine");
  row.period = table.text("period");
  row.gpu = table.needed_text("gpu");
  row.model = table.needed_text("model");
  const std::string name = row.engine + "/" + row.period + "/" + row.gpu + "/" + row.model;
  table.head(row, name, name);
  row.rows = table.needed("rows");
}

void read_serving_support(TableReader& table, ServingSupport& row) { read_group_of_runs(table, row); }

void read_serving_level(TableReader& table, ServingLevel& row) {
  read_group_of_runs(table, row);
  row.time = table.needed("time", -3, 3);
  row.prompts = table.needed("prompts", -3, 3);
}

constexpr CatalogTable kEfficiencyTables[] = {
    {"training_constants.csv", read_training_constants},
    {"training_software.csv",
     read_rows<read_training_software, &Catalog::training_efficiency, &TrainingEfficiency::software>},
    {"training_spreads.csv",
     read_rows<read_training_spread, &Catalog::training_efficiency, &TrainingEfficiency::spreads>},
    {"training_support.csv", read_rows<read_training_support, &Catalog::training_support>},
    {"measured_sources.csv", read_rows<read_measured_source, &Catalog::measured_sources>},
    {"serving_constants.csv", read_serving_constants},
    {"serving_software.csv",
     read_rows<read_serving_software, &Catalog::serving_efficiency, &ServingEfficiency::software>},
    {"serving_spreads.csv", read_rows<read_serving_spread, &Catalog::serving_efficiency, &ServingEfficiency::spreads>},
    {"serving_levels.csv", read_rows<read_serving_level, &Catalog::serving_efficiency, &ServingEfficiency::levels>},
    {"serving_support.csv", read_rows<read_serving_support, &Catalog::serving_efficiency, &ServingEfficiency::support>},
};

}  // namespace

std::span<const CatalogTable> efficiency_tables() { return kEfficiencyTables; }

}  // namespace podwright
