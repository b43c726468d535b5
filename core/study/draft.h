#pragma once
/// What a template writes on: numbers drawn one after the other from the seed's stream, the trace of the engine's
/// formulas, and the parts of the question.
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_write.h"
#include "base/result.h"
#include "base/trace.h"
#include "base/units.h"
#include "catalog/catalog.h"
#include "study/draws.h"
#include "study/mistakes.h"
#include "study/question.h"
#include "study/template.h"

namespace podwright {

/// Two numbers that people can tell apart after rounding: at least 5 % of the larger.
bool apart(double a, double b);

class Draft {
 public:
  /// `catalog` and `of` must outlive the draft.
  Draft(const Catalog& catalog, const Template& of, std::uint64_t seed);

  const Catalog& catalog() const { return catalog_; }
  Trace& trace() { return trace_; }

  // Drawing. Every call takes the next number of the stream.
  std::size_t index(std::size_t count) { return draws_.index(count); }
  double pick(std::initializer_list<double> values);
  std::string_view pick(std::span<const std::string_view> values) { return values[index(values.size())]; }
  std::string_view pick(std::initializer_list<std::string_view> values) {
    return pick(std::span(values.begin(), values.size()));
  }
  /// A multiple of `step` from `low` to `high`, both included.
  double whole(double low, double high, double step = 1);
  /// Items of the catalog by id; the built-in catalog has them.
  const Gpu& gpu(std::span<const std::string_view> ids);
  const Gpu& gpu(std::initializer_list<std::string_view> ids) { return gpu(std::span(ids.begin(), ids.size())); }
  const Model& model(std::span<const std::string_view> ids);
  const Model& model(std::initializer_list<std::string_view> ids) { return model(std::span(ids.begin(), ids.size())); }
  const System& system(std::span<const std::string_view> ids);
  const System& system(std::initializer_list<std::string_view> ids) {
    return system(std::span(ids.begin(), ids.size()));
  }
  template <class T>
  void shuffle(std::vector<T>& values) {
    draws_.shuffle(values);
  }

  // The trace's leaves.
  /// A number that the question states.
  template <class T>
  Traced<T> given(std::string_view name, T value) {
    return trace_.input("/" + std::string(name), value);
  }
  template <class Item, class T>
  Traced<T> fact(const Item& item, std::string_view field, const T& value) {
    return trace_.fact(item, field, value);
  }
  template <class Item, class T>
  Traced<T> fact(const Item& item, std::string_view field, const std::optional<T>& value) {
    PODWRIGHT_ASSERT(value.has_value());
    return trace_.fact(item, field, *value);
  }

  // The question.
  /// The template's prompt with these values in its places.
  void prompt(std::initializer_list<std::string> values);
  void drawing(std::string text) { question_.drawing = std::move(text); }
  void source(std::string_view ids);
  /// The answer is this number, shown in the unit. Numeric templates take `tolerance`, a share.
  template <class T>
  void ask(const DisplayUnit& display, const Traced<T>& right, double tolerance = 0.02) {
    display_ = display;
    show(display, right);
    right_ = raw(right.value) / display.base_units;
    tolerance_ = tolerance;
  }
  /// What the mistake makes of the same numbers, in base units. `why`: what this number takes, in a sentence or two,
  /// where the mistake's own sentences would not tell; empty takes those.
  template <class T>
  requires requires(T value) { raw(value); }
  void wrong(NamedMistake made, const T& value, std::string why = {}) {
    wrong_.push_back({raw(value) / display_.base_units, &made.mistake, std::move(why)});
  }
  /// Text options.
  void right(std::string text, std::string why);
  void wrong(std::string text, std::string why);
  void mistaken(NamedMistake made, std::string text);
  /// Steps of an order, in their right order.
  void step(std::string text, std::string why);
  /// One pair of a match.
  void pair(std::string left, std::string right, std::string why);
  /// A number that the solution shows besides the answer.
  template <class T>
  void show(const DisplayUnit& display, const Traced<T>& known) {
    trace_.shown(known.node, display, raw(known.value) / display.base_units, "/answer");
  }
  /// The last sentence of the solution.
  void conclude(std::string sentence) { conclusion_ = std::move(sentence); }
  /// The planner's screen shows this case; `fill` writes the fields of its request.
  template <class Fill>
  void planner(const PlannerScreen& screen, const Fill& fill) {
    JsonWriter request;
    request.begin_object();
    request.text("kind", screen.kind);
    fill(request);
    request.end_object();
    question_.planner = PlannerCase{std::string(screen.name), request.take()};
  }
  /// The draw makes no sense; the next one is tried.
  void discard() { discarded_ = true; }

  /// Fills the question again and again until its options are right in number, distinct and plausible.
  Question finish();

 private:
  struct WrongNumber {
    double value;
    const Mistake* mistake;
    std::string why;
  };
  void clear();
  bool complete();
  bool complete_numbers();
  bool complete_choice(std::size_t right, std::size_t wrong);
  bool complete_match();
  void complete_order();
  bool takes(const WrongNumber& wrong) const;
  QuestionOption number_option(double value) const;

  const Catalog& catalog_;
  const Template& template_;
  std::uint64_t seed_;
  Draws draws_;
  Trace trace_;
  Question question_;
  DisplayUnit display_ = unit::kNone;
  std::optional<double> right_;
  double tolerance_ = 0;
  std::vector<WrongNumber> wrong_;
  std::vector<std::string> sources_;
  std::string conclusion_;
  bool discarded_ = false;
};

}  // namespace podwright
