#include "study/solution.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/nearest.h"
#include "study/quantity_text.h"

namespace podwright {
namespace {

/// The part of an id that people read: "catalog/gpus/h100/memory_gb" is "memory_gb".
std::string short_name(const std::string& id) { return id.substr(id.find_last_of("/.") + 1); }

/// A name as people write it: "kv_cache" is "KV cache".
std::string with_spaces(const std::string& name) {
  static constexpr std::pair<std::string_view, std::string_view> kShort[] = {
      {"gpu", "GPU"}, {"gpus", "GPUs"}, {"sms", "SMs"},       {"kv", "KV"},   {"it", "IT"},
      {"pue", "PUE"}, {"mfu", "MFU"},   {"pcie", "PCIe"},     {"btu", "BTU"}, {"kwh", "kWh"},
      {"nic", "NIC"}, {"pdus", "PDUs"}, {"tflops", "TFLOP/s"}};
  std::string text;
  for (std::size_t at = 0; at <= name.size();) {
    const std::size_t end = std::min(name.find('_', at), name.size());
    const std::string word = name.substr(at, end - at);
    const auto* known =
        std::find_if(std::begin(kShort), std::end(kShort), [&](const auto& one) { return one.first == word; });
    text += (at == 0 ? "" : " ") + (known == std::end(kShort) ? word : std::string(known->second));
    at = end + 1;
  }
  return text;
}

/// What people call an input: numbers of the question and results of steps by their own names, facts of the catalog by
/// the formula's.
std::string spoken_name(const TraceNode& input, const std::string& in_formula) {
  const bool own = !input.equation.empty() || input.source == "request";
  return with_spaces(own ? short_name(input.id) : in_formula);
}

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The equation with every input's name replaced by `texts`, a cross for each product and the seconds of a year named.
std::string replaced(const std::string& equation, const std::vector<std::string>& names,
                     const std::vector<std::string>& texts) {
  std::string text;
  for (std::size_t at = 0; at < equation.size();) {
    std::size_t end = at + 1;
    if (begins_name(equation[at]) || is_digit(equation[at]))
      while (end < equation.size() && (begins_name(equation[end]) || is_digit(equation[end]))) ++end;
    const std::string word = equation.substr(at, end - at);
    const auto found = std::find(names.begin(), names.end(), word);
    if (found != names.end())
      text += texts[static_cast<std::size_t>(found - names.begin())];
    else
      text += word == "*" ? "\xC3\x97" : word == "31536000" ? "1 year" : word;
    at = end;
  }
  return text;
}

/// Fills the equation's two forms for people from the names and values of its inputs.
void word(SolutionStep& step, const std::vector<std::string>& spoken) {
  std::vector<std::string> names, values;
  for (const SolutionInput& input : step.inputs) {
    names.push_back(input.name);
    values.push_back(quantity_text(input.value, input.unit));
  }
  const bool sum = step.equation == "sum(parts)";
  step.words = sum ? joined(spoken, " + ") : replaced(step.equation, names, spoken);
  step.numbers = sum ? joined(values, " + ") : replaced(step.equation, names, values);
}

/// "weights = parameters x bits per weight / 8 = 70.6 billion x 16 / 8 = 141 GB"
std::string step_text(const SolutionStep& step) {
  return with_spaces(step.name) + " = " + step.words + " = " + step.numbers + " = " +
         quantity_text(step.value, step.unit);
}

/// Operators as words where the equation is short; a rounding that surrounds it is said at the end.
std::string in_words(std::string words) {
  std::string rounded;
  for (const auto& [function, said] : {std::pair{"ceil(", ", rounded up"}, std::pair{"floor(", ", rounded down"}})
    if (words.rfind(function, 0) == 0 && words.find(')') == words.size() - 1) {
      words = words.substr(words.find('(') + 1);
      words.pop_back();
      rounded = said;
    }
  if (words.find('(') != std::string::npos || words.find('^') != std::string::npos) return words + rounded;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kOperators{
      {{" \xC3\x97 ", " times "}, {" / ", " divided by "}, {" + ", " plus "}, {" - ", " minus "}}};
  for (const auto& [sign, said] : kOperators)
    for (std::size_t at = words.find(sign); at != std::string::npos; at = words.find(sign, at))
      words.replace(at, sign.size(), said);
  return words + rounded;
}

/// Conversions end in the unit that the answer shows.
std::string conversion_text(const SolutionStep& step) {
  const std::string before = quantity_text(step.inputs.front().value, step.inputs.front().unit);
  const std::string after = in_unit_text(step.value, step.unit);
  return before == after ? "That is " + after + "." : before + " = " + after;
}

bool is_conversion(const SolutionStep& step) { return step.source == "definition of the unit"; }

}  // namespace

std::vector<SolutionStep> solution_of(const Trace& trace) {
  std::vector<SolutionStep> steps;
  for (const NodeId id : trace.explained()) {
    const TraceNode& node = trace.nodes()[static_cast<std::size_t>(id)];
    if (node.equation.empty()) continue;
    SolutionStep step;
    step.name = short_name(node.id);
    step.equation = node.equation;
    step.value = node.value;
    step.unit = node.unit;
    step.source = node.source;
    std::vector<std::string> spoken;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
      const TraceNode& input = trace.nodes()[static_cast<std::size_t>(node.inputs[i])];
      step.inputs.push_back({node.names[i], input.value, input.unit, input.equation.empty() ? input.source : ""});
      spoken.push_back(spoken_name(input, node.names[i]));
    }
    word(step, spoken);
    step.text = is_conversion(step) ? conversion_text(step) : step_text(step);
    steps.push_back(std::move(step));
  }
  return steps;
}

std::string reason_of(const std::vector<SolutionStep>& steps) {
  if (steps.empty()) return "";
  const bool converted = steps.size() > 1 && is_conversion(steps.back());
  const SolutionStep& step = steps[steps.size() - (converted ? 2 : 1)];
  const std::string value = quantity_text(step.value, step.unit);
  const std::string shown = converted ? in_unit_text(steps.back().value, steps.back().unit) : value;
  return "This is " + in_words(step.words) + ": " + step.numbers + " = " + value +
         (shown == value ? "." : ", or " + shown + ".");
}

std::vector<std::string> sources_of_solution(const Trace& trace) {
  std::vector<std::string> sources;
  for (const NodeId id : trace.explained()) {
    const TraceNode& node = trace.nodes()[static_cast<std::size_t>(id)];
    const bool own = node.source == "request" || node.source.rfind("definition", 0) == 0;
    if (!own && std::find(sources.begin(), sources.end(), node.source) == sources.end()) sources.push_back(node.source);
  }
  return sources;
}

}  // namespace podwright
