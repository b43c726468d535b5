#pragma once
/// The command line in the forms of shells and of man, all from its description in CLI11.
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/choices.h"

namespace podwright::cli {

/// The forms that describe() knows.
inline const std::vector<std::string> kDescriptions = {"bash", "fish", "man", "zsh"};

/// Completions for a shell, or the page of the manual; `choices` of options that do not name them.
std::string describe(const CLI::App& app, const std::string& form, const Choices& choices = {});

}  // namespace podwright::cli
