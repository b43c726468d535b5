#pragma once
/// What the program says, as data: the code of a sentence and the numbers and names in it. The sentences themselves, in
/// English and Chinese next to each other, are in `base/data/messages.json`.
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "base/message_templates.h"
#include "base/result.h"

namespace podwright {

struct Message;
/// A number in the unit that its name ends in, a name, or sentences inside a sentence.
using MessageValue = std::variant<double, std::string, std::vector<Message>>;

/// One sentence. `{name}` in its template is the value of that name as it is; a number may be followed by its form:
/// `{x:3}` three significant digits, `{x:.2}` two decimals, `{x:%}` and `{x:2%}` a share in percent with three digits
/// and with two, `{x:usd}` dollars, `{x:s}` a time in the unit that suits it, `{x:|node|nodes}` the second word unless
/// x is 1.
struct Message {
  Message() = default;
  explicit Message(const MessageTemplate& of) : code(of.id), english(of.en) {}

  std::string_view code;
  std::string_view english;  ///< its template
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

/// The code of a sentence whose places are exactly these values, and its template: programs hold those that they say.
template <class... Values>
struct Code {
  MessageTemplate of;
  template <std::size_t N>
  consteval Code(const char (&name)[N]) {
    const MessageTemplate* found = template_of({name, N - 1});
    if (found == nullptr) no_such_message_or_other_values();
    of = *found;
    if (!((places_of(found->en, Values::kName, Values::kIsNumber) > 0) && ...)) no_such_message_or_other_values();
    if (std::count(found->en.begin(), found->en.end(), '{') !=
        (places_of(found->en, Values::kName, Values::kIsNumber) + ... + 0))
      no_such_message_or_other_values();
  }
};

constexpr bool is_of(const MessageTemplate& one, std::string_view group) {
  return one.id.size() > group.size() && one.id.substr(0, group.size()) == group && one.id[group.size()] == '/';
}

/// The sentences `<group>/<word>`, in order of the words.
template <Word group>
constexpr auto kWordsOf = [] {
  constexpr auto of_group = [](const MessageTemplate& one) { return is_of(one, group.view()); };
  std::array<MessageTemplate, std::count_if(kMessageTemplates.begin(), kMessageTemplates.end(), of_group)> words{};
  std::copy_if(kMessageTemplates.begin(), kMessageTemplates.end(), words.begin(), of_group);
  static_assert(!words.empty());
  return words;
}();

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
  Message message(code.of);
  (message.add(Values::kName, std::move(values.value)), ...);
  return message;
}

/// The template of a code, for a sentence whose values are added one by one.
template <std::size_t N>
consteval MessageTemplate message_template(const char (&code)[N]) {
  const MessageTemplate* found = message_detail::template_of({code, N - 1});
  if (found == nullptr) message_detail::no_such_message_or_other_values();
  return *found;
}

/// The sentence `<group>/<word>`; null where there is none.
template <message_detail::Word group>
const MessageTemplate* template_of_word(std::string_view word) {
  const auto& words = message_detail::kWordsOf<group>;
  const auto found = std::find_if(words.begin(), words.end(), [&](const MessageTemplate& one) {
    return one.id.substr(group.view().size() + 1) == word;
  });
  return found == words.end() ? nullptr : &*found;
}

/// The message without values `<group>/<word>`: what people call a word that a table of words holds.
template <message_detail::Word group>
Message say_word(std::string_view word) {
  const MessageTemplate* found = template_of_word<group>(word);
  PODWRIGHT_ASSERT(found != nullptr);
  return Message(*found);
}

/// Sentences that the catalog holds as they are.
Message as_written(std::string_view text);

}  // namespace podwright
