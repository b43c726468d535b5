#include "cli/command.h"

#include <utility>

#include "api/kinds.h"

namespace podwright::cli {
namespace {

/// Examples of all kinds that a command asks.
std::string examples_of(std::string_view verb) {
  std::string examples;
  for (const RequestKind& kind : request_kinds())
    if (kind.verb == verb) examples += (examples.empty() ? "" : "\n  ") + std::string(kind.example);
  return examples;
}

}  // namespace

const RequestKind& kind_of_command(std::string_view verb) {
  const RequestKind* found = nullptr;
  for (const RequestKind& kind : request_kinds())
    if (kind.verb == verb && (found == nullptr || (kind.word == verb && found->word != verb))) found = &kind;
  PODWRIGHT_ASSERT(found != nullptr);
  return *found;
}

Command::Command(CommandLine& line, CLI::App& parent, std::string_view verb)
    : Command(line, parent, std::string(verb.substr(verb.rfind(' ') + 1)), std::string(kind_of_command(verb).help),
              examples_of(verb)) {
  if (kind_of_command(verb).takes_calibration) take_calibration();
}

Command::Command(CommandLine& line, CLI::App& parent, const std::string& name, const std::string& help,
                 const std::string& example)
    : line_(line), app_(parent.add_subcommand(name, help)), facts_(std::make_shared<Facts>()) {
  app_->footer("Example:\n  " + example);
  app_->add_option("--catalog", facts_->catalog, "Folder whose files come on top of the built-in catalog")
      ->type_name("DIR");
}

void Command::take_calibration() {
  app_->add_option("--calibration", facts_->calibration,
                   "Rates measured on a host, as calibrate PROFILE -o FILE writes them")
      ->type_name("FILE");
}

void Command::run(std::function<int(const Catalog&)> action) {
  app_->callback([&line = line_, facts = facts_, action = std::move(action)] {
    const Catalog* catalog = load_catalog(facts->catalog);
    if (catalog != nullptr && !facts->calibration.empty()) catalog = load_calibrated(*catalog, facts->calibration);
    line.exit_code = catalog == nullptr ? kWrongInput : action(*catalog);
  });
}

}  // namespace podwright::cli
