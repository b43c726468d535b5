#pragma once
/// How a deployment is started: arguments of vLLM, TensorRT-LLM, SGLang, llama.cpp and LMDeploy for one replica.
/// docs/method/serving_launch.md. Names as in `vllm serve` with native multi-node (0.12 and later), `trtllm-serve` 1.x
/// with its options file, `sglang.launch_server` 0.5, `llama-server` of late 2025 and later, and
/// `lmdeploy serve api_server`.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/gpu.h"
#include "catalog/model.h"
#include "memory/serving_run.h"
#include "sizing/launch_options.h"

namespace podwright::sizing {

/// One program; of a disaggregated deployment one for each pool and the router in front of them, told apart by the
/// variable POOL; and the files of options of TensorRT-LLM (`form` "yaml", `program` its name). The model is the
/// variable MODEL, a draft DRAFT_MODEL; on several nodes NODE_RANK and MASTER_ADDR tell them apart; a router finds the
/// pools' servers in PREFILL_0, DECODE_0 and so on. Where the engine cannot start the deployment: no arguments, and
/// what stands against it. `node_gpus` stand in one node; `places` sequences fit on a replica, absent with pools.
std::vector<LaunchArguments> serving_launch_arguments(const Model& model, const Gpu& gpu, const ServingRun& run,
                                                      double node_gpus, std::optional<double> places = {});

/// What stands against starting a deployment, one sentence each; also that no server of the engine is known here.
std::vector<std::string> start_obstacles(const Model& model, const Gpu& gpu, const ServingRun& run, double node_gpus);

/// Why the router of pools cannot be started from here; empty where it can.
std::string router_obstacle(const ServingRun& run);
/// Whether it is known here how a server of the engine is started.
bool knows_server(std::string_view engine);

/// Port on which an engine answers as started here; of pools it is the router that answers on that of the whole.
double port_of_engine(std::string_view engine, Pool pool = Pool::whole);
/// Public container image, without the tag.
std::string_view image_of_engine(std::string_view engine);

}  // namespace podwright::sizing
