#pragma once
/// One table of fields for each answer, as fields.h is for requests: a function `describe(v, object)` names every field
/// once, and the visitor `v` decides what becomes of it. AnswerWriter writes the JSON of an answer; AnswerShape
/// collects the JSON Schema, and the labels that the command line and the page show in place of the keys.
///
///   template <class Table, class Tracer>
///   void describe(Table& v, const TrainingStep<Tracer>& step) {
///     v.number({"time_s", unit::kSeconds}, step.total);
///     v.number({"draft_s", "Drafting", unit::kSeconds}, step.draft);              // an optional: absent where it is
///     if (const auto part = v.when(step.stages > 1)) v.number({...}, step.send);  // absent where the condition fails
///     v.object({"kv_cache"}, step.cache);                                         // its own `describe`
///     v.text({"gpu"}, [&] { return step.gpu->id; });                              // computed of a real object only
///   }
///
/// AnswerShape visits default-constructed objects. It looks at types, never at values, so that what cannot be evaluated
/// of an empty object stands in a lambda.
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/units.h"

namespace podwright {

struct AnswerField {
  // Not an aggregate, so that what the words of the key say needs no label before the unit.
  constexpr AnswerField(std::string_view its_key, std::string_view its_label = "",
                        const DisplayUnit& its_unit = unit::kNone, std::string_view its_help = "")
      : key(its_key), label(its_label), unit(its_unit), help(its_help) {}
  constexpr AnswerField(std::string_view its_key, const DisplayUnit& its_unit, std::string_view its_help = "")
      : AnswerField(its_key, "", its_unit, its_help) {}

  std::string_view key;    ///< whole, as the answer shows it: it ends in its unit
  std::string_view label;  ///< what people read in its place, the same wherever the key stands; empty: the key's words
  const DisplayUnit& unit;
  std::string_view help;  ///< meaning, one sentence without the full stop, where the label is not enough
};

/// What a field's argument stands for: itself, or what it returns.
template <class Given>
constexpr decltype(auto) given(const Given& value) {
  if constexpr (std::is_invocable_v<const Given&>)
    return value();
  else
    return (value);
}
template <class Given>
using GivenType = std::remove_cvref_t<decltype(given(std::declval<const Given&>()))>;

/// The type behind an optional or a pointer; the rest is always there.
template <class T>
struct Presence {
  using Value = T;
  static constexpr bool kOptional = false;
  static constexpr const T* find(const T& value) { return &value; }
};
template <class T>
struct Presence<std::optional<T>> {
  using Value = T;
  static constexpr bool kOptional = true;
  static constexpr const T* find(const std::optional<T>& value) { return value ? &*value : nullptr; }
};
template <class T>
struct Presence<T*> {
  using Value = std::remove_const_t<T>;
  static constexpr bool kOptional = true;
  static constexpr const T* find(const T* value) { return value; }
};
/// A text.
template <>
struct Presence<const char*> {
  using Value = const char*;
  static constexpr bool kOptional = false;
  static constexpr const Value* find(const Value& value) { return &value; }
};
template <class Given>
using ValueOf = typename Presence<GivenType<Given>>::Value;

/// A member of what may be absent itself; null where either is.
template <class Object, class Member>
constexpr const typename Presence<Member>::Value* member_of(const std::optional<Object>& object,
                                                            Member Object::*member) {
  return object ? Presence<Member>::find((*object).*member) : nullptr;
}

/// What is there, else an empty one: its fields stand in a part that the answer then leaves out.
template <class T>
const T& or_empty(const std::optional<T>& object) {
  static const T kEmpty{};
  return object ? *object : kEmpty;
}

template <class T>
const T& or_empty(const T* object) {
  static const T kEmpty{};
  return object == nullptr ? kEmpty : *object;
}

/// A text that is left out where it is empty.
inline std::optional<std::string_view> unless_empty(std::string_view text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

inline constexpr std::string_view kPercentileSuffixes[] = {"_p50", "_p90", "_p95", "_p99"};
/// Of keys that stand next to the number they belong to.
inline constexpr std::string_view kBoundSuffixes[] = {"_low", "_high", "_p50", "_p90", "_p95", "_p99"};

}  // namespace podwright
