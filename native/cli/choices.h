#pragma once
/// What the values of options may be, where a completion can offer them.
#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

namespace podwright::cli {

using Choices = std::map<const CLI::Option*, std::vector<std::string>>;

}  // namespace podwright::cli
