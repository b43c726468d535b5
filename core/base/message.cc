#include "base/message.h"

#include <algorithm>

#include "base/number_text.h"

namespace podwright {
namespace {

/// `form` is what follows the colon of a place.
std::string number_in_form(double exact, std::string_view form) {
  const double number = rounded_for_display(exact);  // as answers show it
  if (form.empty()) return human_number(number, 12);
  if (form == "usd") return dollars_text(number);
  if (form == "s") return duration_text(number);
  if (form.front() == '.') return fixed_number(number, form[1] - '0');
  if (form.front() == '|') {
    const std::size_t second = form.find('|', 1);
    return std::string(number == 1 ? form.substr(1, second - 1) : form.substr(second + 1));
  }
  int digits = 0;
  for (; !form.empty() && form.front() != '%'; form.remove_prefix(1)) digits = digits * 10 + (form.front() - '0');
  if (!form.empty()) return percent_text(number, digits == 0 ? 3 : digits);
  return human_number(number, digits);
}

struct ValueText {
  std::string_view form;
  std::string operator()(double number) const { return number_in_form(number, form); }
  std::string operator()(const std::string& text) const { return text; }
  std::string operator()(const std::vector<Message>& sentences) const {
    std::string text;
    for (const Message& sentence : sentences) text += (text.empty() ? "" : " ") + sentence.text();
    return text;
  }
};

}  // namespace

void Message::add(std::string_view name, double number) { values.emplace_back(name, number); }
void Message::add(std::string_view name, std::string_view text) { values.emplace_back(name, std::string(text)); }
void Message::add(std::string_view name, Message sentence) {
  values.emplace_back(name, std::vector<Message>{std::move(sentence)});
}
void Message::add(std::string_view name, std::vector<Message> sentences) {
  values.emplace_back(name, std::move(sentences));
}

std::string filled(std::string_view text, const std::vector<std::pair<std::string_view, MessageValue>>& values) {
  std::string out;
  for (std::size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{')) {
    const std::size_t close = text.find('}', open);
    const std::string_view place = text.substr(open + 1, close - open - 1);
    const std::size_t colon = std::min(place.find(':'), place.size());
    const auto value = std::find_if(values.begin(), values.end(),
                                    [&](const auto& one) { return one.first == place.substr(0, colon); });
    PODWRIGHT_ASSERT(value != values.end());
    out += text.substr(0, open);
    out += std::visit(ValueText{place.substr(std::min(colon + 1, place.size()))}, value->second);
    text.remove_prefix(close + 1);
  }
  return out += text;
}

std::string Message::text() const { return filled(english, values); }

Message as_written(std::string_view text) { return say("as-written", "text"_v = text); }

}  // namespace podwright
