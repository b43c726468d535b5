#include "catalog/table_reader.h"

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/nearest.h"
#include "base/number_text.h"
#include "base/object_reader.h"

namespace podwright {
namespace {

/// Plain decimal numbers only: no "inf", no hexadecimal.
std::optional<double> decimal(const std::string& cell) {
  if (cell.find_first_not_of("0123456789+-.eE") != std::string::npos) return {};
  char* end = nullptr;
  const double value = std::strtod(cell.c_str(), &end);
  if (end == cell.c_str() || *end != '\0') return {};
  return value;
}

}  // namespace

TableReader::TableReader(std::string_view path, std::string_view text, const std::vector<std::string_view>& columns,
                         Errors& errors)
    : path_(path), errors_(errors) {
  Result<CsvTable> table = parse_csv(text);
  if (!table) {
    for (Error error : table.error()) {
      error.path = path_ + error.path;
      errors_.push_back(std::move(error));
    }
    return;
  }
  const std::size_t before = errors_.size();
  const std::vector<std::string> known(columns.begin(), columns.end());
  for (const std::string_view column : columns)
    if (table->column(column) < 0)
      errors_.push_back({"missing", path_ + ":1", "The table lacks the column \"" + std::string(column) + "\".",
                         "Columns: " + joined(known) + "."});
  for (const std::string& column : table->columns)
    if (std::find(known.begin(), known.end(), column) == known.end())
      errors_.push_back({"unknown-key", path_ + ":1", "\"" + column.substr(0, 60) + "\" is not a known column.",
                         did_you_mean(column, known, "Columns: " + joined(known) + ".")});
  if (errors_.size() == before) table_ = std::move(*table);
}

bool TableReader::next() {
  if (row_ == table_.rows.size()) return false;
  ++row_;
  return true;
}

const std::string& TableReader::text(std::string_view column) const {
  return table_.cell(table_.rows[row_ - 1], column);
}

void TableReader::error(std::string code, std::string message, std::string hint) {
  errors_.push_back({std::move(code), path_ + ":" + std::to_string(line()), std::move(message), std::move(hint)});
}

std::optional<double> TableReader::number(std::string_view column, double min, double max) {
  const std::string& cell = text(column);
  if (cell.empty()) return {};
  const std::optional<double> value = decimal(cell);
  if (!value) {
    error("wrong-type",
          "The column \"" + std::string(column) + "\" needs a number, found \"" + cell.substr(0, 60) + "\".",
          "Leave the cell empty where the number is not known.");
    return {};
  }
  if (*value >= min && *value <= max) return value;
  error("out-of-range", "The column \"" + std::string(column) + "\" holds " + shortest_number(*value) + ".",
        "Legal: " + range_text({.min = min, .max = max}) + ".");
  return {};
}

double TableReader::needed(std::string_view column, double min, double max) {
  if (text(column).empty()) error("missing", "The column \"" + std::string(column) + "\" needs a number.", "");
  return number(column, min, max).value_or(0);
}

const std::string& TableReader::needed_text(std::string_view column) {
  if (text(column).empty()) error("missing", "The column \"" + std::string(column) + "\" needs a text.", "");
  return text(column);
}

void TableReader::head(CatalogItem& item, std::string id, std::string name) const {
  item.id = std::move(id);
  item.name = std::move(name);
  item.origin = "catalog/" + path_ + "/" + std::to_string(line());
  item.source = text("source");
}

}  // namespace podwright
