#include <filesystem>
#include <fstream>
#include <iostream>

#include "api/answer.h"
#include "api/cost_request.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "cli/answer_lines.h"
#include "cli/command.h"
#include "cli/print_answer.h"
#include "cli/text_table.h"
#include "export/deployment_files.h"
#include "export/design_files.h"

namespace podwright::cli {
namespace {

/// Which rates of an answer follow a machine that was measured, and why others do not.
std::string measured_rates_text(const JsonNode& answer) {
  std::string text;
  for (const JsonNode& one : items_of(answer, "calibrations")) {
    text += "\n" + one.find("gpu")->text +
            " was measured, profile sha256:" + one.find("profile_digest")->text.substr(0, 16) + ".\n";
    for (const auto& [key, words] : {std::pair{"relative", "follow its ratio to the reference machine: "},
                                     {"absolute", "are its own: "},
                                     {"unchanged", "stay the catalog's: "}}) {
      std::string rates;
      for (const JsonNode& rate : items_of(one, key)) rates += (rates.empty() ? "" : ", ") + rate.text;
      if (!rates.empty()) text += "  " + wrapped(words + rates, kTextWidth, 4) + "\n";
    }
    for (const JsonNode& note : items_of(one, "notes")) text += "  " + wrapped(note.text, kTextWidth, 4) + "\n";
  }
  return text;
}

/// Kinds of answers that have a text of their own; others are a section for each object.
std::string answer_as_text(const JsonNode& request, const JsonNode& answer) {
  const std::string& kind = answer.find("kind")->text;
  const auto has = [&](std::string_view key) { return answer.find(key) != nullptr; };
  if (kind == "plan") return plan_text(request, answer) + measured_rates_text(answer);
  if (kind == "search") return search_text(answer) + measured_rates_text(answer);
  if (kind == "architecture") return architecture_text(answer);
  if (kind == "explain" && has("topic")) return topic_text(answer);
  if (kind == "cost" && (has("cloud") || has("on_premises"))) return cost_text(answer);
  return answer_text(answer);
}

/// Commands that also write files.
struct Exports {
  std::vector<std::string> words;
  std::string help;
};
/// "Files of the first design: topology-svg, ..., or all; several with commas".
Exports exports_by_word(std::string_view what, std::vector<std::string> words) {
  std::string help(what);
  for (const std::string& word : words) help += word + ", ";
  return {std::move(words), help + "or all; several with commas"};
}
Exports exports_of(std::string_view verb) {
  if (verb == "architecture")
    return exports_by_word("Files of the first design: ", {kDesignExportWords.begin(), kDesignExportWords.end()});
  // What there is depends on what is searched for, so that the request itself takes "all".
  if (verb == "search") {
    Exports deployment = exports_by_word("Files of the first deployment: ",
                                         {kDeploymentExportWords.begin(), kDeploymentExportWords.end()});
    deployment.words = {"all"};
    return deployment;
  }
  if (verb == "cost")
    return {{kCostExportWords.begin(), kCostExportWords.end()},
            "Files: focus, planned cost of every day as a table of FOCUS"};
  return {};
}

struct RequestOptions {
  std::string file = "-";
  bool json = false;
  bool lines = false;
  Exports all;
  std::vector<std::string> exports;
  std::string folder;
};

/// The request with `exports` set, "all" standing for `all`; as it is where there are none, or where it cannot be read,
/// so that the answer says why.
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

/// Writes the list `exports` of `holder` and says what `not_exported` names; false after a message when a file cannot
/// be written.
bool write_exports(const JsonNode& holder, const std::filesystem::path& folder) {
  for (const JsonNode& file : items_of(holder, "exports")) {
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
  for (const JsonNode& text : items_of(holder, "not_exported")) std::cerr << "podwright: " << text.text << '\n';
  return true;
}

/// A message where files are asked for and neither a folder nor JSON can hold them.
bool exports_have_a_place(const std::vector<std::string>& exports, const std::string& folder, bool json) {
  if (exports.empty() || !folder.empty() || json) return true;
  std::cerr << "podwright: --export needs a folder for the files: add -o FOLDER.\n";
  return false;
}

/// The files of an answer, or of its first design.
bool write_files(const JsonNode& answer, const std::string& folder) {
  const JsonNode* designs = answer.find("designs");
  if (designs == nullptr) return write_exports(answer, folder);
  return designs->items.empty() || write_exports(designs->items[0], folder);
}

int ask(const Catalog& catalog, const RequestOptions& options, std::string_view kind) {
  if (!exports_have_a_place(options.exports, options.folder, options.json)) return kWrongInput;
  const auto request = read_text(options.file);
  if (!request) return kWrongInput;
  const auto as_text = [&](const JsonNode& shown) {
    return answer_as_text(parse_json(*request).value_or(JsonNode{}), shown);
  };
  const Answer answer = answer_request(catalog, with_exports(*request, options.exports, options.all.words), kind);
  const int code = show_answer(answer, options.json, as_text);
  if (answer.outcome != Outcome::wrong_input && !options.folder.empty() &&
      !write_files(*parse_json(answer.text), options.folder))
    return kEnvironment;
  return code;
}

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

void add_request_command(CommandLine& line, std::string_view verb) {
  const auto options = std::make_shared<RequestOptions>();
  options->all = exports_of(verb);
  Command command(line, line.app, verb);
  command->add_option("REQUEST", options->file, "Request file, - for standard input")->required();
  command->add_flag("--json", options->json, "Print the answer for programs");
  if (!options->all.words.empty()) {
    command->add_option("--export", options->exports, options->all.help)->delimiter(',');
    command->add_option("-o,--output", options->folder, "Folder for the files")->type_name("DIR");
  }
  const std::string_view kind = kind_of_command(verb).word;
  command.run([options, kind](const Catalog& catalog) { return ask(catalog, *options, kind); });
}

void add_replay_command(CommandLine& line) {
  struct Options : RequestOptions {
    std::string trace;
  };
  const auto options = std::make_shared<Options>();
  Command command(line, line.app, "replay");
  command->add_option("REQUEST", options->file, "Replay or serving request, - for standard input")->required();
  command->add_option("TRACE", options->trace, "Requests one by one: JSON Lines or CSV");
  command->add_flag("--json", options->json, "Print the answer for programs");
  command.run([options](const Catalog& catalog) -> int {
    auto request = read_document(options->file);
    if (!request) return kWrongInput;
    std::string patch = "{\"kind\":\"replay\"}";
    if (!options->trace.empty()) {
      const auto trace = read_text(options->trace);
      if (!trace) return kWrongInput;
      JsonWriter out;
      out.begin_object();
      out.text("kind", "replay");
      out.text("trace", *trace);
      out.end_object();
      patch = out.take();
    }
    const Answer answer = answer_request(catalog, json_text(merged(*request, *parse_json(patch))), "replay");
    return show_answer(answer, options->json, [&](const JsonNode& shown) { return answer_as_text(*request, shown); });
  });
}

void add_estimate_command(CommandLine& line) {
  const auto options = std::make_shared<RequestOptions>();
  Command command(line, line.app, "estimate");
  command->add_option("FILE", options->file, "Request file, - for standard input");
  command->add_flag("--json", options->json, "Print the answer for programs");
  command->add_flag("--jsonl", options->lines, "One request a line, one answer a line");
  command.run([options](const Catalog& catalog) -> int {
    if (!options->lines) return ask(catalog, *options, "");
    std::ios::sync_with_stdio(false);
    if (options->file == "-") return answer_lines(catalog, std::cin);
    std::optional<std::ifstream> input = open_file(options->file);
    return input ? answer_lines(catalog, *input) : kWrongInput;
  });
}

}  // namespace podwright::cli
