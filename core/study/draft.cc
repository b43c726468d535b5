#include "study/draft.h"

#include <algorithm>
#include <cmath>

#include "base/append.h"
#include "base/number_text.h"
#include "base/result.h"
#include "study/quantity_text.h"
#include "study/solution.h"

namespace podwright {
namespace {

/// An option further off than this is believed by no one.
constexpr double kMostFactor = 30;
constexpr int kMostDraws = 2000;
constexpr std::size_t kWrongOptions = 3;

template <class Item>
const Item& item_of(const Result<const Item*>& found) {
  PODWRIGHT_ASSERT(found.has_value());
  return **found;
}

std::string why_of(const Mistake& mistake) { return std::string(mistake.what) + " " + std::string(mistake.tempts); }

/// A fact names its sources in one text; each stands once.
void add_sources(std::vector<std::string>& list, std::string_view sources) {
  while (!sources.empty()) {
    const std::size_t end = std::min(sources.find("; "), sources.size());
    if (end > 0) add_once(list, std::string(sources.substr(0, end)));
    sources.remove_prefix(std::min(end + 2, sources.size()));
  }
}

bool texts_differ(const std::vector<QuestionOption>& options) {
  for (std::size_t i = 0; i < options.size(); ++i)
    for (std::size_t j = i + 1; j < options.size(); ++j)
      if (options[i].text == options[j].text) return false;
  return true;
}

}  // namespace

bool apart(double a, double b) { return std::fabs(a - b) >= 0.05 * std::max(std::fabs(a), std::fabs(b)) && a != b; }

Draft::Draft(const Catalog& catalog, const Template& of, std::uint64_t seed)
    : catalog_(catalog), template_(of), seed_(seed), draws_(seed, of.id) {}

double Draft::pick(std::initializer_list<double> values) { return values.begin()[index(values.size())]; }

double Draft::whole(double low, double high, double step) {
  const auto count = static_cast<std::size_t>((high - low) / step + 1.5);
  return low + step * static_cast<double>(index(count));
}

const Gpu& Draft::gpu(std::span<const std::string_view> ids) { return item_of(find_gpu(catalog_, pick(ids))); }
const Model& Draft::model(std::span<const std::string_view> ids) { return item_of(find_model(catalog_, pick(ids))); }
const System& Draft::system(std::span<const std::string_view> ids) { return item_of(find_system(catalog_, pick(ids))); }

void Draft::prompt(std::initializer_list<std::string> values) {
  std::string_view rest = template_.text.prompt;
  question_.prompt.clear();
  for (const std::string& value : values) {
    const std::size_t place = rest.find("{}");
    PODWRIGHT_ASSERT(place != std::string_view::npos);
    question_.prompt += std::string(rest.substr(0, place)) + value;
    rest.remove_prefix(place + 2);
  }
  PODWRIGHT_ASSERT(rest.find("{}") == std::string_view::npos);
  question_.prompt += rest;
}

void Draft::source(std::string_view ids) { add_sources(sources_, ids); }

void Draft::right(std::string text, std::string why) {
  question_.options.push_back({std::move(text), true, std::move(why), "", {}});
}
void Draft::wrong(std::string text, std::string why) {
  question_.options.push_back({std::move(text), false, std::move(why), "", {}});
}
void Draft::mistaken(NamedMistake made, std::string text) {
  const Mistake& mistake = made.mistake;
  question_.options.push_back({std::move(text), false, why_of(mistake), std::string(mistake.id), {}});
}
void Draft::step(std::string text, std::string why) {
  question_.options.push_back({std::move(text), false, std::move(why), "", {}});
}
void Draft::pair(std::string left, std::string right, std::string why) {
  question_.lefts.push_back(std::move(left));
  question_.options.push_back({std::move(right), false, std::move(why), "", {}});
}

void Draft::clear() {
  trace_ = Trace();
  question_ = Question();
  display_ = unit::kNone;
  right_.reset();
  wrong_.clear();
  sources_.clear();
  conclusion_.clear();
  discarded_ = false;
}

QuestionOption Draft::number_option(double value) const {
  return {in_unit_text(value, display_.sign), false, "", "", value};
}

bool Draft::takes(const WrongNumber& wrong) const {
  if (!std::isfinite(wrong.value) || wrong.value <= 0 || wrong.value >= 1e15) return false;
  const double factor = wrong.value > *right_ ? wrong.value / *right_ : *right_ / wrong.value;
  if (factor > kMostFactor) return false;
  return std::all_of(question_.options.begin(), question_.options.end(),
                     [&](const QuestionOption& taken) { return apart(*taken.value, wrong.value); });
}

/// The right number and three of the mistakes' numbers.
bool Draft::complete_numbers() {
  if (!right_ || !std::isfinite(*right_) || *right_ <= 0) return false;
  question_.number = {*right_, display_.sign, template_.kind == QuestionKind::numeric ? tolerance_ : 0};
  if (template_.kind == QuestionKind::numeric) return true;
  QuestionOption right = number_option(*right_);
  right.right = true;
  right.why = reason_of(solution_of(trace_));
  question_.options.push_back(std::move(right));
  shuffle(wrong_);
  for (const WrongNumber& wrong : wrong_) {
    if (question_.options.size() > kWrongOptions || !takes(wrong)) continue;
    QuestionOption option = number_option(wrong.value);
    option.why = wrong.why.empty() ? why_of(*wrong.mistake) : wrong.why;
    option.mistake = wrong.mistake->id;
    question_.options.push_back(std::move(option));
  }
  return complete_choice(1, kWrongOptions);
}

bool Draft::complete_choice(std::size_t right, std::size_t wrong) {
  const auto is_right = [](const QuestionOption& option) { return option.right; };
  const auto rights =
      static_cast<std::size_t>(std::count_if(question_.options.begin(), question_.options.end(), is_right));
  if (rights != right || question_.options.size() < right + wrong || !texts_differ(question_.options)) return false;
  // Of more wrong texts than are needed the stream chooses.
  shuffle(question_.options);
  std::vector<QuestionOption> kept;
  std::size_t wrongs = 0;
  for (QuestionOption& option : question_.options)
    if (option.right || wrongs++ < wrong) kept.push_back(std::move(option));
  question_.options = std::move(kept);
  for (std::size_t i = 0; i < question_.options.size(); ++i)
    if (question_.options[i].right) question_.answer.push_back(i);
  return true;
}

/// Shuffles the steps; `answer` leads through them in their right order.
void Draft::complete_order() {
  const std::vector<std::size_t> from = draws_.order(question_.options.size(), true);
  std::vector<QuestionOption> shown;
  question_.answer.resize(from.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    question_.answer[from[i]] = i;
    shown.push_back(question_.options[from[i]]);
  }
  question_.options = std::move(shown);
}

bool Draft::complete_match() {
  for (std::size_t i = 0; i < question_.lefts.size(); ++i)
    for (std::size_t j = i + 1; j < question_.lefts.size(); ++j)
      if (question_.lefts[i] == question_.lefts[j]) return false;
  complete_order();
  return true;
}

bool Draft::complete() {
  if (discarded_) return false;
  switch (template_.kind) {
    case QuestionKind::numeric:
      return complete_numbers();
    case QuestionKind::choice:
    case QuestionKind::read_drawing:
      return right_ && question_.options.empty() ? complete_numbers() : complete_choice(1, kWrongOptions);
    case QuestionKind::choose_two:
      return complete_choice(2, kWrongOptions);
    case QuestionKind::order:
      if (question_.options.size() < 3 || !texts_differ(question_.options)) return false;
      complete_order();
      return true;
    case QuestionKind::match:
      return question_.options.size() >= 3 && texts_differ(question_.options) && complete_match();
  }
  return false;
}

Question Draft::finish() {
  for (int draw = 0; draw < kMostDraws; ++draw) {
    clear();
    template_.draw(*this);
    if (!complete()) continue;
    question_.id = std::string(template_.id) + "/" + std::to_string(seed_);
    question_.template_id = template_.id;
    question_.objective = template_.objective;
    question_.kind = template_.kind;
    question_.difficulty = template_.difficulty;
    question_.level = template_.level;
    question_.asks = template_.asks;
    question_.solution = solution_of(trace_);
    if (!conclusion_.empty()) {
      SolutionStep last;
      last.text = conclusion_;
      question_.solution.push_back(std::move(last));
    }
    add_sources(sources_, template_.text.source);
    for (const std::string& source : sources_of_solution(trace_)) add_sources(sources_, source);
    for (const std::string& source : sources_) question_.source += (question_.source.empty() ? "" : "; ") + source;
    return std::move(question_);
  }
  PODWRIGHT_ASSERT(false);  // a test draws every template a thousand times
  return {};
}

}  // namespace podwright
