/// The servers of a deployment in one node as services of Docker Compose.
#include "base/append.h"
#include "base/number_text.h"
#include "base/yaml_text.h"
#include "export/deployment_parts.h"

namespace podwright {
namespace {

/// Where a container finds its file of options.
constexpr std::string_view kOptionsFolder = "/options/";

/// Compose puts variables of its own in place of a single dollar.
std::string compose_text(std::string_view text) { return yaml_text(sizing::with_doubled_dollars(text)); }

std::string environment_lines(const sizing::Variables& variables) {
  std::string lines = "HF_HOME: /models\nHF_TOKEN: ${HF_TOKEN:-}\n";
  for (const auto& [name, value] : variables)
    if (name.starts_with("VLLM_") && name != "VLLM_NIXL_SIDE_CHANNEL_HOST")
      lines += name + ": " + compose_text(value) + "\n";
  return lines;
}

class ComposeServices {
 public:
  ComposeServices(const DeploymentParts& parts, ExportFiles& out) : parts_(parts), out_(out) {}

  std::string all() {
    for (const sizing::LaunchedServer& server : parts_.servers)
      for (double i = 0; i < server.replicas; ++i) add(server, i);
    return services_;
  }

 private:
  void add(const sizing::LaunchedServer& server, double index) {
    const std::string number = shortest_number(index);
    const bool router = server.role == "router";
    const std::string name = router ? server.role : (server.role.empty() ? "engine" : server.role) + "-" + number;
    if (server.role == "prefill") addresses_.emplace_back("PREFILL_" + number, name);
    if (server.role == "decode") addresses_.emplace_back("DECODE_" + number, name);
    sizing::Variables variables = router ? addresses_ : sizing::variables_of(*server.command, parts_.names);
    std::vector<std::string> words = sizing::words_of(*server.command, variables);
    std::string mount;
    if (server.options != nullptr) mount = options_mount(server, variables, words);
    std::string own =
        router || server.role.empty()
            ? "ports:\n  - " + compose_text(shortest_number(server.port + index) + ":" + shortest_number(server.port)) +
                  "\n"
            : "";
    // What the router alone mounts stands without GPUs.
    own += router ? (mount.empty() ? "" : "volumes:\n  " + mount) : gpus_of(server, mount);
    services_ += deployment_text("compose_service.yaml", {{"name", name},
                                                          {"image", image_of(router)},
                                                          {"entrypoint", entrypoint_of(server, variables)},
                                                          {"command", yaml_list(words)},
                                                          {"environment", environment_lines(variables)},
                                                          {"parts", own}});
  }

  std::string image_of(bool router) const {
    return compose_text(router && parts_.engine() == "vllm" ? "<image with vllm-router>:<tag>" : parts_.names.image);
  }

  /// A server of vLLM that gives its cache away tells the other pool its address, which it learns when it starts.
  std::string entrypoint_of(const sizing::LaunchedServer& server, const sizing::Variables& variables) const {
    std::string program = server.command->program;
    if (parts_.engine() == "llama.cpp") program = "/app/" + program;
    std::vector<std::string> words = program_words(program);
    for (const auto& [name, value] : variables)
      if (name == "VLLM_NIXL_SIDE_CHANNEL_HOST")
        words = {"/bin/sh", "-c", "export " + name + "=$(hostname -i); exec " + program + " \"$@\"", "sh"};
    return yaml_list(words);
  }

  /// The file of options next to the compose file; the words then name it where the container has it.
  std::string options_mount(const sizing::LaunchedServer& server, const sizing::Variables& variables,
                            std::vector<std::string>& words) {
    const std::string& usual = server.options->program;
    const std::string name = (server.role.empty() ? "" : server.role + "-") + usual;
    std::string text;
    for (const std::string& line : sizing::lines_of_options(*server.options, variables)) text += line + "\n";
    const ExportFile file{"compose/" + name, "application/yaml", std::move(text)};
    bool known = false;
    for (const ExportFile& one : out_.files) known = known || one.name == file.name;
    if (!known) out_.files.push_back(file);
    for (std::string& word : words)
      if (word == usual) word = std::string(kOptionsFolder) + name;
    return "- " + compose_text("./" + name + ":" + std::string(kOptionsFolder) + name + ":ro") + "\n";
  }

  std::string gpus_of(const sizing::LaunchedServer& server, const std::string& mount) {
    std::string devices;
    for (double i = 0; i < server.gpus; ++i)
      devices += (devices.empty() ? "" : ", ") + yaml_text(shortest_number(next_gpu_++));
    return deployment_text("compose_gpus.yaml", {{"devices", devices}, {"files", mount}});
  }

  const DeploymentParts& parts_;
  ExportFiles& out_;
  std::string services_;
  sizing::Variables addresses_;
  double next_gpu_ = 0;
};

}  // namespace

void add_compose_file(const DeploymentParts& parts, ExportFiles& out) {
  double gpus = 0;
  for (const sizing::LaunchedServer& server : parts.servers) gpus += server.replicas * server.nodes * server.gpus;
  if (gpus > parts.deployment.node_gpus) {
    out.not_written.push_back("Docker Compose starts the servers of one node: the deployment takes " +
                              shortest_number(gpus) + " GPUs, a node has " +
                              shortest_number(parts.deployment.node_gpus) + ".");
    return;
  }
  const std::string& claim = parts.names.claim;
  std::string services = ComposeServices(parts, out).all();
  out.files.push_back(
      {"compose/compose.yaml", "application/yaml",
       deployment_text("compose.yaml", {{"services", std::move(services)},
                                        {"volume", claim.empty() ? "driver: local"
                                                                 : "external: true\nname: " + compose_text(claim)}})});
}

}  // namespace podwright
