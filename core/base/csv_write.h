#pragma once
/// Writing tables with commas.
#include <string>
#include <vector>

namespace podwright {

/// A cell as it is in a table: in quotes where it holds a comma, a quote or a line break.
inline std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

/// A line of a table, with its line break.
inline std::string csv_line(const std::vector<std::string>& cells) {
  std::string line;
  for (const std::string& cell : cells) line += (&cell == &cells.front() ? "" : ",") + csv_cell(cell);
  return line + "\n";
}

}  // namespace podwright
