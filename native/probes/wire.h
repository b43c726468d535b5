#pragma once
/// Messages between the processes of a run, as JSON. A structure names its fields once, in a static function
/// `fields(self, visit)`; writing and reading go through it. What a message lacks keeps its default, as does a number
/// that its member cannot hold. An enumeration that travels has a function `values_of`, which says how many values it
/// has.
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/json_read.h"
#include "base/json_write.h"
#include "measure/profile_file.h"

namespace podwright::probes {

template <class T>
inline constexpr bool kIsList = false;
template <class T>
inline constexpr bool kIsList<std::vector<T>> = true;
template <class T>
inline constexpr bool kIsOptional = false;
template <class T>
inline constexpr bool kIsOptional<std::optional<T>> = true;
template <class T>
inline constexpr bool kIsNumber = std::is_arithmetic_v<T> || std::is_enum_v<T>;

constexpr int values_of(ProbeMode) { return static_cast<int>(kProbeModeWords.size()); }

template <class T>
constexpr bool holds(double number) {
  if constexpr (std::is_enum_v<T>)
    return number >= 0 && number < values_of(T{});
  else if constexpr (std::is_integral_v<T>)
    return number >= static_cast<double>(std::numeric_limits<T>::min()) &&
           number < static_cast<double>(std::numeric_limits<T>::max());
  else
    return true;
}

/// Visits "a", x, "b", y ... pair by pair.
template <class Visit>
struct Pairs {
  const Visit& visit;
  template <class... More>
  void operator()(std::string_view key, auto& member, More&... more) const {
    visit(key, member);
    if constexpr (sizeof...(more) > 0) (*this)(more...);
  }
};

template <class T, class Visit>
void visit_fields(T& message, const Visit& visit) {
  if constexpr (std::is_same_v<std::remove_const_t<T>, ProbeSize>) {
    for (const ProbeSizeField& field : kProbeSizeFields) visit(field.word, message.*field.value);
  } else {
    T::fields(message, Pairs<Visit>{visit});
  }
}

template <class T>
void write_value(JsonWriter& out, const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    out.boolean(value);
  } else if constexpr (kIsNumber<T>) {
    const auto number = static_cast<double>(value);
    std::isfinite(number) ? out.number(number) : out.null();
  } else if constexpr (std::is_same_v<T, std::string>) {
    out.text(value);
  } else if constexpr (std::is_same_v<T, ProbeResult>) {
    out.verbatim(result_text(value));
  } else if constexpr (kIsList<T>) {
    out.begin_list();
    for (const auto& item : value) write_value(out, item);
    out.end_list();
  } else {
    out.begin_object();
    const auto field = [&](std::string_view key, const auto& member) {
      out.key(key);
      write_value(out, member);
    };
    visit_fields(value, [&]<class Member>(std::string_view key, const Member& member) {
      if constexpr (kIsOptional<Member>) {
        if (member) field(key, *member);
      } else {
        field(key, member);
      }
    });
    out.end_object();
  }
}

template <class T>
void read_value(const JsonNode& node, T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    value = node.boolean;
  } else if constexpr (kIsNumber<T>) {
    if (node.is_number() && holds<T>(node.number)) value = static_cast<T>(node.number);
  } else if constexpr (std::is_same_v<T, std::string>) {
    value = node.text;
  } else if constexpr (std::is_same_v<T, ProbeResult>) {
    if (auto read = read_result(node)) value = std::move(*read);
  } else if constexpr (kIsOptional<T>) {
    read_value(node, value.emplace());
  } else if constexpr (kIsList<T>) {
    value.clear();
    for (const JsonNode& item : node.items) read_value(item, value.emplace_back());
  } else {
    visit_fields(value, [&](std::string_view key, auto& member) {
      if (const JsonNode* found = node.find(key); found != nullptr) read_value(*found, member);
    });
  }
}

template <class T>
std::string wire_text(const T& message) {
  JsonWriter out;
  write_value(out, message);
  return out.take();
}

/// Absent where the text is not an object.
template <class T>
std::optional<T> read_wire(std::string_view text) {
  const auto node = parse_json(text);
  if (!node || !node->is_object()) return std::nullopt;
  T message;
  read_value(*node, message);
  return message;
}

}  // namespace podwright::probes
