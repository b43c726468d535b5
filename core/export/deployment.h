#pragma once
/// A deployment for serving whose files are wanted.
#include <optional>

#include "catalog/gpu.h"
#include "catalog/model.h"
#include "memory/serving_run.h"
#include "sizing/launch_names.h"

namespace podwright {

/// `node_gpus` stand in one node; `places` sequences fit on a replica, absent with pools.
struct Deployment {
  const Model& model;
  const Gpu& gpu;
  const ServingRun& run;
  double node_gpus = 8;
  std::optional<double> places = {};
  sizing::LaunchNames names = {};
};

}  // namespace podwright
