#include "base/yaml_text.h"

#include <cstdint>

#include "base/characters.h"

namespace podwright {
namespace {

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
    const Character next = first_character(text);
    if (next.code == '"' || next.code == '\\')
      quoted.append("\\").append(text.substr(0, 1));
    else if (!is_printed(next.code))
      quoted += escaped(next.code);
    else if (!next.whole)
      quoted += kReplacement;
    else
      quoted += text.substr(0, next.bytes);
    text.remove_prefix(next.bytes);
  }
  return quoted + "\"";
}

}  // namespace podwright
