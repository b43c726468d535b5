#pragma once
/// What the program says, as data: the code of a sentence and the numbers and names in it. The sentences themselves, in
/// English and Chinese next to each other, are in `base/data/messages.json`.
#include <algorithm>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/message_templates.h"

namespace podwright {

struct Message;
/// A number in the unit that its name ends in, a name, or sentences inside a sentence.
using MessageValue = std::variant<double, std::string, std::vector<Message>>;

/// One sentence. `{name}` in its template is the value of that name as it is; a number may be followed by its form:
/// `{x:3}` three significant digits, `{x:.2}` two decimals, `{x:%}` and `{x:2%}` a share in percent with three digits
/// and with two, `{x:usd}` dollars, `{x:s}` a time in the unit that suits it, `{x:|node|nodes}` the second word unless
/// x is 1.
struct Message {
  std::string_view code;
  std::vector<std::pair<std::string_view, MessageValue>> values;

  /// In English.
  std::string text() const;

  void add(std::string_view name, double number);
  void add(std::string_view name, std::string_view text);
  void add(std::string_view name, Message sentence);
  void add(std::string_view name, std::vector<Message> sentences);
  friend bool operator==(const Message&, const Message&) = default;
};

/// `text` with its places filled.
std::string filled(std::string_view text, const std::vector<std::pair<std::string_view, MessageValue>>& values);

namespace message_detail {

/// A string as a template argument.
template <std::size_t N>
struct Word {
  char chars[N];
  constexpr Word(const char (&text)[N]) { std::copy_n(text, N, chars); }
  constexpr std::string_view view() const { return {chars, N - 1}; }
};

template <Word name, class T>
struct Value {
  static constexpr std::string_view kName = name.view();
  static constexpr bool kIsNumber = std::is_arithmetic_v<T>;
  T value;
};

template <Word name>
struct Name {
  template <class T>
  constexpr Value<name, T> operator=(T value) const {
    return {std::move(value)};
  }
};

/// The places of a sentence that have this name; -1 where one of them asks for the form of a number of something else.
constexpr int places_of(std::string_view text, std::string_view name, bool is_number) {
  int places = 0;
  for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
    if (text.substr(at + 1, name.size()) != name) continue;
    const char end = text[at + 1 + name.size()];
    if (end == ':' && !is_number) return -1;
    if (end == ':' || end == '}') ++places;
  }
  return places;
}

/// Null where no sentence has this code.
constexpr const MessageTemplate* template_of(std::string_view code) {
  const auto* found =
      std::lower_bound(kMessageTemplates.begin(), kMessageTemplates.end(), code,
                       [](const MessageTemplate& one, std::string_view sought) { return one.id < sought; });
  return found == kMessageTemplates.end() || found->id != code ? nullptr : found;
}

/// Not a constant expression, so that a mistake does not compile.
void no_such_message_or_other_values();

/// The code of a sentence whose places are exactly these values.
template <class... Values>
struct Code {
  std::string_view code;
  template <std::size_t N>
  consteval Code(const char (&name)[N]) : code(name, N - 1) {
    const MessageTemplate* found = template_of(code);
    if (found == nullptr) no_such_message_or_other_values();
    if (!((places_of(found->en, Values::kName, Values::kIsNumber) > 0) && ...)) no_such_message_or_other_values();
    if (std::count(found->en.begin(), found->en.end(), '{') !=
        (places_of(found->en, Values::kName, Values::kIsNumber) + ... + 0))
      no_such_message_or_other_values();
  }
};

}  // namespace message_detail

/// `"cost_usd"_v = 12.0` is a value of a message.
template <message_detail::Word name>
constexpr message_detail::Name<name> operator""_v() {
  return {};
}

/// `say("plan.cheapest", "cost_usd"_v = cost)`: the sentence of that code. A code that has no sentence, a value that it
/// has no place for or a place without a value does not compile.
template <class... Values>
Message say(std::type_identity_t<message_detail::Code<Values...>> code, Values... values) {
  Message message{code.code, {}};
  (message.add(Values::kName, std::move(values.value)), ...);
  return message;
}

/// The message without values `<group>/<word>`: what people call a word that a table of words holds.
Message say_word(std::string_view group, std::string_view word);

/// Sentences that the catalog holds as they are.
Message as_written(std::string_view text);

}  // namespace podwright
