#include "cli/export_files.h"

#include <fstream>
#include <iostream>

namespace podwright::cli {

std::string with_exports(const std::string& request, std::vector<std::string> exports,
                         const std::vector<std::string>& all) {
  if (exports.empty()) return request;
  if (exports.size() == 1 && exports.front() == "all") exports = all;
  const auto document = parse_json(request);
  if (!document || !document->is_object()) return request;
  std::string patch;
  for (const std::string& word : exports) patch += (patch.empty() ? "\"" : ",\"") + word + "\"";
  const auto parsed = parse_json("{\"exports\":[" + patch + "]}");
  return parsed ? json_text(merged(*document, *parsed)) : request;
}

bool write_exports(const JsonNode& holder, const std::filesystem::path& folder) {
  const JsonNode* exports = holder.find("exports");
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
  if (const JsonNode* missing = holder.find("not_exported"))
    for (const JsonNode& text : missing->items) std::cerr << "podwright: " << text.text << '\n';
  return true;
}

bool exports_have_a_place(const std::vector<std::string>& exports, const std::string& folder, bool json) {
  if (exports.empty() || !folder.empty() || json) return true;
  std::cerr << "podwright: --export needs a folder for the files: add -o FOLDER.\n";
  return false;
}

}  // namespace podwright::cli
