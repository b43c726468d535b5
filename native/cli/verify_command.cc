#include "cli/commands.h"
#include "cli/host_commands.h"
#include "cli/profile_commands.h"

namespace podwright::cli {

void add_verify_command(CommandLine& line) {
  struct Options {
    std::vector<std::string> files;
    bool json = false;
  };
  const auto options = std::make_shared<Options>();
  Command command(line, line.app, "verify");
  command
      ->add_option("PROFILE", options->files,
                   "File of the profile or of another program's measurement, - for standard input; before it a "
                   "request of kind plan, serving, training or search")
      ->required()
      ->expected(1, 2);
  command->add_flag("--json", options->json, "Print the answer for programs");
  command.run([options](const Catalog& catalog) {
    const std::string& profile = options->files.back();
    if (options->files.size() > 1) return verify_plan_command(catalog, options->files.front(), profile, options->json);
    return options->json ? verify_json_command(catalog, profile) : verify_profile_command(catalog, profile);
  });
}

void add_import_command(CommandLine& line) {
  struct Options {
    std::vector<std::string> files;
    std::string output;
  };
  const auto options = std::make_shared<Options>();
  Command command(line, line.app, "import");
  command->add_option("FILE", options->files, "Files of one machine, - for standard input")->required();
  command->add_option("-o,--output", options->output, "File of the profile")->type_name("PROFILE")->required();
  command.run([options](const Catalog& catalog) { return import_command(catalog, options->files, options->output); });
}

}  // namespace podwright::cli
