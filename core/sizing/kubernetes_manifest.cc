#include "sizing/kubernetes_manifest.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "base/append.h"
#include "base/lower_case.h"
#include "base/number_text.h"
#include "base/result.h"
#include "sizing/candidates.h"
#include "sizing/serving_launch.h"
#include "sizing/serving_launch_engines.h"

namespace podwright::sizing {
namespace {

/// What stands in the places of a template.
using Places = std::map<std::string_view, std::string>;

/// The lines of a text, without what ends them.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

const std::string& value_at(const Places& places, std::string_view place) {
  const auto found = places.find(place);
  PODWRIGHT_ASSERT(found != places.end());
  return found->second;
}

/// A file of core/sizing/data/kubernetes with its places filled in. A line that is a place alone becomes all lines of
/// the value, each as far in; of an empty value there is none.
std::string filled(std::string_view file, const Places& places) {
  std::string out;
  for (const EmbeddedText& part : kubernetes_templates()) {
    if (part.path != file) continue;
    for (std::string_view line : lines_of(part.text)) {
      const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
      if (line.substr(indent, 2) == "{{" && line.find("}}") + 2 == line.size()) {
        for (const std::string_view each :
             lines_of(value_at(places, line.substr(indent + 2, line.size() - indent - 4))))
          out.append(indent, ' ').append(each).append("\n");
        continue;
      }
      for (std::size_t at = line.find("{{"); at != std::string_view::npos; at = line.find("{{")) {
        const std::size_t end = line.find("}}", at);
        out.append(line.substr(0, at)).append(value_at(places, line.substr(at + 2, end - at - 2)));
        line.remove_prefix(end + 2);
      }
      out.append(line).append("\n");
    }
  }
  return out;
}

/// A string of YAML in double quotes.
std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

/// A name as Kubernetes wants it: letters, digits and dashes, a letter first, not above 40 characters, so that the
/// ends of StatefulSets find room.
std::string object_name(std::string_view id) {
  std::string name;
  for (const char c : lower_case(id)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (!plain && (name.empty() || name.back() == '-')) continue;
    name += plain ? c : '-';
  }
  name = name.substr(0, 40);
  while (!name.empty() && name.back() == '-') name.pop_back();
  if (name.empty() || name[0] < 'a') name.insert(0, "m");
  return name;
}

struct Replica {
  const ServingRun& run;
  const LaunchArguments& command;
  const LaunchArguments* options = nullptr;  ///< file next to the command
  std::string app;
  double gpus = 1;   ///< of one pod
  double nodes = 1;  ///< pods
  double port = 8000;
};

/// The value between the quotes of "NAME='value'".
std::string value_of_variable(std::string_view entry) {
  const std::size_t start = entry.find('=') + 1;
  std::string_view value = entry.substr(start);
  if (value.size() > 1 && value.front() == '\'') value = value.substr(1, value.size() - 2);
  return std::string(value);
}

/// What the shell of a container does: of several nodes, it tells them apart; then the file of options, and the
/// command.
std::string script_of(const Replica& r, std::string_view head) {
  std::string script;
  if (r.nodes > 1) script.append("export NODE_RANK=\"${HOSTNAME##*-}\"\nexport MASTER_ADDR=").append(head).append("\n");
  if (r.options != nullptr) {
    script += "cat > " + r.options->program + " <<EOF\n";
    for (const std::string& text : r.options->arguments) script += text + "\n";
    script += "EOF\n";
  }
  // The image of llama.cpp keeps its server outside the search path.
  script += "exec " + std::string(r.run.engine == "llama.cpp" ? "/app/" : "") + r.command.program + " \\";
  for (std::size_t i = 0; i < r.command.arguments.size(); ++i)
    script += "\n  " + r.command.arguments[i] + (i + 1 == r.command.arguments.size() ? "" : " \\");
  return script;
}

std::string variable(std::string_view name, std::string_view value) {
  return "- name: " + std::string(name) + "\n  value: " + quoted(value) + "\n";
}

/// Kubernetes itself gives a pod its GPUs and its address.
std::string environment_of(const Replica& r) {
  std::string variables;
  for (const std::string& entry : r.command.environment) {
    const std::string name = entry.substr(0, entry.find('='));
    if (one_of(name, {"NODE_RANK", "MASTER_ADDR", "CUDA_VISIBLE_DEVICES", "POOL"})) continue;
    variables += name == "VLLM_NIXL_SIDE_CHANNEL_HOST"
                     ? "- name: " + name + "\n  valueFrom:\n    fieldRef:\n      fieldPath: status.podIP\n"
                     : variable(name, value_of_variable(entry));
  }
  return variables;
}

std::string image_of(std::string_view image) { return quoted(std::string(image) + ":<tag>"); }

/// Loading may take half an hour; then an engine that answers nothing for half a minute is started again. Of several
/// pods only the first has a server to ask.
std::string pod_of(const Replica& r, std::string_view head) {
  const std::string port = shortest_number(r.port);
  return filled("engine.yaml",
                {{"image", image_of(image_of_engine(r.run.engine))},
                 {"script", script_of(r, head)},
                 {"environment", environment_of(r)},
                 {"port", port},
                 {"gpus", quoted(shortest_number(r.gpus))},
                 {"question", filled(r.nodes > 1 ? "question_of_nodes.yaml" : "question.yaml", {{"port", port}})}});
}

std::string deployment(const std::string& app, double replicas, std::string pod) {
  return filled("deployment.yaml", {{"app", app}, {"replicas", shortest_number(replicas)}, {"pod", std::move(pod)}});
}

/// Pods with names of their own: `count` of them start together and are found by the label and by name, also before
/// they are ready.
std::string stateful_set(const Replica& r, const std::string& name, std::string label, double count) {
  return filled("stateful_set.yaml", {{"app", r.app},
                                      {"name", name},
                                      {"label", std::move(label)},
                                      {"pods", shortest_number(count)},
                                      {"pod", pod_of(r, name + "-0." + name)}});
}

/// In front of the pods of `app`; of several nodes, the first answers.
std::string service(const Replica& r, const std::string& name) {
  return filled(
      "service.yaml",
      {{"app", r.app}, {"name", name}, {"first_pod", r.nodes > 1 ? "apps.kubernetes.io/pod-index: \"0\"" : ""}});
}

/// The router knows the servers of the pools by the names of their pods.
std::string router_of(const Replica& r, const Disaggregated& pools, const std::string& app) {
  std::string variables;
  const auto servers = [&](const std::string& name, const std::string& pool, double count) {
    for (double i = 0; i < count; ++i) {
      const std::string index = shortest_number(i);
      variables += variable(name + index, pool + "-" + index + "." + pool);
    }
  };
  servers("PREFILL_", app + "-prefill", pools.prefill.data);
  servers("DECODE_", app + "-decode", pools.decode.data);
  const std::string_view image = r.run.engine == "vllm" ? "<image with vllm-router>" : image_of_engine(r.run.engine);
  return deployment(r.app, 1,
                    filled("router.yaml", {{"image", image_of(image)},
                                           {"script", script_of(r, "")},
                                           {"environment", variables},
                                           {"port", shortest_number(r.port)}}));
}

constexpr const char* kNextDocument = "---\n";

/// Lines of a manifest, and which GPUs of which nodes a replica takes.
struct Writer {
  const ServingRun& run;
  const std::vector<LaunchArguments>& launches;
  double node_gpus = 1;
  std::string app;

