#pragma once
/// The rows of an answer (plans, layouts, deployments, designs): one table for the text, for Markdown and for CSV.
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_read.h"

namespace podwright::cli {

/// A value of a row under its stable name, which ends in its unit.
struct RowField {
  std::string name;
  std::function<const JsonNode*(const JsonNode&)> value;  ///< of the row's item; null where it has none
};
/// The value at a path of the item: "latency.ttft_s"; so it is called too.
RowField at_path(std::string_view path);

/// A column as people read it, and the values behind it.
struct RowColumn {
  std::string head;
  std::function<std::string(const JsonNode& item, std::size_t index)> text;
  std::vector<RowField> fields = {};  ///< none: its text, called as `text_name`
  std::string text_name = {};         ///< empty: not in CSV
};

using Rows = std::vector<std::vector<std::string>>;

/// The head, then a row for each item.
Rows text_rows(const std::vector<RowColumn>& columns, const std::vector<JsonNode>& items);
/// The same as CSV (RFC 4180) of the values, numbers with all their digits. What a spreadsheet would take for a formula
/// is a text.
std::string csv_rows(const std::vector<RowColumn>& columns, const std::vector<JsonNode>& items);

/// A row of all single values of each answer, called by their paths: "latency.ttft_s". Lists, traces and assumptions
/// are left out; a column that an answer does not have is empty in its row.
std::string csv_of_answers(const std::vector<JsonNode>& answers);
std::string csv_of_values(const JsonNode& answer);

}  // namespace podwright::cli
