#pragma once
/// How a command of the program is declared: its name and options, then what it does.
#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "api/kinds.h"
#include "catalog/catalog.h"
#include "cli/exit_code.h"

namespace podwright::cli {

/// The command line as it is being declared, and how the program ends.
struct CommandLine {
  CLI::App& app;
  char** words = nullptr;  ///< with which the program was called
  int exit_code = kAnswer;
};

/// The row of a command of the table: the kind that is called like it, else the first that it asks.
const RequestKind& kind_of_command(std::string_view verb);

/// A command that works with the catalog.
class Command {
 public:
  /// `example` may hold several command lines.
  Command(CommandLine& line, CLI::App& parent, const std::string& name, const std::string& help,
          const std::string& example);

  /// A command of the table of kinds, which says what it does.
  Command(CommandLine& line, CLI::App& parent, std::string_view verb);

  CLI::App* operator->() const { return app_; }

  /// What the command does; the catalog is read first.
  void run(std::function<int(const Catalog&)> action);

 private:
  void take_calibration();

  struct Facts {
    std::string catalog;
    std::string calibration;
  };
  CommandLine& line_;
  CLI::App* app_;
  std::shared_ptr<Facts> facts_;
};

}  // namespace podwright::cli
