#include <iostream>

#include "api/answer.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/exit_code.h"
#include "cli/request_command.h"

namespace podwright::cli {
namespace {

/// A bad line gives its error object and the run goes on.
int answer_lines(const Catalog& catalog, std::istream& input) {
  bool wrong = false;
  bool infeasible = false;
  std::string line;
  while (std::getline(input, line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const Answer answer = answer_request(catalog, line);
    std::cout << answer.text << '\n';
    wrong = wrong || answer.outcome == Outcome::wrong_input;
    infeasible = infeasible || answer.outcome == Outcome::infeasible;
  }
  std::cout.flush();
  return wrong ? kWrongInput : infeasible ? kInfeasible : kAnswer;
}

}  // namespace

void add_estimate_command(CommandLine& line) {
  struct Options {
    std::string file = "-";
    bool json = false;
    bool lines = false;
  };
  const auto options = std::make_shared<Options>();
  Command command(line, line.app, "estimate");
  command->add_option("FILE", options->file, "Request file, - for standard input");
  command->add_flag("--json", options->json, "Print the answer for programs");
  command->add_flag("--jsonl", options->lines, "One request a line, one answer a line");
  command.run([options](const Catalog& catalog) -> int {
    if (!options->lines) return answer_command(catalog, options->file, options->json);
    std::ios::sync_with_stdio(false);
    if (options->file == "-") return answer_lines(catalog, std::cin);
    std::optional<std::ifstream> input = open_file(options->file);
    return input ? answer_lines(catalog, *input) : kWrongInput;
  });
}

}  // namespace podwright::cli
