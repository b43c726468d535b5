#pragma once
/// The commands: each declares its own options.
#include "cli/command.h"

namespace podwright::cli {

/// Kinds of requests that stand in a file: plan, search, mig, architecture, cost, rule_of_thumb, explain.
void add_request_command(CommandLine& line, std::string_view verb);
/// Training and serving requests; also one a line, one answer a line.
void add_estimate_command(CommandLine& line);
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
/// What is made of a machine that was measured: calibrate, verify, import.
void add_calibrate_command(CommandLine& line);
void add_verify_command(CommandLine& line);
void add_import_command(CommandLine& line);
/// Questions, exams and claims of the study tool.
void add_study_commands(CommandLine& line);

}  // namespace podwright::cli
