#include <algorithm>
#include <filesystem>
#include <iostream>

#include "cli/command.h"
#include "cli/fleet_files.h"
#include "cli/profiles.h"

namespace podwright::cli {
namespace fs = std::filesystem;
namespace {

/// Folders stand for the profiles in them, by name.
std::vector<std::string> files_of(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code failed;
    if (!fs::is_directory(path, failed)) {
      files.push_back(path);
      continue;
    }
    const std::vector<std::string> inside = json_files_in(path);
    files.insert(files.end(), inside.begin(), inside.end());
  }
  return files;
}

int merge(const std::vector<std::string>& paths, const std::string& output, const TrustedKeys& trusted) {
  if (const int code = without_signatures(trusted); code != kAnswer) return code;
  const std::vector<std::string> files = files_of(paths);
  const auto merged = read_profiles(files, trusted);
  if (!merged) return kWrongInput;
  const HardwareProfile& profile = merged->profile;
  for (const HealthEvent& event : profile.health_events)
    if (event.name == "rank_lost" || event.name == "slow_node")
      std::cerr << "podwright: " << event.device << ": " << event.message << ".\n";
  if (!profile.run.complete) print_limits(profile);
  if (!write_file(output, profile_text(profile))) return kEnvironment;
  std::cout << "wrote " << output << ": " << files.size() << " profiles, " << profile.devices.size() << " devices\n";
  return profile.run.complete ? profile.run.exit_code : std::max<int>(profile.run.exit_code, kFault);
}

}  // namespace

void add_merge_command(CommandLine& line) {
  struct Options {
    std::vector<std::string> paths;
    std::string output;
    TrustedKeys trusted;
  };
  CLI::App* app = line.app.add_subcommand("merge", "Profiles of the ranks of one run, or of several nodes, as one");
  app->footer("Example:\n  podwright merge profiles/ -o cluster.json");
  const auto options = std::make_shared<Options>();
  app->add_option("PROFILE", options->paths, "Profiles, or folders of them")->type_name("PATH")->required();
  app->add_option("-o,--output", options->output, "File of the merged profile")->type_name("PROFILE")->required();
  add_trusted_option(*app, options->trusted);
  app->callback([options, &line] { line.exit_code = merge(options->paths, options->output, options->trusted); });
}

}  // namespace podwright::cli
