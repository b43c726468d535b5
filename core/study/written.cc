#include "study/written.h"

#include <set>

#include "base/nearest.h"
#include "base/words.h"
#include "catalog/item_reader.h"
#include "study/draws.h"

namespace podwright {
namespace {

constexpr std::string_view kHint = "Written questions have the members of those in core/study/data/written.";

void problem(ObjectReader& reader, std::string_view key, std::string_view what) {
  reader.error(key, "out-of-range", "\"" + std::string(key) + "\" " + std::string(what) + ".", std::string(kHint));
}

/// Text that is not empty.
std::string text_of(ObjectReader& reader, std::string_view key, bool required = true) {
  if (required && !reader.has(key)) reader.missing(key, "a text", std::string(kHint));
  const std::optional<std::string> text = reader.text(key);
  if (text && text->empty()) problem(reader, key, "must not be empty");
  return text.value_or("");
}

/// The objects of a list that is not empty, each with `read`; how many there are.
template <class Read>
std::size_t read_objects(ObjectReader& reader, std::string_view key, const Read& read) {
  const JsonNode* list = reader.list(key);
  if (!reader.has(key) || (list != nullptr && list->items.empty())) problem(reader, key, "must be a list with items");
  if (list == nullptr) return 0;
  for (std::size_t i = 0; i < list->items.size(); ++i) {
    ObjectReader object(list->items[i], reader.path(key) + "/" + std::to_string(i), reader.errors());
    read(object);
  }
  return list->items.size();
}

void read_options(ObjectReader& reader, Question& question) {
  const bool two = question.kind == QuestionKind::choose_two;
  std::size_t right = 0;
  const std::size_t count = read_objects(reader, "options", [&](ObjectReader& option) {
    const bool is_right = option.flag("right").value_or(false);
    question.options.push_back({text_of(option, "text"), is_right, text_of(option, "why"), "", {}});
    right += is_right ? 1 : 0;
  });
  if (count != (two ? 5U : 4U)) problem(reader, "options", two ? "must have five" : "must have four");
  if (right != (two ? 2U : 1U))
    problem(reader, "options", two ? "must have two that are right" : "must have one that is right");
}

/// Steps of an order, or pairs of a match.
void read_arranged(ObjectReader& reader, std::string_view key, Question& question) {
  const bool pairs = question.kind == QuestionKind::match;
  const std::size_t count = read_objects(reader, key, [&](ObjectReader& item) {
    if (pairs) question.lefts.push_back(text_of(item, "left"));
    question.options.push_back({text_of(item, pairs ? "right" : "text"), false, text_of(item, "why", false), "", {}});
  });
  if (count < 3) problem(reader, key, "must have three or more");
}

void read_body(ObjectReader& reader, Question& question) {
  const auto kind = of_word<QuestionKind>(text_of(reader, "kind"), kQuestionKindWords);
  question.kind = kind.value_or(QuestionKind::numeric);
  switch (question.kind) {
    case QuestionKind::choice:
    case QuestionKind::choose_two:
      return read_options(reader, question);
    case QuestionKind::order:
      return read_arranged(reader, "steps", question);
    case QuestionKind::match:
      return read_arranged(reader, "pairs", question);
    default:
      return problem(reader, "kind", "must be choice, choose-two, order or match");
  }
}

WrittenQuestion read_question(ObjectReader& reader, const std::string& objective) {
  WrittenQuestion written;
  Question& question = written.question;
  question.id = text_of(reader, "id");
  if (question.id.rfind(objective + "-", 0) != 0) problem(reader, "id", "must begin with the objective");
  question.objective = objective;
  if (!reader.has("difficulty")) reader.missing("difficulty", "1 to 3");
  question.difficulty = reader.number("difficulty", {.min = 1, .max = 3}).value_or(1);
  const auto level = of_word<QuestionLevel>(text_of(reader, "level"), kQuestionLevelWords);
  if (!level) problem(reader, "level", "must be associate or professional");
  question.level = level.value_or(QuestionLevel::associate);
  const auto asks = of_word<QuestionAsks>(text_of(reader, "asks"), kQuestionAsksWords);
  if (!asks) problem(reader, "asks", "must be recall, scenario or calculation");
  question.asks = asks.value_or(QuestionAsks::recall);
  written.also = text_of(reader, "also", false);
  if (reader.has("like")) written.like = read_texts(reader, "like");
  question.prompt = text_of(reader, "prompt");
  question.drawing = text_of(reader, "drawing", false);
  question.picture = text_of(reader, "picture", false);
  question.hidden = text_of(reader, "hidden", false);
  read_body(reader, question);
  SolutionStep explanation;
  explanation.text = text_of(reader, "explanation");
  question.solution.push_back(std::move(explanation));
  const std::vector<std::string> sources = read_texts(reader, "sources");
  if (sources.empty()) problem(reader, "sources", "must be a list of ids");
  question.source = joined(sources, "; ");
  return written;
}

}  // namespace

Result<std::vector<WrittenQuestion>> read_written_pack(const JsonNode& pack) {
  ErrorList errors;
  ObjectReader reader(pack, "", errors);
  const std::string objective = text_of(reader, "objective");
  std::vector<WrittenQuestion> read;
  std::set<std::string> ids;
  read_objects(reader, "questions", [&](ObjectReader& one) {
    read.push_back(read_question(one, objective));
    if (!ids.insert(read.back().question.id).second) problem(one, "id", "occurs twice");
  });
  if (!errors.empty()) return failure(errors.take());
  return read;
}

Question shown_question(const WrittenQuestion& written, std::uint64_t seed) {
  Question question = written.question;
  const bool arranged = question.kind == QuestionKind::order || question.kind == QuestionKind::match;
  const std::vector<std::size_t> from = Draws(seed, question.id).order(question.options.size(), arranged);
  std::vector<std::size_t> place(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    place[from[i]] = i;
    question.options[i] = written.question.options[from[i]];
  }
  if (arranged) {
    question.answer = place;
    return question;
  }
  for (std::size_t i = 0; i < question.options.size(); ++i)
    if (question.options[i].right) question.answer.push_back(i);
  return question;
}

const WrittenQuestion* written_of_objective(const std::vector<WrittenQuestion>& written, std::string_view objective,
                                            std::uint64_t seed) {
  std::vector<const WrittenQuestion*> asked;
  for (const WrittenQuestion& one : written)
    if (one.question.objective == objective) asked.push_back(&one);
  if (asked.empty()) return nullptr;
  return asked[Draws(seed, objective).index(asked.size())];
}

}  // namespace podwright
