#pragma once
/// Writing tables with commas.
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace podwright {

/// How a cell stands in a table: in quotes where it holds a comma, a quote or a line break. Plain pointers, because
/// tables have hundreds of thousands of cells and the engine for the browser is built for size.
struct CsvCell {
  const char* text = nullptr;
  std::size_t size = 0;
  std::size_t quotes = 0;
  bool quoted = false;

  explicit CsvCell(std::string_view cell) : text(cell.data()), size(cell.size()) {
    for (const char* c = text; c != text + size; ++c) {
      if (*c == '"') ++quotes;
      if (*c == ',' || *c == '"' || *c == '\r' || *c == '\n') quoted = true;
    }
  }
  std::size_t length() const { return size + quotes + (quoted ? 2 : 0); }

  /// `length()` characters to `to`, which gives the place behind them.
  char* write(char* to) const {
    if (!quoted) {
      if (size > 0) std::memcpy(to, text, size);
      return to + size;
    }
    *to++ = '"';
    for (const char* c = text; c != text + size; ++c) {
      if (*c == '"') *to++ = '"';
      *to++ = *c;
    }
    *to++ = '"';
    return to;
  }
};

/// A cell as it is in a table.
inline std::string csv_cell(std::string_view text) {
  const CsvCell cell(text);
  std::string out(cell.length(), ' ');
  cell.write(out.data());
  return out;
}

/// A cell that a spreadsheet does not run: an apostrophe stands before a text that begins with = + - @, a tab or a line
/// break.
inline std::string inert_cell(std::string_view cell) {
  const bool runs = !cell.empty() && std::string_view("=+-@\t\r\n").find(cell.front()) != std::string_view::npos;
  return (runs ? "'" : "") + std::string(cell);
}

/// A line of a table, with its line break.
inline std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) line += (&cell == &cells.front() ? "" : ",") + csv_cell(cell);
  return line + "\n";
}

}  // namespace podwright
