#include "cli/page.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "cli/text_table.h"

namespace podwright::cli {
namespace {

/// Begins a list, a heading, a quotation or a rule where a block begins with it.
bool begins_block(char c) { return std::string_view("-+=#>").find(c) != std::string_view::npos; }

/// "1." and "1)" begin a list: the sign after the number is escaped.
void escape_number(std::string& text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits > 0 && digits < text.size() && (text[digits] == '.' || text[digits] == ')')) text.insert(digits, 1, '\\');
}

/// The same as the beginning of a block.
std::string markdown_block(std::string_view text) {
  std::string out = markdown_text(text);
  out.erase(0, out.find_first_not_of(' '));
  if (!out.empty() && begins_block(out.front())) out.insert(0, 1, '\\');
  escape_number(out);
  return out;
}

std::size_t longest_run(std::string_view text, char c) {
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char one : text) longest = std::max(longest, run = one == c ? run + 1 : 0);
  return longest;
}

}  // namespace

std::string markdown_text(std::string_view text) {
  constexpr std::string_view kEscaped = "\\`*_[]<>|~&$";
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const bool next_is_digit = i + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i + 1])) != 0;
    if (c < ' ' || c == 0x7F)
      out += ' ';
    else if (c == '$' && !next_is_digit)
      out += "&#36;";  // GitHub takes $x$ for mathematics even behind a backslash, but not amounts of money
    else if (kEscaped.find(text[i]) != std::string_view::npos)
      (out += '\\') += text[i];
    else
      out += text[i];
  }
  return out;
}

void Page::block(Block kind, const std::string& text) {
  if (last_ != Block::none && !(kind == Block::bullet && last_ == Block::bullet)) text_ += '\n';
  text_ += text;
  last_ = kind;
}

void Page::title(std::string_view text, int level) {
  if (is_markdown())
    return block(Block::other, std::string(static_cast<std::size_t>(level), '#') + " " + markdown_block(text) + "\n");
  while (text_.ends_with("\n\n")) text_.pop_back();
  text_ += (text_.empty() ? "" : "\n") + std::string(text) + "\n";
}

void Page::paragraph(std::string_view text) {
  if (is_markdown()) return block(Block::other, markdown_block(text) + "\n");
  text_ += wrapped(text, kTextWidth, 0) + "\n";
}

void Page::indented(std::string_view text) {
  if (is_markdown()) return paragraph(text);
  text_ += "  " + wrapped(text, kTextWidth, 2) + "\n";
}

void Page::line(std::string_view text) {
  if (is_markdown()) return paragraph(text);
  (text_ += text) += '\n';
}

void Page::bullet(std::string_view text) {
  if (is_markdown()) return block(Block::bullet, "- " + markdown_block(text) + "\n");
  text_ += "  - " + wrapped(text, kTextWidth, 4) + "\n";
}

void Page::below_bullet(std::string_view text) {
  if (is_markdown()) return block(Block::bullet, "  - " + markdown_block(text) + "\n");
  text_ += "      " + std::string(text) + "\n";
}

void Page::table(const std::vector<std::vector<std::string>>& rows) {
  if (!is_markdown()) {
    text_ += text_table(rows);
    return;
  }
  if (rows.empty() || rows.front().empty()) return;
  const std::vector<bool> figures = figure_columns(rows);
  std::string text;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    text += "|";
    for (const std::string& cell : rows[r]) text += " " + markdown_text(cell) + " |";
    text += "\n";
    if (r > 0) continue;
    text += "|";
    for (const bool figure : figures) text += figure ? " ---: |" : " --- |";
    text += "\n";
  }
  block(Block::other, text);
}

void Page::code(std::string_view lines) {
  if (!is_markdown()) {
    text_ += lines;
    return;
  }
  const std::string fence(std::max<std::size_t>(3, longest_run(lines, '`') + 1), '`');
  block(Block::other, fence + "\n" + std::string(lines) + (lines.ends_with('\n') ? "" : "\n") + fence + "\n");
}

void Page::gap() {
  if (!is_markdown()) text_ += '\n';
}

}  // namespace podwright::cli
