#pragma once
/// Files that start a deployment for serving, by the names that requests ask for.
/// docs/method/serving_launch.md#deployment-files.
#include <array>
#include <span>
#include <string_view>

#include "export/deployment.h"
#include "export/export_file.h"

namespace podwright {

enum class DeploymentExport { engine, compose, kubernetes, llm_d, dynamo };
inline constexpr std::array<std::string_view, 5> kDeploymentExportWords{"engine", "compose", "kubernetes", "llm-d",
                                                                        "dynamo"};

/// In the order of the enumeration. What a version, an engine or a format cannot express is a sentence instead.
ExportFiles deployment_files(const Deployment& deployment, std::span<const DeploymentExport> wanted);

}  // namespace podwright
