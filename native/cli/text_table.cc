#include "cli/text_table.h"

#include <algorithm>
#include <cctype>

#include "base/number_text.h"

namespace podwright::cli {
namespace {

/// "1,234.5", "95 %", "-", "$3.99": figures go to the right.
bool is_figure(std::string_view text) {
  return text.empty() || text == "-" || std::isdigit(static_cast<unsigned char>(text.front())) != 0 ||
         text.front() == '$' || text.front() == '-' || text.front() == '>';
}

}  // namespace

std::string percent_cell(double share) { return fixed_number(100 * share, 1) + " %"; }

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::vector<bool> figure_columns(const std::vector<std::vector<std::string>>& rows) {
  std::vector<bool> figures(rows.empty() ? 0 : rows.front().size(), true);
  for (std::size_t r = 1; r < rows.size(); ++r)
    for (std::size_t c = 0; c < figures.size(); ++c)
      if (!is_figure(rows[r][c])) figures[c] = false;
  return figures;
}

std::string text_table(const std::vector<std::vector<std::string>>& rows) {
  if (rows.empty()) return "";
  const std::size_t columns = rows.front().size();
  std::vector<std::size_t> widths(columns, 0);
  const std::vector<bool> figures = figure_columns(rows);
  for (const auto& row : rows)
    for (std::size_t c = 0; c < columns; ++c) widths[c] = std::max(widths[c], display_width(row[c]));
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < columns; ++c) {
      const std::string pad(widths[c] - display_width(row[c]), ' ');
      line += (c == 0 ? "  " : "   ") + (figures[c] ? pad + row[c] : row[c] + pad);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t end = text.find(' ', begin);
    if (end == std::string_view::npos) end = text.size();
    const std::string_view word = text.substr(begin, end - begin);
    const std::size_t length = display_width(word);
    if (column > indent && column + 1 + length > width) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += word;
    column += length;
    begin = end + 1;
  }
  return out;
}

std::string labelled(std::string_view label, std::string_view text, std::size_t indent) {
  std::string first(label);
  first.resize(indent, ' ');
  return first + wrapped(text, kTextWidth, indent) + "\n";
}

}  // namespace podwright::cli
