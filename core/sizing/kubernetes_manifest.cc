#include "sizing/kubernetes_manifest.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/append.h"
#include "base/number_text.h"
#include "base/slug.h"
#include "base/yaml_text.h"
#include "sizing/launched_servers.h"
#include "sizing/serving_launch.h"
#include "sizing/serving_launch_engines.h"
#include "sizing/template_text.h"

namespace podwright::sizing {
namespace {

std::string filled(std::string_view file, const Places& places) {
  return sizing::filled(kubernetes_templates(), file, places);
}

std::string variable(std::string_view name, std::string_view value) {
  return "- name: " + std::string(name) + "\n  value: " + yaml_text(with_doubled_dollars(value)) + "\n";
}

/// Kubernetes itself gives a pod its GPUs and its address.
bool is_of_the_pod(std::string_view variable) {
  return one_of(variable, {"NODE_RANK", "MASTER_ADDR", "CUDA_VISIBLE_DEVICES"});
}

/// Writes the objects of one deployment.
class Objects {
 public:
  Objects(const ServingRun& run, const LaunchNames& names, std::string app)
      : run_(run), names_(names), app_(std::move(app)) {}

  /// The controller of a LeaderWorkerSet makes a Service of the same name, so that the one in front has another.
  std::string whole(const LaunchedServer& server) const {
    const std::string name = app_ + (server.nodes > 1 ? "-nodes" : "");
    const std::string pods =
        server.nodes > 1 ? leader_worker_set(server, name)
                         : deployment(name, server.replicas, pod(server, variables_of(*server.command, names_)));
    return pods + "---\n" + service(app_, name, server.nodes > 1);
  }

  std::string pools(std::span<const LaunchedServer> servers) const {
    std::string yaml;
    Variables addresses;
    for (const LaunchedServer& server : servers) {
      const std::string name = app_ + "-" + server.role;
      if (server.role == "router") {
        yaml += router(server, name, addresses) + "---\n" + service(app_, name, false);
        continue;
      }
      yaml += leader_worker_set(server, name) + "---\n";
      const std::string variable = server.role == "prefill" ? "PREFILL_" : "DECODE_";
      for (double i = 0; i < server.replicas; ++i)
        addresses.emplace_back(variable + shortest_number(i), name + "-" + shortest_number(i) + "." + name);
    }
    return yaml;
  }

 private:
  std::string name_space() const {
    return names_.name_space.empty() ? "" : "namespace: " + yaml_text(names_.name_space);
  }

  std::string deployment(const std::string& app, double replicas, std::string pod) const {
    return filled(
        "deployment.yaml",
        {{"app", app}, {"namespace", name_space()}, {"replicas", shortest_number(replicas)}, {"pod", std::move(pod)}});
  }

  std::string leader_worker_set(const LaunchedServer& server, const std::string& name) const {
    return filled("leader_worker_set.yaml", {{"name", name},
                                             {"namespace", name_space()},
                                             {"replicas", shortest_number(server.replicas)},
                                             {"nodes", shortest_number(server.nodes)},
                                             {"pod", pod(server, variables_of(*server.command, names_))}});
  }

  /// In front of the pods of `app`; of several nodes, the first answers.
  std::string service(const std::string& name, const std::string& app, bool of_nodes) const {
    return filled("service.yaml", {{"name", name},
                                   {"namespace", name_space()},
                                   {"app", app},
                                   {"first_pod", of_nodes ? "leaderworkerset.sigs.k8s.io/worker-index: \"0\"" : ""}});
  }

  std::string image() const {
    return yaml_text(names_.image.empty() ? std::string(image_of_engine(run_.engine)) + ":<tag>" : names_.image);
  }

  std::string environment(const Variables& variables) const {
    std::string out;
    for (const auto& [name, value] : variables) {
      if (is_of_the_pod(name)) continue;
      out += name == "VLLM_NIXL_SIDE_CHANNEL_HOST"
                 ? "- name: " + name + "\n  valueFrom:\n    fieldRef:\n      fieldPath: status.podIP\n"
                 : variable(name, value);
    }
    return out;
  }

  /// What the shell of a container does: of several nodes, it tells them apart; then the file of options, and the
  /// command.
  std::string script(const LaunchedServer& server, const Variables& variables) const {
    std::string script;
    std::string program = server.command->program;
    if (program.starts_with("mpirun ")) {
      script = filled("mpi.sh", {{"gpus", shortest_number(server.gpus)}});
      program = "mpirun --allow-run-as-root -H \"$hosts\" -x HF_HOME -x HF_TOKEN" + program.substr(6);
    } else if (server.nodes > 1) {
      script = "export NODE_RANK=\"$LWS_WORKER_INDEX\"\nexport MASTER_ADDR=\"$LWS_LEADER_ADDRESS\"\n";
    }
    if (server.options != nullptr) {
      script += "cat > " + server.options->program + " <<'EOF'\n";
      Variables doubled = variables;
      for (auto& [name, value] : doubled) value = with_doubled_dollars(value);
      for (const std::string& line : lines_of_options(*server.options, doubled)) script += line + "\n";
      script += "EOF\n";
    }
    // The image of llama.cpp keeps its server outside the search path.
    script += "exec " + std::string(run_.engine == "llama.cpp" ? "/app/" : "") + program + " \\";
    const std::vector<std::string>& arguments = server.command->arguments;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      script += "\n  " + arguments[i] + (i + 1 == arguments.size() ? "" : " \\");
    return script;
  }

