#include <iostream>

#include "base/json_read.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/exit_code.h"
#include "cli/export_files.h"
#include "cli/print_answer.h"
#include "cli/print_architecture.h"
#include "export/design_files.h"

namespace podwright::cli {
namespace {

std::vector<std::string> all_exports() { return {kDesignExportWords.begin(), kDesignExportWords.end()}; }

/// The files of the first design.
bool write_files(const JsonNode& answer, const std::string& folder) {
  const JsonNode* designs = answer.find("designs");
  return designs == nullptr || designs->items.empty() || write_exports(designs->items[0], folder);
}

}  // namespace

int architecture_command(const Catalog& catalog, const std::string& file, bool json,
                         const std::vector<std::string>& exports, const std::string& folder) {
  if (!exports_have_a_place(exports, folder, json)) return kWrongInput;
  const auto request = read_text(file);
  if (!request) return kWrongInput;
  const Answer answer = answer_request(catalog, with_exports(*request, exports, all_exports()), "architecture");
  const auto parsed = parse_json(answer.text);
  const bool refused = answer.outcome == Outcome::wrong_input || answer.outcome == Outcome::not_built;
  if (json)
    std::cout << answer.text << '\n';
  else if (refused)
    print_error_answer(answer.text);
  else if (parsed)
    std::cout << (parsed->find("designs") != nullptr ? architecture_text(*parsed) : answer_text(*parsed));
  if (!refused && parsed && !folder.empty() && !write_files(*parsed, folder)) return kEnvironment;
  return exit_code_of(answer.outcome);
}

}  // namespace podwright::cli
