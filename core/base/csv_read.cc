#include "base/csv_read.h"

namespace podwright {

int CsvTable::column(std::string_view name) const {
  for (std::size_t i = 0; i < columns.size(); ++i)
    if (columns[i] == name) return static_cast<int>(i);
  return -1;
}

const std::string& CsvTable::cell(const Row& row, std::string_view name) const {
  static const std::string empty;
  const int index = column(name);
  return index < 0 ? empty : row.cells[static_cast<std::size_t>(index)];
}

Result<CsvTable> parse_csv(std::string_view text) {
  CsvTable table;
  CsvTable::Row row{.line = 1, .cells = {}};
  std::string cell;
  bool quoted = false;
  bool was_quoted = false;
  int line = 1;
  Errors errors;
  const auto end_row = [&] {
    row.cells.push_back(std::move(cell));
    cell.clear();
    was_quoted = false;
    const bool blank = row.cells.size() == 1 && row.cells[0].empty();
    if (!blank && table.columns.empty()) {
      table.columns = std::move(row.cells);
    } else if (!blank) {
      if (row.cells.size() != table.columns.size())
        errors.push_back({"not-csv", ":" + std::to_string(row.line),
                          "The row has " + std::to_string(row.cells.size()) + " cells, the header " +
                              std::to_string(table.columns.size()) + ".",
                          "Quote cells that hold commas."});
      else
        table.rows.push_back(std::move(row));
    }
    row = {.line = line, .cells = {}};
  };
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (text.substr(0, kByteOrderMark.size()) == kByteOrderMark) text.remove_prefix(kByteOrderMark.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (quoted) {
      if (c != '"') {
        cell += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        cell += '"';
        ++i;
      } else {
        quoted = false;
      }
    } else if (c == '"' && cell.empty() && !was_quoted) {
      quoted = was_quoted = true;
    } else if (c == ',') {
      row.cells.push_back(std::move(cell));
      cell.clear();
      was_quoted = false;
    } else if (c == '\n') {
      end_row();
    } else if (c != '\r') {
      cell += c;
    }
  }
  if (quoted)
    errors.push_back({"not-csv", ":" + std::to_string(row.line), "A quoted cell does not end.", "Close the quote."});
  if (!cell.empty() || !row.cells.empty()) end_row();
  if (!errors.empty()) return failure(std::move(errors));
  return table;
}

}  // namespace podwright
