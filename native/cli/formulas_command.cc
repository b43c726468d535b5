#include <iostream>
#include <memory>

#include "api/answer.h"
#include "cli/carried_files.h"
#include "cli/command.h"
#include "cli/formulas.h"

namespace podwright::cli {
namespace {

std::vector<Formula> formulas_of_examples(const Catalog& catalog) {
  std::vector<Formula> formulas;
  for (const EmbeddedText& file : example_files()) {
    const auto request = parse_json(file.text);
    if (!request) continue;
    if (const auto answer = parse_json(answer_request(catalog, explained(*request)).text))
      add_formulas(*answer, std::string(file.path), formulas);
  }
  return formulas;
}

}  // namespace

void add_formulas_command(CommandLine& line) {
  struct Options {
    std::vector<std::string> words;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  Command command(line, line.app, "formulas", "Equation, inputs and source of every number that the examples compute",
                  "podwright formulas pipeline bubble");
  command->add_option("WORDS", options->words, "Only formulas with these words: kv cache");
  command->add_flag("--json", options->json, "Print the formulas for programs");
  command.run([options](const Catalog& catalog) {
    std::string wanted;
    for (const std::string& word : options->words) wanted += word + ' ';
    const std::vector<Formula> chosen = choose_formulas(formulas_of_examples(catalog), wanted);
    std::cout << (options->json ? formulas_json(chosen) + "\n" : formulas_text(chosen));
    return kAnswer;
  });
}

}  // namespace podwright::cli
