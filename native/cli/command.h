#pragma once
/// How a command of the program is declared: its name and options, then what it does; and which commands there are.
#include <CLI/CLI.hpp>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds.h"
#include "catalog/catalog.h"
#include "cli/choices.h"
#include "cli/common.h"

namespace podwright::cli {

/// Declares options that a command has only once it is called, and says what their values may be.
using DeclaredLater = std::function<Choices()>;

/// The command line as it is being declared, and how the program ends.
struct CommandLine {
  CLI::App& app;
  char** words = nullptr;  ///< with which the program was called
  int exit_code = kAnswer;
  std::vector<DeclaredLater> later = {};  ///< for what describes all commands
};

/// Takes numbers from `low` to `high`. CLI::Range takes nan as well.
CLI::Validator number_within(double low, double high);

/// The row of a command of the table: the kind that is called like it, else the first that it asks.
const RequestKind& kind_of_command(std::string_view verb);
/// Command lines that ask: with a file, then with flags where that is possible.
std::vector<std::string> examples_of(std::string_view verb);

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

/// Kinds of requests that a file or flags hold: plan, search, mig, architecture, cost, rule-of-thumb, explain.
void add_request_command(CommandLine& line, std::string_view verb);
/// Training and serving requests; also one a line, one answer a line.
void add_estimate_command(CommandLine& line);
/// A deployment and requests that go through it one by one.
void add_replay_command(CommandLine& line);
/// Shape and weights that files of a model tell in their headers.
void add_model_command(CommandLine& line);
/// Predictions beside measured runs.
void add_backtest_command(CommandLine& line);
/// Equations of the example requests.
void add_formulas_command(CommandLine& line);
/// Tables of the catalog, one item, and whether all facts are in order.
void add_catalog_command(CommandLine& line);
/// JSON Schema of a kind of request, and which kinds there are.
void add_schema_command(CommandLine& line);
/// The static site on the loopback interface.
void add_serve_command(CommandLine& line);
/// Measuring this machine.
void add_probe_commands(CommandLine& line);
/// What is made of a machine that was measured: merge, calibrate, verify, import.
void add_merge_command(CommandLine& line);
void add_calibrate_command(CommandLine& line);
void add_verify_command(CommandLine& line);
void add_import_command(CommandLine& line);
/// Profiles of many nodes beside each other.
void add_compare_command(CommandLine& line);
/// Quotes of vendors and clouds for a plan request.
void add_quote_command(CommandLine& line);
/// Questions, exams and claims of the study tool.
void add_study_commands(CommandLine& line);

}  // namespace podwright::cli
