#include <iostream>

#include "api/fleet_request.h"
#include "base/words.h"
#include "cli/command.h"
#include "cli/fleet_files.h"
#include "cli/print_fleet.h"
#include "export/junit.h"
#include "export/markdown.h"
#include "export/prometheus.h"

namespace podwright::cli {
namespace {

struct CompareOptions {
  std::vector<std::string> places;
  std::vector<std::string> gpus;
  std::string expect;
  std::string form = "text";
  bool json = false;
  std::string output;
};

std::string formed(const Catalog& catalog, const FleetJudgement& fleet, VerdictForm form) {
  switch (form) {
    case VerdictForm::json:
      return fleet_json(catalog, fleet) + "\n";
    case VerdictForm::prometheus:
      return prometheus_text(fleet, version());
    case VerdictForm::junit:
      return junit_text(fleet);
    case VerdictForm::markdown:
      return markdown_text(fleet);
    default:
      return fleet_text(fleet);
  }
}

int compare(const Catalog& catalog, const CompareOptions& options) {
  const auto expected = expected_nodes(options.expect);
  if (!expected) return kWrongInput;
  std::vector<FleetNode> nodes = read_fleet(catalog, options.places, options.gpus);
  if (nodes.empty() && expected->names.empty()) {
    std::cerr << "podwright: there is no profile to compare.\n";
    return kWrongInput;
  }
  const FleetJudgement fleet = judge_fleet(catalog, std::move(nodes), *expected);
  const auto form = options.json ? VerdictForm::json : of_word<VerdictForm>(options.form, kVerdictForms).value();
  std::cout << formed(catalog, fleet, form);
  if (options.output.empty()) return static_cast<int>(fleet.exit);
  const auto merged = fleet_profile(fleet);
  if (!merged) {
    std::cerr << "podwright: no node has a profile, so " << options.output << " was not written.\n";
    return static_cast<int>(fleet.exit);
  }
  return write_file(options.output, profile_text(*merged)) ? static_cast<int>(fleet.exit) : kEnvironment;
}

}  // namespace

void add_compare_command(CommandLine& line) {
  const auto options = std::make_shared<CompareOptions>();
  Command command(line, line.app, "compare", "Profiles of many nodes compared: which are slow, faulty or missing",
                  "podwright compare profiles/ --expect 'gpu[01-16]'");
  command
      ->add_option("NODE", options->places,
                   "Profiles of single nodes, named by their files or as NAME=FILE; folders of them; - for standard "
                   "input, one profile a line, also behind NAME: as pdsh prints it")
      ->required();
  command
      ->add_option("--expect", options->expect,
                   "Nodes that there should be: their number, their names (ranges as in gpu[01-16]), or @FILE of names")
      ->type_name("NODES");
  CLI::Option* form = command->add_option("--format", options->form, "Form of what is printed")
                          ->check(CLI::IsMember(std::vector<std::string>(kVerdictForms.begin(), kVerdictForms.end())))
                          ->capture_default_str();
  command->add_flag("--json", options->json, "The same as --format json")->excludes(form);
  command
      ->add_option("--gpu", options->gpus,
                   "GPU of the catalog that the devices are, in place of what their names say; d3=ID: one")
      ->type_name("ID");
  command
      ->add_option("-o,--output", options->output,
                   "File for the profiles as one, with the slow nodes, as calibrate and verify take it")
      ->type_name("FILE");
  command.run([options](const Catalog& catalog) { return compare(catalog, *options); });
}

}  // namespace podwright::cli
