#pragma once
/// The commands that measure a machine and use what was measured.
#include <CLI/CLI.hpp>

namespace podwright::cli {

/// Adds probe and its hidden worker. `words` are those of the command line, `exit_code` gets the code of the command
/// that ran.
void add_probe_commands(CLI::App& app, char** words, int& exit_code);

}  // namespace podwright::cli
