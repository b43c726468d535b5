#pragma once
/// Mistakes that people make with the numbers of this field. Wrong options of generated questions are computed by one
/// of them, so that choosing an option tells which mistake was made. `study/data/mistakes.json` has for each what it
/// does and why it tempts people, a sentence each.
#include <algorithm>
#include <string_view>

#include "study/mistakes_table.h"

namespace podwright {

/// Not a constant expression, so that a mistake without an entry does not compile.
void no_such_mistake();

consteval const Mistake& mistake(std::string_view id) {
  const auto* found =
      std::find_if(kMistakes.begin(), kMistakes.end(), [&](const Mistake& one) { return one.id == id; });
  if (found == kMistakes.end()) no_such_mistake();
  return *found;
}

}  // namespace podwright
