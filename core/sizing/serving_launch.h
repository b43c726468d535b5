#pragma once
/// How a deployment is started: arguments of vLLM, TensorRT-LLM, SGLang, llama.cpp and LMDeploy for one replica.
/// docs/method/serving_launch.md. Names as in `vllm serve` with native multi-node (0.12 and later), `trtllm-serve` 1.x
/// with its options file, `sglang.launch_server` 0.5, `llama-server` of late 2025 and later, and
/// `lmdeploy serve api_server`.
#include <string>
#include <string_view>
#include <vector>

#include "catalog/gpu.h"
#include "catalog/model.h"
#include "memory/serving_run.h"
#include "sizing/launch_options.h"

namespace podwright::sizing {

/// One program, or one for each pool of a disaggregated deployment, and the options file of TensorRT-LLM (`form`
/// "yaml", `program` its name). The model is the variable MODEL, a draft DRAFT_MODEL; on several nodes NODE_RANK and
/// MASTER_ADDR tell them apart. Where the engine cannot start the deployment: no arguments, and what stands against it.
/// `node_gpus` stand in one node.
std::vector<LaunchArguments> serving_launch_arguments(const Model& model, const Gpu& gpu, const ServingRun& run,
                                                      double node_gpus);

/// Nodes over which a replica spreads.
double nodes_of_replica(const ServingParallelism& parallelism, double node_gpus);
/// Port on which an engine answers as started here, and its public container image, without the tag.
double port_of_engine(std::string_view engine);
std::string_view image_of_engine(std::string_view engine);

}  // namespace podwright::sizing
