/// Options, variables and start of each program of an engine, as files.
#include "base/shell_text.h"
#include "base/yaml_text.h"
#include "export/deployment_parts.h"
#include "sizing/launch_script.h"

namespace podwright {
namespace {

constexpr std::string_view kConfigOption = "--config";

/// vLLM and SGLang read the names of their arguments from a file; a flag there is true.
std::string config_text(const DeploymentParts& parts, std::span<const EngineSetting> settings) {
  std::string text = "# " + parts.version.name + " " + parts.version.version + "\n";
  for (const EngineSetting& one : settings)
    text += one.name + ": " + (one.flag ? "true" : one.number ? one.value : yaml_text(one.value)) + "\n";
  return text;
}

bool mentions(const sizing::LaunchArguments& command, const std::string& variable) {
  for (const std::string& argument : command.arguments)
    if (argument.find("$" + variable) != std::string::npos) return true;
  return false;
}

/// "export NAME='value'" of variables of the command that the user has named already.
std::string named_variables(const sizing::LaunchNames& names, const sizing::LaunchArguments& command) {
  std::string text;
  if (!names.model.empty() && mentions(command, "MODEL"))
    text += "export " + shell_assignment("MODEL", names.model) + "\n";
  if (!names.draft_model.empty() && mentions(command, "DRAFT_MODEL"))
    text += "export " + shell_assignment("DRAFT_MODEL", names.draft_model) + "\n";
  return text;
}

/// Writes the files of one program.
class ProgramFiles {
 public:
  ProgramFiles(const DeploymentParts& parts, const sizing::LaunchedServer& server)
      : parts_(parts),
        server_(server),
        folder_(parts.engine() + "/"),
        end_(server.role.empty() ? "" : "-" + server.role) {}

  void add_to(ExportFiles& out) const {
    sizing::LaunchArguments start = *server_.command;
    std::erase_if(start.environment,
                  [](const auto& one) { return one.name == sizing::LaunchArguments::kRoleVariable; });
    const bool config = sizing::has_option(parts_.engine(), parts_.version.version, kConfigOption, "argument") &&
                        server_.options == nullptr && server_.role != "router";
    if (config) {
      const std::string name = "config" + end_ + ".yml";
      const EngineSettings found = settings_of(*server_.command, sizing::variables_of(*server_.command, parts_.names));
      out.files.push_back({folder_ + name, "application/yaml", config_text(parts_, found.settings)});
      start.arguments = {std::string(kConfigOption) + " " + name};
      for (const std::string& argument : found.shell) start.arguments.push_back(argument);
    }
    if (server_.options != nullptr) add_options(start, out);
    std::erase_if(start.environment, [&](const auto& one) { return needs_no_question(one.name, start); });
    const sizing::LaunchEnvironment script = sizing::serving_start(start, named_variables(parts_.names, start));
    out.files.push_back({folder_ + "environment" + end_ + ".sh", "text/x-shellscript", script.environment});
    out.files.push_back({folder_ + "start" + end_ + ".sh", "text/x-shellscript",
                         script.head + ". ./environment" + end_ + ".sh\n" + script.command});
  }

 private:
  /// The file that the arguments name, with what the user named in place.
  void add_options(sizing::LaunchArguments& start, ExportFiles& out) const {
    const std::string& usual = server_.options->program;
    const std::size_t point = usual.rfind('.');
    const std::string name = usual.substr(0, point) + end_ + usual.substr(point);
    for (std::string& argument : start.arguments)
      if (argument.ends_with(usual)) argument = argument.substr(0, argument.size() - usual.size()) + name;
    std::string text;
    for (const std::string& line :
         sizing::lines_of_options(*server_.options, sizing::variables_of(*server_.command, parts_.names)))
      text += line + "\n";
    out.files.push_back({folder_ + name, "application/yaml", std::move(text)});
  }

  /// Whether a variable that a person would be asked for is named already, or is in a file alone.
  bool needs_no_question(const std::string& name, const sizing::LaunchArguments& start) const {
    if (name == "MODEL" && !parts_.names.model.empty()) return true;
    if (name == "DRAFT_MODEL" && !parts_.names.draft_model.empty()) return true;
    const bool of_arguments = name.ends_with("MODEL") || name.starts_with("PREFILL_") || name.starts_with("DECODE_");
    return of_arguments && !mentions(start, name);
  }

  const DeploymentParts& parts_;
  const sizing::LaunchedServer& server_;
  std::string folder_;
  std::string end_;
};

}  // namespace

void add_engine_files(const DeploymentParts& parts, ExportFiles& out) {
  for (const sizing::LaunchedServer& server : parts.servers) ProgramFiles(parts, server).add_to(out);
}

}  // namespace podwright
