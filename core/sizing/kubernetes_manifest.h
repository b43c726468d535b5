#pragma once
/// A deployment as Kubernetes objects: a Deployment with a pod for each replica, or, where a replica spans nodes, a
/// StatefulSet with a pod for each node of it; of pools a StatefulSet each, with a pod for each replica, and the
/// Deployment of the router; and the Service in front. docs/method/serving_launch.md#kubernetes.
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "catalog/embedded.h"
#include "catalog/gpu.h"
#include "catalog/model.h"
#include "memory/serving_run.h"

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

}  // namespace podwright::sizing