  /// Loading may take half an hour; then an engine that answers nothing for half a minute is started again. Of several
  /// pods only the first has a server to ask.
  std::string pod(const LaunchedServer& server, const Variables& variables) const {
    const std::string port = shortest_number(server.port);
    const bool mpi = server.command->program.starts_with("mpirun ");
    return filled(
        "engine.yaml",
        {{"image", image()},
         {"script", script(server, variables)},
         {"environment", environment(variables)},
         {"port", port},
         {"gpus", yaml_text(shortest_number(server.gpus))},
         {"question", filled(server.nodes > 1 ? "question_of_nodes.yaml" : "question.yaml", {{"port", port}})},
         {"claim", yaml_text(names_.claim.empty() ? "<claim with the models>" : names_.claim)},
         {"mounts", mpi ? "- name: ssh\n  mountPath: /ssh\n  readOnly: true" : ""},
         {"volumes", mpi ? "- name: ssh\n  secret:\n    secretName: mpi-ssh-keys" : ""}});
  }

  /// The router knows the servers of the pools by the names of their pods.
  std::string router(const LaunchedServer& server, const std::string& app, const Variables& addresses) const {
    const bool own_image = run_.engine == "vllm";
    return deployment(
        app, 1,
        filled("router.yaml", {{"image", own_image ? yaml_text("<image with vllm-router>:<tag>") : image()},
                               {"script", script(server, addresses)},
                               {"environment", environment(addresses)},
                               {"port", shortest_number(server.port)}}));
  }

  const ServingRun& run_;
  const LaunchNames& names_;
  std::string app_;
};

/// What stands against the pods of one kind of replica.
void check_pods(const ServingParallelism& p, double node_gpus, std::vector<std::string>& cannot) {
  const double nodes = nodes_of_replica(p, node_gpus);
  const double gpus = p.tensor * p.pipeline * p.attention_data;
  if (nodes * std::min(gpus, node_gpus) != gpus)
    add_once(cannot, "A replica of " + shortest_number(gpus) + " GPUs does not fill nodes of " +
                         shortest_number(node_gpus) + ".");
}

}  // namespace

std::string object_name(const Model& model) {
  std::string name = slug_of(model.id.empty() ? model.name : model.id, 40);
  // YAML would take some words for something else.
  const bool word = one_of(name, {"y", "n", "yes", "no", "on", "off", "true", "false", "null"});
  if (name[0] < 'a' || word) name.insert(0, "m");
  return name;
}

std::vector<std::string> pod_obstacles(const Model& model, const Gpu& gpu, const ServingRun& run, double node_gpus) {
  std::vector<std::string> cannot;
  if (gpu.vendor != "NVIDIA") cannot.push_back("The resource of " + gpu.name + " in Kubernetes is not known here.");
  if (run.disaggregated) {
    check_pods(run.disaggregated->prefill, node_gpus, cannot);
    check_pods(run.disaggregated->decode, node_gpus, cannot);
  } else {
    check_pods(run.parallelism, node_gpus, cannot);
  }
  append_once(cannot, start_obstacles(model, gpu, run, node_gpus));
  if (std::string obstacle = router_obstacle(run); !obstacle.empty()) cannot.push_back(std::move(obstacle));
  return cannot;
}

std::string kubernetes_objects(const Model& model, const ServingRun& run, std::span<const LaunchArguments> launches,
                               double node_gpus, const LaunchNames& names) {
  const std::vector<LaunchedServer> servers = launched_servers(run, launches, node_gpus);
  const Objects objects(run, names, object_name(model));
  return run.disaggregated ? objects.pools(servers) : objects.whole(servers.front());
}

KubernetesManifest kubernetes_manifest(const Model& model, const Gpu& gpu, const ServingRun& run, double node_gpus,
                                       std::optional<double> places) {
  KubernetesManifest manifest{.yaml = "", .cannot = pod_obstacles(model, gpu, run, node_gpus)};
  if (!manifest.cannot.empty()) return manifest;
  manifest.yaml = kubernetes_objects(model, run, serving_launch_arguments(model, gpu, run, node_gpus, places),
                                     node_gpus, LaunchNames{});
  return manifest;
}

}  // namespace podwright::sizing
