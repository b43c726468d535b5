#include "base/characters.h"

#include <algorithm>

namespace podwright {

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    code = code << 6U | (byte(i) & 0x3FU);
  }
  constexpr std::uint32_t kLeast[] = {0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (code < kLeast[bytes - 2] || code > 0x10FFFF || surrogate) return {};
  return {code, bytes, true};
}

std::size_t character_length(std::string_view text) {
  const auto [code, bytes, whole] = first_character(text);
  const bool control = code < 0x20 && code != '\t' && code != '\n' && code != '\r';
  return !whole || control || code == 0xFFFE || code == 0xFFFF ? 0 : bytes;
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
