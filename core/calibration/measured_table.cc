#include "calibration/measured_table.h"

#include <algorithm>

#include "base/append.h"
#include "base/nearest.h"
#include "base/words.h"
#include "catalog/gpu_named.h"

namespace podwright {
namespace {

/// Other names of columns: those of requests, and the plain ones.
constexpr std::pair<std::string_view, std::string_view> kOtherNames[] = {
    {"concurrency", "concurrency_or_batch"}, {"tpot_ms", "tpot_or_itl_ms"},       {"input_tokens", "input_len"},
    {"output_tokens", "output_len"},         {"gpu_count", "num_gpus"},           {"engine", "framework"},
    {"engine_version", "framework_version"}, {"max_batch_size", "max_sequences"},
};

/// Columns of every kind of table; some are for people alone.
constexpr const char* kTexts[] = {
    "id",    "source",    "source_detail",     "gpu_id", "gpu",      "model_id", "base_model_id", "model", "date",
    "notes", "framework", "framework_version", "tuning", "params_b", "set_aside"};

Errors missing_columns(const CsvTable& table, std::string_view file, const MeasuredColumns& columns) {
  Errors errors;
  const auto has = [&](const std::string& column) { return table.column(column) >= 0; };
  const auto miss = [&](const std::string& column, std::string hint) {
    errors.push_back(
        {"missing", std::string(file) + ":1", "The table lacks the column \"" + column + "\".", std::move(hint)});
  };
  for (const std::string& column : columns.needed)
    if (!has(column))
      miss(column, did_you_mean(column, table.columns, "Columns needed: " + joined(columns.needed) + "."));
  if (!has("gpu_id") && !has("gpu")) miss("gpu_id", "A table names its GPUs in gpu_id or gpu.");
  if (!has("model_id") && !has("model") && !has("base_model_id") && !has("layers"))
    miss("model_id", "A table names its models in model_id or model, or gives their layers and hidden size.");
  if (columns.any_metric && !std::any_of(columns.metrics.begin(), columns.metrics.end(), has))
    miss(columns.metrics.front(), "One of " + joined(columns.metrics) + ".");
  return errors;
}

void check_cells(const MeasuredCells& cells, const MeasuredColumns& columns) {
  for (const std::string& column : columns.sizes) cells.size(column);
  for (const std::string& column : columns.numbers) cells.number(column);
  for (const std::string& column : columns.rates) cells.rate(column);
  for (const std::string& column : columns.metrics) cells.number(column);
  for (const std::string& column : columns.flags) cells.flag(column);
}

/// Null where no GPU is alike. `assumptions` gets a sentence where words were compared.
const Gpu* gpu_of(const Catalog& catalog, const MeasuredCells& cells, std::vector<std::string>& assumptions) {
  for (const char* column : {"gpu_id", "gpu"}) {
    const std::string text = cells.text(column);
    if (text.empty()) continue;
    if (const auto gpu = find_gpu(catalog, text)) return *gpu;
  }
  for (const char* column : {"gpu_id", "gpu"}) {
    const Gpu* alike = gpu_named(catalog, {.name = cells.text(column)}).gpu;
    if (alike == nullptr) continue;
    assumptions.push_back("\"" + cells.text(column).substr(0, 60) + "\" is " + alike->name);
    return alike;
  }
  return nullptr;
}

}  // namespace

void use_own_names(CsvTable& table) {
  for (const auto& [other, own] : kOtherNames)
    if (const int at = table.column(other); at >= 0 && table.column(own) < 0)
      table.columns[static_cast<std::size_t>(at)] = own;
}

std::vector<UnknownColumn> unknown_columns(const CsvTable& table, std::string_view file,
                                           const MeasuredColumns& columns) {
  std::vector<std::string> known(std::begin(kTexts), std::end(kTexts));
  for (const auto* some : {&columns.needed, &columns.metrics, &columns.sizes, &columns.numbers, &columns.rates,
                           &columns.flags, &columns.texts})
    append(known, *some);
  std::vector<std::string> spellings = known;
  for (const auto& [other, own] : kOtherNames) spellings.emplace_back(other);
  std::vector<UnknownColumn> unknown;
  for (const std::string& column : table.columns) {
    if (column.empty() || std::find(known.begin(), known.end(), column) != known.end()) continue;
    const std::vector<std::string> near = nearest(column, spellings, 1);
    unknown.push_back({std::string(file), column, near.empty() ? "" : near.front()});
  }
  return unknown;
}

Result<CsvTable> checked_table(std::string_view csv, std::string_view file, const MeasuredColumns& columns) {
  Result<CsvTable> table = parse_csv(csv);
  if (!table) {
    Errors errors = table.error();
    for (Error& error : errors) error.path = std::string(file) + error.path;
    return failure(std::move(errors));
  }
  use_own_names(*table);
  Errors errors = missing_columns(*table, file, columns);
  if (!errors.empty()) return failure(std::move(errors));
  for (const CsvTable::Row& row : table->rows) check_cells(MeasuredCells(*table, row, file, errors), columns);
  if (!errors.empty()) return failure(std::move(errors));
  return table;
}

Result<void> read_common(const Catalog& catalog, const MeasuredCells& cells, const std::vector<std::string>& metrics,
                         MeasuredRow& row) {
  row.id = cells.text("id");
  if (row.id.empty()) row.id = "line " + std::to_string(row.line);
  row.source = cells.text("source");
  row.tuning =
      of_word<Tuning>(cells.text("tuning"), kTuningWords).value_or(tuning_of(catalog.measured_sources, row.source));
  row.framework_text = cells.text("framework");
  row.framework_version = cells.text("framework_version");
  row.model_name = cells.text("model");
  row.date = cells.text("date");
  row.notes = cells.text("notes");
  for (const std::string& metric : metrics)
    if (const auto value = cells.number(metric); value && *value > 0) row.measured.push_back({metric, *value});
  if (std::string why = cells.text("set_aside"); !why.empty())
    return failure({std::string(kSetAside), "", std::move(why), ""});
  row.gpu = gpu_of(catalog, cells, row.assumptions);
  if (row.gpu == nullptr) {
    const std::string id = cells.text("gpu_id");
    return failure({"unknown-id", "",
                    "the GPU \"" + (id.empty() ? cells.text("gpu") : id).substr(0, 60) + "\" is not in the catalog",
                    ""});
  }
  row.gpu_id = row.gpu->id;
  return {};
}

}  // namespace podwright
