#pragma once
/// Rows of tables with commas (RFC 4180: CRLF, quotes doubled), appended to a text.
#include <initializer_list>
#include <string>
#include <string_view>

namespace podwright {

/// One row of at least one cell. Cells stand as they are, in quotes where they hold a comma, a quote or a line break.
void add_csv_row(std::string& text, std::initializer_list<std::string_view> cells);

/// A cell that a spreadsheet does not run: an apostrophe stands before a text that begins with = + - @, a tab or a line
/// break.
std::string inert_cell(std::string_view cell);

}  // namespace podwright
