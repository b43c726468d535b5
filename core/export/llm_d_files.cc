/// Patches over the bases of llm-d, which has them for Kustomize.
#include "base/csv_read.h"
#include "base/number_text.h"
#include "base/yaml_text.h"
#include "export/deployment_parts.h"

namespace podwright {
namespace {

/// Port that a base's probes and sidecar ask.
constexpr double kPort = 8000;
constexpr double kPortBehindSidecar = 8200;

/// Address of the base as Kustomize takes it; empty where there is none.
std::string base_of(const DeploymentParts& parts) {
  const bool pools = parts.deployment.run.disaggregated.has_value();
  for (const EmbeddedText& file : deployment_templates()) {
    if (file.path != "llm_d_bases.csv") continue;
    const Result<CsvTable> table = parse_csv(file.text);
    PODWRIGHT_ASSERT(table.has_value());
    for (const CsvTable::Row& row : table->rows)
      if (table->cell(row, "engine") == parts.engine() && (table->cell(row, "pools") == "yes") == pools)
        return "https://github.com/llm-d/llm-d//" + table->cell(row, "base") + "?ref=" + table->cell(row, "commit");
  }
  return "";
}

/// The model as the first word where the program takes it so, the port that the base expects.
std::vector<std::string> llm_d_arguments(const DeploymentParts& parts, const sizing::LaunchedServer& server) {
  EngineSettings found = settings_of(*server.command, sizing::variables_of(*server.command, parts.names));
  std::vector<std::string> words;
  std::vector<EngineSetting> named;
  for (EngineSetting& one : found.settings) {
    if (one.name == "port") one.value = shortest_number(server.role == "decode" ? kPortBehindSidecar : kPort);
    if (one.name == "model")
      words.push_back(one.value);
    else
      named.push_back(std::move(one));
  }
  for (std::string& word : words_of(named)) words.push_back(std::move(word));
  if (parts.engine() == "sglang" && !server.role.empty()) words.emplace_back(kSglangNixl);
  return words;
}

}  // namespace

void add_llm_d_files(const DeploymentParts& parts, ExportFiles& out) {
  const std::string base = base_of(parts);
  if (base.empty()) {
    out.not_written.push_back("No base of llm-d is listed here for " + parts.engine() + ".");
    return;
  }
  for (const sizing::LaunchedServer& server : parts.servers)
    if (server.nodes > 1) {
      out.not_written.emplace_back("The bases of llm-d that are listed here hold a replica in one node.");
      return;
    }
  std::string patches;
  for (const sizing::LaunchedServer& server : parts.servers) {
    if (server.role == "router") continue;
    const std::string role = server.role.empty() ? "decode" : server.role;
    patches += "- path: patch-" + role + ".yaml\n";
    out.files.push_back(
        {"llm-d/patch-" + role + ".yaml", "application/yaml",
         deployment_text("llm_d_patch.yaml", {{"role", role},
                                              {"replicas", shortest_number(server.replicas)},
                                              {"image", yaml_text(parts.names.image)},
                                              {"command", yaml_list(program_words(server.command->program))},
                                              {"arguments", yaml_list(llm_d_arguments(parts, server))},
                                              {"gpus", yaml_text(shortest_number(server.gpus))}})});
  }
  out.files.push_back(
      {"llm-d/kustomization.yaml", "application/yaml",
       deployment_text("llm_d.yaml",
                       {{"namespace", namespace_line(parts.names)}, {"base", yaml_text(base)}, {"patches", patches}})});
}

}  // namespace podwright