  Replica replica(const ServingParallelism& p, const LaunchArguments& command, const LaunchArguments* options) const {
    const double nodes = nodes_of_replica(p, node_gpus);
    return {.run = run,
            .command = command,
            .options = options,
            .app = app,
            .gpus = p.tensor * p.pipeline * p.attention_data / nodes,
            .nodes = nodes,
            .port = port_of_engine(run.engine)};
  }

  std::string whole() const {
    std::string yaml;
    const double data = run.parallelism.data;
    const Replica r = replica(run.parallelism, launches[0], launches.size() > 1 ? &launches[1] : nullptr);
    if (r.nodes <= 1) yaml = deployment(app, data, pod_of(r, "")) + kNextDocument;
    for (double i = 0; r.nodes > 1 && i < data; ++i)
      yaml +=
          stateful_set(r, app + (data > 1 ? "-r" + shortest_number(i) : "-nodes"), "replica", r.nodes) + kNextDocument;
    return yaml + service(r, app);
  }
  /// The command whose variable POOL says so, with the file behind it.
  Replica part(std::string_view pool, const ServingParallelism& p) const {
    const std::string mark = "POOL=" + std::string(pool);
    for (std::size_t i = 0; i < launches.size(); ++i) {
      if (launches[i].environment.empty() || launches[i].environment[0] != mark) continue;
      const bool file = i + 1 < launches.size() && launches[i + 1].form == "yaml";
      Replica r = replica(p, launches[i], file ? &launches[i + 1] : nullptr);
      r.app = app + "-" + std::string(pool);
      return r;
    }
    return replica(p, launches[0], nullptr);
  }

