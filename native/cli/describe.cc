#include "cli/describe.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <utility>

#include "api/answer.h"
#include "base/nearest.h"
#include "base/shell_text.h"
#include "cli/carried_files.h"
#include "cli/common.h"

namespace podwright::cli {
namespace {

/// What people may type: hidden commands and options have no group.
const auto kShown = [](const auto* one) { return !one->get_group().empty(); };

std::vector<const CLI::App*> commands_of(const CLI::App& app) { return app.get_subcommands(kShown); }

std::vector<const CLI::Option*> options_of(const CLI::App& app) {
  return app.get_options([](const CLI::Option* option) { return kShown(option) && option->nonpositional(); });
}

/// "-o" and "--output".
std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

bool takes_value(const CLI::Option& option) { return option.get_items_expected_max() > 0; }

/// The words between the braces of "TEXT:{auto,cuda}", else those of `choices`; empty where any value may stand.
std::string choices_of(const CLI::Option& option, const Choices& choices = {}) {
  if (const auto known = choices.find(&option); known != choices.end()) return joined(known->second, " ");
  const std::string type = option.get_type_name();
  const std::size_t open = type.find('{');
  if (open == std::string::npos) return {};
  std::string words = type.substr(open + 1, type.find('}') - open - 1);
  std::replace(words.begin(), words.end(), ',', ' ');
  return words;
}

/// What may follow a command, each with its description: its commands, and the choices of what is not an option.
std::vector<std::pair<std::string, std::string>> next_words(const CLI::App& app) {
  std::vector<std::pair<std::string, std::string>> words;
  for (const CLI::App* command : commands_of(app)) words.emplace_back(command->get_name(), command->get_description());
  for (const CLI::Option* option : app.get_options([](const CLI::Option* one) { return one->get_positional(); }))
    for (const std::string& choice : CLI::detail::split(choices_of(*option), ' '))
      if (!choice.empty()) words.emplace_back(choice, option->get_description());
  return words;
}

/// Calls `visit` with each command and the words that lead to it: "podwright", "podwright plan", "podwright study
/// exam".
using Visit = std::function<void(const CLI::App&, const std::string& path)>;
void walk(const CLI::App& app, const std::string& path, const Visit& visit) {
  visit(app, path);
  for (const CLI::App* command : commands_of(app)) walk(*command, path + " " + command->get_name(), visit);
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
  return text;
}

/// The words that lead to each command but the first, each as one word of a shell.
std::vector<std::string> command_paths(const CLI::App& app) {
  std::vector<std::string> paths;
  walk(app, app.get_name(), [&](const CLI::App& command, const std::string& path) {
    if (&command != &app) paths.push_back(shell_text(path));
  });
  return paths;
}

/// The same as a pattern of `case` in bash and zsh.
std::string command_patterns(const CLI::App& app) { return joined(command_paths(app), " | "); }

/// Branches of a `case` over a command and the option before the word: `choose` offers the choices of options, `file`
/// files where there are none.
std::string value_branches(const CLI::App& app, const Choices& choices,
                           const std::function<std::string(const std::string&)>& choose, const std::string& file) {
  std::vector<std::string> others;
  // Options with the same choices share a branch: hundreds of ids stand once.
  std::vector<std::pair<std::string, std::vector<std::string>>> branches;
  walk(app, app.get_name(), [&](const CLI::App& command, const std::string& path) {
    for (const CLI::Option* option : options_of(command)) {
      if (!takes_value(*option)) continue;
      const std::string words = choices_of(*option, choices);
      auto same = std::find_if(branches.begin(), branches.end(), [&](const auto& one) { return one.first == words; });
      if (!words.empty() && same == branches.end()) same = branches.insert(same, {words, std::vector<std::string>{}});
      for (const std::string& name : names_of(*option))
        (words.empty() ? others : same->second).push_back(shell_text(path + " " + name));
    }
  });
  std::string out;
  for (const auto& [words, patterns] : branches)
    out += "    " + joined(patterns, " | ") + ") " + choose(words) + "; return ;;\n";
  return out + "    " + joined(others, " | ") + ") " + file + "return ;;\n";
}

/// The template of this form, whose places, "@name@" and those of `parts`, are filled.
std::string filled(std::string_view form, const CLI::App& app,
                   const std::vector<std::pair<std::string, std::string>>& parts) {
  std::string text;
  for (const EmbeddedText& file : description_files())
    if (file.path == std::string(form) + ".txt") text = file.text;
  for (const auto& [place, part] : parts) text = replaced(text, "@" + place + "@", part);
  if (text.ends_with("\n\n")) text.pop_back();  // where its last place is a part of whole lines
  return replaced(text, "@name@", app.get_name());
}

std::string bash(const CLI::App& app, const Choices& known) {
  std::string words;
  walk(app, app.get_name(), [&](const CLI::App& command, const std::string& path) {
    std::vector<std::string> options;
    for (const CLI::Option* option : options_of(command))
      for (const std::string& name : names_of(*option)) options.push_back(name);
    std::vector<std::string> commands;
    for (const auto& [word, text] : next_words(command)) commands.push_back(word);
    words += "    " + shell_text(path) + ") options=" + shell_text(joined(options, " ")) +
             " commands=" + shell_text(joined(commands, " ")) + " ;;\n";
  });
  const auto choose = [](const std::string& choices) {
    // After "PATH=" goes a value.
    const std::string open = choices.ends_with('=') ? "compopt -o nospace 2> /dev/null; " : "";
    return open + "COMPREPLY=($(compgen -W " + shell_text(choices) + " -- \"$word\"))";
  };
  return filled(
      "bash", app,
      {{"commands", command_patterns(app)}, {"values", value_branches(app, known, choose, "")}, {"words", words}});
}

std::string zsh(const CLI::App& app, const Choices& known) {
  const auto entry = [](const std::string& word, const std::string& text) {
    return " " + shell_text(replaced(word, ":", "\\:") + ":" + text);
  };
  std::string words;
  walk(app, app.get_name(), [&](const CLI::App& command, const std::string& path) {
    words += "    " + shell_text(path) + ")\n      options=(";
    for (const CLI::Option* option : options_of(command))
      for (const std::string& name : names_of(*option)) words += entry(name, option->get_description());
    words += ")\n      commands=(";
    for (const auto& [word, text] : next_words(command)) words += entry(word, text);
    words += ") ;;\n";
  });
  const auto choose = [](const std::string& choices) {
    std::string offered = std::string("compadd ") + (choices.ends_with('=') ? "-S '' " : "") + "--";
    for (const std::string& choice : CLI::detail::split(choices, ' ')) offered += " " + shell_text(choice);
    return offered;
  };
  return filled("zsh", app,
                {{"commands", command_patterns(app)},
                 {"values", value_branches(app, known, choose, "_files; ")},
                 {"words", words}});
}

std::string fish(const CLI::App& app, const Choices& known) {
  std::string words;
  walk(app, app.get_name(), [&](const CLI::App& command, const std::string& path) {
    const std::string here = "complete -c @name@ -n " + shell_text("__@name@_at " + path);
    for (const auto& [word, text] : next_words(command))
      words += here + " -f -a " + word + " -d " + shell_text(text) + "\n";
    for (const CLI::Option* option : options_of(command)) {
      words += here;
      for (const std::string& name : option->get_snames()) words += " -s " + name;
      for (const std::string& name : option->get_lnames()) words += " -l " + name;
      const std::string choices = choices_of(*option, known);
      words += (!choices.empty()       ? " -x -a " + shell_text(choices)
                : takes_value(*option) ? " -r"
                                       : "") +
               " -d " + shell_text(option->get_description()) + "\n";
    }
  });
  return filled("fish", app, {{"words", words}, {"commands", joined(command_paths(app), " ")}});
}

/// Text in which troff sees no requests, and hyphens as they are typed.
std::string troff(const std::string& text) {
  return replaced("\n" + replaced(replaced(text, "\\", "\\e"), "-", "\\-"), "\n.", "\n\\&.").substr(1);
}

/// Options of a command, then its examples. What --help does is said once.
std::string manual_options(const CLI::App& command, bool with_help) {
  const CLI::Formatter formatter;
  std::string out;
  for (const CLI::Option* option : command.get_options(kShown)) {
    const bool positional = option->get_positional();
    if (option->get_description().empty() || (!with_help && option == command.get_help_ptr())) continue;
    const std::string kind = positional ? "" : formatter.make_option_opts(option);
    out += ".TP\n.B " + troff(formatter.make_option_name(option, positional) + kind) + "\n" +
           troff(option->get_description()) + "\n";
  }
  return out + (command.get_footer().empty() ? "" : ".PP\n.nf\n" + troff(command.get_footer()) + "\n.fi\n");
}

std::string manual(const CLI::App& app) {
  const CLI::Formatter formatter;
  std::string sections;
  walk(app, app.get_name(), [&](const CLI::App& command, const std::string& path) {
    if (&command == &app || !commands_of(command).empty()) return;
    std::string head = path;
    for (const CLI::Option* option : command.get_options([](const CLI::Option* one) { return one->get_positional(); }))
      head += " " + formatter.make_option_usage(option);
    sections +=
        ".SS \"" + troff(head) + "\"\n" + troff(command.get_description()) + "\n" + manual_options(command, false);
  });
  std::string exits;
  for (const ExitMeaning& one : kExitMeanings)
    exits += ".TP\n.B " + std::to_string(one.code) + "\n" + troff(std::string(one.meaning)) + "\n";
  std::string title = app.get_name();
  for (char& letter : title) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return filled("man", app,
                {{"title", title},
                 {"version", std::string(version())},
                 {"summary", troff(app.get_description())},
                 {"options", manual_options(app, true)},
                 {"exits", exits},
                 {"sections", sections}});
}

}  // namespace

std::string describe(const CLI::App& app, const std::string& form, const Choices& choices) {
  if (form == "bash") return bash(app, choices);
  if (form == "zsh") return zsh(app, choices);
  if (form == "fish") return fish(app, choices);
  return manual(app);
}

}  // namespace podwright::cli
