/// podwright: the command line.
#include <CLI/CLI.hpp>
#include <ctime>
#include <filesystem>
#include <iostream>

#include "cli/command_wanted.h"
#include "cli/commands.h"
#include "cli/common.h"
#include "cli/describe.h"
#include "cli/exit_code.h"
#include "cli/host_commands.h"
#include "cli/probe_commands.h"
#include "cli/profile_commands.h"
#include "cli/study_command.h"

namespace {

using namespace podwright;
using namespace podwright::cli;

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[16];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

/// The site that was built beside the program.
std::string default_site(const char* program) {
  std::error_code failed;
  std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", failed);
  if (failed) self = program;
  return (self.parent_path().parent_path() / "site").string();
}

/// The table of a word for one of its items: "gpus" for "gpu". Other words are left as they were typed.
std::string table_named(const std::string& word) {
  for (const char* item : {"gpu", "model", "system", "architecture", "engine", "weight-format", "region", "source"})
    if (word == item) return word + "s";
  return word == "switch" ? "switches" : word;
}

/// In place of CLI11's "A subcommand is required", which neither names the word nor the commands.
std::string failure_text(const CLI::App* app, const CLI::Error& error) {
  std::string program = app->get_name();
  while (!app->get_subcommands().empty()) {
    app = app->get_subcommands().front();
    program += " " + app->get_name();
  }
  const auto inner = app->get_subcommands([](const CLI::App*) { return true; });
  if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::RequiredError) || inner.empty())
    return CLI::FailureMessage::simple(app, error);
  std::vector<std::string> commands;
  for (const CLI::App* command : inner)
    if (!command->get_group().empty()) commands.push_back(command->get_name());  // hidden ones are not for people
  const std::vector<std::string> words = app->remaining();
  return command_wanted(program, commands, words.empty() ? "" : words.front());
}

struct Options {
  std::string catalog;
  std::string calibration;
  bool reference = false;
  std::string file = "-";
  std::string table;
  std::string id;
  std::string kind;
  std::string form;
  std::string site;
  std::vector<std::string> tables;
  std::vector<std::string> fitted_with;
  std::vector<std::string> profiles;
  std::vector<std::string> exports;
  std::string by;
  std::string leave_out;
  bool configurations = false;
  std::string output;
  int port = 0;
  double stale_days = 365;
  bool json = false;
  bool lines = false;
  StudyOptions study;
};

}  // namespace

