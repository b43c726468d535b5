#include "cli/answer_rows.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/csv_write.h"

namespace podwright::cli {
namespace {

std::string csv_value(const JsonNode* node) {
  if (node == nullptr || node->type == JsonType::null) return "";
  return node->is_text() ? inert_cell(node->text) : json_text(*node);
}

/// The single values of an object in their order, each with its path.
void single_values(const JsonNode& node, const std::string& path,
                   std::vector<std::pair<std::string, std::string>>& out) {
  for (std::size_t i = 0; i < node.items.size(); ++i) {
    const std::string& key = node.keys[i];
    const JsonNode& item = node.items[i];
    const std::string name = path.empty() ? key : path + "." + key;
    if (item.is_list() || key == "values" || (path.empty() && (key == "trace" || key == "assumptions"))) continue;
    if (item.is_object())
      single_values(item, name, out);
    else
      out.emplace_back(name, csv_value(&item));
  }
}

/// Lines end as RFC 4180 has it.
std::string csv_text(const Rows& rows) {
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    std::string line = csv_line(row);
    line.back() = '\r';
    text += line + "\n";
  }
  return text;
}

}  // namespace

RowField at_path(std::string_view path) {
  return {.name = std::string(path), .value = [path = std::string(path)](const JsonNode& item) {
            const JsonNode* here = &item;
            for (std::size_t begin = 0; here != nullptr && begin < path.size();) {
              const std::size_t end = std::min(path.find('.', begin), path.size());
              here = here->find(std::string_view(path).substr(begin, end - begin));
              begin = end + 1;
            }
            return here;
          }};
}

Rows text_rows(const std::vector<RowColumn>& columns, const std::vector<JsonNode>& items) {
  Rows rows{{}};
  for (const RowColumn& column : columns) rows[0].push_back(column.head);
  for (std::size_t i = 0; i < items.size(); ++i) {
    std::vector<std::string>& row = rows.emplace_back();
    for (const RowColumn& column : columns) row.push_back(column.text(items[i], i));
  }
  return rows;
}

std::string csv_rows(const std::vector<RowColumn>& columns, const std::vector<JsonNode>& items) {
  Rows rows{{}};
  for (const RowColumn& column : columns) {
    for (const RowField& field : column.fields) rows[0].push_back(field.name);
    if (!column.text_name.empty()) rows[0].push_back(column.text_name);
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    std::vector<std::string>& row = rows.emplace_back();
    for (const RowColumn& column : columns) {
      for (const RowField& field : column.fields) row.push_back(csv_value(field.value(items[i])));
      if (!column.text_name.empty()) row.push_back(inert_cell(column.text(items[i], i)));
    }
  }
  return csv_text(rows);
}

std::string csv_of_answers(const std::vector<JsonNode>& answers) {
  std::map<std::string, std::size_t> columns;
  Rows rows{{}};
  for (const JsonNode& answer : answers) {
    std::vector<std::pair<std::string, std::string>> values;
    single_values(answer, "", values);
    std::vector<std::string> row(rows[0].size());
    for (auto& [name, value] : values) {
      const auto [column, is_new] = columns.try_emplace(name, columns.size());
      if (is_new) {
        rows[0].push_back(name);
        row.emplace_back();
      }
      row[column->second] = std::move(value);
    }
    rows.push_back(std::move(row));
  }
  for (std::vector<std::string>& row : rows) row.resize(columns.size());
  return csv_text(rows);
}

std::string csv_of_values(const JsonNode& answer) { return csv_of_answers({answer}); }

}  // namespace podwright::cli
