#include "export/characters.h"

#include <algorithm>
#include <cstdint>

namespace podwright {

std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const std::uint32_t first = byte(0);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' || first == '\r' ? 1 : 0;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  std::uint32_t point = first & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
    point = point << 6U | (byte(i) & 0x3FU);
  }
  const bool overlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
  const bool excluded = (point >= 0xD800 && point <= 0xDFFF) || point == 0xFFFE || point == 0xFFFF || point > 0x10FFFF;
  return overlong || excluded ? 0 : length;
}

std::string whole_characters(std::string_view text) {
  std::string whole;
  whole.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    whole += length == 0 ? kReplacement : text.substr(0, length);
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return whole;
}

std::string line_of(std::string_view text) {
  std::string line = whole_characters(text);
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto byte = static_cast<unsigned char>(line[i]);
    if (byte < 0x20 || byte == 0x7F) line[i] = ' ';
    // U+0080 to U+009F, which some terminals take for escape sequences.
    if (byte == 0xC2 && static_cast<unsigned char>(line[i + 1]) < 0xA0) line.replace(i, 2, kReplacement);
  }
  return line;
}

}  // namespace podwright