int main(int argc, char** argv) {
  CLI::App app(
      "What to buy or rent to run language models on NVIDIA hardware, how to lay the work out, how fast it will be and "
      "what it costs.",
      "podwright");
  app.set_version_flag("--version", std::string(version()));
  app.require_subcommand(1);
  app.failure_message(failure_text);
  app.footer("Example:\n  podwright plan examples/chat_70b.json");
  Options options;
  int exit_code = kAnswer;

  const auto command = [&](CLI::App& parent, const std::string& name, const std::string& help,
                           const std::string& example) {
    CLI::App* sub = parent.add_subcommand(name, help);
    sub->footer("Example:\n  " + example);
    sub->add_option("--catalog", options.catalog, "Folder whose files come on top of the built-in catalog")
        ->type_name("DIR");
    return sub;
  };
  const auto run = [&](CLI::App* sub, auto action) {
    sub->callback([&, action] {
      const Catalog* catalog = load_catalog(options.catalog);
      if (catalog != nullptr && !options.calibration.empty()) catalog = load_calibrated(*catalog, options.calibration);
      exit_code = catalog == nullptr ? kWrongInput : action(*catalog);
    });
  };

  /// Commands whose answers stand on rates of GPUs.
  const auto take_calibration = [&](CLI::App* sub) {
    sub->add_option("--calibration", options.calibration,
                    "Rates measured on a host, as calibrate PROFILE -o FILE writes them")
        ->type_name("FILE");
  };

  CLI::App* plan = command(app, "plan", "From a need to a decision: layout, nodes, architecture, price",
                           "podwright plan examples/chat_70b.json");
  plan->add_option("REQUEST", options.file, "Request file, - for standard input")->required();
  plan->add_flag("--json", options.json, "Print the answer for programs");
  take_calibration(plan);
  run(plan, [&](const Catalog& catalog) { return answer_command(catalog, options.file, "plan", options.json); });

  CLI::App* estimate = command(app, "estimate", "Memory, time and throughput of training or serving requests",
                               "podwright estimate examples/serving_70b.json");
  estimate->add_option("FILE", options.file, "Request file, - for standard input");
  estimate->add_flag("--json", options.json, "Print the answer for programs");
  estimate->add_flag("--jsonl", options.lines, "One request a line, one answer a line");
  take_calibration(estimate);
  run(estimate,
      [&](const Catalog& catalog) { return estimate_command(catalog, options.file, options.lines, options.json); });

  CLI::App* search =
      command(app, "search", "Layouts of a training run or a deployment: the best, why, and how to start it",
              "podwright search examples/search_405b.json\n  podwright search examples/search_serving_70b.json");
  search->add_option("REQUEST", options.file, "Request file, - for standard input")->required();
  search->add_flag("--json", options.json, "Print the answer for programs");
  take_calibration(search);
  run(search, [&](const Catalog& catalog) { return answer_command(catalog, options.file, "search", options.json); });

  CLI::App* model = command(app, "model", "Shape and exact weights of a model, read from the headers of its files",
                            "podwright model llama-3.1-8b-q4_k_m.gguf --json");
  model
      ->add_option("FILE", options.tables,
                   "GGUF or safetensors files of one model, model.safetensors.index.json or config.json")
      ->required();
  model->add_flag("--json", options.json, "Print the answer for programs; model and weights fit a serving request");
  run(model, [&](const Catalog& catalog) { return model_command(catalog, options.tables, options.json); });

  CLI::App* mig = command(app, "mig", "Which slices of a GPU hold which models, and the fewest GPUs that hold all",
                          "podwright mig examples/mig_small_models.json");
  mig->add_option("REQUEST", options.file, "Request file, - for standard input")->required();
  mig->add_flag("--json", options.json, "Print the answer for programs");
  run(mig, [&](const Catalog& catalog) { return answer_command(catalog, options.file, "mig", options.json); });

  CLI::App* architecture =
      command(app, "architecture", "From a number of GPUs to networks, racks, power, storage and a bill",
              "podwright architecture examples/architecture_h100.json");
  architecture->add_option("REQUEST", options.file, "Request file of kind architecture or fabric, - for standard input")
      ->required();
  architecture->add_flag("--json", options.json, "Print the answer for programs");
  architecture
      ->add_option("--export", options.exports,
                   "Files of the first design: topology-svg, elevation-svg, bill-csv, cables-csv, netbox, graphviz, "
                   "slurm, containerlab, or all; several with commas")
      ->delimiter(',');
  architecture->add_option("-o,--output", options.output, "Folder for the files")->type_name("DIR");
  run(architecture, [&](const Catalog& catalog) {
    return architecture_command(catalog, options.file, options.json, options.exports, options.output);
  });

  CLI::App* cost = command(app, "cost", "What owning, renting and a hosted interface cost for the same GPUs",
                           "podwright cost examples/cost_h100.json");
  cost->add_option("REQUEST", options.file, "Request file, - for standard input")->required();
  cost->add_flag("--json", options.json, "Print the answer for programs");
  cost->add_option("--export", options.exports, "Files: focus, planned cost of every day as a table of FOCUS")
      ->delimiter(',');
  cost->add_option("-o,--output", options.output, "Folder for the files")->type_name("DIR");
  run(cost, [&](const Catalog& catalog) {
    return cost_command(catalog, options.file, options.json, options.exports, options.output);
  });

  CLI::App* rule = command(app, "rule_of_thumb", "Quick formulas of study material, each with where it fails",
                           "echo '{\"parameters\": 70e9}' | podwright rule_of_thumb -");
  rule->add_option("REQUEST", options.file, "Request file, - for standard input");
  rule->add_flag("--json", options.json, "Print the answer for programs");
  run(rule,
      [&](const Catalog& catalog) { return answer_command(catalog, options.file, "rule_of_thumb", options.json); });

  CLI::App* backtest = command(app, "backtest", "Predictions beside published measured runs, with their errors",
                               "podwright backtest tests/measured/data/training.csv --by source");
  backtest->add_option("MEASURED.csv", options.tables, "Tables of measured runs, - for standard input")->required();
  backtest->add_option("--by", options.by, "Groups agree in these, with commas: source,gpu_id,framework ...")
      ->type_name("KEYS");
  backtest
      ->add_option("--leave-out", options.leave_out,
                   "Fit the constants anew without each group of this key and predict that group: source, hidden, "
                   "gpu_id, framework; of serving runs any keys with commas: source,gpu_id,model_id")
      ->type_name("KEYS");
  backtest
      ->add_option("--with", options.fitted_with,
                   "With --leave-out: tables whose rows are in the fits and are not predicted")
      ->type_name("CSV");
  backtest->add_flag("--json", options.json, "Print the answer for programs");
  backtest->add_flag("--configurations", options.configurations,
                     "Also each row of serving tables as it was read (with --json)");
  run(backtest, [&](const Catalog& catalog) {
    return backtest_command(catalog, {.tables = options.tables,
                                      .by = options.by,
                                      .leave_out = options.leave_out,
                                      .fitted_with = options.fitted_with,
                                      .configurations = options.configurations,
                                      .json = options.json});
  });

  CLI::App* calibrate =
      command(app, "calibrate", "What plans take from profiles of hosts; or fits the time models on measured runs", "");
  calibrate->footer(
      "Exit codes: 0 done, also where it warns of the machine; 1 a device gave no fit, no rate was found, or a fit on\n"
      "measured runs was refused; 2 wrong usage or input; 3 the output cannot be written.\n"
      "Examples:\n  podwright calibrate profile.json\n  podwright calibrate profile.json -o calibration.json\n"
      "  podwright calibrate profile.json --reference -o core/catalog/data/reference_rates.csv\n"
      "  podwright calibrate --from-measured tests/measured/data/training*.csv tests/measured/data/serving.csv -o "
      "core/catalog/data");
  calibrate->add_option("PROFILE", options.profiles, "Profiles of hosts, for their fits and how well these predict");
  calibrate->add_option("--from-measured", options.tables, "Tables of measured training and serving runs")
      ->type_name("CSV");
  calibrate
      ->add_option("-o,--output", options.output,
                   "Of profiles: file for --calibration; of measured runs: folder that gets the catalog's tables")
      ->type_name("FILE|FOLDER");
  calibrate->add_flag("--reference", options.reference,
                      "Of one verified profile: FILE becomes the catalog's reference_rates.csv with its GPU's rows");
  run(calibrate, [&](const Catalog& catalog) -> int {
    if (options.reference) return write_reference_command(catalog, options.profiles, options.output);
    if (!options.profiles.empty() && !options.output.empty())
      return write_calibration_command(catalog, options.profiles, options.output);
    if (!options.profiles.empty()) return calibrate_profile_command(catalog, options.profiles);
    if (options.tables.empty() || options.output.empty()) {
      std::cerr
          << "podwright: calibrate needs a profile, or --from-measured with tables of measured runs and -o with a "
             "folder.\n";
      return kWrongInput;
    }
    return calibrate_command(catalog, options.tables, options.output);
  });

  CLI::App* explain = command(
      app, "explain", "Is a published speed possible; what leads to one number; what documents say to statements",
      "podwright explain examples/claim_8b.json");
  explain->add_option("REQUEST", options.file, "Request file, - for standard input")->required();
  explain->add_flag("--json", options.json, "Print the answer for programs");
  run(explain, [&](const Catalog& catalog) { return answer_command(catalog, options.file, "explain", options.json); });

  CLI::App* facts = app.add_subcommand("catalog", "The facts: list, show, check");
  facts->footer("Example:\n  podwright catalog show gpu h100-sxm5-80gb");
  facts->require_subcommand(1);
  CLI::App* list = command(
      *facts, "list",
      "Items of a table: gpus, models, systems, switches, architectures, engines, weight-formats, regions, sources",
      "podwright catalog list gpus");
  list->add_option("TABLE", options.table)->required();
  list->add_flag("--json", options.json, "Print the answer for programs");
  run(list,
      [&](const Catalog& catalog) { return catalog_list_command(catalog, table_named(options.table), options.json); });
  CLI::App* show = command(*facts, "show", "One item whole, with the source of every number",
                           "podwright catalog show gpu h100-sxm5-80gb");
  show->add_option("TABLE", options.table, "gpu, model, system, switch, architecture, engine, weight-format")
      ->required();
  show->add_option("ID", options.id)->required();
  run(show,
      [&](const Catalog& catalog) { return catalog_show_command(catalog, table_named(options.table), options.id); });
  CLI::App* check =
      command(*facts, "check", "Is every fact sound, sourced and fresh?", "podwright catalog check --stale-days 180");
  check->add_option("--stale-days", options.stale_days, "Age after which a fact that ages is stale")
      ->capture_default_str();
  run(check, [&](const Catalog& catalog) { return catalog_check_command(catalog, today(), options.stale_days); });

  CLI::App* schema = command(app, "schema", "JSON Schema of a kind of request", "podwright schema plan");
  schema->add_option("KIND", options.kind)->required();
  run(schema, [&](const Catalog& catalog) { return schema_command(catalog, options.kind); });

  CLI::App* serve = app.add_subcommand("serve", "The static site on the loopback interface");
  serve->footer("Example:\n  podwright serve --port 8080");
  options.site = default_site(argv[0]);
  serve->add_option("--port", options.port, "Port; 0 takes a free one")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  serve->add_option("--site", options.site, "Folder of the site");
  serve->callback([&] { exit_code = serve_command(options.site, options.port); });

  add_probe_commands(app, argv, exit_code);

  CLI::App* verify =
      command(app, "verify", "Is a machine as it should be, and does it keep what a plan assumes",
              "podwright verify profile.json\n  podwright verify examples/serving_70b.json profile.json");
  verify
      ->add_option("PROFILE", options.profiles,
                   "File of the profile or of another program's measurement, - for standard input; before it a "
                   "request of kind plan, serving, training or search")
      ->required()
      ->expected(1, 2);
  verify->add_flag("--json", options.json, "Print the answer for programs");
  run(verify, [&](const Catalog& catalog) {
    return options.profiles.size() == 1
               ? (options.json ? verify_json_command(catalog, options.profiles.front())
                               : verify_profile_command(catalog, options.profiles.front()))
               : verify_plan_command(catalog, options.profiles.front(), options.profiles.back(), options.json);
  });

  CLI::App* import = command(app, "import", "Files of nvbandwidth, nccl-tests and nvidia-smi as one profile",
                             "podwright import nvidia-smi.xml nvbandwidth.json all_reduce.txt -o profile.json");
  import->add_option("FILE", options.tables, "Files of one machine, - for standard input")->required();
  import->add_option("-o,--output", options.output, "File of the profile")->type_name("PROFILE")->required();
  run(import, [&](const Catalog& catalog) { return import_command(catalog, options.tables, options.output); });

  CLI::App* study = app.add_subcommand("study", "Questions for the exam, with numbers that the engine computes");
  study->footer("Example:\n  podwright study question --objective 2.7 --seed 7");
  study->require_subcommand(1);
  CLI::App* question = command(*study, "question", "One question with fresh numbers, its answer and worked solution",
                               "podwright study question --objective 2.7 --seed 7");
  question->add_option("--objective", options.study.objective, "Objective of the exam: 2.7");
  question->add_option("--template", options.study.template_id, "Template whose numbers are drawn: t.kv-cache");
  question->add_option("--seed", options.study.seed, "The same seed gives the same question")->capture_default_str();
  question->add_flag("--json", options.study.json, "Print the question for programs");
  run(question, [&](const Catalog& catalog) { return study_question_command(catalog, options.study); });
  CLI::App* exam = command(*study, "exam", "Fifty questions by the weights of the exam, then their answers",
                           "podwright study exam --seed 7");
  exam->add_option("--seed", options.study.seed, "The same seed gives the same exam")->capture_default_str();
  exam->add_flag("--json", options.study.json, "Print the exam for programs");
  run(exam, [&](const Catalog& catalog) { return study_exam_command(catalog, options.study); });
  CLI::App* claims = command(*study, "claims", "What study material claims, beside what holds, with the source",
                             "podwright study claims --verdict wrong");
  claims->add_option("--verdict", options.study.claims.verdict, "Only claims with this verdict: wrong");
  claims->add_option("--objective", options.study.claims.objective, "Only claims of this objective: 2.7");
  claims->add_option("--search", options.study.claims.words, "Only claims with these words");
  claims->add_flag("--json", options.study.json, "Print the claims for programs");
  run(claims, [&](const Catalog&) { return study_claims_command(options.study); });

  CLI::App* described =
      app.add_subcommand("describe", "This command line as completions of a shell, or as a manual page");
  described->footer("Example:\n  podwright describe bash > ~/.local/share/bash-completion/completions/podwright");
  described->add_option("FORM", options.form, "What is written")->required()->check(CLI::IsMember(kDescriptions));
  described->callback([&] { std::cout << describe(app, options.form); });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& stopped) {
    return app.exit(stopped) == 0 ? kAnswer : kWrongInput;
  }
  return exit_code;
}
