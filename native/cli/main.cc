/// podwright: the command line.
#include <CLI/CLI.hpp>
#include <iostream>

#include "api/answer.h"
#include "api/kinds.h"
#include "cli/command.h"
#include "cli/command_wanted.h"
#include "cli/describe.h"

namespace {

using namespace podwright;
using namespace podwright::cli;

/// In place of CLI11's "A subcommand is required", which neither names the word nor the commands.
std::string failure_text(const CLI::App* app, const CLI::Error& error) {
  std::string program = app->get_name();
  while (!app->get_subcommands().empty()) {
    app = app->get_subcommands().front();
    program += " " + app->get_name();
  }
  const auto inner = app->get_subcommands([](const CLI::App*) { return true; });
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::RequiredError) || inner.empty())
    return CLI::FailureMessage::simple(app, error);
  std::vector<std::string> commands;
  for (const CLI::App* command : inner)
    if (!command->get_group().empty()) commands.push_back(command->get_name());  // hidden ones are not for people
  const std::vector<std::string> words = app->remaining();
  return command_wanted(program, commands, words.empty() ? "" : words.front());
}

void add_describe_command(CLI::App& app) {
  const auto form = std::make_shared<std::string>();
  CLI::App* described =
      app.add_subcommand("describe", "This command line as completions of a shell, or as a manual page");
  described->footer("Example:\n  podwright describe bash > ~/.local/share/bash-completion/completions/podwright");
  described->add_option("FORM", *form, "What is written")->required()->check(CLI::IsMember(kDescriptions));
  described->callback([&app, form] { std::cout << describe(app, *form); });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "What to buy or rent to run language models on NVIDIA hardware, how to lay out the work, how fast it will be and "
      "what it costs.",
      "podwright");
  app.set_version_flag("--version", std::string(version()));
  app.require_subcommand(1);
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
  add_request_command(line, "rule_of_thumb");
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
  add_import_command(line);
  add_quote_command(line);
  add_study_commands(line);
  add_describe_command(app);
  // A kind of request that has no place above is a command all the same.
  for (const RequestKind& kind : request_kinds()) {
    const auto has_name = [&](const CLI::App* command) { return command->get_name() == kind.verb; };
    if (kind.verb == kind.word && app.get_subcommands(has_name).empty()) add_request_command(line, kind.verb);
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& stopped) {
    return app.exit(stopped) == 0 ? kAnswer : kWrongInput;
  }
  return line.exit_code;
}
