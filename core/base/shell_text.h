#pragma once
/// Texts in scripts of a shell.
#include <string>
#include <string_view>

namespace podwright {

/// In single quotes, as one word; zero bytes, which no shell keeps, are left out.
inline std::string shell_text(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\0') continue;
    out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return out + "'";
}

/// "NAME='text'".
inline std::string shell_assignment(std::string_view name, std::string_view text) {
  return std::string(name) + "=" + shell_text(text);
}

}  // namespace podwright
