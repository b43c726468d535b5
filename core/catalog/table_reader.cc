#include "catalog/table_reader.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

#include "base/among.h"
#include "base/nearest.h"
#include "base/number_text.h"
#include "base/object_reader.h"
#include "base/told_number.h"

namespace podwright {
namespace {

struct ScaledUnit {
  std::string_view sign;
  double base_units;
};
constexpr ScaledUnit kScaledUnits[] = {{"TFLOP/s", 1e12}, {"TB/s", 1e12}, {"GB/s", 1e9}, {"us", 1e-6}};

/// Plain decimal numbers only: no "inf", no hexadecimal.
std::optional<double> decimal(const std::string& cell) {
  if (cell.find_first_not_of("0123456789+-.eE") != std::string::npos) return {};
  char* end = nullptr;
  const double value = std::strtod(cell.c_str(), &end);
  if (end == cell.c_str() || *end != '\0') return {};
  return value;
}

/// A column that tells people what to know of a row; tables that are built in lack it where nothing shows it.
constexpr std::string_view kForReaders = "note";
/// A table may be of something else altogether.
constexpr std::size_t kMostNamed = 10;

}  // namespace

TableReader::TableReader(std::string_view path, std::string_view text, Errors& errors) : path_(path), errors_(errors) {
  Result<CsvTable> table = parse_csv(text);
  unchecked_ = table.has_value();
  if (unchecked_) {
    table_ = std::move(*table);
    return;
  }
  for (Error error : table.error()) {
    error.path = path_ + error.path;
    errors_.push_back(std::move(error));
  }
}

void TableReader::check_columns() {
  if (!std::exchange(unchecked_, false)) return;
  std::vector<std::string> missing, unknown;
  for (const std::string& column : columns_)
    if (table_.column(column) < 0 && !is_among(later_, column)) missing.push_back(column);
  for (const std::string& column : table_.columns)
    if (column != kForReaders && std::find(columns_.begin(), columns_.end(), column) == columns_.end())
      unknown.push_back(column.substr(0, 60));
  if (!missing.empty()) tell("missing", "The table lacks the column", missing);
  if (!unknown.empty()) tell("unknown-key", "Not known: the column", unknown);
  if (!missing.empty() || !unknown.empty()) table_.rows.clear();
}

void TableReader::tell(std::string_view code, std::string_view problem, std::vector<std::string> columns) {
  const std::string all = "Columns: " + joined(columns_) + ".";
  const bool meant = code == "unknown-key" && columns.size() == 1;
  const std::string hint = meant ? did_you_mean(columns.front(), columns_, all) : all;
  for (std::string& column : columns) column = '"' + column + '"';
  errors_.push_back({std::string(code), path_ + ":1",
                     std::string(problem) + (columns.size() == 1 ? " " : "s ") + first_of(columns, kMostNamed) + ".",
                     hint});
}

std::size_t TableReader::rows() {
  check_columns();
  return table_.rows.size();
}

bool TableReader::next() {
  if (row_ == rows()) return false;
  ++row_;
  return true;
}

const std::string& TableReader::text(std::string_view column) {
  static const std::string nothing;
  if (on_row()) return table_.cell(table_.rows[row_ - 1], column);
  if (std::find(columns_.begin(), columns_.end(), column) == columns_.end()) columns_.emplace_back(column);
  return nothing;
}

void TableReader::error(std::string code, std::string message, std::string hint) {
  if (!on_row()) return;
  errors_.push_back({std::move(code), path_ + ":" + std::to_string(line()), std::move(message), std::move(hint)});
}

const std::string& TableReader::later_text(std::string_view column) {
  if (!on_row()) later_.emplace_back(column);
  static const std::string nothing;
  return on_row() && table_.column(column) < 0 ? nothing : text(column);
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
  const bool inside = *value >= min && *value <= max;
  if (inside && is_tellable(*value)) return value;
  error("out-of-range", "The column \"" + std::string(column) + "\" holds " + cell.substr(0, 60) + ".",
        inside ? told_sizes_text() : "Legal: " + range_text({.min = min, .max = max}) + ".");
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

double TableReader::unit(std::initializer_list<std::string_view> signs) {
  const std::string& sign = text("unit");
  if (std::find(signs.begin(), signs.end(), sign) == signs.end())
    error("out-of-range", "The unit \"" + sign.substr(0, 60) + "\" is not known.",
          "One of: " + joined({signs.begin(), signs.end()}) + ".");
  for (const ScaledUnit& unit : kScaledUnits)
    if (unit.sign == sign) return unit.base_units;
  return 1;
}

std::size_t TableReader::word_place(std::string_view column, std::span<const std::string_view> words) {
  const auto place = place_of_word(text(column), words);
  if (!place)
    error("out-of-range", "The column \"" + std::string(column) + "\" holds \"" + text(column).substr(0, 60) + "\".",
          "One of: " + joined({words.begin(), words.end()}) + ".");
  return place.value_or(0);
}

void TableReader::place(CatalogItem& item, std::string id, std::string name) const {
  item.id = std::move(id);
  item.name = std::move(name);
  item.origin = "catalog/" + path_ + "/" + std::to_string(line());
}

void TableReader::head(CatalogItem& item, std::string id, std::string name) {
  place(item, std::move(id), std::move(name));
  item.source = text("source");
}

}  // namespace podwright
