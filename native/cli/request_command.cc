#include <unistd.h>

#include <filesystem>
#include <iostream>

#include "api/answer.h"
#include "api/cost_request.h"
#include "api/kinds.h"
#include "base/characters.h"
#include "base/json_read.h"
#include "base/json_write.h"
#include "cli/answer_format.h"
#include "cli/answer_lines.h"
#include "cli/command.h"
#include "cli/print_answer.h"
#include "cli/request_flags.h"
#include "cli/request_path.h"
#include "cli/write_exports.h"
#include "export/deployment_files.h"
#include "export/design_files.h"
#include "export/training_files.h"

namespace podwright::cli {
namespace {

/// Which rates of an answer follow a machine that was measured, and why others do not.
void measured_rates_text(Page& out, const JsonNode& answer) {
  for (const JsonNode& one : items_of(answer, "calibrations")) {
    out.gap();
    const JsonNode* backend = one.find("backend");
    out.line(one.find("gpu")->text + " was measured" + (backend == nullptr ? "" : " with " + backend->text) +
             ", profile sha256:" + one.find("profile_digest")->text.substr(0, 16) + ".");
    for (const auto& [key, words] : {std::pair{"relative", "follow its ratio to the reference machine: "},
                                     {"absolute", "are its own: "},
                                     {"unchanged", "stay the catalog's: "}}) {
      std::string rates;
      for (const JsonNode& rate : items_of(one, key)) rates += (rates.empty() ? "" : ", ") + rate.text;
      if (!rates.empty()) out.indented(words + rates);
    }
    for (const JsonNode& note : items_of(one, "notes")) out.indented(note.text);
  }
}

/// Kinds of answers that have a text of their own; others are a section for each object.
void write_answer(Page& out, const JsonNode& request, const JsonNode& answer) {
  const std::string& kind = answer.find("kind")->text;
  const auto has = [&](std::string_view key) { return answer.find(key) != nullptr; };
  if (kind == "plan") plan_text(out, request, answer);
  if (kind == "search") search_text(out, answer);
  if (kind == "plan" || kind == "search") return measured_rates_text(out, answer);
  if (kind == "architecture") return architecture_text(out, answer);
  if (kind == "explain" && has("topic")) return out.code(topic_text(answer));
  if (kind == "cost" && (has("cloud") || has("on_premises"))) return cost_text(out, answer);
  answer_text(out, answer);
}

/// Slices of a GPU for each workload, whose name and model each of them has.
std::vector<JsonNode> slices_of_workloads(const JsonNode& answer) {
  std::vector<JsonNode> slices;
  for (const JsonNode& workload : items_of(answer, "slices"))
    for (const JsonNode& profile : items_of(workload, "profiles")) {
      slices.push_back(profile);
      for (const char* key : {"model", "workload"})
        if (const JsonNode* value = workload.find(key)) {
          slices.back().keys.insert(slices.back().keys.begin(), key);
          slices.back().items.insert(slices.back().items.begin(), *value);
        }
    }
  return slices;
}

/// A row for each plan, layout, deployment, design, slice or way of paying; of other answers one row of all values.
std::string answer_csv(const JsonNode& answer) {
  const std::string& kind = answer.find("kind")->text;
  if (kind == "plan") return csv_rows(plan_columns(answer), items_of(answer, "plans"));
  if (kind == "search")
    return csv_rows(search_columns(answer),
                    items_of(answer, answer.find("deployments") != nullptr ? "deployments" : "layouts"));
  if (kind == "architecture") return csv_rows(design_columns(), items_of(answer, "designs"));
  if (const JsonNode* decision = answer.find("decision"); kind == "cost" && decision != nullptr)
    return csv_rows(cost_columns(), items_of(*decision, "ways"));
  const std::vector<JsonNode> items = kind == "rule_of_thumb" ? items_of(answer, "rules")
                                      : kind == "explain"     ? items_of(answer, "claims")
                                      : kind == "mig"         ? slices_of_workloads(answer)
                                                              : std::vector<JsonNode>{};
  return csv_of_list(answer, items);
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
    std::string training;
    for (const std::string_view word : kTrainingExportWords) training += std::string(word) + ", ";
    Exports found = exports_by_word("Files of the first training layout: " + training + "or of the first deployment: ",
                                    {kDeploymentExportWords.begin(), kDeploymentExportWords.end()});
    found.words = {"all"};
    return found;
  }
  if (verb == "plan")
    return exports_by_word("Files of the training workload of the first plan: ",
                           {kTrainingExportWords.begin(), kTrainingExportWords.end()});
  if (verb == "cost")
    return {{kCostExportWords.begin(), kCostExportWords.end()},
            "Files: focus, planned cost of every day as a table of FOCUS"};
  return {};
}

struct RequestOptions {
  std::string verb;
  std::string file;
  FormatOption format = {};
  bool lines = false;
  bool print = false;
  std::shared_ptr<RequestFlags> flags = {};
  Exports all = {};
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
  JsonWriter patch;
  patch.begin_object();
  patch.begin_list("exports");
  for (const std::string& word : exports) patch.text(whole_characters(word));
  patch.end_list();
  patch.end_object();
  return json_text(merged(*document, *parse_json(patch.take())));
}

/// False after the reasons where a file that was asked for by its word could not be made; of "all" where there is none.
bool has_what_was_asked(const JsonNode& holder, const RequestOptions& options) {
  const std::vector<JsonNode>& reasons = items_of(holder, "not_exported");
  for (const JsonNode& text : reasons) std::cerr << "podwright: not written: " << text.text << '\n';
  const bool any = !items_of(holder, "exports").empty();
  if (any && options.exports == std::vector<std::string>{"all"}) return true;
  if (!any && reasons.empty())
    std::cerr << (holder.find("exports") == nullptr && options.exports.empty()
                      ? "podwright: -o is for files, and none was asked for: add --export.\n"
                      : "podwright: the answer has nothing of which files could be written.\n");
  return any && reasons.empty();
}

/// A message where files are asked for and neither a folder nor JSON can hold them.
bool exports_have_a_place(const std::vector<std::string>& exports, const std::string& folder, bool json) {
  if (exports.empty() || !folder.empty() || json) return true;
  std::cerr << "podwright: --export needs a folder for the files: add -o FOLDER.\n";
  return false;
}

/// The answer, or its first design: what has the files.
const JsonNode& holder_of_files(const JsonNode& answer) {
  const JsonNode* designs = answer.find("designs");
  return designs == nullptr || designs->items.empty() ? answer : designs->items[0];
}

/// Models that a request names otherwise than the catalog.
void say_models(const JsonNode& answer) {
  for (const JsonNode& one : items_of(answer, "assumptions")) {
    const JsonNode* path = one.find("path");
    const JsonNode* value = one.find("value");
    if (path != nullptr && value != nullptr && value->is_text() && path->text.ends_with("model"))
      std::cerr << "podwright: " << path->text << ": " << value->text << ", " << member_text(one, "source") << ".\n";
  }
}

/// The kind that a file names has precedence over the command, which is said.
void say_other_command(const JsonNode& answer, std::string_view verb) {
  const RequestKind* kind = find_kind(request_kinds(), answer.find("kind")->text);
  if (kind != nullptr && kind->verb != verb)
    std::cerr << "podwright: the request is of kind " << kind->word << " and was answered as \"podwright " << kind->verb
              << "\" does.\n";
}

/// What is asked: the file, with what the flags change of it, or the flags alone. Empty after a message.
std::optional<std::string> request_text(const Catalog& catalog, const RequestOptions& options) {
  if (!options.flags->any()) {
    if (!options.file.empty()) return read_text(options.file);
    std::cerr << "podwright: " << options.verb << " needs a request: a file, - for standard input, or flags.\n";
    for (const std::string& example : examples_of(options.verb)) std::cerr << "  " << example << '\n';
    std::cerr << "\"podwright " << options.verb << " --help\" lists the flags.\n";
    return {};
  }
  std::optional<JsonNode> file;
  if (!options.file.empty()) {
    file = read_document(options.file);
    if (!file) return {};
  }
  const auto request = options.flags->request(catalog, file ? &*file : nullptr);
  if (!request) {
    print_errors(request.error());
    return {};
  }
  return json_text(*request);
}

/// Prints what would be asked.
int print_request(const std::string& request) {
  const auto document = parse_json(request);
  if (!document) {
    print_errors(document.error());
    return kWrongInput;
  }
  std::cout << pretty_json(*document);
  return kAnswer;
}

PathNotes notes_of(const RequestOptions& options) {
  if (!options.flags->any()) return {};
  return {.given_by = [flags = options.flags](std::string_view path) { return flags->given_by(path); },
          .flags_of = [flags = options.flags](std::string_view path) { return flags->flags_of(path); }};
}

int ask(const Catalog& catalog, const RequestOptions& options, std::string_view kind, const std::string& request) {
  const auto say_what_is_assumed = [&] {
    for (const std::string& sentence : options.flags->taken()) std::cerr << "podwright: " << sentence << '\n';
    for (const std::string& flag : options.flags->started())
      std::cerr << "podwright: " << flag << " is assumed, since nothing says otherwise.\n";
  };
  if (options.print) {
    say_what_is_assumed();
    return print_request(request);
  }
  const auto page = [&](Page& out, const JsonNode& shown) {
    write_answer(out, parse_json(request).value_or(JsonNode{}), shown);
  };
  const Answer answer = answer_request(catalog, request, kind);
  const int code = show_answer(answer, options.format, {page, answer_csv}, notes_of(options));
  if (answer.outcome == Outcome::wrong_input) return code;
  say_what_is_assumed();
  const auto document = parse_json(answer.text);
  if (!document) return code == kWrongInput || options.folder.empty() ? code : refuse_size_of_answer();
  say_models(*document);
  say_other_command(*document, options.verb);
  if (options.exports.empty() && options.folder.empty()) return code;
  const JsonNode& holder = holder_of_files(*document);
  if (!options.folder.empty() && !write_exports(holder, options.folder)) return kEnvironment;
  return code == kAnswer && !has_what_was_asked(holder, options) ? kWrongInput : code;
}

/// The next line. Of one that is longer than texts may be, a part that is as long as none may be.
bool next_line(std::istream& input, std::string& line) {
  line.clear();
  std::streambuf& from = *input.rdbuf();
  if (input.tie() != nullptr) input.tie()->flush();
  int c = from.sbumpc();
  if (c == EOF) return false;
  for (; c != EOF && c != '\n'; c = from.sbumpc())
    if (line.size() <= kMostTextBytes) line += static_cast<char>(c);
  return true;
}

Answer answer_of_line(const Catalog& catalog, const std::string& line, std::size_t number) {
  const Error too_long{"out-of-range", "", "The line is longer than 64 MiB.", "Give it as a file."};
  Answer answer;
  if (line.size() > kMostTextBytes)
    answer = wrong_input({too_long});
  else
    answer = answer_request(catalog, line);
  if (answer.outcome == Outcome::wrong_input) answer.text.insert(1, "\"line\":" + std::to_string(number) + ",");
  return answer;
}

/// A bad line gives its error object with its number, and the run goes on.
int answer_lines(const Catalog& catalog, std::istream& input, bool csv) {
  bool wrong = false;
  bool infeasible = false;
  std::vector<JsonNode> answers;  // a table is known when the last line has been answered
  std::string line;
  for (std::size_t number = 1; std::cout && next_line(input, line); ++number) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const Answer answer = answer_of_line(catalog, line, number);
    if (csv)
      answers.push_back(parse_json(answer.text).value_or(JsonNode{}));
    else
      std::cout << answer.text << '\n';
    wrong = wrong || answer.outcome == Outcome::wrong_input;
    infeasible = infeasible || answer.outcome == Outcome::infeasible;
  }
  if (csv) std::cout << csv_of_answers(answers);
  return wrong ? kWrongInput : infeasible ? kInfeasible : kAnswer;
}

}  // namespace

