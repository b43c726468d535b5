#pragma once
/// A check made by a rule of data/health_rules.json: its sentence, its norm, what to do, and the command for that.
#include <optional>
#include <string>
#include <string_view>

#include "base/message.h"
#include "measure/profile.h"

namespace podwright {

/// `says` in English, with its code and numbers. All of its values are numbers.
HealthCheck made_check(std::string_view rule, std::string_view device, HealthState state, const Message& says);
/// With a text that is in no table of sentences.
HealthCheck made_check(std::string_view rule, std::string_view device, HealthState state, std::string seen);

/// What was seen, as a sentence where the check has one, else as its text.
Message seen_message(const HealthCheck& check);
/// What the rule advises; absent where no rule has this name, as in a profile of another version.
std::optional<Message> advice_message(std::string_view rule);
/// The same of what was found, which may ask for more than its rule.
std::optional<Message> advice_message(const HealthCheck& check);
/// The command that looks into it or mends it, for the GPU with this number, or for all where it is empty. Empty where
/// no rule has this name, or its command has a place for a number that the check lacks.
std::string next_command(const HealthCheck& check, std::string_view gpu);
/// The rule in a few words; its name where no rule has it.
Message rule_title(std::string_view rule);

}  // namespace podwright
