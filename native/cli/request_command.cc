#include <algorithm>
#include <iostream>
#include <map>

#include "api/answer.h"
#include "api/cost_request.h"
#include "base/json_read.h"
#include "base/number_text.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/export_files.h"
#include "cli/print_answer.h"
#include "cli/print_architecture.h"
#include "cli/print_cost.h"
#include "cli/print_search.h"
#include "cli/print_serving_search.h"
#include "cli/print_topic.h"
#include "cli/request_command.h"
#include "cli/text_table.h"
#include "export/design_files.h"

namespace podwright::cli {
namespace {

std::string listed(const JsonNode& texts) {
  std::string list;
  for (const JsonNode& text : texts.items) list += (list.empty() ? "" : ", ") + text.text;
  return list;
}

/// Which rates of an answer follow a machine that was measured, and why others do not.
std::string measured_rates_text(const JsonNode& answer) {
  const JsonNode* calibrations = answer.find("calibrations");
  std::string text;
  for (const JsonNode& one : calibrations == nullptr ? std::vector<JsonNode>{} : calibrations->items) {
    text += "\n" + one.find("gpu")->text +
            " was measured, profile sha256:" + one.find("profile_digest")->text.substr(0, 16) + ".\n";
    for (const auto& [key, words] : {std::pair{"relative", "follow its ratio to the reference machine: "},
                                     {"absolute", "are its own: "},
                                     {"unchanged", "stay the catalog's: "}})
      if (const JsonNode* rates = one.find(key); rates != nullptr && !rates->items.empty())
        text += "  " + wrapped(words + listed(*rates), kTextWidth, 4) + "\n";
    for (const JsonNode& note : one.find("notes") == nullptr ? std::vector<JsonNode>{} : one.find("notes")->items)
      text += "  " + wrapped(note.text, kTextWidth, 4) + "\n";
  }
  return text;
}

bool has(const JsonNode& answer, std::string_view key) { return answer.find(key) != nullptr; }

std::string plan_answer_text(const JsonNode& answer) { return plan_text(answer) + measured_rates_text(answer); }

std::string search_answer_text(const JsonNode& answer) {
  return (has(answer, "deployments") ? serving_search_text(answer) : search_text(answer)) + measured_rates_text(answer);
}

std::string explain_answer_text(const JsonNode& answer) {
  return has(answer, "topic") ? cli::topic_text(answer) : answer_text(answer);
}

std::string cost_answer_text(const JsonNode& answer) {
  return has(answer, "cloud") || has(answer, "on_premises") ? cost_text(answer) : answer_text(answer);
}

/// Kinds of answers that have a text of their own; others are a section for each object.
std::string text_of(const JsonNode& answer) {
  static const std::map<std::string_view, std::string (*)(const JsonNode&)> texts{{"plan", plan_answer_text},
                                                                                  {"search", search_answer_text},
                                                                                  {"explain", explain_answer_text},
                                                                                  {"architecture", architecture_text},
                                                                                  {"cost", cost_answer_text}};
  const auto found = texts.find(answer.find("kind")->text);
  return found == texts.end() ? answer_text(answer) : found->second(answer);
}

/// Commands that also write files.
struct Exports {
  std::vector<std::string> words;
  std::string help;
};
Exports exports_of(std::string_view verb) {
  if (verb == "architecture")
    return {{kDesignExportWords.begin(), kDesignExportWords.end()},
            "Files of the first design: topology-svg, elevation-svg, bill-csv, cables-csv, netbox, graphviz, slurm, "
            "containerlab, or all; several with commas"};
  if (verb == "cost")
    return {{kCostExportWords.begin(), kCostExportWords.end()},
            "Files: focus, planned cost of every day as a table of FOCUS"};
  return {};
}

struct RequestOptions {
  std::string file = "-";
  bool json = false;
  Exports all;
  std::vector<std::string> exports;
  std::string folder;
};

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
  const Answer answer = answer_request(catalog, with_exports(*request, options.exports, options.all.words), kind);
  const int code = show_answer(answer, options.json, text_of);
  const bool refused = answer.outcome == Outcome::wrong_input;
  if (!refused && !options.folder.empty() && !write_files(*parse_json(answer.text), options.folder))
    return kEnvironment;
  return code;
}

}  // namespace

int answer_command(const Catalog& catalog, const std::string& file, bool json) {
  RequestOptions options;
  options.file = file;
  options.json = json;
  return ask(catalog, options, "");
}

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

}  // namespace podwright::cli