  std::string pools() const {
    const Disaggregated& pools = *run.disaggregated;
    const auto pool = [&](Pool which, std::string_view name, const ServingParallelism& p) {
      Replica r = part(name, p);
      r.port = port_of_engine(run.engine, which);
      return stateful_set(r, r.app, "pool", p.data) + kNextDocument;
    };
    const Replica router = part("router", {});
    return pool(Pool::prefill, "prefill", pools.prefill) + pool(Pool::decode, "decode", pools.decode) +
           router_of(router, pools, app) + kNextDocument + service(router, app);
  }
};

/// What stands against the pods of one kind of replica.
void check_pods(const ServingParallelism& p, const ServingRun& run, double node_gpus,
                std::vector<std::string>& cannot) {
  const double nodes = nodes_of_replica(p, node_gpus);
  const double gpus = p.tensor * p.pipeline * p.attention_data;
  if (nodes > 1 && run.engine == "tensorrt-llm")
    cannot.emplace_back("TensorRT-LLM on several nodes needs an MPI operator, which is not written here.");
  if (nodes > 1 && run.disaggregated) cannot.emplace_back("Pools whose replicas span nodes are not written here.");
  if (nodes * std::min(gpus, node_gpus) != gpus)
    cannot.push_back("A replica of " + shortest_number(gpus) + " GPUs does not fill nodes of " +
                     shortest_number(node_gpus) + ".");
}

}  // namespace

KubernetesManifest kubernetes_manifest(const Model& model, const Gpu& gpu, const ServingRun& run, double node_gpus,
                                       std::optional<double> places) {
  KubernetesManifest manifest;
  std::vector<std::string>& cannot = manifest.cannot;
  if (gpu.vendor != "NVIDIA") cannot.push_back("The resource of " + gpu.name + " in Kubernetes is not known here.");
  if (run.disaggregated) {
    check_pods(run.disaggregated->prefill, run, node_gpus, cannot);
    check_pods(run.disaggregated->decode, run, node_gpus, cannot);
  } else {
    check_pods(run.parallelism, run, node_gpus, cannot);
  }
  for (std::string& sentence : start_obstacles(model, gpu, run, node_gpus)) cannot.push_back(std::move(sentence));
  std::vector<std::string> once;
  append_once(once, cannot);
  cannot = std::move(once);
  if (!cannot.empty()) return manifest;
  const std::vector<LaunchArguments> launches = serving_launch_arguments(model, gpu, run, node_gpus, places);
  const Writer writer{.run = run,
                      .launches = launches,
                      .node_gpus = node_gpus,
                      .app = object_name(model.id.empty() ? model.name : model.id)};
  manifest.yaml = run.disaggregated ? writer.pools() : writer.whole();
  return manifest;
}

}  // namespace podwright::sizing
