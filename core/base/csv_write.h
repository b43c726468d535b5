#pragma once
/// Writing tables with commas.
#include <string>

namespace podwright {

/// A cell as it is in a table: in quotes where it holds a comma, a quote or a line break.
inline std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace podwright