namespace {

/// What every command that asks a request has. The options of its fields are declared when it is called.
void add_asking_options(CommandLine& line, Command& command, const std::shared_ptr<RequestOptions>& options,
                        const std::string& file_help) {
  CLI::App* app = command.operator->();
  options->flags = std::make_shared<RequestFlags>(options->verb);
  app->add_option("REQUEST", options->file, file_help + ", - for standard input; what flags give has precedence");
  add_format(*app, options->format);
  app->add_flag("--print-request", options->print, "Print the request that would be asked, to save and edit it");
  app->preparse_callback([app, options](std::size_t) { options->flags->declare(*app); });
  line.later.emplace_back([app, options] {
    options->flags->declare(*app);
    return options->flags->choices(embedded_catalog_facts());
  });
}

/// Without words, and not asked by a person: the request comes in.
void read_pipe(RequestOptions& options) {
  if (options.file.empty() && !options.flags->any() && isatty(STDIN_FILENO) == 0) options.file = "-";
}

}  // namespace

void add_request_command(CommandLine& line, std::string_view verb) {
  const auto options = std::make_shared<RequestOptions>(RequestOptions{.verb = std::string(verb)});
  options->all = exports_of(verb);
  Command command(line, line.app, verb);
  add_asking_options(line, command, options, "Request file");
  if (!options->all.words.empty()) {
    command->add_option("--export", options->exports, options->all.help)->delimiter(',');
    command->add_option("-o,--output", options->folder, "Folder for the files")->type_name("DIR");
  }
  const std::string_view kind = kind_of_command(verb).word;
  command.run([options, kind](const Catalog& catalog) -> int {
    if (!exports_have_a_place(options->exports, options->folder, options->format.is_json() || options->print))
      return kWrongInput;
    const auto request = request_text(catalog, *options);
    if (!request) return kWrongInput;
    return ask(catalog, *options, kind, with_exports(*request, options->exports, options->all.words));
  });
}

