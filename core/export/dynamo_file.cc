/// A deployment as a graph of NVIDIA Dynamo, whose operator starts and connects its workers.
#include <algorithm>
#include <array>

#include "base/number_text.h"
#include "base/yaml_text.h"
#include "export/deployment_parts.h"

namespace podwright {
namespace {

/// What the operator and the frontend set themselves.
constexpr std::array<std::string_view, 5> kOfOperator{"host", "port", "nnodes", "distributed-executor-backend",
                                                      "disaggregation-mode"};

std::vector<std::string> dynamo_arguments(const DeploymentParts& parts, const sizing::LaunchedServer& server) {
  std::vector<EngineSetting> kept;
  for (EngineSetting& one : settings_of(*server.command, sizing::variables_of(*server.command, parts.names)).settings)
    if (std::find(kOfOperator.begin(), kOfOperator.end(), one.name) == kOfOperator.end())
      kept.push_back(std::move(one));
  std::vector<std::string> words = words_of(kept);
  if (server.role.empty()) return words;
  words.push_back("--disaggregation-mode=" + server.role);
  if (parts.engine() == "sglang") words.emplace_back(kSglangNixl);
  return words;
}

std::string worker_of(const DeploymentParts& parts, const sizing::LaunchedServer& server, const std::string& image,
                      const std::string& claim) {
  const std::string role = server.role;
  const std::string name = role.empty() ? "Worker" : role == "prefill" ? "PrefillWorker" : "DecodeWorker";
  const std::array<std::string, 3> command{"python3", "-m", "dynamo." + parts.engine()};
  return deployment_text(
      "dynamo_worker.yaml",
      {{"name", name},
       {"role", role.empty() ? "" : "subComponentType: " + role},
       {"replicas", shortest_number(server.replicas)},
       {"multinode", server.nodes > 1 ? "multinode:\n  nodeCount: " + shortest_number(server.nodes) : ""},
       {"gpus", yaml_text(shortest_number(server.gpus))},
       {"claim", claim},
       {"image", image},
       {"command", yaml_list(command)},
       {"arguments", yaml_list(dynamo_arguments(parts, server))}});
}

/// What stands against a graph.
std::string obstacle_of(const DeploymentParts& parts) {
  if (parts.version.dynamo.empty())
    return "No release of Dynamo is listed here with " +
           (parts.version.name.empty() ? parts.engine() : parts.version.name + " " + parts.version.version) + ".";
  for (const sizing::LaunchedServer& server : parts.servers)
    for (const std::string& argument : server.command->arguments)
      if (argument.starts_with("--data-parallel-size-local"))
        return "Data parallel ranks of a replica on several nodes are not written here for Dynamo.";
  return "";
}

}  // namespace

void add_dynamo_file(const DeploymentParts& parts, ExportFiles& out) {
  std::string obstacle = obstacle_of(parts);
  if (!obstacle.empty()) {
    out.not_written.push_back(std::move(obstacle));
    return;
  }
  const sizing::LaunchNames& names = parts.deployment.names;
  // The user's image is that of the engine alone.
  const std::string image =
      yaml_text("nvcr.io/nvidia/ai-dynamo/" + parts.engine() + "-runtime:" + parts.version.dynamo);
  const std::string claim = yaml_text(names.claim.empty() ? "<claim with the models>" : names.claim);
  std::string workers;
  for (const sizing::LaunchedServer& server : parts.servers)
    if (server.role != "router") workers += worker_of(parts, server, image, claim);
  out.files.push_back({"dynamo.yaml", "application/yaml",
                       deployment_text("dynamo.yaml", {{"app", parts.app},
                                                       {"namespace", namespace_line(names)},
                                                       {"backend", parts.engine()},
                                                       {"claim", claim},
                                                       {"image", image},
                                                       {"workers", workers}})});
}

}  // namespace podwright
