#pragma once
/// Rows of tables with commas (RFC 4180: CRLF, quotes doubled).
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace podwright {

/// One row of at least one cell. Cells stand as they are, in quotes where they hold a comma, a quote or a line break.
void add_csv_row(std::string& text, std::span<const std::string_view> cells);
inline void add_csv_row(std::string& text, std::initializer_list<std::string_view> cells) {
  add_csv_row(text, std::span(cells.begin(), cells.size()));
}

}  // namespace podwright
