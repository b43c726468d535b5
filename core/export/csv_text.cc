#include "export/csv_text.h"

namespace podwright {
namespace {

void add_cell(std::string& text, std::string_view cell) {
  if (cell.find_first_of(",\"\r\n") == std::string_view::npos) {
    text += cell;
    return;
  }
  text += '"';
  for (const char c : cell) {
    if (c == '"') text += '"';
    text += c;
  }
  text += '"';
}

}  // namespace

void add_csv_row(std::string& text, std::initializer_list<std::string_view> cells) {
  bool first = true;
  for (const std::string_view cell : cells) {
    if (!first) text += ',';
    first = false;
    add_cell(text, cell);
  }
  text += "\r\n";
}

std::string inert_cell(std::string_view cell) {
  const bool runs = !cell.empty() && std::string_view("=+-@\t\r\n").find(cell.front()) != std::string_view::npos;
  return (runs ? "'" : "") + std::string(cell);
}

}  // namespace podwright
