#include "export/format_text.h"

#include "base/csv_write.h"

namespace podwright {

void add_csv_row(std::string& text, std::span<const std::string_view> cells) {
  std::size_t length = cells.size() + 1;
  for (const std::string_view cell : cells) length += CsvCell(cell).length();
  const std::size_t before = text.size();
  text.resize(before + length);
  char* to = text.data() + before;
  for (const std::string_view cell : cells) {
    to = CsvCell(cell).write(to);
    *to++ = ',';
  }
  to[-1] = '\r';
  *to = '\n';
}

}  // namespace podwright
