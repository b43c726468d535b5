#pragma once
/// A template draws numbers from a seed and a catalog, lets the engine's own formulas answer, and builds wrong options
/// from named mistakes. `study/data/questions.json` has its prompt and what it asks about.
#include <algorithm>
#include <span>
#include <string_view>

#include "base/words.h"
#include "study/question.h"
#include "study/question_texts.h"

namespace podwright {

class Draft;

struct Template {
  /// A template without an entry does not compile.
  consteval Template(std::string_view of, void (*draw_question)(Draft& draft))
      : draw(draw_question),
        text(*std::find_if(kQuestionTexts.begin(), kQuestionTexts.end(),
                           [&](const QuestionText& one) { return one.id == of; })),
        id(text.id),
        objective(text.objective),
        kind(*of_word<QuestionKind>(text.kind, kQuestionKindWords)),
        difficulty(text.difficulty.front() - '0'),
        level(*of_word<QuestionLevel>(text.level, kQuestionLevelWords)),
        asks(*of_word<QuestionAsks>(text.asks, kQuestionAsksWords)),
        simple(text.simple == "yes") {}

  /// Fills the draft once. A draw whose options would not be distinct and plausible is discarded by the caller.
  void (*draw)(Draft& draft);
  /// `prompt` has a place, {}, for each value that the draft gives it; `source` says where the method stands: a page of
  /// the documentation or ids of sources; facts add their own.
  QuestionText text;
  std::string_view id;         ///< "t.kv-cache"
  std::string_view objective;  ///< "1.2"
  QuestionKind kind;
  double difficulty;  ///< as Question::difficulty
  QuestionLevel level;
  QuestionAsks asks;
  bool simple;  ///< one step for the head, with options to choose from: the associate exam could ask it
};

/// All templates, topic after topic.
std::span<const Template> question_templates();
/// Null where no template has the id.
const Template* find_template(std::string_view id);

}  // namespace podwright
