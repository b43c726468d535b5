#pragma once
/// Writes the fields of an answer as JSON. Label and help are known to the tables alone: every function that sees them
/// is inlined, and what it hands on are copies of key and unit, so that they do not enter the engine.
#include <array>
#include <string>
#include <vector>

#include "api/answer_field.h"
#include "api/outcome.h"
#include "base/json_write.h"
#include "base/words.h"

namespace podwright {

class AnswerWriter {
 public:
  explicit AnswerWriter(JsonWriter& out) : out_(out) {}

  /// True of a visitor that has an answer's object, false of one that asks for types.
  static constexpr bool real() { return true; }
  /// True where the fields that follow are part of this answer.
  bool when(bool holds) const { return holds; }

  [[gnu::always_inline]] void number(const AnswerField& field, const auto& value) {
    write_number(field.key, field.unit, given(value));
  }
  /// With `<key>_low` and `<key>_high` where there are bounds.
  [[gnu::always_inline]] void number(const AnswerField& field, const auto& value, const auto& bounds) {
    number(field, value);
    with(bounds, [&, key = field.key, &unit = field.unit](const auto& known) { write_bounds(key, unit, known); });
  }
  /// `<key>_p50` to `<key>_p99`.
  [[gnu::always_inline]] void percentiles(const AnswerField& field, const auto& values) {
    with(values, [&, key = field.key, &unit = field.unit](const auto& known) { write_percentiles(key, unit, known); });
  }
  [[gnu::always_inline]] void text(const AnswerField& field, const auto& value) {
    with(value, [&, key = field.key](std::string_view known) { out_.text(key, known); });
  }
  template <class Given, std::size_t N>
  [[gnu::always_inline]] void word(const AnswerField& field, const Given& value,
                                   const std::array<std::string_view, N>& words) {
    with(value, [&, key = field.key](auto known) { out_.text(key, word_of(known, words)); });
  }
  [[gnu::always_inline]] void flag(const AnswerField& field, const auto& value) {
    with(value, [&, key = field.key](bool known) { out_.boolean(key, known); });
  }
  /// Left out where there is none.
  [[gnu::always_inline]] void texts(const AnswerField& field, const auto& values) {
    with(values, [&, key = field.key](const std::vector<std::string>& known) { write_texts(out_, key, known); });
  }
  /// A list of numbers, texts or flags, one for each item, as charts want them; null where an item has none.
  [[gnu::always_inline]] void column(const AnswerField& field, const auto& items, const auto& of) {
    const DisplayUnit& unit = field.unit;
    out_.begin_list(field.key);
    for (const auto& item : items) write_cell(unit, of(item));
    out_.end_list();
  }
  /// Null where there is none.
  template <class Given>
  [[gnu::always_inline]] void nullable(const AnswerField& field, const std::optional<Given>& value) {
    const DisplayUnit& unit = field.unit;
    out_.key(field.key);
    write_cell(unit, value);
  }

  /// A value of any shape, which `write` writes.
  [[gnu::always_inline]] void any(const AnswerField& field, const auto& write) {
    out_.key(field.key);
    write(out_);
  }

  /// Fields of the open object under a key of their own.
  [[gnu::always_inline]] void group(const AnswerField& field, const auto& body) {
    out_.begin_object(field.key);
    body();
    out_.end_object();
  }
  [[gnu::always_inline]] void object(const AnswerField& field, const auto& value, const auto& body) {
    with(value, [&, key = field.key](const auto& known) {
      out_.begin_object(key);
      body(known);
      out_.end_object();
    });
  }
  [[gnu::always_inline]] void object(const AnswerField& field, const auto& value) {
    object(field, value, [this](const auto& known) { describe(*this, known); });
  }
  /// Fields of the open object that are there where `value` is.
  [[gnu::always_inline]] void fields(const auto& value, const auto& body) { with(value, body); }
  /// A list of objects.
  [[gnu::always_inline]] void list(const AnswerField& field, const auto& items, const auto& body) {
    out_.begin_list(field.key);
    for (const auto& item : items) {
      out_.begin_object();
      body(item);
      out_.end_object();
    }
    out_.end_list();
  }
  [[gnu::always_inline]] void list(const AnswerField& field, const auto& items) {
    list(field, items, [this](const auto& item) { describe(*this, item); });
  }

 private:
  template <class Given, class Write>
  [[gnu::always_inline]] static void with(const Given& value, const Write& write) {
    decltype(auto) known = given(value);
    if (const auto* present = Presence<GivenType<Given>>::find(known)) write(*present);
  }
  // A function of its own: a thousand fields call it.
  template <class Value>
  [[gnu::noinline]] void write_number(std::string_view key, const DisplayUnit& unit, const Value& value) {
    if (const auto* known = Presence<Value>::find(value)) out_.quantity_as(key, unit, *known);
  }
  void write_bounds(std::string_view key, const DisplayUnit& unit, const auto& bounds) {
    const std::string whole(key);
    out_.quantity_as(whole + "_low", unit, bounds.low);
    out_.quantity_as(whole + "_high", unit, bounds.high);
  }
  void write_percentiles(std::string_view key, const DisplayUnit& unit, const auto& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      out_.quantity_as(std::string(key).append(kPercentileSuffixes[i]), unit, values[i]);
  }
  template <class Cell>
  void write_cell(const DisplayUnit& unit, const Cell& cell) {
    if constexpr (std::is_convertible_v<const Cell&, std::string_view>)
      out_.text(cell);
    else if constexpr (std::is_same_v<Cell, bool>)
      out_.boolean(cell);
    else if constexpr (Presence<Cell>::kOptional)
      cell ? write_cell(unit, *cell) : out_.null();
    else
      out_.quantity_value(unit, cell);
  }

  JsonWriter& out_;
};

/// An answer whose fields `show(v, fields)` shows; `trace` is that of the writer, null where there is none.
inline Answer written_answer(Trace* trace, bool feasible, void (*show)(AnswerWriter& v, const void* fields),
                             const void* fields) {
  JsonWriter out(trace);
  AnswerWriter v(out);
  out.begin_object();
  show(v, fields);
  out.end_object();
  return {out.take(), feasible ? Outcome::answer : Outcome::infeasible};
}

/// One whose fields `fields(v)` shows.
template <class Fields>
Answer written_answer(Trace* trace, bool feasible, const Fields& fields) {
  return written_answer(
      trace, feasible, [](AnswerWriter& v, const void* shown) { (*static_cast<const Fields*>(shown))(v); }, &fields);
}

/// The same with fields that are traced only where an explanation is asked for: `fields(v, tracer)`.
Answer written_answer(Trace& trace, bool explain, bool feasible, const auto& fields) {
  NoTrace none;
  return written_answer(&trace, feasible, [&](AnswerWriter& v) { explain ? fields(v, trace) : fields(v, none); });
}

}  // namespace podwright
