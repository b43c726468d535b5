#pragma once
/// A deployment as Kubernetes objects: a Deployment with a pod for each replica, or, where a replica spans nodes, a
/// LeaderWorkerSet with a group of pods for each; of pools a LeaderWorkerSet each, whose pods have names, and the
/// Deployment of the router; and the Service in front. docs/method/serving_launch.md#kubernetes.
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/embedded.h"
#include "catalog/gpu.h"
#include "catalog/model.h"
#include "memory/serving_run.h"
#include "sizing/launch_names.h"
#include "sizing/launch_options.h"

namespace podwright::sizing {

struct KubernetesManifest {
  std::string yaml;                 ///< documents divided by "---"; empty where it cannot be written
  std::vector<std::string> cannot;  ///< one sentence each
};

/// The files of core/sizing/data/kubernetes, with {{places}} to fill in.
std::span<const EmbeddedText> kubernetes_templates();

/// What the user fills in is in angle brackets. `node_gpus` stand in one node; `places` as for the arguments of
/// serving_launch.h.
KubernetesManifest kubernetes_manifest(const Model& model, const Gpu& gpu, const ServingRun& run, double node_gpus,
                                       std::optional<double> places = {});

/// What stands against pods of a deployment, also that its engine cannot be started.
std::vector<std::string> pod_obstacles(const Model& model, const Gpu& gpu, const ServingRun& run, double node_gpus);

/// The objects of a deployment that nothing stands against, with the programs that start it.
std::string kubernetes_objects(const Model& model, const ServingRun& run, std::span<const LaunchArguments> launches,
                               double node_gpus, const LaunchNames& names);

/// A name as Kubernetes wants it, of a model: letters, digits and dashes, a letter first, not above 40 characters, so
/// that ends find room.
std::string object_name(const Model& model);

}  // namespace podwright::sizing
