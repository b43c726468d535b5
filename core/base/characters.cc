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

bool is_control(std::uint32_t code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

std::size_t character_length(std::string_view text) {
  const auto [code, bytes, whole] = first_character(text);
  const bool control = is_control(code) && code != '\t' && code != '\n' && code != '\r';
  return !whole || control || code == 0xFFFE || code == 0xFFFF ? 0 : bytes;
}

std::string whole_characters(std::string_view text) {
  std::string whole;
  whole.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    whole += length == 0 ? kReplacement : text.substr(0, length);
    text.remove_prefix(first_character(text).bytes);
  }
  return whole;
}

std::string line_of(std::string_view text) {
  std::string line = whole_characters(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return line;
}

}  // namespace podwright
