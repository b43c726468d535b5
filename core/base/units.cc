#include "base/units.h"

#include <array>
#include <string_view>

namespace podwright {
namespace {

struct Power {
  std::string_view sign;
  int exponent;
};

void append(std::string& text, std::string_view sign, int exponent) {
  if (!text.empty()) text += ' ';
  text += sign;
  if (exponent != 1) {
    text += '^';
    text += std::to_string(exponent);
  }
}

}  // namespace

std::string unit_text(Dim dim) {
  if (dim == Dim{.second = -1, .joule = 1}) return "W";
  const std::array<Power, 5> powers{
      {{"B", dim.byte}, {"FLOP", dim.flop}, {"USD", dim.usd}, {"J", dim.joule}, {"s", dim.second}}};
  std::string above;
  std::string below;
  for (const Power& p : powers) {
    if (p.exponent > 0) append(above, p.sign, p.exponent);
    if (p.exponent < 0) append(below, p.sign, -p.exponent);
  }
  if (above.empty()) above = "1";
  return below.empty() ? above : above + "/" + below;
}

}  // namespace podwright
