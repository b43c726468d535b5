#pragma once
/// Tables of text for a terminal.
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace podwright::cli {

/// Column at which sentences are broken.
inline constexpr std::size_t kTextWidth = 100;

/// Columns aligned by content: numbers to the right, words to the left. The first row is the head.
std::string text_table(const std::vector<std::vector<std::string>>& rows);

/// Columns that hold numbers below their head.
std::vector<bool> figure_columns(const std::vector<std::vector<std::string>>& rows);

/// Text that begins at column `indent`, broken into lines that end at column `width`; those after the first get their
/// indent of spaces.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

/// A text behind its label, which takes `indent` columns, as lines that end at the column of all texts.
std::string labelled(std::string_view label, std::string_view text, std::size_t indent);

/// "4.1 %": shares that are under each other.
std::string percent_cell(double share);

/// Characters a UTF-8 text takes on the screen.
std::size_t display_width(std::string_view text);

}  // namespace podwright::cli
