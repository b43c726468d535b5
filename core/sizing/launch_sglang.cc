#include <algorithm>
#include <cmath>

#include "memory/prefix_share.h"
#include "sizing/serving_launch_engines.h"

namespace podwright::sizing {
namespace {

/// Where decode servers ask a prefill server for its cache.
constexpr double kBootstrapPort = 8998;

void sglang_obstacles(const ReplicaLaunch& r, std::vector<std::string>& cannot) {
  refuse_gguf("SGLang", r, cannot);
  refuse_kv_cache("SGLang", r, {"fp8"}, cannot);
}

void add_speculative_sglang(const ReplicaLaunch& r, LaunchOptions& options) {
  const Draft draft = r.draft();
  if (draft == Draft::none) return;
  options.add("--speculative-algorithm", draft == Draft::model        ? "STANDALONE"
                                         : draft == Draft::own_layers ? "NEXTN"
                                                                      : "EAGLE3");
  if (r.draft_has_files()) options.add("--speculative-draft-model-path", "\"$DRAFT_MODEL\"");
  options.add("--speculative-num-steps", r.run.speculative->draft_tokens);
  options.add("--speculative-eagle-topk", 1);
  options.add("--speculative-num-draft-tokens", r.run.speculative->draft_tokens + 1);
}

void sglang_arguments(const ReplicaLaunch& r, LaunchArguments& launch) {
  const ServingParallelism& p = r.parallelism;
  LaunchOptions options(launch.arguments);
  options.add("--model-path", "\"$MODEL\"");
  add_address(kSglangLaunch, r, options);
  options.add("--tp-size", p.tensor * p.attention_data);
  options.add_above_one("--pp-size", p.pipeline);
  if (p.attention_data > 1) {
    options.add("--dp-size", p.attention_data);
    options.add("--enable-dp-attention");
  }
  options.add_above_one("--ep-size", p.expert);
  add_dtype(r, options);
  if (r.run.kv_precision == "fp8") options.add("--kv-cache-dtype", "fp8_e4m3");
  options.add("--context-length", r.longest());
  options.add_known("--max-running-requests", r.run.max_batch_size);
  options.add_known("--chunked-prefill-size", r.run.max_batched_tokens);
  options.add_known("--mem-fraction-static", r.run.memory_fraction);
  options.add_known("--page-size", r.run.block_tokens);
  if (const double host = host_cache_bytes(r.run); host > 0) {
    options.add("--enable-hierarchical-cache");
    options.add("--hicache-size", std::max(1.0, std::floor(host / gb(1).base_units())));
  }
  add_speculative_sglang(r, options);
  if (r.pool != Pool::whole) options.add("--disaggregation-mode", r.pool == Pool::prefill ? "prefill" : "decode");
  if (r.pool == Pool::prefill) options.add("--disaggregation-bootstrap-port", kBootstrapPort);
  if (r.nodes() > 1) {
    options.add("--nnodes", r.nodes());
    options.add("--node-rank", "$NODE_RANK");
    options.add("--dist-init-addr", "$MASTER_ADDR:5000");
  }
}

std::vector<LaunchArguments> sglang_router(const RouterLaunch& r) {
  LaunchArguments launch{.program = "python3 -m sglang_router.launch_router", .form = "command-line"};
  LaunchOptions options(launch.arguments);
  options.add("--pd-disaggregation");
  add_servers(r, options, " " + shortest_number(kBootstrapPort));
  return {std::move(launch)};
}

}  // namespace

const EngineLaunch kSglangLaunch{.id = "sglang",
                                 .program = "python3 -m sglang.launch_server",
                                 .image = "lmsysorg/sglang",
                                 .port = 30000,
                                 .obstacles = sglang_obstacles,
                                 .arguments = sglang_arguments,
                                 .router = sglang_router};

}  // namespace podwright::sizing
