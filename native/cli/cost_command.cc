#include <iostream>

#include "api/cost_request.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/exit_code.h"
#include "cli/export_files.h"
#include "cli/print_answer.h"
#include "cli/print_cost.h"

namespace podwright::cli {

int cost_command(const Catalog& catalog, const std::string& file, bool json, const std::vector<std::string>& exports,
                 const std::string& folder) {
  if (!exports_have_a_place(exports, folder, json)) return kWrongInput;
  const auto request = read_text(file);
  if (!request) return kWrongInput;
  const std::vector<std::string> all(kCostExportWords.begin(), kCostExportWords.end());
  const Answer answer = answer_request(catalog, with_exports(*request, exports, all), "cost");
  const bool refused = answer.outcome == Outcome::wrong_input || answer.outcome == Outcome::not_built;
  const auto parsed = parse_json(answer.text);
  if (json)
    std::cout << answer.text << '\n';
  else if (refused)
    print_error_answer(answer.text);
  else if (parsed)
    std::cout << (parsed->find("cloud") != nullptr || parsed->find("on_premises") != nullptr ? cost_text(*parsed)
                                                                                             : answer_text(*parsed));
  if (!refused && parsed && !folder.empty() && !write_exports(*parsed, folder)) return kEnvironment;
  return exit_code_of(answer.outcome);
}

}  // namespace podwright::cli
