#include "sizing/serving_launch.h"

#include <algorithm>

#include "base/number_text.h"
#include "sizing/serving_launch_engines.h"

namespace podwright::sizing {
namespace {

/// Null where no server of the engine is known.
const EngineLaunch* launch_of_engine(std::string_view engine) {
  for (const EngineLaunch* launch :
       {&kVllmLaunch, &kTensorRtLlmLaunch, &kSglangLaunch, &kLlamaCppLaunch, &kLmdeployLaunch})
    if (launch->id == engine) return launch;
  return nullptr;
}

LaunchVariable role_variable(const char* role) { return {std::string(LaunchArguments::kRoleVariable), role}; }

/// Variables that the user fills in.
void add_environment(const EngineLaunch& engine, const ReplicaLaunch& r, std::vector<LaunchVariable>& environment) {
  const auto ask = [&](const char* name, const std::string& what) {
    environment.push_back(asked_variable(name, what));
  };
  ask("MODEL", std::string(engine.gguf ? "GGUF file of " : "Hugging Face id or folder of ") + r.model.name + ", " +
                   r.run.weight_precision + " weights");
  if (r.draft() == Draft::model) ask("DRAFT_MODEL", r.run.speculative->draft_model->name);
  if (r.draft() == Draft::head) ask("DRAFT_MODEL", "draft head for " + r.model.name);
  if (r.nodes() > 1 && !engine.mpi) {
    ask("NODE_RANK", "0 on the first node, 1 on the next ...");
    ask("MASTER_ADDR", "address of the first node");
  }
}

/// Replicas of the deployment, one of each kind; their GPUs per node are those of `gpu` where nobody says.
std::vector<ReplicaLaunch> replicas_of(const Model& model, const Gpu& gpu, const ServingRun& run, double node_gpus,
                                       std::optional<double> places) {
  const double node = node_gpus > 0 ? node_gpus : gpu.link_domain_gpus.value_or(1);
  const auto replica = [&](const ServingParallelism& parallelism, Pool pool) {
    return ReplicaLaunch{
        .model = model, .run = run, .parallelism = parallelism, .pool = pool, .node_gpus = node, .places = places};
  };
  if (!run.disaggregated) return {replica(run.parallelism, Pool::whole)};
  places.reset();
  return {replica(run.disaggregated->prefill, Pool::prefill), replica(run.disaggregated->decode, Pool::decode)};
}

std::vector<std::string> obstacles_of(const ReplicaLaunch& r) {
  const EngineLaunch* engine = launch_of_engine(r.run.engine);
  if (engine == nullptr) return {"Launch arguments for a server with " + r.run.engine + " are not known here."};
  std::vector<std::string> cannot;
  engine->obstacles(r, cannot);
  return cannot;
}

/// Pools may share a node, each with GPUs of its own.
void add_devices(const ReplicaLaunch& r, std::vector<LaunchVariable>& environment) {
  const double gpus = r.parallelism.tensor * r.parallelism.pipeline * r.parallelism.attention_data;
  if (r.pool != Pool::whole && gpus < r.node_gpus)
    environment.push_back(
        asked_variable("CUDA_VISIBLE_DEVICES", shortest_number(gpus) + " GPUs of the node for this server alone"));
}

/// Appends what starts one pool, and its options file.
void add_pool(const ReplicaLaunch& r, std::vector<LaunchArguments>& launches) {
  const EngineLaunch* engine = launch_of_engine(r.run.engine);
  LaunchArguments launch{.program = engine == nullptr ? r.run.engine : std::string(engine->program),
                         .form = "command-line"};
  launch.cannot = obstacles_of(r);
  if (r.pool == Pool::prefill) launch.environment.push_back(role_variable("prefill"));
  if (r.pool == Pool::decode) launch.environment.push_back(role_variable("decode"));
  const bool starts = launch.cannot.empty();
  if (starts) {
    add_environment(*engine, r, launch.environment);
    add_devices(r, launch.environment);
    engine->arguments(r, launch);
  }
  launches.push_back(std::move(launch));
  if (starts && engine->options_file != nullptr) launches.push_back(engine->options_file(r));
}

/// A router that starts with the address of each server has this many at most.
constexpr double kMostRouted = 1000;

/// Appends what starts the router, which finds the servers of the pools in variables.
void add_router(const EngineLaunch& engine, const Disaggregated& pools, const std::string& obstacle,
                std::vector<LaunchArguments>& launches) {
  if (engine.router == nullptr) return;
  if (!obstacle.empty()) {
    launches.push_back({.program = engine.router({.port = engine.port}).front().program, .form = "command-line"});
    launches.back().environment.push_back({.name = "POOL", .value = "router"});
    launches.back().cannot.push_back(obstacle);
    return;
  }
  std::vector<LaunchArguments> router = engine.router({.prefill_servers = pools.prefill.data,
                                                       .decode_servers = pools.decode.data,
                                                       .prefill_port = port_of(engine, Pool::prefill),
                                                       .decode_port = port_of(engine, Pool::decode),
                                                       .port = engine.port});
  std::vector<LaunchVariable>& environment = router.front().environment;
  environment.push_back(role_variable("router"));
  for (double i = 0; i < pools.prefill.data; ++i)
    environment.push_back(asked_variable("PREFILL_" + shortest_number(i), "host of a prefill server"));
  for (double i = 0; i < pools.decode.data; ++i)
    environment.push_back(asked_variable("DECODE_" + shortest_number(i), "host of a decode server"));
  for (LaunchArguments& part : router) launches.push_back(std::move(part));
}

}  // namespace

double port_of_engine(std::string_view engine, Pool pool) {
  const EngineLaunch* launch = launch_of_engine(engine);
  return launch == nullptr ? EngineLaunch{}.port : port_of(*launch, pool);
}

std::string_view image_of_engine(std::string_view engine) {
  const EngineLaunch* launch = launch_of_engine(engine);
  return launch == nullptr ? "" : launch->image;
}

bool knows_server(std::string_view engine) { return launch_of_engine(engine) != nullptr; }

std::vector<std::string> start_obstacles(const Model& model, const Gpu& gpu, const ServingRun& run, double node_gpus) {
  std::vector<std::string> cannot;
  for (const ReplicaLaunch& replica : replicas_of(model, gpu, run, node_gpus, {}))
    for (std::string& sentence : obstacles_of(replica)) cannot.push_back(std::move(sentence));
  return cannot;
}

std::string router_obstacle(const ServingRun& run) {
  const double servers = run.disaggregated ? run.disaggregated->prefill.data + run.disaggregated->decode.data : 0;
  if (servers <= kMostRouted) return "";
  return "The router starts with the address of every server: of " + human_number(servers) +
         " there is no command for " + "it here.";
}

std::vector<LaunchArguments> serving_launch_arguments(const Model& model, const Gpu& gpu, const ServingRun& run,
                                                      double node_gpus, std::optional<double> places) {
  std::vector<LaunchArguments> launches;
  for (const ReplicaLaunch& replica : replicas_of(model, gpu, run, node_gpus, places)) add_pool(replica, launches);
  const EngineLaunch* engine = launch_of_engine(run.engine);
  const bool starts =
      std::all_of(launches.begin(), launches.end(), [](const LaunchArguments& one) { return one.cannot.empty(); });
  if (engine != nullptr && run.disaggregated && starts)
    add_router(*engine, *run.disaggregated, router_obstacle(run), launches);
  return launches;
}

}  // namespace podwright::sizing
