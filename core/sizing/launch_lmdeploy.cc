#include "memory/prefix_share.h"
#include "sizing/serving_launch_engines.h"

namespace podwright::sizing {
namespace {

void lmdeploy_obstacles(const ReplicaLaunch& r, std::vector<std::string>& cannot) {
  const ServingParallelism& p = r.parallelism;
  refuse_gguf("LMDeploy", r, cannot);
  if (p.pipeline > 1 || p.expert > 1 || p.attention_data > 1)
    cannot.emplace_back("LMDeploy is started with tensor parallelism alone here.");
  if (r.nodes() > 1) cannot.emplace_back("Arguments for LMDeploy on several nodes are not known here.");
  if (!one_of(r.run.kv_precision, {"", "bf16", "fp16", "int8"}))
    cannot.push_back("LMDeploy has no " + r.run.kv_precision + " KV cache.");
  if (!is_plain(r.run.weight_precision) && !one_of(r.run.weight_precision, {"int4-awq", "int4-gptq"}))
    cannot.push_back("LMDeploy is not started with " + r.run.weight_precision + " weights here.");
  if (r.run.weight_precision == "fp32") cannot.emplace_back("LMDeploy computes in 16 bits.");
  if (r.run.speculative) cannot.emplace_back("Arguments for speculative decoding in LMDeploy are not known here.");
  if (r.pool != Pool::whole) cannot.emplace_back("Arguments for separate prefill in LMDeploy are not known here.");
}

void lmdeploy_arguments(const ReplicaLaunch& r, LaunchArguments& launch) {
  LaunchOptions options(launch.arguments);
  options.add("\"$MODEL\"");
  add_address(kLmdeployLaunch, r, options, "--server-name", "--server-port");
  options.add("--backend", "turbomind");
  options.add("--tp", r.parallelism.tensor);
  add_dtype(r, options);
  if (r.run.weight_precision == "int4-awq") options.add("--model-format", "awq");
  if (r.run.weight_precision == "int4-gptq") options.add("--model-format", "gptq");
  options.add("--session-len", r.longest());
  options.add_known("--max-batch-size", r.run.max_batch_size);
  options.add_known("--cache-max-entry-count", r.run.memory_fraction);
  options.add_known("--max-prefill-token-num", r.run.max_batched_tokens);
  options.add_known("--cache-block-seq-len", r.run.block_tokens);
  if (r.run.kv_precision == "int8") options.add("--quant-policy", 8);
  if (keeps_prefixes(r.run)) options.add("--enable-prefix-caching");
}

}  // namespace

const EngineLaunch kLmdeployLaunch{.id = "lmdeploy",
                                   .program = "lmdeploy serve api_server",
                                   .image = "openmmlab/lmdeploy",
                                   .port = 23333,
                                   .obstacles = lmdeploy_obstacles,
                                   .arguments = lmdeploy_arguments};

}  // namespace podwright::sizing
