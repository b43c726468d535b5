#include "sizing/launch_script.h"

#include <array>
#include <string_view>
#include <utility>

#include "base/characters.h"
#include "base/shell_text.h"

namespace podwright::sizing {
namespace {

/// Variables of torchrun's arguments, which only the user knows.
constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kOfTorchrun{
    {{"MASTER_ADDR", "address of the first node"},
     {"MASTER_PORT", "a free port of the first node"},
     {"JOB_ID", "a name of the job, the same on all nodes"}}};

/// What a job's file cannot take from variables.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kOfTorchtitan{
    {{"TITAN_MODEL", "--model.name \"$TITAN_MODEL\""},
     {"TITAN_FLAVOR", "--model.flavor \"$TITAN_FLAVOR\""},
     {"TITAN_DATASET", "--training.dataset \"$TITAN_DATASET\""},
     {"CHECKPOINTS", "--checkpoint.folder \"$CHECKPOINTS\""}}};

/// The file that a job of torchtitan reads.
constexpr std::string_view kTitanFile = "podwright.toml";
constexpr std::string_view kWhatIsNotPlanned =
    "# Learning rate and logs are not part of the plan, nor is what the model's file does not give, such as the base "
    "of\n"
    "# rotary embeddings, nor are checkpoints without a number of tokens: give their options so.\n";
constexpr std::string_view kWordsPassedOn = "# Words after the script's name are passed on.\n";
constexpr std::string_view kNeed =
    "need() { [[ -n ${!1:-} ]] || { echo \"$1 is missing: $2\" >&2; exit 2; }; export \"${1?}\"; }\n";

std::string needed(std::string_view name, std::string_view what) {
  return "need " + std::string(name) + " " + shell_text(what) + "\n";
}

/// What is not asked for is given unless the user has set it: a number or a word of this program.
std::string lines_of_variable(const LaunchVariable& variable) {
  if (variable.asked) return needed(variable.name, variable.value);
  return "export " + variable.name + "=\"${" + variable.name + ":-" + variable.value + "}\"\n";
}

/// The shell puts the values of variables in place; a file without them stays as it is.
std::string file_of(const LaunchArguments& file, std::string_view name) {
  std::string lines;
  for (const std::string& line : file.arguments) lines += line + "\n";
  const bool variables = lines.find('$') != std::string::npos;
  return "cat >" + std::string(name) + (variables ? " <<END\n" : " <<'END'\n") + lines + "END\n";
}

std::string command(std::string_view program, std::span<const std::string> arguments) {
  std::string text(program);
  for (const std::string& argument : arguments) text += " \\\n  " + argument;
  return text;
}

bool is_file(const LaunchArguments& one) { return one.form != "command-line"; }

/// A file of options belongs to the programs whose arguments name it.
bool reads(const LaunchArguments& program, std::string_view file) {
  for (const std::string& argument : program.arguments)
    if (argument.ends_with(file)) return true;
  return false;
}

}  // namespace

LaunchVariable asked_variable(std::string name, std::string_view what) {
  return {.name = std::move(name), .value = line_of(what), .asked = true};
}

std::string assignment_of(const LaunchVariable& variable) {
  if (variable.asked) return shell_assignment(variable.name, "<" + variable.value + ">");
  return variable.name + "=" + variable.value;
}

std::vector<std::string> assignments_of(const std::vector<LaunchVariable>& environment) {
  std::vector<std::string> lines;
  for (const LaunchVariable& one : environment) lines.push_back(assignment_of(one));
  return lines;
}

std::vector<LaunchScript> serving_scripts(std::span<const LaunchArguments> launch) {
  std::vector<LaunchScript> scripts;
  for (const LaunchArguments& program : launch) {
    if (is_file(program) || !program.cannot.empty() || program.arguments.empty()) continue;
    std::string name = "serve";
    std::string text = script_head();
    if (!program.role().empty()) name += "-" + std::string(program.role());
    for (const LaunchVariable& variable : program.environment)
      if (variable.name != LaunchArguments::kRoleVariable) text += lines_of_variable(variable);
    for (const LaunchArguments& file : launch)
      if (is_file(file) && reads(program, file.program)) text += file_of(file, file.program);
    text += "exec " + command_with_rest(program.program, program.arguments);
    scripts.push_back({.name = name + ".sh", .text = std::move(text)});
  }
  return scripts;
}

LaunchEnvironment serving_start(const LaunchArguments& program, const std::string& known) {
  LaunchEnvironment parts{
      .head = "#!/usr/bin/env bash\n" + std::string(kWordsPassedOn) + "set -euo pipefail\ncd \"$(dirname \"$0\")\"\n",
      .environment = std::string(kNeed) + known,
      .command = "exec " + command_with_rest(program.program, program.arguments)};
  for (const LaunchVariable& variable : program.environment) parts.environment += lines_of_variable(variable);
  return parts;
}

std::string script_head(std::string_view head) {
  return "#!/usr/bin/env bash\n" + std::string(head) + std::string(kWordsPassedOn) + "set -euo pipefail\n" +
         std::string(kNeed);
}

std::string_view words_of_training() { return kWhatIsNotPlanned; }

std::string torchrun_questions(const LaunchArguments& torchrun) {
  std::string text;
  for (const auto& [name, what] : kOfTorchrun)
    for (const std::string& argument : torchrun.arguments)
      if (argument.find("$" + std::string(name)) != std::string::npos) text += needed(name, what);
  return text;
}

std::string command_with_rest(std::string_view program, std::span<const std::string> words) {
  return command(program, words) + " \\\n  \"$@\"\n";
}

std::vector<std::string> torchrun_words(const LaunchArguments& torchrun, const TrainingStart& start) {
  std::vector<std::string> words = torchrun.arguments;
  words.insert(words.end(), start.words.begin(), start.words.end());
  return words;
}

std::vector<TrainingStart> training_starts(std::span<const LaunchArguments> programs) {
  std::vector<TrainingStart> starts;
  for (const LaunchArguments& program : programs) {
    if (!program.cannot.empty() || program.arguments.empty()) continue;
    TrainingStart start{.program = program.program};
    for (const LaunchVariable& variable : program.environment) start.variables += lines_of_variable(variable);
    if (program.form == "toml") {
      start.file = file_of(program, kTitanFile);
      start.words = {"-m torchtitan.train --job.config_file " + std::string(kTitanFile)};
      for (const auto& [variable, option] : kOfTorchtitan)
        for (const LaunchVariable& one : program.environment)
          if (one.name == variable) start.words.emplace_back(option);
    } else {
      start.variables += needed("MEGATRON_LM", "folder of Megatron-LM");
      start.words = {"\"$MEGATRON_LM/pretrain_gpt.py\""};
      start.words.insert(start.words.end(), program.arguments.begin(), program.arguments.end());
    }
    starts.push_back(std::move(start));
  }
  return starts;
}

std::vector<LaunchScript> training_scripts(const LaunchArguments& torchrun, std::span<const LaunchArguments> programs) {
  std::vector<LaunchScript> scripts;
  if (!torchrun.cannot.empty()) return scripts;
  const std::string head = script_head() + std::string(words_of_training()) + torchrun_questions(torchrun);
  for (const TrainingStart& start : training_starts(programs))
    scripts.push_back({.name = "train-" + start.program + ".sh",
                       .text = head + start.variables + start.file + "exec " +
                               command_with_rest(torchrun.program, torchrun_words(torchrun, start))});
  return scripts;
}

}  // namespace podwright::sizing
