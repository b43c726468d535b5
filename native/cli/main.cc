/// podwright: the command line.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>

#include "api/answer.h"
#include "api/kinds.h"
#include "base/nearest.h"
#include "cli/command.h"
#include "cli/command_wanted.h"
#include "cli/describe.h"
#include "cli/internal_error.h"
#include "cli/output.h"

namespace {

using namespace podwright;
using namespace podwright::cli;

/// In place of CLI11's list of words that were not expected: which option was meant.
std::string unknown_option_text(const CLI::App& app, const std::string& program) {
  std::vector<std::string> options;
  for (const CLI::Option* option : app.get_options())
    if (!option->get_group().empty())
      for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  std::string text;
  for (const std::string& word : app.remaining()) {
    if (!word.starts_with("--") || word.size() == 2) continue;
    const std::string name = word.substr(0, word.find('='));
    const std::string meant = did_you_mean(name, options, "");
    text = "podwright: \"" + name + "\" is not an option of " + program + "." + (meant.empty() ? "" : " " + meant) +
           "\n" + text;
  }
  return text.empty() ? text : text + "\"" + program + " --help\" lists the options.\n";
}

/// In place of CLI11's "A subcommand is required", which neither names the word nor the commands.
std::string failure_text(const CLI::App* app, const CLI::Error& error) {
  std::string program = app->get_name();
  while (!app->get_subcommands().empty()) {
    app = app->get_subcommands().front();
    program += " " + app->get_name();
  }
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError))
    if (const std::string text = unknown_option_text(*app, program); !text.empty()) return text;
  const auto inner = app->get_subcommands([](const CLI::App*) { return true; });
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::RequiredError) || inner.empty())
    return program + ": " + error.what() + ".\n\"" + program + " --help\" lists the options.\n";
  std::vector<std::string> commands;
  for (const CLI::App* command : inner)
    if (!command->get_group().empty()) commands.push_back(command->get_name());  // hidden ones are not for people
  const std::vector<std::string> words = app->remaining();
  return command_wanted(program, commands, words.empty() ? "" : words.front());
}

void add_describe_command(CommandLine& line) {
  const auto form = std::make_shared<std::string>();
  CLI::App* described =
      line.app.add_subcommand("describe", "This command line as completions of a shell, or as a manual page");
  described->footer("Example:\n  podwright describe bash > ~/.local/share/bash-completion/completions/podwright");
  described->add_option("FORM", *form, "What is written")->required()->check(CLI::IsMember(kDescriptions));
  described->callback([&line, form] {
    Choices choices;
    for (const DeclaredLater& later : line.later) choices.merge(later());
    std::cout << describe(line.app, *form, choices);
  });
}

/// Help ends with what the exit codes mean.
class HelpFormatter : public CLI::Formatter {
 public:
  std::string make_footer(const CLI::App* app) const override {
    return CLI::Formatter::make_footer(app) + "\n" + exit_codes_text() + "\n";
  }
};

/// The name of today of a command that was called otherwise.
std::string name_of_today(const std::string& command) { return command == "rule_of_thumb" ? "rule-of-thumb" : command; }

Reader reader_of(const std::vector<std::string>& words) {
  Reader reader = Reader::person;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "--jsonl") return Reader::program_by_line;
    if (words[i] == "--json" || words[i] == "--format=json" ||
        (words[i] == "json" && i > 0 && words[i - 1] == "--format"))
      reader = Reader::program;
  }
  return reader;
}

/// What to type where the command stands behind its file; empty where it does not.
std::string command_behind_file(const CLI::App& app, const std::vector<std::string>& words) {
  const auto is_command = [&](const std::string& word) {
    return !app.get_subcommands([&](const CLI::App* one) { return one->get_name() == word; }).empty();
  };
  if (words.size() < 2 || words[0].starts_with('-') || is_command(words[0]) || !is_command(words[1])) return "";
  return "podwright: the command stands before its file: podwright " + words[1] + " " + words[0] + "\n";
}

int run(int argc, char** argv) {
  CLI::App app(
      "What to buy or rent to run language models on NVIDIA hardware, how to lay out the work, how fast it will be and "
      "what it costs.",
      "podwright");
  app.set_version_flag("--version", std::string(version()));
  app.require_subcommand(1);
  app.formatter(std::make_shared<HelpFormatter>());
  app.failure_message(failure_text);
  app.footer("Example:\n  podwright plan examples/chat_70b.json");
  CommandLine line{.app = app, .words = argv};
  add_request_command(line, "plan");
  add_estimate_command(line);
  add_request_command(line, "search");
  add_replay_command(line);
  add_model_command(line);
  add_request_command(line, "mig");
  add_request_command(line, "architecture");
  add_request_command(line, "cost");
  add_request_command(line, "rule-of-thumb");
  add_backtest_command(line);
  add_calibrate_command(line);
  add_request_command(line, "explain");
  add_formulas_command(line);
  add_catalog_command(line);
  add_schema_command(line);
  add_serve_command(line);
  add_probe_commands(line);
  add_merge_command(line);
  add_verify_command(line);
  add_sign_command(line);
  add_import_command(line);
  add_compare_command(line);
  add_quote_command(line);
  add_study_commands(line);
  add_describe_command(line);
  // A kind of request that has no place above is a command all the same.
  for (const RequestKind& kind : request_kinds()) {
    const auto has_name = [&](const CLI::App* command) { return command->get_name() == kind.verb; };
    if (kind.verb == kind.word && app.get_subcommands(has_name).empty()) add_request_command(line, kind.verb);
  }
  try {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    if (!words.empty()) words.front() = name_of_today(words.front());
    if (const std::string meant = command_behind_file(app, words); !meant.empty()) {
      std::cerr << meant;
      return kWrongInput;
    }
    std::reverse(words.begin(), words.end());  // as CLI11 takes them
    app.parse(std::move(words));
  } catch (const CLI::ParseError& stopped) {
    return app.exit(stopped) == 0 ? kAnswer : kWrongInput;
  }
  return line.exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  StandardStreams streams;
  report_internal_errors(reader_of({argv + std::min(argc, 1), argv + argc}));
  try {
    return streams.ended(run(argc, argv));
  } catch (...) {
    end_with_exception();
  }
}
