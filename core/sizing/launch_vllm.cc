#include <cmath>

#include "base/number_text.h"
#include "memory/prefix_share.h"
#include "sizing/serving_launch_engines.h"

namespace podwright::sizing {
namespace {

/// Where the pools agree on a transfer; each data parallel rank takes the next port, so the pools lie apart.
constexpr double kPrefillSidePort = 5600;
constexpr double kDecodeSidePort = 5800;

void vllm_obstacles(const ReplicaLaunch& r, std::vector<std::string>& cannot) {
  const ServingParallelism& p = r.parallelism;
  refuse_gguf("vLLM", r, cannot);
  if (p.expert > 1 && p.expert != p.tensor * p.attention_data)
    cannot.emplace_back("vLLM spreads experts over all tensor and data parallel ranks or over none.");
  if (p.attention_data > 1 && r.model.experts <= 0)
    cannot.emplace_back("vLLM shares weights between attention data parallel ranks in MoE models only.");
  refuse_kv_cache("vLLM", r, {"fp8"}, cannot);
  if (r.nodes() > 1 && p.attention_data > 1 && p.tensor * p.pipeline > r.node_gpus)
    cannot.emplace_back("Arguments for data parallel ranks that each span nodes are not known here.");
}

void add_nodes(const ReplicaLaunch& r, LaunchOptions& options) {
  if (r.nodes() <= 1) return;
  const ServingParallelism& p = r.parallelism;
  if (p.attention_data > 1) {
    const double local = r.node_gpus / (p.tensor * p.pipeline);
    options.add("--data-parallel-size-local", local);
    options.add("--data-parallel-start-rank", "$((NODE_RANK * " + shortest_number(local) + "))");
    options.add("--data-parallel-address", "$MASTER_ADDR");
    options.add("--data-parallel-rpc-port", 13345);
  } else {
    options.add("--distributed-executor-backend", "mp");
    options.add("--nnodes", r.nodes());
    options.add("--node-rank", "$NODE_RANK");
    options.add("--master-addr", "$MASTER_ADDR");
  }
  options.add("$([ \"$NODE_RANK\" -eq 0 ] || echo --headless)");
}

void add_speculative_vllm(const ReplicaLaunch& r, LaunchOptions& options) {
  const Draft draft = r.draft();
  if (draft == Draft::none) return;
  options.add("--speculative-config.method", draft == Draft::model        ? "draft_model"
                                             : draft == Draft::own_layers ? "mtp"
                                                                          : "eagle3");
  if (r.draft_has_files()) options.add("--speculative-config.model", "\"$DRAFT_MODEL\"");
  options.add("--speculative-config.num_speculative_tokens", r.run.speculative->draft_tokens);
}

void vllm_arguments(const ReplicaLaunch& r, LaunchArguments& launch) {
  const ServingParallelism& p = r.parallelism;
  LaunchOptions options(launch.arguments);
  options.add("\"$MODEL\"");
  add_address(kVllmLaunch, r, options);
  options.add("--tensor-parallel-size", p.tensor);
  options.add_above_one("--pipeline-parallel-size", p.pipeline);
  options.add_above_one("--data-parallel-size", p.attention_data);
  if (p.expert > 1) options.add("--enable-expert-parallel");
  add_dtype(r, options);
  if (r.run.kv_precision == "fp8") options.add("--kv-cache-dtype", "fp8");
  options.add("--max-model-len", r.longest());
  options.add_known("--max-num-seqs", r.sequences_of_rank());
  options.add_known("--max-num-batched-tokens", r.run.max_batched_tokens);
  options.add_known("--gpu-memory-utilization", r.run.memory_fraction);
  options.add_known("--block-size", r.run.block_tokens);
  if (r.run.hybrid_allocator && !*r.run.hybrid_allocator) options.add("--disable-hybrid-kv-cache-manager");
  if (keeps_prefixes(r.run)) options.add("--enable-prefix-caching");
  // The size is that of all ranks of an engine together.
  if (const double host = host_cache_bytes(r.run); host > 0)
    options.add("--kv-offloading-size", std::floor(10 * host * p.tensor * p.pipeline / gib(1).base_units()) / 10);
  if (r.chunked()) options.add("--enable-chunked-prefill");
  add_speculative_vllm(r, options);
  if (r.pool != Pool::whole) {
    const bool prefill = r.pool == Pool::prefill;
    launch.environment.push_back(
        asked_variable("VLLM_NIXL_SIDE_CHANNEL_HOST", "address of this host that the other pool reaches"));
    launch.environment.push_back(
        {"VLLM_NIXL_SIDE_CHANNEL_PORT", shortest_number(prefill ? kPrefillSidePort : kDecodeSidePort)});
    options.add("--kv-transfer-config.kv_connector", "NixlConnector");
    options.add("--kv-transfer-config.kv_role", prefill ? "kv_producer" : "kv_consumer");
  }
  add_nodes(r, options);
}

std::vector<LaunchArguments> vllm_router(const RouterLaunch& r) {
  LaunchArguments launch{.program = "vllm-router", .form = "command-line"};
  LaunchOptions options(launch.arguments);
  options.add("--vllm-pd-disaggregation");
  add_servers(r, options);
  return {std::move(launch)};
}

}  // namespace

const EngineLaunch kVllmLaunch{.id = "vllm",
                               .program = "vllm serve",
                               .image = "vllm/vllm-openai",
                               .port = 8000,
                               .obstacles = vllm_obstacles,
                               .arguments = vllm_arguments,
                               .router = vllm_router};

}  // namespace podwright::sizing
