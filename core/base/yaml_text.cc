#include "base/yaml_text.h"

#include <cstdint>

namespace podwright {
namespace {

constexpr std::uint32_t kReplacement = 0xfffd;

struct Character {
  std::uint32_t code = kReplacement;
  std::size_t bytes = 1;
};

/// The first character of a text that is not empty.
Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = lead & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {};
    code = code << 6U | (byte(i) & 0x3fU);
  }
  constexpr std::uint32_t kLeast[] = {0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < kLeast[bytes - 2] || code > 0x10ffff || surrogate) return {};
  return {code, bytes};
}

/// Whether YAML 1.2 prints it (production 1) and no reader takes it for a line break or a mark of the encoding.
bool is_printed(std::uint32_t code) {
  if (code < 0xa0) return code >= 0x20 && code < 0x7f;
  return code != 0x2028 && code != 0x2029 && code != 0xfeff && code != 0xfffe && code != 0xffff;
}

std::string escaped(std::uint32_t code) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const unsigned digits = code > 0xff ? 4 : 2;
  std::string out = digits == 4 ? "\\u" : "\\x";
  for (unsigned i = digits; i-- > 0;) out += kDigits[code >> 4U * i & 15U];
  return out;
}

}  // namespace

std::string yaml_text(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const Character next = first_of(text);
    if (next.code == '"' || next.code == '\\')
      quoted.append("\\").append(text.substr(0, 1));
    else if (!is_printed(next.code))
      quoted += escaped(next.code);
    else if (next.code == kReplacement)
      quoted += "\xef\xbf\xbd";
    else
      quoted += text.substr(0, next.bytes);
    text.remove_prefix(next.bytes);
  }
  return quoted + "\"";
}

}  // namespace podwright
