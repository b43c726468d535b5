#include "export/csv_text.h"

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

void add_csv_row(std::string& text, std::initializer_list<std::string_view> cells) {
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

}  // namespace podwright
