#pragma once
/// Fields of how what was found is started; for answers of searches and plans.
#include <optional>
#include <span>
#include <vector>

#include "api/answer_field.h"
#include "perf/ceilings.h"
#include "sizing/kubernetes_manifest.h"
#include "sizing/launch_options.h"
#include "sizing/launch_script.h"
#include "sizing/serving_launch.h"
#include "sizing/training_launch.h"

namespace podwright {

void describe(auto& v, const sizing::LaunchArguments& launch) {
  v.text({"program"}, launch.program);
  v.text({"form"}, launch.form);
  v.texts({"environment"}, sizing::assignments_of(launch.environment));
  v.texts({"arguments"}, launch.arguments);
  v.texts({"cannot"}, launch.cannot);
}

void describe(auto& v, const sizing::LaunchScript& script) {
  v.text({"name"}, script.name);
  v.text({"text"}, script.text);
}

/// `launch`, programs with their arguments, and `scripts`, the same as files that run.
void describe_launch_and_scripts(auto& v, const std::vector<sizing::LaunchArguments>& launch,
                                 const std::vector<sizing::LaunchScript>& scripts) {
  v.list({"launch", "How to launch it"}, launch);
  if (const auto part = v.when(!scripts.empty())) v.list({"scripts", "Scripts that launch it"}, scripts);
}

/// Sequences that fit on one replica, of those on all; absent with pools.
inline std::optional<double> places_of_replica(const ServingRun& run, const std::optional<double>& places) {
  if (run.disaggregated || !places) return std::nullopt;
  return *places / run.parallelism.data;
}

/// `launch`, `scripts` and `kubernetes` of a deployment in machines of `system`, where one is chosen; `places`
/// sequences fit on all its replicas.
void describe_serving_launch(auto& v, const Catalog& catalog, const Model* model, const Gpu* gpu, const System* system,
                             const ServingRun* run, std::optional<double> places) {
  std::vector<sizing::LaunchArguments> launch;
  sizing::KubernetesManifest manifest;
  if (v.real()) {
    const double node = node_gpus(catalog, *gpu, system);
    places = places_of_replica(*run, places);
    launch = sizing::serving_launch_arguments(*model, *gpu, *run, node, places);
    manifest = sizing::kubernetes_manifest(*model, *gpu, *run, node, places);
  }
  describe_launch_and_scripts(v, launch, sizing::serving_scripts(launch));
  v.group({"kubernetes"}, [&] {
    v.text({"yaml", "Manifest"}, unless_empty(manifest.yaml));
    v.texts({"cannot"}, manifest.cannot);
  });
}

/// `launch` and `scripts` of a training run: for Megatron-LM and torchtitan, both started by torchrun.
void describe_training_launch(auto& v, const Catalog& catalog, const Model* model, const Gpu* gpu, const System* system,
                              const TrainingRun* run, double gpus, const sizing::TrainingLength& length) {
  std::vector<sizing::LaunchArguments> launch;
  std::vector<sizing::LaunchScript> scripts;
  if (v.real()) {
    launch = {sizing::torchrun_arguments(gpus, sizing::host_gpus(catalog, *gpu, system)),
              sizing::megatron_arguments(*model, *gpu, *run, length),
              sizing::torchtitan_arguments(*model, *gpu, *run, length)};
    scripts = sizing::training_scripts(launch.front(), std::span(launch).subspan(1));
  }
  describe_launch_and_scripts(v, launch, scripts);
}

}  // namespace podwright
