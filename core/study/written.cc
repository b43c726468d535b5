#include "study/written.h"

#include <algorithm>
#include <set>

#include "base/random.h"
#include "base/words.h"
#include "study/stream_name.h"

namespace podwright {
namespace {

/// Reads the members of one object and notes what is wrong with them.
class Reader {
 public:
  Reader(const JsonNode& node, std::string path, Errors& errors)
      : node_(node), path_(std::move(path)), errors_(errors) {}

  std::string text(std::string_view key, bool required = true) const {
    const JsonNode* member = node_.find(key);
    if (member != nullptr && member->is_text() && !member->text.empty()) return member->text;
    if (required || member != nullptr) problem(key, "must be text that is not empty");
    return "";
  }
  double number(std::string_view key, double low, double high) const {
    const JsonNode* member = node_.find(key);
    if (member != nullptr && member->is_number() && member->number >= low && member->number <= high)
      return member->number;
    problem(key, "must be a number in its range");
    return low;
  }
  bool flag(std::string_view key) const {
    const JsonNode* member = node_.find(key);
    return member != nullptr && member->boolean;
  }
  std::vector<JsonNode> list(std::string_view key) const {
    const JsonNode* member = node_.find(key);
    if (member == nullptr || member->items.empty()) problem(key, "must be a list that is not empty");
    return member == nullptr ? std::vector<JsonNode>{} : member->items;
  }
  void problem(std::string_view key, std::string_view what) const {
    errors_.push_back({"out-of-range", path_ + "/" + std::string(key),
                       "\"" + std::string(key) + "\" " + std::string(what) + ".",
                       "Written questions have the members of those in core/study/data/written."});
  }
  std::string below(std::string_view key, std::size_t index) const {
    return path_ + "/" + std::string(key) + "/" + std::to_string(index);
  }

 private:
  const JsonNode& node_;
  std::string path_;
  Errors& errors_;
};

void read_options(const Reader& reader, Question& question, Errors& errors) {
  const bool two = question.kind == QuestionKind::choose_two;
  const std::vector<JsonNode> options = reader.list("options");
  std::size_t right = 0;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const Reader option(options[i], reader.below("options", i), errors);
    question.options.push_back({option.text("text"), option.flag("right"), option.text("why"), "", {}});
    right += question.options.back().right ? 1 : 0;
  }
  if (options.size() != (two ? 5U : 4U)) reader.problem("options", two ? "must have five" : "must have four");
  if (right != (two ? 2U : 1U))
    reader.problem("options", two ? "must have two that are right" : "must have one that is right");
}

void read_steps(const Reader& reader, Question& question, Errors& errors) {
  const std::vector<JsonNode> steps = reader.list("steps");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Reader step(steps[i], reader.below("steps", i), errors);
    question.options.push_back({step.text("text"), false, step.text("why", false), "", {}});
  }
  if (steps.size() < 3) reader.problem("steps", "must have three or more");
}

void read_pairs(const Reader& reader, Question& question, Errors& errors) {
  const std::vector<JsonNode> pairs = reader.list("pairs");
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Reader pair(pairs[i], reader.below("pairs", i), errors);
    question.lefts.push_back(pair.text("left"));
    question.options.push_back({pair.text("right"), false, pair.text("why", false), "", {}});
  }
  if (pairs.size() < 3) reader.problem("pairs", "must have three or more");
}

void read_body(const Reader& reader, Question& question, Errors& errors) {
  const std::string kind = reader.text("kind");
  if (kind == "choice" || kind == "choose-two") {
    question.kind = kind == "choice" ? QuestionKind::choice : QuestionKind::choose_two;
    read_options(reader, question, errors);
  } else if (kind == "order") {
    question.kind = QuestionKind::order;
    read_steps(reader, question, errors);
  } else if (kind == "match") {
    question.kind = QuestionKind::match;
    read_pairs(reader, question, errors);
  } else {
    reader.problem("kind", "must be choice, choose-two, order or match");
  }
}

WrittenQuestion read_question(const Reader& reader, const std::string& objective, Errors& errors) {
  WrittenQuestion written;
  Question& question = written.question;
  question.id = reader.text("id");
  if (question.id.rfind(objective + "-", 0) != 0) reader.problem("id", "must begin with the objective");
  question.objective = objective;
  question.difficulty = reader.number("difficulty", 1, 3);
  question.prompt = reader.text("prompt");
  question.drawing = reader.text("drawing", false);
  read_body(reader, question, errors);
  SolutionStep explanation;
  explanation.text = reader.text("explanation");
  question.solution.push_back(std::move(explanation));
  for (const JsonNode& source : reader.list("sources"))
    question.source += (question.source.empty() ? "" : "; ") + source.text;
  return written;
}

}  // namespace

Result<std::vector<WrittenQuestion>> read_written_pack(const JsonNode& pack) {
  Errors errors;
  const Reader reader(pack, "", errors);
  const std::string objective = reader.text("objective");
  const std::vector<JsonNode> questions = reader.list("questions");
  std::vector<WrittenQuestion> read;
  std::set<std::string> ids;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    const Reader one(questions[i], reader.below("questions", i), errors);
    read.push_back(read_question(one, objective, errors));
    if (!ids.insert(read.back().question.id).second) one.problem("id", "occurs twice");
  }
  if (!errors.empty()) return failure(std::move(errors));
  return read;
}

Question shown_question(const WrittenQuestion& written, std::uint64_t seed) {
  Question question = written.question;
  const random::Stream stream(seed, stream_of(question.id));
  std::uint64_t drawn = 0;
  std::vector<std::size_t> from(question.options.size());
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = i;
  const auto shuffle = [&] {
    for (std::size_t i = from.size(); i > 1; --i)
      std::swap(from[i - 1], from[static_cast<std::size_t>(stream.bits(drawn++) % i)]);
  };
  shuffle();
  const bool arranged = question.kind == QuestionKind::order || question.kind == QuestionKind::match;
  while (arranged && std::is_sorted(from.begin(), from.end())) shuffle();
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
  const random::Stream stream(seed, stream_of(objective));
  return asked[static_cast<std::size_t>(stream.bits(0) % asked.size())];
}

}  // namespace podwright
