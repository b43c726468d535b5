#include "export/deployment_files.h"

#include <algorithm>

#include "base/append.h"
#include "export/deployment_parts.h"
#include "sizing/kubernetes_manifest.h"
#include "sizing/serving_launch.h"

namespace podwright {
namespace {

/// A program would take a name for an option.
void check_names(const Deployment& d, std::vector<std::string>& not_written) {
  for (const std::string& name : {d.names.model, d.names.draft_model})
    if (name.starts_with('-')) not_written.push_back("The name of a model must not begin with a dash: " + name);
}

/// The listed version that the user names, else the newest; empty after a sentence where it is not listed.
std::optional<sizing::EngineVersion> version_of(const Deployment& d, std::vector<std::string>& not_written) {
  const std::vector<sizing::EngineVersion> listed = sizing::engine_versions(d.run.engine);
  const std::string& wanted = d.names.engine_version;
  if (wanted.empty()) return listed.empty() ? sizing::EngineVersion{} : listed.back();
  std::string known;
  for (const sizing::EngineVersion& one : listed) {
    if (one.version == wanted) return one;
    known += (known.empty() ? "" : ", ") + one.version;
  }
  not_written.push_back("The options of " + d.run.engine + " " + wanted + " are not listed here" +
                        (known.empty() ? "." : "; those of " + known + " are."));
  return std::nullopt;
}

std::string engine_image(const Deployment& d, const sizing::EngineVersion& version) {
  if (!d.names.image.empty()) return d.names.image;
  return std::string(sizing::image_of_engine(d.run.engine)) + ":" +
         (version.image_tag.empty() ? "<tag>" : version.image_tag);
}

void add_kubernetes_file(const DeploymentParts& parts, ExportFiles& out) {
  const Deployment& d = parts.deployment;
  out.files.push_back({"kubernetes.yaml", "application/yaml",
                       sizing::kubernetes_objects(d.model, d.run, parts.launches, d.node_gpus, parts.names)});
}

}  // namespace

ExportFiles deployment_files(const Deployment& d, std::span<const DeploymentExport> wanted) {
  ExportFiles out;
  out.not_written = sizing::start_obstacles(d.model, d.gpu, d.run, d.node_gpus);
  if (std::string obstacle = sizing::router_obstacle(d.run); !obstacle.empty())
    out.not_written.push_back(std::move(obstacle));
  check_names(d, out.not_written);
  const std::optional<sizing::EngineVersion> version = version_of(d, out.not_written);
  if (!version || !out.not_written.empty()) return out;
  DeploymentParts parts{.deployment = d,
                        .version = *version,
                        .names = d.names,
                        .launches = sizing::serving_launch_arguments(d.model, d.gpu, d.run, d.node_gpus, d.places),
                        .servers = {},
                        .app = sizing::object_name(d.model)};
  parts.names.image = engine_image(d, *version);
  if (!version->version.empty())
    for (const std::string& option : sizing::fit_to_version(d.run.engine, version->version, parts.launches))
      out.not_written.push_back(option + " is not among the options of " + version->name + " " + version->version +
                                ": choose another version.");
  if (!out.not_written.empty()) return out;
  parts.servers = sizing::launched_servers(d.run, parts.launches, d.node_gpus);
  constexpr std::array kWriters{add_engine_files, add_compose_file, add_kubernetes_file, add_llm_d_files,
                                add_dynamo_file};
  static_assert(kWriters.size() == kDeploymentExportWords.size());
  const std::vector<std::string> no_containers = sizing::pod_obstacles(d.model, d.gpu, d.run, d.node_gpus);
  for (std::size_t i = 0; i < kWriters.size(); ++i) {
    const auto one = static_cast<DeploymentExport>(i);
    if (std::find(wanted.begin(), wanted.end(), one) == wanted.end()) continue;
    if (one == DeploymentExport::engine || no_containers.empty())
      kWriters[i](parts, out);
    else
      append_once(out.not_written, no_containers);
  }
  return out;
}

}  // namespace podwright
