#include "export/deployment_parts.h"

#include <algorithm>

#include "base/json_write.h"
#include "base/yaml_text.h"

namespace podwright {
namespace {

/// Of a value as the engine's arguments have it, where a variable is not a number whatever it holds.
bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos &&
         text.find('.') == text.rfind('.') && text.front() != '.';
}

/// Values of the same option, "speculative-config.method" and so on, as one object.
void add_to_object(std::string_view option, std::string_view value, bool number, std::vector<EngineSetting>& settings) {
  const std::size_t point = option.find('.');
  JsonWriter member;
  member.begin_object();
  member.key(option.substr(point + 1));
  number ? member.verbatim(value) : member.text(value);
  member.end_object();
  std::string json = member.take();
  for (EngineSetting& one : settings)
    if (one.name == option.substr(0, point)) {
      one.value = one.value.substr(0, one.value.size() - 1) + "," + json.substr(1);
      return;
    }
  settings.push_back({.name = std::string(option.substr(0, point)), .value = std::move(json)});
}

}  // namespace

std::string deployment_text(std::string_view file, const sizing::Places& places) {
  return sizing::filled(deployment_templates(), file, places);
}

EngineSettings settings_of(const sizing::LaunchArguments& command, const sizing::Variables& variables) {
  EngineSettings out;
  for (const std::string& argument : command.arguments) {
    const auto [name, text] = sizing::split_option(argument);
    if (argument.find("NODE_RANK") != std::string::npos || argument.find("MASTER_ADDR") != std::string::npos) {
      out.shell.push_back(argument);
      continue;
    }
    if (!name.starts_with("--")) {
      out.settings.push_back({.name = "model", .value = sizing::words_of({.arguments = {argument}}, variables)[0]});
      continue;
    }
    const std::vector<std::string> words = sizing::words_of({.arguments = {argument}}, variables);
    const std::string value = words.size() > 1 ? words[1] : "";
    const std::string_view option = name.substr(2);
    if (option.find('.') != std::string_view::npos)
      add_to_object(option, value, is_number(text), out.settings);
    else
      out.settings.push_back(
          {.name = std::string(option), .value = value, .flag = words.size() < 2, .number = is_number(text)});
  }
  return out;
}

std::vector<std::string> words_of(std::span<const EngineSetting> settings) {
  std::vector<std::string> words;
  for (const EngineSetting& one : settings) words.push_back("--" + one.name + (one.flag ? "" : "=" + one.value));
  return words;
}

std::vector<std::string> program_words(std::string_view program) {
  std::vector<std::string> words;
  while (!program.empty()) {
    const std::size_t space = std::min(program.find(' '), program.size());
    words.emplace_back(program.substr(0, space));
    program.remove_prefix(std::min(space + 1, program.size()));
  }
  return words;
}

std::string yaml_list(std::span<const std::string> words) {
  std::string lines;
  for (const std::string& word : words) lines += "- " + yaml_text(sizing::with_doubled_dollars(word)) + "\n";
  return lines;
}

std::string namespace_line(const sizing::LaunchNames& names) {
  return names.name_space.empty() ? "" : "namespace: " + yaml_text(names.name_space);
}

}  // namespace podwright
