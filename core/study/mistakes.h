#pragma once
/// Mistakes that people make with the numbers of this field. Wrong options of generated questions are computed by one
/// of them, so that choosing an option tells which mistake was made. `study/data/mistakes.json` has for each what it
/// does and why it tempts people, a sentence each.
#include <algorithm>
#include <string_view>

#include "study/mistakes_table.h"

namespace podwright {

/// A mistake by its id; one without an entry does not compile.
struct NamedMistake {
  consteval NamedMistake(const char* id)
      : mistake(*std::find_if(kMistakes.begin(), kMistakes.end(),
                              [&](const Mistake& one) { return one.id == std::string_view(id); })) {}
  const Mistake& mistake;
};

}  // namespace podwright
