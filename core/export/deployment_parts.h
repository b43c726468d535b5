#pragma once
/// What the files of a deployment have in common; deployment_files.h asks for all of them.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/embedded.h"
#include "export/deployment.h"
#include "export/export_file.h"
#include "sizing/engine_options.h"
#include "sizing/launched_servers.h"
#include "sizing/template_text.h"

namespace podwright {

/// A deployment with the programs that start it, of one version of its engine.
struct DeploymentParts {
  const Deployment& deployment;
  sizing::EngineVersion version;  ///< empty where the engine's options are not listed
  sizing::LaunchNames names;      ///< with the image
  std::vector<sizing::LaunchArguments> launches;
  std::vector<sizing::LaunchedServer> servers;
  std::string app;  ///< name of objects

  const std::string& engine() const { return deployment.run.engine; }
};

/// Each adds its files, or says why there are none.
void add_engine_files(const DeploymentParts& parts, ExportFiles& out);
void add_compose_file(const DeploymentParts& parts, ExportFiles& out);
void add_llm_d_files(const DeploymentParts& parts, ExportFiles& out);
void add_dynamo_file(const DeploymentParts& parts, ExportFiles& out);

/// How llm-d and Dynamo let the pools of SGLang pass caches on.
inline constexpr std::string_view kSglangNixl = "--disaggregation-transfer-backend=nixl";

/// The files of core/export/data, with {{places}} to fill in.
std::span<const EmbeddedText> deployment_templates();
std::string deployment_text(std::string_view file, const sizing::Places& places);

/// One setting of an engine: "max-model-len" 8192, a flag, or the JSON of all settings "speculative-config.*".
struct EngineSetting {
  std::string name;  ///< without the dashes; "model" also where the command takes it without a name
  std::string value;
  bool flag = false;
  bool number = false;
};
struct EngineSettings {
  std::vector<EngineSetting> settings;
  std::vector<std::string> shell;  ///< arguments that only the shell of a node can work out
};
EngineSettings settings_of(const sizing::LaunchArguments& command, const sizing::Variables& variables);

/// "--name=value" for each setting, or "--name".
std::vector<std::string> words_of(std::span<const EngineSetting> settings);

/// The words of a program's name: "python3", "-m", "sglang.launch_server".
std::vector<std::string> program_words(std::string_view program);

/// Lines of a list in YAML, words of a command, in which Kubernetes and Compose put variables in place.
std::string yaml_list(std::span<const std::string> words);

/// "namespace: ..." or nothing.
std::string namespace_line(const sizing::LaunchNames& names);

}  // namespace podwright
