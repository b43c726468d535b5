#include "calibration/measured_table.h"

#include <algorithm>

#include "base/nearest.h"

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
  if (!columns.one_of.empty() && !std::any_of(columns.one_of.begin(), columns.one_of.end(), has))
    miss(columns.one_of.front(), "One of " + joined(columns.one_of) + ".");
  return errors;
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
  for (const CsvTable::Row& row : table->rows) columns.check(MeasuredCells(*table, row, file, errors));
  if (!errors.empty()) return failure(std::move(errors));
  return table;
}

std::vector<Measured> measured_values(const MeasuredCells& cells, const std::vector<std::string>& metrics) {
  std::vector<Measured> values;
  for (const std::string& metric : metrics)
    if (const auto value = cells.number(metric); value && *value > 0) values.push_back({metric, *value});
  return values;
}

}  // namespace podwright
