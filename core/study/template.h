#pragma once
/// A template draws numbers from a seed and a catalog, lets the engine's own formulas answer, and builds wrong options
/// from named mistakes.
#include <string_view>

#include "study/question.h"

namespace podwright {

class Draft;

struct Template {
  std::string_view id;         ///< "t.kv-cache"
  std::string_view objective;  ///< "1.2"
  QuestionKind kind = QuestionKind::choice;
  double difficulty = 2;  ///< as Question::difficulty
  /// Where the method stands: a page of the documentation or ids of sources; facts add their own.
  std::string_view source;
  /// Fills the draft once. A draw whose options would not be distinct and plausible is discarded by the caller.
  void (*draw)(Draft& draft) = nullptr;
};

}  // namespace podwright
