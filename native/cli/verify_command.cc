#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <set>

#include "api/answer.h"
#include "api/engine_request.h"
#include "base/characters.h"
#include "base/number_text.h"
#include "base/words.h"
#include "calibration/device_verdict.h"
#include "calibration/host_calibration.h"
#include "cli/answer_lines.h"
#include "cli/command.h"
#include "cli/fleet_files.h"
#include "cli/import_rows_command.h"
#include "cli/print_fleet.h"
#include "cli/print_profile.h"
#include "cli/profiles.h"
#include "cli/text_table.h"
#include "cli/verify_memory.h"
#include "export/junit.h"
#include "export/markdown.h"
#include "export/prometheus.h"
#include "measure/import_files.h"
#include "measure/megatron_log.h"

namespace podwright::cli {
namespace {

struct VerifyOptions {
  std::vector<std::string> files;
  std::vector<std::string> gpus;
  TrustedKeys trusted;
  std::string form = "text";
  std::string node;
  bool json = false;
};

int verify_serving(const std::string& file, const std::string& text) {
  const auto measured = read_serving_file(text);
  if (!measured) {
    print_errors(measured.error(), file + " is not a usable measurement");
    return kWrongInput;
  }
  for (const ServingMeasurement& run : *measured)
    std::cout << file << ": measured by " << serving_summary(run) << (measured->size() > 1 ? "\n" : "");
  std::cout << "A rate of an engine has no norm of its own: compare it with a plan for the same workload, or as a row "
               "(import --rows, backtest --mine).\n";
  return kAnswer;
}

int verify_training(const std::string& file, const std::string& text) {
  const auto measured = read_training_file(text);
  if (!measured) {
    print_errors(measured.error(), file + " is not a usable measurement");
    return kWrongInput;
  }
  std::cout << file << ": measured by " << training_summary(*measured)
            << "A step has no norm of its own: import --rows makes a row of it, and backtest --mine compares.\n";
  return kAnswer;
}

/// How many results can be used, and what plans would take of them.
std::string usable_results(const Catalog& catalog, const ReadProfile& read) {
  const std::vector<ProbeResult>& results = read.profile.results;
  const auto usable =
      std::count_if(results.begin(), results.end(), [](const ProbeResult& result) { return result.usable(); });
  std::string text = std::to_string(usable) + " of " + std::to_string(results.size()) + " results are usable.\n";
  if (usable == 0) return text;
  const std::vector<HostCalibration> hosts = host_calibrations(catalog, read);
  if (std::any_of(hosts.begin(), hosts.end(), plans_take_from)) return text;
  text += "Plans take none of them.\n";
  for (const HostCalibration& host : hosts)
    for (const std::string& note : host.notes) text += labelled("", note, 0);
  return text;
}

/// Digest, schema and self-check of a profile, and its verdicts. A measurement of a serving engine is checked and
/// printed.
int verify_profile(const Catalog& catalog, const VerifyOptions& options) {
  const std::string& file = options.files.back();
  std::string signer;
  const auto text = read_trusted(file, options.trusted, &signer);
  if (!text) return kWrongInput;
  const auto format = format_of(*text);
  if (!format && is_megatron_log(*text)) {
    std::cerr << "podwright: " << file
              << " is a log of Megatron-LM: its memory is compared with the request of its layout (podwright verify "
                 "REQUEST "
              << file << ").\n";
    return kWrongInput;
  }
  if (format && is_of_load_generator(*format)) return verify_serving(file, *text);
  if (format && is_of_training(*format)) return verify_training(file, *text);
  const auto read = read_machine(catalog, file, *text, options.gpus);
  if (!read) return kWrongInput;
  const HardwareProfile& profile = read->profile;
  const ProfileJudgement judgement = judge_profile(catalog, profile);
  std::cout << device_verdict_lines(judgement) << "\n"
            << file << ": "
            << (read->format == FileFormat::profile
                    ? "whole, as its own digest says: " + read->digest
                    : "output of " + std::string(word_of(read->format, kFileFormatWords)) + ", which carries no digest")
            << "\n"
            << (options.trusted.empty() ? "Whose it is was not checked: anyone can write a profile with a digest; "
                                          "--trusted KEY asks for a signature.\n"
                                        : "It was " + signer + ".\n")
            << profile_summary(profile) << usable_results(catalog, {profile, read->digest}) << "\n"
            << verdict_lines(judgement);
  return code_of(judgement, profile);
}

std::string assumption_rows(const std::vector<JsonNode>& assumptions) {
  std::string text;
  std::vector<std::vector<std::string>> rows{{"assumption", "device", "plan", "host", "unit", "kept"}};
  for (const JsonNode& one : assumptions) {
    if (member_text(one, "what") == "devices") {
      text += "The plan is made for " + member_text(one, "gpu") + ". " + member_text(one, "sentence") + "\n";
      continue;
    }
    const std::string state = member_text(one, "state");
    rows.push_back({member_text(one, "what"), member_text(one, "gpu"), member_text(one, "assumed"),
                    shown(one.find("measured")), member_text(one, "unit"),
                    state == "met"       ? "yes"
                    : state == "not_met" ? "NO"
                                         : "not known"});
  }
  if (rows.size() > 1) text += "What the plan assumes of this machine\n" + text_table(rows);
  return text.empty() ? "" : text + "\n";
}

/// What each missed assumption makes of the plan by itself.
std::string impact_lines(const std::vector<JsonNode>& assumptions) {
  std::string text;
  for (const JsonNode& one : assumptions)
    if (const JsonNode* costs = one.find("costs")) text += paragraph(member_text(one, "what") + ": " + costs->text);
  return text.empty() ? "" : "What each missed assumption costs\n" + text + "\n";
}

/// Why it is not known whether the machine keeps some of them, each reason once.
std::string unknown_lines(const std::vector<JsonNode>& assumptions) {
  std::string text;
  std::set<std::string> told;
  for (const JsonNode& one : assumptions)
    if (const std::string why = member_text(one, "sentence");
        member_text(one, "state") == "unknown" && told.insert(why).second)
      text += paragraph("Not known: " + why);
  return text.empty() ? "" : text + "\n";
}

/// Money as the plan shows it.
std::string with_interval(const std::string& figure, const JsonNode* value) {
  if (value == nullptr) return "-";
  const auto text = [&](std::string_view key) {
    return figure.find("usd") == std::string::npos ? member_text(*value, key) : shown(figure, value->find(key));
  };
  return text("value") + (value->find("low") == nullptr ? "" : " (" + text("low") + " to " + text("high") + ")");
}

std::string figure_rows(const JsonNode& plan) {
  std::vector<std::vector<std::string>> rows{{"figure", "workload", "as planned", "with this machine's rates"}};
  for (const JsonNode& one : plan.find("figures")->items) {
    const std::string figure = member_text(one, "figure");
    rows.push_back({figure, member_text(one, "workload"), with_interval(figure, one.find("before")),
                    with_interval(figure, one.find("after"))});
  }
  return "The plan again, with 90 % intervals\n" + text_table(rows);
}

/// Verdicts that are not in order.
std::string verdict_text(const JsonNode& answer) {
  std::string text;
  for (const JsonNode& one : answer.find("verdicts")->items) {
    const std::string word = member_text(one, "verdict");
    if (word != "ok" && word != "unjudged" && word != "uncertain")
      text += labelled(word, member_text(one, "device") + ": " + member_text(one, "sentence"), 11);
  }
  return text.empty() ? "" : "\nVerdicts on the machine\n" + text;
}

std::string verify_text(const JsonNode& answer) {
  const JsonNode& plan = *answer.find("plan");
  const std::vector<JsonNode>& assumptions = items_of(plan, "assumptions");
  std::string text =
      assumption_rows(assumptions) + unknown_lines(assumptions) + impact_lines(assumptions) + figure_rows(plan);
  if (!plan.find("checked")->boolean)
    text += "\nThe profile contains none of these figures: the plan was not checked.\n";
  const std::string before_gpu = member_text(plan, "gpu_before");
  const std::string after_gpu = member_text(plan, "gpu_after");
  if (!after_gpu.empty())
    text += "\nFigures of " +
            (before_gpu.empty() || before_gpu == after_gpu
                 ? after_gpu
                 : before_gpu + " as planned and of " + after_gpu + " with this machine's rates") +
            ".\n";
  text += verdict_text(answer);
  const JsonNode* before = plan.find("feasible_before");
  if (before == nullptr) text += "\nThe catalog does not know this GPU: only its own profile makes the plan.\n";
  if (!plan.find("feasible_after")->boolean) text += "\nWith this machine's rates the plan is infeasible.\n";
  if (!answer.find("complete")->boolean) text += "\nThe profile is unfinished.\n";
  return text;
}

/// Does the machine of the profile keep what the answer to the request `plan` assumes, and what is the answer with its
/// own rates? 1 when it does not, or when its profile is unfinished or contains nothing of what the plan assumes.
int verify_plan(const Catalog& catalog, const std::string& plan, const std::string& profile, bool json,
                const TrustedKeys& trusted) {
  const auto request = read_document(plan);
  const auto machine = read_profiles({profile}, trusted);
  if (!request || !machine) return kWrongInput;
  const Answer answer =
      answer_request(catalog, R"({"kind":"verify","profile":)" + profile_text(machine->profile) + R"(,"plan":)" +
                                  json_text(merged(*parse_json(R"({"kind":"plan"})"), *request)) + "}");
  const int code = show_answer(answer, json, verify_text);
  if (answer.outcome == Outcome::wrong_input) return code;
  // A plan says itself which of its assumptions the profile leaves open.
  const ProfileJudgement judgement = judge_profile(catalog, machine->profile);
  const int of_machine = !any_judged(judgement.devices) && machine->profile.run.complete
                             ? static_cast<int>(judgement.exit)
                             : code_of(judgement, machine->profile);
  return std::max(code, of_machine);
}

/// Verdicts on a profile for other programs.
int verify_formed(const Catalog& catalog, const VerifyOptions& options, VerdictForm form) {
  const std::string& file = options.files.back();
  const auto text = read_trusted(file, options.trusted);
  if (!text) return kWrongInput;
  auto read = read_machine(catalog, file, *text, options.gpus);
  if (!read) return kWrongInput;
  const std::string own = file == "-" ? "stdin" : node_name_of(file);
  const JudgedNode node = judge_machine(catalog, whole_characters(options.node.empty() ? own : options.node),
                                        {std::move(read->profile), std::move(read->digest)});
  if (form == VerdictForm::prometheus) std::cout << prometheus_text(node, version());
  if (form == VerdictForm::junit) std::cout << junit_text(node);
  if (form == VerdictForm::markdown) std::cout << markdown_text(node);
  return code_of(node.judgement, node.read->profile);
}

/// Verdicts on a profile, as the kind `verify` answers them.
int verify_json(const Catalog& catalog, const std::string& profile, const TrustedKeys& trusted) {
  const auto machine = read_profiles({profile}, trusted);
  if (!machine) return kWrongInput;
  const Answer answer =
      answer_request(catalog, R"({"kind":"verify","profile":)" + profile_text(machine->profile) + "}");
  std::cout << answer.text << '\n';
  if (answer.outcome == Outcome::wrong_input) return kWrongInput;
  return code_of(judge_profile(catalog, machine->profile), machine->profile);
}

struct ImportOptions {
  std::vector<std::string> files;
  std::vector<std::string> gpus;
  std::vector<std::string> read_as;
  std::string request;
  std::string output;
  bool rows = false;                 ///< a table of runs in place of a profile
  std::vector<std::string> columns;  ///< of its rows, "tp=4"
};

/// Errors of files by their names in place of "/<place>/text<path in the file>"; those of the request as they are.
void print_import_errors(const Errors& errors, const ImportOptions& options) {
  for (Error error : errors) {
    if (error.path.rfind("/request", 0) == 0) {
      error.path = options.request + error.path.substr(std::string_view("/request").size());
      print_errors({error});
      continue;
    }
    const std::size_t place = error.path.empty() ? 0 : static_cast<std::size_t>(std::atoi(error.path.c_str() + 1));
    const std::size_t inside = error.path.find("/text");
    error.path = options.files[std::min(place, options.files.size() - 1)] +
                 (inside == std::string::npos ? "" : error.path.substr(inside + std::string_view("/text").size()));
    print_errors({error});
  }
}

/// What of the files may name somebody, which what is written does not.
void print_identifiers(const ImportedFiles& imported, std::string_view written) {
  for (const ImportedFile& file : imported.files)
    for (const IdentifierCount& one : file.identifiers)
      std::cout << file.name << " holds " << one.count << " x " << word_of(one.kind, kIdentifierWords) << "; the "
                << written << " does not.\n";
}

/// What an engine said of itself and what a benchmark measured at it, as the request of its deployment; without one as
/// a merge patch of such requests.
int import_engine(const Catalog& catalog, const ImportedFiles& imported, const ImportOptions& options) {
  std::optional<std::string> request;
  if (!options.request.empty()) {
    const auto document = read_document(options.request);
    if (!document) return kWrongInput;
    request = json_text(*document);
  }
  const auto made = engine_request(catalog, imported, request);
  if (!made) {
    print_import_errors(made.error(), options);
    return kWrongInput;
  }
  if (made->document.items.empty()) {
    std::cerr << "podwright: a benchmark alone says nothing of the engine: add --rows for a table of its "
                 "runs, which backtest --mine compares, or --request FILE with the request of its deployment.\n";
    return kWrongInput;
  }
  if (!write_file(options.output, json_text(made->document) + "\n")) return kEnvironment;
  std::vector<std::vector<std::string>> rows;
  if (imported.engine) {
    rows.push_back({"engine", imported.engine->engine + " " + imported.engine->version});
    for (const EngineFact& fact : kEngineFacts)
      if (const auto& value = (*imported.engine).*fact.value)
        rows.push_back({std::string(fact.key), human_number(*value, 9)});
  }
  if (const JsonNode* measured = made->document.find("measured"))
    for (std::size_t i = 0; i < measured->keys.size(); ++i)
      if (measured->keys[i].ends_with("_factor"))
        rows.push_back({measured->keys[i], human_number(measured->items[i].number, 4)});
  if (!rows.empty()) std::cout << text_table(rows);
  for (const std::string& note : made->notes) std::cout << labelled("note", note, 6);
  print_identifiers(imported, request ? "request" : "patch");
  std::cout << "wrote " << options.output
            << (request ? ": the request with what was measured\n"
                        : ": a merge patch for the request of this deployment; --request FILE applies it\n");
  return kAnswer;
}

/// What `--read-as FILE=WORD` says of the files; false after a message.
bool take_read_as(const std::vector<std::string>& said, std::vector<FileText>& files) {
  for (const std::string& one : said) {
    const std::size_t sign = one.rfind('=');
    const std::string word = sign == std::string::npos ? "" : one.substr(sign + 1);
    const auto file = std::find_if(files.begin(), files.end(),
                                   [&](const FileText& text) { return text.name == one.substr(0, sign); });
    if (file == files.end() || std::find(kReadAsWords.begin(), kReadAsWords.end(), word) == kReadAsWords.end()) {
      std::cerr << "podwright: --read-as takes FILE=WORD with one of the files and one of:";
      for (const std::string_view known : kReadAsWords) std::cerr << " " << known;
      std::cerr << "\n";
      return false;
    }
    file->read_as = word;
  }
  return true;
}

/// Files of other programs from one machine as one profile, or those of one engine as part of a request.
int import_machine(const Catalog& catalog, const ImportOptions& options) {
  std::vector<FileText> texts;
  for (const std::string& file : options.files) {
    auto text = read_text(file);
    if (!text) return kWrongInput;
    texts.push_back({file, std::move(*text)});
  }
  if (!take_read_as(options.read_as, texts)) return kWrongInput;
  const auto imported = import_files(catalog, texts, std::string(version()), chosen_gpus(options.gpus));
  if (!imported) {
    print_import_errors(imported.error(), options);
    return kWrongInput;
  }
  for (const RefusedFile& file : imported->refused) {
    std::cerr << "podwright: " << file.name << " is left out; the other files are read.\n";
    print_import_errors(file.errors, options);
  }
  if (options.rows) {
    print_identifiers(*imported, "table");
    return import_rows(*imported, {options.columns, options.gpus, options.request, options.output});
  }
  if (!options.columns.empty()) {
    std::cerr << "podwright: --column is for --rows.\n";
    return kWrongInput;
  }
  const auto any = [&](auto is) { return std::any_of(imported->files.begin(), imported->files.end(), is); };
  const bool of_machine = any([](const ImportedFile& file) { return file.of_machine(); });
  const bool of_engine = any([](const ImportedFile& file) { return file.engine || !file.serving.empty(); });
  bool unwanted = false;
  for (const ImportedFile& file : imported->files) {
    const bool profile = file.format == FileFormat::profile;
    if (file.of_machine() ? !profile : (!of_machine && !file.training)) continue;
    const bool left_out = !profile && (of_machine || of_engine);
    unwanted = unwanted || !left_out;
    std::cerr << "podwright: " << file.name << (left_out ? " is left out; the other files are read. It" : "")
              << (profile ? " is a profile already; import takes files of other programs.\n"
                  : file.training
                      ? " is of a training run: --rows makes a row of it.\n"
                      : " is of a serving engine, which does not describe a machine: import it by itself.\n");
  }
  if (unwanted) return kWrongInput;
  if (!of_machine) return import_engine(catalog, *imported, options);
  if (!options.request.empty()) {
    std::cerr << "podwright: --request is for files of a serving engine.\n";
    return kWrongInput;
  }
  if (!write_file(options.output, profile_text(imported->profile->profile))) return kEnvironment;
  print_identifiers(*imported, "profile");
  const HardwareProfile& profile = imported->profile->profile;
  std::cout << device_verdict_lines(judge_profile(catalog, profile)) << "\n"
            << profile_summary(profile) << "wrote " << options.output << "\n";
  return kAnswer;
}

void add_gpu_option(Command& command, std::vector<std::string>& gpus) {
  command
      ->add_option("--gpu", gpus,
                   "GPU of the catalog that the devices are, in place of what their names say; d3=ID: one")
      ->type_name("ID");
}

int verify(const Catalog& catalog, const VerifyOptions& options) {
  if (const int code = without_signatures(options.trusted); code != kAnswer) return code;
  const auto form = options.json ? VerdictForm::json : of_word<VerdictForm>(options.form, kVerdictForms).value();
  const std::string& profile = options.files.back();
  if (form == VerdictForm::text || form == VerdictForm::json) {
    const bool json = form == VerdictForm::json;
    if (options.files.size() > 1) {
      // Standard input can be read once, and a profile is read where it is joined.
      const auto text = profile == "-" ? std::nullopt : read_text(profile);
      if (profile != "-" && !text) return kWrongInput;
      if (text && is_megatron_log(*text) && options.trusted.empty())
        return verify_memory(catalog, options.files.front(), profile, *text, json);
      return verify_plan(catalog, options.files.front(), profile, json, options.trusted);
    }
    return json ? verify_json(catalog, profile, options.trusted) : verify_profile(catalog, options);
  }
  if (options.files.size() == 1) return verify_formed(catalog, options, form);
  std::cerr << "podwright: --format " << options.form << " is of a profile alone; leave out the request.\n";
  return kWrongInput;
}

}  // namespace

void add_verify_command(CommandLine& line) {
  const auto options = std::make_shared<VerifyOptions>();
  Command command(line, line.app, "verify");
  command
      ->add_option("PROFILE", options->files,
                   "File of the profile or of another program's measurement, - for standard input; before it a "
                   "request of kind plan, serving, training or search. Of a log of Megatron-LM the memory is compared "
                   "with that of the request's layout")
      ->required()
      ->expected(1, 2);
  CLI::Option* form = command->add_option("--format", options->form, "Form of what is printed")
                          ->check(CLI::IsMember(std::vector<std::string>(kVerdictForms.begin(), kVerdictForms.end())))
                          ->capture_default_str();
  command->add_flag("--json", options->json, "The same as --format json: the answer for programs")->excludes(form);
  command
      ->add_option("--node", options->node,
                   "Name of the machine in other formats than text and json, in place of that of the file")
      ->type_name("NAME");
  add_gpu_option(command, options->gpus);
  add_trusted_option(*command.operator->(), options->trusted);
  command.run([options](const Catalog& catalog) { return verify(catalog, *options); });
}

void add_import_command(CommandLine& line) {
  const auto options = std::make_shared<ImportOptions>();
  Command command(line, line.app, "import");
  command
      ->add_option(
          "FILE", options->files,
          "Files of one machine or of one serving engine, - for standard input. What they say of the machine is "
          "printed and changes no exit code: verify PROFILE ends by it")
      ->required();
  command
      ->add_option("--request", options->request,
                   "Of files of an engine: the request of its deployment, which is written with what was measured")
      ->type_name("FILE");
  command->add_option("-o,--output", options->output, "File of the profile or of the request")
      ->type_name("FILE")
      ->required();
  add_gpu_option(command, options->gpus);
  command
      ->add_option("--read-as", options->read_as,
                   "What a file is, where neither its text nor its name says so, as FILE=all_reduce")
      ->type_name("FILE=WORD");
  command->add_flag("--rows", options->rows,
                    "Write the runs of load generators and of training as a table for backtest --mine");
  command
      ->add_option("--column", options->columns,
                   "Of --rows: what the files do not say of their runs, as tp=4 or model=llama-3.1-70b")
      ->type_name("NAME=VALUE");
  command.run([options](const Catalog& catalog) { return import_machine(catalog, *options); });
}

}  // namespace podwright::cli
