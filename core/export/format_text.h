#pragma once
/// Texts as formats take them: rows of tables with commas (RFC 4180: CRLF, quotes doubled), plain names.
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

/// A cell that a spreadsheet does not run: an apostrophe stands before a text that begins with = + - @, a tab or a line
/// break.
std::string inert_cell(std::string_view cell);

/// Letters, digits and "-"; anything else becomes "-". Labels made by this library stay as they are.
std::string plain_name(std::string_view label);
/// The same in lower case, without "-" at the ends or doubled: "Quantum-2 QM9700" is "quantum-2-qm9700".
std::string slug_of(std::string_view name);

}  // namespace podwright
