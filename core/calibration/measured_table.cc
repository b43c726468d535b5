#include "calibration/measured_table.h"

#include <algorithm>

#include "base/nearest.h"
#include "catalog/gpu_named.h"

namespace podwright {
namespace {

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

Result<CsvTable> checked_table(std::string_view csv, std::string_view file, const MeasuredColumns& columns) {
  Result<CsvTable> table = parse_csv(csv);
  if (!table) {
    Errors errors = table.error();
    for (Error& error : errors) error.path = std::string(file) + error.path;
    return failure(std::move(errors));
  }
  Errors errors = missing_columns(*table, file, columns);
  if (!errors.empty()) return failure(std::move(errors));
  for (const CsvTable::Row& row : table->rows) check_cells(MeasuredCells(*table, row, file, errors), columns);
  if (!errors.empty()) return failure(std::move(errors));
  return table;
}

std::string read_common(const Catalog& catalog, const MeasuredCells& cells, const std::vector<std::string>& metrics,
                        MeasuredRow& row) {
  row.id = cells.text("id");
  row.source = cells.text("source");
  row.tuning = tuning_of(catalog.measured_sources, row.source);
  row.framework_text = cells.text("framework");
  row.framework_version = cells.text("framework_version");
  row.model_name = cells.text("model");
  row.date = cells.text("date");
  row.notes = cells.text("notes");
  for (const std::string& metric : metrics)
    if (const auto value = cells.number(metric); value && *value > 0) row.measured.push_back({metric, *value});
  row.gpu = gpu_of(catalog, cells, row.assumptions);
  if (row.gpu == nullptr) {
    const std::string id = cells.text("gpu_id");
    return "the GPU \"" + (id.empty() ? cells.text("gpu") : id).substr(0, 60) + "\" is not in the catalog";
  }
  row.gpu_id = row.gpu->id;
  return cells.text("set_aside");
}

}  // namespace podwright
