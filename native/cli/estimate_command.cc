#include <iostream>

#include "api/answer.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/exit_code.h"

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
    wrong = wrong || answer.outcome == Outcome::wrong_input || answer.outcome == Outcome::not_built;
    infeasible = infeasible || answer.outcome == Outcome::infeasible;
  }
  std::cout.flush();
  return wrong ? kWrongInput : infeasible ? kInfeasible : kAnswer;
}

}  // namespace

int estimate_command(const Catalog& catalog, const std::string& file, bool lines, bool json) {
  if (!lines) return answer_command(catalog, file, "", json);
  std::ios::sync_with_stdio(false);
  if (file == "-") return answer_lines(catalog, std::cin);
  std::optional<std::ifstream> input = open_file(file);
  return input ? answer_lines(catalog, *input) : kWrongInput;
}

}  // namespace podwright::cli
