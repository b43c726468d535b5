#include "measure/health_rules.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "base/number_text.h"
#include "base/result.h"
#include "measure/health_rules_table.h"

namespace podwright {
namespace {

const HealthRule* find_rule(std::string_view name) {
  const auto* found =
      std::find_if(kHealthRules.begin(), kHealthRules.end(), [&](const HealthRule& one) { return one.id == name; });
  return found == kHealthRules.end() ? nullptr : found;
}

std::optional<double> value_of(const HealthCheck& check, std::string_view name) {
  for (const NamedNumber& one : check.values)
    if (one.name == name) return one.value;
  return std::nullopt;
}

/// Names of the places of a text, each once.
std::vector<std::string_view> places_in(std::string_view text) {
  std::vector<std::string_view> names;
  for (std::size_t open = text.find('{'); open != std::string_view::npos; open = text.find('{', open + 1)) {
    const std::string_view name = text.substr(open + 1, text.find_first_of(":}", open) - open - 1);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

}  // namespace

HealthCheck made_check(std::string_view rule, std::string_view device, HealthState state, std::string seen) {
  const HealthRule* found = find_rule(rule);
  PODWRIGHT_ASSERT(found != nullptr);
  HealthCheck check;
  check.name = rule;
  check.device = device;
  check.state = state;
  check.seen = std::move(seen);
  check.expected = found->norm;
  return check;
}

HealthCheck made_check(std::string_view rule, std::string_view device, HealthState state, const Message& says) {
  HealthCheck check = made_check(rule, device, state, says.text());
  check.code = says.code;
  for (const auto& [name, value] : says.values)
    if (const double* number = std::get_if<double>(&value)) check.values.push_back({std::string(name), *number});
  return check;
}

Message seen_message(const HealthCheck& check) {
  const std::string_view code = check.code;
  const MessageTemplate* found = template_of_word<"health">(code.substr(std::min(code.find('/') + 1, code.size())));
  if (found == nullptr || found->id != code) return as_written(check.seen);
  Message message(*found);
  for (const std::string_view place : places_in(found->en)) {
    const auto value = value_of(check, place);
    // A profile may come from anywhere.
    if (!value) return as_written(check.seen);
    message.add(place, *value);
  }
  return message;
}

std::optional<Message> advice_message(std::string_view rule) {
  return find_rule(rule) == nullptr ? std::nullopt : std::optional(say_word<"health-advice">(rule));
}

std::optional<Message> advice_message(const HealthCheck& check) {
  // DCGM's word for what other programs of the machine could suffer from: dcgm_errors.h, DCGM_ERROR_ISOLATE.
  if (check.name == "dcgm_diag" && check.seen.find(", isolate)") != std::string::npos)
    return say("health-advice/isolate");
  return advice_message(std::string_view(check.name));
}

std::string next_command(const HealthCheck& check, std::string_view gpu) {
  const HealthRule* rule = find_rule(check.name);
  if (rule == nullptr) return "";
  std::string command(rule->command);
  constexpr std::string_view kOfGpu = " -i {gpu}";
  if (const std::size_t of = command.find(kOfGpu); gpu.empty() && of != std::string::npos)
    command.erase(of, kOfGpu.size());
  std::vector<std::pair<std::string_view, MessageValue>> values;
  for (const std::string_view place : places_in(command)) {
    const auto value = value_of(check, place);
    if (place == "gpu")
      values.emplace_back(place, std::string(gpu));
    else if (value)
      values.emplace_back(place, shortest_number(*value));
    else
      return "";
  }
  return filled(command, values);
}

Message rule_title(std::string_view rule) {
  return find_rule(rule) == nullptr ? as_written(rule) : say_word<"health-rule">(rule);
}

}  // namespace podwright
