#include "sizing/serving_launch.h"

#include <algorithm>
#include <cmath>

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

/// Variables that the user fills in.
void add_environment(const EngineLaunch& engine, const ReplicaLaunch& r, std::vector<std::string>& environment) {
  environment.push_back("MODEL='<" + std::string(engine.gguf ? "GGUF file of " : "Hugging Face id or folder of ") +
                        r.model.name + ", " + r.run.weight_precision + " weights>'");
  if (r.draft() == Draft::model) environment.push_back("DRAFT_MODEL='<" + r.run.speculative->draft_model->name + ">'");
  if (r.draft() == Draft::head) environment.push_back("DRAFT_MODEL='<draft head for " + r.model.name + ">'");
  if (r.nodes() > 1 && !engine.mpi) {
    environment.emplace_back("NODE_RANK='<0 on the first node, 1 on the next ...>'");
    environment.emplace_back("MASTER_ADDR='<address of the first node>'");
  }
}

/// Appends what starts one pool, and its options file.
void add_pool(const ReplicaLaunch& r, std::vector<LaunchArguments>& launches) {
  const EngineLaunch* engine = launch_of_engine(r.run.engine);
  LaunchArguments launch{.program = engine == nullptr ? r.run.engine : std::string(engine->program),
                         .form = "command-line"};
  if (engine == nullptr)
    launch.cannot.push_back("Launch arguments for a server with " + r.run.engine + " are not known here.");
  else
    engine->obstacles(r, launch.cannot);
  if (r.pool == Pool::prefill) launch.environment.emplace_back("POOL=prefill");
  if (r.pool == Pool::decode) launch.environment.emplace_back("POOL=decode");
  const bool starts = launch.cannot.empty();
  if (starts) {
    add_environment(*engine, r, launch.environment);
    engine->arguments(r, launch);
  }
  launches.push_back(std::move(launch));
  if (starts && engine->options_file != nullptr) launches.push_back(engine->options_file(r));
}

}  // namespace

double nodes_of_replica(const ServingParallelism& parallelism, double node_gpus) {
  const double gpus = parallelism.tensor * parallelism.pipeline * parallelism.attention_data;
  return std::ceil(gpus / std::max(1.0, node_gpus));
}

double port_of_engine(std::string_view engine) {
  const EngineLaunch* launch = launch_of_engine(engine);
  return launch == nullptr ? EngineLaunch{}.port : launch->port;
}

std::string_view image_of_engine(std::string_view engine) {
  const EngineLaunch* launch = launch_of_engine(engine);
  return launch == nullptr ? "" : launch->image;
}

std::vector<LaunchArguments> serving_launch_arguments(const Model& model, const Gpu& gpu, const ServingRun& run,
                                                      double node_gpus) {
  std::vector<LaunchArguments> launches;
  const double known_node = node_gpus > 0 ? node_gpus : gpu.link_domain_gpus.value_or(1);
  const auto add = [&](const ServingParallelism& parallelism, Pool pool) {
    add_pool({.model = model, .run = run, .parallelism = parallelism, .pool = pool, .node_gpus = known_node}, launches);
  };
  if (run.disaggregated) {
    add(run.disaggregated->prefill, Pool::prefill);
    add(run.disaggregated->decode, Pool::decode);
  } else {
    add(run.parallelism, Pool::whole);
  }
  return launches;
}

}  // namespace podwright::sizing
