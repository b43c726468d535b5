#pragma once
#include <string>
#include <vector>

namespace podwright::cli {

/// What is said where a command is expected: which were meant by `word` (empty: none was given), and which there are.
/// `program` is what precedes it: "podwright" or "podwright study".
std::string command_wanted(const std::string& program, const std::vector<std::string>& commands,
                           const std::string& word);

}  // namespace podwright::cli
