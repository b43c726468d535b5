#pragma once
/// Files that start a deployment for serving, by the names that requests ask for.
/// docs/method/serving_launch.md#deployment-files.
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/gpu.h"
#include "catalog/model.h"
#include "export/export_file.h"
#include "memory/serving_run.h"
#include "sizing/launch_names.h"

namespace podwright {

enum class DeploymentExport { engine, compose, kubernetes, llm_d, dynamo };
inline constexpr std::array<std::string_view, 5> kDeploymentExportWords{"engine", "compose", "kubernetes", "llm-d",
                                                                        "dynamo"};

/// `node_gpus` stand in one node; `places` sequences fit on a replica, absent with pools.
struct Deployment {
  const Model& model;
  const Gpu& gpu;
  const ServingRun& run;
  double node_gpus = 8;
  std::optional<double> places = {};
  sizing::LaunchNames names = {};
};

/// In the order of the enumeration. What a version, an engine or a format cannot express is a sentence instead.
ExportFiles deployment_files(const Deployment& deployment, std::span<const DeploymentExport> wanted);

}  // namespace podwright
