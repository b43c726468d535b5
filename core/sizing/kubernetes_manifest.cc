#include "sizing/kubernetes_manifest.h"

#include <algorithm>

#include "base/lower_case.h"
#include "base/number_text.h"
#include "sizing/candidates.h"
#include "sizing/serving_launch.h"

namespace podwright::sizing {
namespace {

/// Lines of a YAML document, indented by steps of two.
class Yaml {
 public:
  void line(int depth, std::string_view text) {
    text_.append(static_cast<std::size_t>(2 * depth), ' ');
    text_.append(text);
    text_ += '\n';
  }
  void line(int depth, std::string_view key, std::string_view value) {
    line(depth, std::string(key) + ": " + std::string(value));
  }
  void line(int depth, std::string_view key, double value) { line(depth, key, shortest_number(value)); }
  void next_document() { text_ += "---\n"; }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

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

void write_script(Yaml& yaml, int depth, const Replica& r, std::string_view head) {
  yaml.line(depth, "args:");
  yaml.line(depth + 1, "- |");
  const int inside = depth + 2;
  if (r.nodes > 1) {
    yaml.line(inside, "export NODE_RANK=\"${HOSTNAME##*-}\"");
    yaml.line(inside, "export MASTER_ADDR=" + std::string(head));
  }
  if (r.options != nullptr) {
    yaml.line(inside, "cat > " + r.options->program + " <<EOF");
    for (const std::string& text : r.options->arguments) yaml.line(inside, text);
    yaml.line(inside, "EOF");
  }
  // The image of llama.cpp keeps its server outside the search path.
  yaml.line(inside, "exec " + std::string(r.run.engine == "llama.cpp" ? "/app/" : "") + r.command.program + " \\");
  for (std::size_t i = 0; i < r.command.arguments.size(); ++i) {
    const bool last = i + 1 == r.command.arguments.size();
    yaml.line(inside + 1, r.command.arguments[i] + (last ? "" : " \\"));
  }
}

void write_variable(Yaml& yaml, int depth, std::string_view name, std::string_view value) {
  yaml.line(depth, "- name: " + std::string(name));
  yaml.line(depth + 1, "value", quoted(value));
}

/// Kubernetes itself gives a pod its GPUs and its address.
void write_environment(Yaml& yaml, int depth, const Replica& r) {
  yaml.line(depth, "env:");
  for (const std::string& entry : r.command.environment) {
    const std::string name = entry.substr(0, entry.find('='));
    if (name == "NODE_RANK" || name == "MASTER_ADDR" || name == "CUDA_VISIBLE_DEVICES" || name == "POOL") continue;
    if (name == "VLLM_NIXL_SIDE_CHANNEL_HOST") {
      yaml.line(depth + 1, "- name: " + name);
      yaml.line(depth + 2, "valueFrom:");
      yaml.line(depth + 3, "fieldRef:");
      yaml.line(depth + 4, "fieldPath: status.podIP");
    } else {
      write_variable(yaml, depth + 1, name, value_of_variable(entry));
    }
  }
  yaml.line(depth + 1, "- name: HF_HOME");
  yaml.line(depth + 2, "value: /models");
  yaml.line(depth + 1, "- name: HF_TOKEN");
  yaml.line(depth + 2, "valueFrom:");
  yaml.line(depth + 3, "secretKeyRef:");
  yaml.line(depth + 4, "name: hf-token-secret");
  yaml.line(depth + 4, "key: token");
  yaml.line(depth + 4, "optional: true");
}

/// Loading may take half an hour; then an engine that answers nothing for half a minute is started again. Of several
/// pods only the first has a server to ask.
void write_probes(Yaml& yaml, int depth, const Replica& r) {
  const std::string port = shortest_number(r.port);
  const auto probe = [&](std::string_view name, double period, double failures) {
    yaml.line(depth, std::string(name) + ":");
    if (r.nodes > 1) {
      yaml.line(depth + 1, "exec:");
      yaml.line(depth + 2, "command:");
      yaml.line(depth + 3, "- /bin/sh");
      yaml.line(depth + 3, "- -c");
      yaml.line(depth + 3, "- " + quoted("[ \"${HOSTNAME##*-}\" != 0 ] || python3 -c \"import urllib.request as r; "
                                         "r.urlopen('http://127.0.0.1:" +
                                         port + "/health', timeout=5)\""));
      yaml.line(depth + 1, "timeoutSeconds: 10");
    } else {
      yaml.line(depth + 1, "httpGet:");
      yaml.line(depth + 2, "path: /health");
      yaml.line(depth + 2, "port: http");
      yaml.line(depth + 1, "timeoutSeconds: 5");
    }
    yaml.line(depth + 1, "periodSeconds", period);
    yaml.line(depth + 1, "failureThreshold", failures);
  };
  probe("startupProbe", 10, 180);
  probe("readinessProbe", 5, 3);
  probe("livenessProbe", 10, 3);
}

void write_pod(Yaml& yaml, int depth, const Replica& r, std::string_view head) {
  yaml.line(depth, "containers:");
  yaml.line(depth + 1, "- name: engine");
  const int inside = depth + 2;
  yaml.line(inside, "image", quoted(std::string(image_of_engine(r.run.engine)) + ":<tag>"));
  yaml.line(inside, "command: [\"/bin/sh\", \"-c\"]");
  write_script(yaml, inside, r, head);
  write_environment(yaml, inside, r);
  yaml.line(inside, "ports:");
  yaml.line(inside + 1, "- name: http");
  yaml.line(inside + 2, "containerPort", r.port);
  yaml.line(inside, "resources:");
  yaml.line(inside + 1, "limits:");
  yaml.line(inside + 2, "nvidia.com/gpu", quoted(shortest_number(r.gpus)));
  write_probes(yaml, inside, r);
  yaml.line(inside, "volumeMounts:");
  yaml.line(inside + 1, "- name: shm");
  yaml.line(inside + 2, "mountPath: /dev/shm");
  yaml.line(inside + 1, "- name: models");
  yaml.line(inside + 2, "mountPath: /models");
  yaml.line(depth, "volumes:");
  yaml.line(depth + 1, "- name: shm");
  yaml.line(depth + 2, "emptyDir:");
  yaml.line(depth + 3, "medium: Memory");
  yaml.line(depth + 3, "sizeLimit: 16Gi");
  yaml.line(depth + 1, "- name: models");
  yaml.line(depth + 2, "persistentVolumeClaim:");
  yaml.line(depth + 3, "claimName", quoted("<claim with the models>"));
}

/// Everything of a Deployment down to the pod, which comes at depth 3.
void write_deployment_head(Yaml& yaml, const std::string& app, double replicas) {
  yaml.line(0, "apiVersion: apps/v1");
  yaml.line(0, "kind: Deployment");
  yaml.line(0, "metadata:");
  yaml.line(1, "name", app);
  yaml.line(0, "spec:");
  yaml.line(1, "replicas", replicas);
  yaml.line(1, "selector:");
  yaml.line(2, "matchLabels:");
  yaml.line(3, "app", app);
  yaml.line(1, "template:");
  yaml.line(2, "metadata:");
  yaml.line(3, "labels:");
  yaml.line(4, "app", app);
  yaml.line(2, "spec:");
}

void write_deployment(Yaml& yaml, const Replica& r, double replicas) {
  write_deployment_head(yaml, r.app, replicas);
  write_pod(yaml, 3, r, "");
}

/// Makes the names of pods known before they are ready; `label` is theirs.
void write_names(Yaml& yaml, const std::string& name, std::string_view label) {
  yaml.line(0, "apiVersion: v1");
  yaml.line(0, "kind: Service");
  yaml.line(0, "metadata:");
  yaml.line(1, "name", name);
  yaml.line(0, "spec:");
  yaml.line(1, "clusterIP: None");
  yaml.line(1, "publishNotReadyAddresses: true");
  yaml.line(1, "selector:");
  yaml.line(2, label, name);
  yaml.next_document();
}

/// Pods with names of their own: `count` of them start together and are found by the label and by name.
void write_stateful_set(Yaml& yaml, const Replica& r, const std::string& name, std::string_view label, double count) {
  write_names(yaml, name, label);
  yaml.line(0, "apiVersion: apps/v1");
  yaml.line(0, "kind: StatefulSet");
  yaml.line(0, "metadata:");
  yaml.line(1, "name", name);
  yaml.line(0, "spec:");
  yaml.line(1, "serviceName", name);
  yaml.line(1, "replicas", count);
  yaml.line(1, "podManagementPolicy: Parallel");
  yaml.line(1, "selector:");
  yaml.line(2, "matchLabels:");
  yaml.line(3, label, name);
  yaml.line(1, "template:");
  yaml.line(2, "metadata:");
  yaml.line(3, "labels:");
  yaml.line(4, "app", r.app);
  yaml.line(4, label, name);
  yaml.line(2, "spec:");
  write_pod(yaml, 3, r, name + "-0." + name);
}

/// In front of the pods of `app`; of several nodes, the first answers.
void write_service(Yaml& yaml, const Replica& r, const std::string& name) {
  yaml.line(0, "apiVersion: v1");
  yaml.line(0, "kind: Service");
  yaml.line(0, "metadata:");
  yaml.line(1, "name", name);
  yaml.line(0, "spec:");
  yaml.line(1, "selector:");
  yaml.line(2, "app", r.app);
  if (r.nodes > 1) yaml.line(2, "apps.kubernetes.io/pod-index: \"0\"");
  yaml.line(1, "ports:");
  yaml.line(2, "- name: http");
  yaml.line(3, "port: 80");
  yaml.line(3, "targetPort: http");
}

/// The router knows the servers of the pools by the names of their pods.
void write_router(Yaml& yaml, const Replica& r, const Disaggregated& pools, const std::string& app) {
  write_deployment_head(yaml, r.app, 1);
  yaml.line(3, "containers:");
  yaml.line(4, "- name: router");
  const std::string_view image = r.run.engine == "vllm" ? "<image with vllm-router>" : image_of_engine(r.run.engine);
  yaml.line(5, "image", quoted(std::string(image) + ":<tag>"));
  yaml.line(5, "command: [\"/bin/sh\", \"-c\"]");
  write_script(yaml, 5, r, "");
  yaml.line(5, "env:");
  const auto servers = [&](std::string_view variable, const std::string& pool, double count) {
    for (double i = 0; i < count; ++i) {
      const std::string index = shortest_number(i);
      write_variable(yaml, 6, std::string(variable) + index, pool + "-" + index + "." + pool);
    }
  };
  servers("PREFILL_", app + "-prefill", pools.prefill.data);
  servers("DECODE_", app + "-decode", pools.decode.data);
  yaml.line(5, "ports:");
  yaml.line(6, "- name: http");
  yaml.line(7, "containerPort", r.port);
}

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
    Yaml yaml;
    const double data = run.parallelism.data;
    const Replica r = replica(run.parallelism, launches[0], launches.size() > 1 ? &launches[1] : nullptr);
    if (r.nodes > 1) {
      for (double i = 0; i < data; ++i) {
        write_stateful_set(yaml, r, app + (data > 1 ? "-r" + shortest_number(i) : "-nodes"), "replica", r.nodes);
        yaml.next_document();
      }
    } else {
      write_deployment(yaml, r, data);
      yaml.next_document();
    }
    write_service(yaml, r, app);
    return yaml.take();
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
    Yaml yaml;
    const Disaggregated& pools = *run.disaggregated;
    const auto write_pool = [&](Pool pool, std::string_view name, const ServingParallelism& p) {
      Replica r = part(name, p);
      r.port = port_of_engine(run.engine, pool);
      write_stateful_set(yaml, r, r.app, "pool", p.data);
      yaml.next_document();
    };
    write_pool(Pool::prefill, "prefill", pools.prefill);
    write_pool(Pool::decode, "decode", pools.decode);
    const Replica router = part("router", {});
    write_router(yaml, router, pools, app);
    yaml.next_document();
    write_service(yaml, router, app);
    return yaml.take();
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
  add_once(once, cannot);
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
