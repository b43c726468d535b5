#include "study/exam.h"

#include <algorithm>
#include <map>
#include <utility>

#include "study/draws.h"
#include "study/make_question.h"

namespace podwright {
namespace {

/// What an objective can still be asked with; the last ones come first.
struct Supply {
  std::vector<const Template*> templates;
  std::vector<const WrittenQuestion*> written;
};

/// Objectives in the order of their text: a map has no other.
using Supplies = std::map<std::string, Supply>;

bool has_options(QuestionKind kind) {
  return kind == QuestionKind::choice || kind == QuestionKind::choose_two || kind == QuestionKind::read_drawing;
}

bool in_form(const Blueprint& blueprint, const Question& question) {
  return (blueprint.every_level || question.level == QuestionLevel::associate) && has_options(question.kind);
}

/// The objective of the exam that asks a question: its own, or that of another exam under which it stands too. Empty
/// where the exam does not ask it.
std::string objective_in(const Blueprint& blueprint, const WrittenQuestion& one) {
  if (blueprint.has(one.question.objective)) return one.question.objective;
  return blueprint.has(one.also) ? one.also : "";
}

/// The conceptual questions of an exam's form are written; its sums are those that choose_sums() chooses.
Supplies supplies_of(const std::vector<WrittenQuestion>& written, const ExamWish& wish) {
  Supplies supplies;
  const bool all = wish.form == ExamForm::challenge;
  for (const Template& one : question_templates())
    if (all && wish.blueprint->has(one.objective)) supplies[std::string(one.objective)].templates.push_back(&one);
  for (const WrittenQuestion& one : written) {
    const std::string objective = objective_in(*wish.blueprint, one);
    const bool conceptual = one.question.asks != QuestionAsks::calculation;
    if (!objective.empty() && (all || (conceptual && in_form(*wish.blueprint, one.question))))
      supplies[objective].written.push_back(&one);
  }
  return supplies;
}

class ExamMaker {
 public:
  ExamMaker(const Catalog& catalog, const std::vector<WrittenQuestion>& written, const ExamWish& wish)
      : catalog_(catalog), wish_(wish), draws_(wish.seed, "exam"), supplies_(supplies_of(written, wish)) {
    for (auto& [objective, supply] : supplies_) {
      draws_.shuffle(supply.templates);
      draws_.shuffle(supply.written);
      const auto seen = [&](const WrittenQuestion* one) { return wish_.seen.contains(one->question.id); };
      std::stable_partition(supply.written.begin(), supply.written.end(), seen);
    }
    if (wish.form == ExamForm::exam) choose_sums(written);
  }

  std::vector<Question> made() {
    const std::vector<std::size_t> counts = questions_of_domains(*wish_.blueprint);
    for (std::size_t i = 0; i < counts.size(); ++i) add_domain(wish_.blueprint->domains[i].id, counts[i]);
    draws_.shuffle(exam_);
    return std::move(exam_);
  }

 private:
  /// A few objectives are asked for a sum first: one of a simple template, or a written one.
  void choose_sums(const std::vector<WrittenQuestion>& written) {
    std::vector<std::pair<std::string, Supply>> sums;
    for (const Template& one : question_templates())
      if (one.simple && wish_.blueprint->has(one.objective))
        sums.push_back({std::string(one.objective), {.templates = {&one}, .written = {}}});
    for (const WrittenQuestion& one : written) {
      const std::string objective = objective_in(*wish_.blueprint, one);
      if (!objective.empty() && in_form(*wish_.blueprint, one.question) &&
          one.question.asks == QuestionAsks::calculation && !wish_.seen.contains(one.question.id))
        sums.push_back({objective, {.templates = {}, .written = {&one}}});
    }
    draws_.shuffle(sums);
    const std::size_t count = draws_.index(wish_.blueprint->calculations + 1);
    for (auto& [objective, sum] : sums)
      if (sums_.size() < count) sums_.try_emplace(objective, std::move(sum));
  }

  /// Unseen questions of an objective that are left.
  std::size_t unseen(const std::string& objective) const {
    const auto& own = supplies_.find(objective)->second.written;
    return static_cast<std::size_t>(std::count_if(
        own.begin(), own.end(), [&](const WrittenQuestion* one) { return !wish_.seen.contains(one->question.id); }));
  }

  void add_domain(std::string_view domain, std::size_t count) {
    std::vector<std::string> order;
    for (const auto& [objective, supply] : supplies_)
      if (domain_of(objective) == domain) order.push_back(objective);
    draws_.shuffle(order);
    const std::size_t until = exam_.size() + count;
    // The first turn asks every objective, first those with little left, before another's question gives that away.
    std::vector<std::string> turn = order;
    std::stable_sort(turn.begin(), turn.end(),
                     [&](const std::string& a, const std::string& b) { return unseen(a) < unseen(b); });
    // After it, what was seen comes once nothing else is left.
    bool may_repeat = true;
    while (exam_.size() < until) {
      const std::size_t before = exam_.size();
      for (const std::string& objective : turn)
        if (exam_.size() < until) add_question(objective, may_repeat);
      if (exam_.size() == before && may_repeat) return;
      may_repeat = exam_.size() == before;
      turn = order;
    }
  }

  /// The next question of an objective, written or generated by the toss of a coin where it has both.
  void add_question(const std::string& objective, bool may_repeat) {
    if (const auto sum = sums_.extract(objective)) {
      if (take(sum.mapped(), may_repeat)) return;
    }
    take(supplies_[objective], may_repeat);
  }

  bool take(Supply& supply, bool may_repeat) {
    while (!supply.written.empty() && given_away(*supply.written.back())) supply.written.pop_back();
    const bool has_written =
        !supply.written.empty() && (may_repeat || !wish_.seen.contains(supply.written.back()->question.id));
    if (supply.templates.empty() && !has_written) return false;
    const bool generated = !has_written || (!supply.templates.empty() && draws_.index(2) == 0);
    if (generated) {
      exam_.push_back(make_question(catalog_, *supply.templates.back(), wish_.seed));
      supply.templates.pop_back();
      return true;
    }
    const WrittenQuestion& written = *supply.written.back();
    supply.written.pop_back();
    used_.insert(written.question.id);
    for (const std::string& other : written.like) used_.insert(other);
    exam_.push_back(shown_question(written, wish_.seed));
    exam_.back().objective = objective_in(*wish_.blueprint, written);
    return true;
  }

  /// By a question of the exam that is the same, or like it.
  bool given_away(const WrittenQuestion& one) const {
    return used_.contains(one.question.id) ||
           std::any_of(one.like.begin(), one.like.end(), [&](const std::string& id) { return used_.contains(id); });
  }

  const Catalog& catalog_;
  const ExamWish& wish_;
  Draws draws_;
  Supplies supplies_;
  Supplies sums_;  ///< by objective, one question each
  std::set<std::string, std::less<>> used_;
  std::vector<Question> exam_;
};

}  // namespace

std::vector<Question> make_exam(const Catalog& catalog, const std::vector<WrittenQuestion>& written,
                                const ExamWish& wish) {
  return ExamMaker(catalog, written, wish).made();
}

}  // namespace podwright