void add_replay_command(CommandLine& line) {
  const auto options = std::make_shared<RequestOptions>(RequestOptions{.verb = "replay"});
  const auto trace_file = std::make_shared<std::string>();
  Command command(line, line.app, "replay");
  add_asking_options(line, command, options, "Replay or serving request");
  command->add_option("TRACE,--trace", *trace_file, "Requests one by one: JSON Lines or CSV");
  command.run([options, trace_file](const Catalog& catalog) -> int {
    const auto request = request_text(catalog, *options);
    if (!request) return kWrongInput;
    const auto document = parse_json(*request);
    if (!document) {
      print_errors(document.error(), options->file);
      return kWrongInput;
    }
    std::string patch = "{\"kind\":\"replay\"}";
    if (!trace_file->empty()) {
      const auto trace = read_text(*trace_file);
      if (!trace) return kWrongInput;
      JsonWriter out;
      out.begin_object();
      out.text("kind", "replay");
      out.text("trace", *trace);
      out.end_object();
      patch = out.take();
    }
    return ask(catalog, *options, "replay", json_text(merged(*document, *parse_json(patch))));
  });
}

void add_estimate_command(CommandLine& line) {
  const auto options = std::make_shared<RequestOptions>(RequestOptions{.verb = "estimate"});
  Command command(line, line.app, "estimate");
  add_asking_options(line, command, options, "Request file");
  command->add_flag("--jsonl", options->lines, "One request a line, one answer a line");
  command.run([options](const Catalog& catalog) -> int {
    read_pipe(*options);
    if (!options->lines || options->file.empty()) {
      const auto request = request_text(catalog, *options);
      return request ? ask(catalog, *options, "", *request) : kWrongInput;
    }
    const bool csv = options->format.word == "csv";
    if (options->flags->any() || options->print || options->format.word == "markdown") {
      std::cerr
          << "podwright: --jsonl asks the lines of a file as they are and answers in JSON or CSV: it takes no flags "
             "of a request and no other format.\n";
      return kWrongInput;
    }
    if (options->file == "-") return answer_lines(catalog, std::cin, csv);
    std::optional<std::ifstream> input = open_file(options->file);
    return input ? answer_lines(catalog, *input, csv) : kWrongInput;
  });
}

}  // namespace podwright::cli
