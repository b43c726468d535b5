#include "sizing/launched_servers.h"

#include <algorithm>

#include "base/yaml_text.h"
#include "sizing/serving_launch.h"

namespace podwright::sizing {
namespace {

bool is_part_of_name(char c) { return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z'); }

std::string_view without_quotes(std::string_view word) {
  if (word.size() > 1 && word.front() == '"' && word.back() == '"') return word.substr(1, word.size() - 2);
  return word;
}

}  // namespace

std::vector<LaunchedServer> launched_servers(const ServingRun& run, std::span<const LaunchArguments> launches,
                                             double node_gpus) {
  std::vector<LaunchedServer> servers;
  for (const LaunchArguments& one : launches) {
    if (one.form != "command-line") {
      servers.back().options = &one;
      continue;
    }
    LaunchedServer server{.role = std::string(one.role()), .command = &one, .port = port_of_engine(run.engine)};
    const ServingParallelism* p = &run.parallelism;
    if (server.role == "prefill") {
      p = &run.disaggregated->prefill;
      server.port = port_of_engine(run.engine, Pool::prefill);
    }
    if (server.role == "decode") {
      p = &run.disaggregated->decode;
      server.port = port_of_engine(run.engine, Pool::decode);
    }
    if (server.role != "router") {
      server.replicas = p->data;
      server.nodes = nodes_of_replica(*p, node_gpus);
      server.gpus = p->tensor * p->pipeline * p->attention_data / server.nodes;
    }
    servers.push_back(std::move(server));
  }
  return servers;
}

Variables variables_of(const LaunchArguments& command, const LaunchNames& names) {
  Variables variables;
  for (const LaunchVariable& one : command.environment) {
    if (one.name == LaunchArguments::kRoleVariable) continue;
    std::string value = one.asked ? "<" + one.value + ">" : one.value;
    if (one.name == "MODEL" && !names.model.empty()) value = names.model;
    if (one.name == "DRAFT_MODEL" && !names.draft_model.empty()) value = names.draft_model;
    variables.emplace_back(one.name, std::move(value));
  }
  return variables;
}

std::string with_variables(std::string_view text, const Variables& variables) {
  std::string out;
  while (!text.empty()) {
    const std::size_t sign = std::min(text.find('$'), text.size());
    out += text.substr(0, sign);
    text.remove_prefix(sign);
    if (text.empty()) break;
    std::size_t end = 1;
    while (end < text.size() && is_part_of_name(text[end])) ++end;
    const auto known = std::find_if(variables.begin(), variables.end(),
                                    [&](const auto& one) { return one.first == text.substr(1, end - 1); });
    if (known == variables.end())
      out += text.substr(0, end);
    else
      out += known->second;
    text.remove_prefix(end);
  }
  return out;
}

std::vector<std::string> words_of(const LaunchArguments& command, const Variables& variables) {
  std::vector<std::string> words;
  for (std::string_view argument : command.arguments) {
    // What a shell works out is one word.
    if (argument.find("$(") != std::string_view::npos) {
      words.emplace_back(argument);
      continue;
    }
    while (!argument.empty()) {
      const std::size_t space = std::min(argument.find(' '), argument.size());
      words.push_back(with_variables(without_quotes(argument.substr(0, space)), variables));
      argument.remove_prefix(std::min(space + 1, argument.size()));
    }
  }
  return words;
}

std::vector<std::string> lines_of_options(const LaunchArguments& file, const Variables& variables) {
  std::vector<std::string> lines;
  for (const std::string& line : file.arguments) {
    const std::size_t quote = line.find('"');
    if (quote == std::string::npos || line.find('$') == std::string::npos) {
      lines.push_back(line);
      continue;
    }
    lines.push_back(line.substr(0, quote) +
                    yaml_text(with_variables(without_quotes(std::string_view(line).substr(quote)), variables)));
  }
  return lines;
}

}  // namespace podwright::sizing
