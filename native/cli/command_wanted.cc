#include "cli/command_wanted.h"

#include "base/nearest.h"

namespace podwright::cli {

std::string command_wanted(const std::string& program, const std::vector<std::string>& commands,
                           const std::string& word) {
  std::string text = program + ": ";
  if (word.empty()) {
    text += "A command is missing.";
  } else {
    const std::string meant = did_you_mean(word, commands, "");
    text += "\"" + word + "\" is not a command." + (meant.empty() ? "" : " " + meant);
  }
  return text + "\nCommands: " + joined(commands) + "\n\"" + program + " --help\" says what each of them does.\n";
}

}  // namespace podwright::cli
