#pragma once
/// The generation of a GPU as NVIDIA numbers it.
#include <string_view>

namespace podwright {

/// "9.0" as a number; 0 where the text is none, as in "gfx942" of AMD.
constexpr double capability_number(std::string_view text) {
  double value = 0;
  double scale = 0;
  for (const char c : text) {
    if (c == '.' && scale == 0) {
      scale = 1;
    } else if (c >= '0' && c <= '9') {
      const double digit = c - '0';
      scale = scale > 0 ? scale / 10 : 0;
      value = scale > 0 ? value + digit * scale : value * 10 + digit;
    } else {
      return 0;
    }
  }
  return value;
}

}  // namespace podwright
