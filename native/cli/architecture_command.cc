#include <filesystem>
#include <fstream>
#include <iostream>

#include "base/json_read.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/exit_code.h"
#include "cli/print_answer.h"
#include "cli/print_architecture.h"
#include "export/design_files.h"

namespace podwright::cli {
namespace {

std::vector<std::string> all_exports() { return {kDesignExportWords.begin(), kDesignExportWords.end()}; }

/// The request with `exports` set; as it is where it cannot be read, so that the answer tells why.
std::string with_exports(const std::string& request, std::vector<std::string> exports) {
  if (exports.empty()) return request;
  if (exports.size() == 1 && exports.front() == "all") exports = all_exports();
  const auto document = parse_json(request);
  if (!document || !document->is_object()) return request;
  std::string patch;
  for (const std::string& word : exports) patch += (patch.empty() ? "\"" : ",\"") + word + "\"";
  const auto parsed = parse_json("{\"exports\":[" + patch + "]}");
  return parsed ? json_text(merged(*document, *parsed)) : request;
}

/// False after a message when a file cannot be written.
bool write_files(const JsonNode& answer, const std::filesystem::path& folder) {
  const JsonNode* designs = answer.find("designs");
  if (designs == nullptr || designs->items.empty()) return true;
  const JsonNode* exports = designs->items[0].find("exports");
  if (exports == nullptr) return true;
  for (const JsonNode& file : exports->items) {
    const std::filesystem::path path = folder / file.find("name")->text;
    std::error_code failed;
    std::filesystem::create_directories(path.parent_path(), failed);
    std::ofstream out(path, std::ios::binary);
    out << file.find("text")->text;
    if (failed || !out.flush()) {
      std::cerr << "podwright: " << path.string() << " cannot be written.\n";
      return false;
    }
    std::cerr << path.string() << '\n';
  }
  if (const JsonNode* missing = designs->items[0].find("not_exported"))
    for (const JsonNode& text : missing->items) std::cerr << "podwright: " << text.text << '\n';
  return true;
}

}  // namespace

int architecture_command(const Catalog& catalog, const std::string& file, bool json,
                         const std::vector<std::string>& exports, const std::string& folder) {
  if (!exports.empty() && folder.empty() && !json) {
    std::cerr << "podwright: --export needs a folder for the files: add -o FOLDER.\n";
    return kWrongInput;
  }
  const auto request = read_text(file);
  if (!request) return kWrongInput;
  const Answer answer = answer_request(catalog, with_exports(*request, exports), "architecture");
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
