#include "export/format_text.h"

#include <cstring>

namespace podwright {
namespace {

/// How a cell stands in the table. Plain pointers, because tables have hundreds of thousands of cells and the engine
/// for the browser is built for size.
struct CellText {
  const char* text = nullptr;
  std::size_t size = 0;
  std::size_t quotes = 0;
  bool quoted = false;

  explicit CellText(std::string_view cell) : text(cell.data()), size(cell.size()) {
    for (const char* c = text; c != text + size; ++c) {
      if (*c == '"') ++quotes;
      if (*c == ',' || *c == '"' || *c == '\r' || *c == '\n') quoted = true;
    }
  }
  std::size_t length() const { return size + quotes + (quoted ? 2 : 0); }

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

}  // namespace

void add_csv_row(std::string& text, std::span<const std::string_view> cells) {
  std::size_t length = cells.size() + 1;
  for (const std::string_view cell : cells) length += CellText(cell).length();
  const std::size_t before = text.size();
  text.resize(before + length);
  char* to = text.data() + before;
  for (const std::string_view cell : cells) {
    to = CellText(cell).write(to);
    *to++ = ',';
  }
  to[-1] = '\r';
  *to = '\n';
}

std::string inert_cell(std::string_view cell) {
  const bool runs = !cell.empty() && std::string_view("=+-@\t\r\n").find(cell.front()) != std::string_view::npos;
  return (runs ? "'" : "") + std::string(cell);
}

namespace {

bool is_plain(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9'); }

}  // namespace

std::string plain_name(std::string_view label) {
  std::string name(label);
  for (char& c : name)
    if (!is_plain(c)) c = '-';
  return name;
}

std::string slug_of(std::string_view name) {
  std::string slug;
  for (char c : plain_name(name)) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c != '-' || (!slug.empty() && slug.back() != '-')) slug += c;
  }
  if (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug;
}

}  // namespace podwright
