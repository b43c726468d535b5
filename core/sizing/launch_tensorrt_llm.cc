#include "base/number_text.h"
#include "memory/prefix_share.h"
#include "sizing/serving_launch_engines.h"

namespace podwright::sizing {
namespace {

constexpr std::string_view kOptionsFile = "extra-llm-api-config.yml";
constexpr std::string_view kRouterFile = "disagg_config.yaml";

void tensorrt_llm_obstacles(const ReplicaLaunch& r, std::vector<std::string>& cannot) {
  const ServingParallelism& p = r.parallelism;
  refuse_gguf("TensorRT-LLM", r, cannot);
  if (p.attention_data > 1 && p.tensor > 1)
    cannot.emplace_back("TensorRT-LLM runs attention data parallel on every GPU or on none.");
  refuse_kv_cache("TensorRT-LLM", r, {"fp8", "nvfp4"}, cannot);
  if (one_of(r.run.weight_precision, {"int4-gptq", "mxfp8"}))
    cannot.push_back("TensorRT-LLM is not started with " + r.run.weight_precision + " weights here.");
  if (r.draft() == Draft::model && r.nodes() > 1)
    cannot.emplace_back("A draft model on several nodes is not known here for TensorRT-LLM.");
}

void tensorrt_llm_arguments(const ReplicaLaunch& r, LaunchArguments& launch) {
  const ServingParallelism& p = r.parallelism;
  if (r.nodes() > 1)
    launch.program = "mpirun -n " + shortest_number(p.tensor * p.pipeline * p.attention_data) +
                     " trtllm-llmapi-launch " + launch.program;
  LaunchOptions options(launch.arguments);
  options.add("\"$MODEL\"");
  add_address(kTensorRtLlmLaunch, r, options);
  options.add("--backend", "pytorch");
  options.add("--tp_size", p.tensor * p.attention_data);
  options.add_above_one("--pp_size", p.pipeline);
  options.add_above_one("--ep_size", p.expert);
  if (r.nodes() > 1) options.add("--gpus_per_node", r.node_gpus);
  options.add_known("--max_batch_size", r.sequences_of_rank());
  options.add_known("--max_num_tokens", r.run.max_batched_tokens);
  options.add("--max_seq_len", r.longest());
  options.add_known("--kv_cache_free_gpu_memory_fraction", r.run.memory_fraction);
  options.add("--config", kOptionsFile);
}

void add_speculative_tensorrt_llm(const ReplicaLaunch& r, std::vector<std::string>& lines) {
  const Draft draft = r.draft();
  if (draft == Draft::none) return;
  const std::string tokens = shortest_number(r.run.speculative->draft_tokens);
  lines.emplace_back("speculative_config:");
  if (draft == Draft::own_layers) {
    lines.emplace_back("  decoding_type: MTP");
    lines.push_back("  num_nextn_predict_layers: " + tokens);
  } else {
    lines.emplace_back(draft == Draft::model ? "  decoding_type: DraftTarget" : "  decoding_type: Eagle");
    lines.push_back("  max_draft_len: " + tokens);
    lines.emplace_back("  speculative_model_dir: \"$DRAFT_MODEL\"");
  }
}

LaunchArguments options_file(const ReplicaLaunch& r) {
  LaunchArguments file{.program = std::string(kOptionsFile), .form = "yaml"};
  std::vector<std::string>& lines = file.arguments;
  lines.emplace_back("kv_cache_config:");
  lines.push_back(keeps_prefixes(r.run) ? "  enable_block_reuse: true" : "  enable_block_reuse: false");
  if (const double host = host_cache_bytes(r.run); host > 0)
    lines.push_back("  host_cache_size: " + shortest_number(host));
  if (one_of(r.run.kv_precision, {"fp8", "nvfp4"})) lines.push_back("  dtype: " + r.run.kv_precision);
  if (r.run.block_tokens) lines.push_back("  tokens_per_block: " + shortest_number(*r.run.block_tokens));
  if (r.parallelism.attention_data > 1) lines.emplace_back("enable_attention_dp: true");
  if (r.chunked()) lines.emplace_back("enable_chunked_prefill: true");
  add_speculative_tensorrt_llm(r, lines);
  if (r.pool != Pool::whole) {
    lines.emplace_back("cache_transceiver_config:");
    lines.emplace_back("  backend: DEFAULT");
    if (r.pool == Pool::prefill) lines.emplace_back("disable_overlap_scheduler: true");
  }
  return file;
}

void add_servers(std::string_view key, Pool pool, double servers, double port, std::vector<std::string>& lines) {
  lines.push_back(std::string(key) + ":");
  lines.push_back("  num_instances: " + shortest_number(servers));
  lines.emplace_back("  urls:");
  for (double i = 0; i < servers; ++i) lines.push_back("    - \"" + server_address(pool, i, port) + "\"");
}

std::vector<LaunchArguments> tensorrt_llm_router(const RouterLaunch& r) {
  LaunchArguments launch{.program = "trtllm-serve disaggregated", .form = "command-line"};
  LaunchOptions(launch.arguments).add("-c", kRouterFile);
  LaunchArguments file{.program = std::string(kRouterFile), .form = "yaml"};
  file.arguments = {"hostname: 0.0.0.0", "port: " + shortest_number(r.port), "backend: pytorch"};
  add_servers("context_servers", Pool::prefill, r.prefill_servers, r.prefill_port, file.arguments);
  add_servers("generation_servers", Pool::decode, r.decode_servers, r.decode_port, file.arguments);
  return {std::move(launch), std::move(file)};
}

}  // namespace

const EngineLaunch kTensorRtLlmLaunch{.id = "tensorrt-llm",
                                      .program = "trtllm-serve",
                                      .image = "nvcr.io/nvidia/tensorrt-llm/release",
                                      .port = 8000,
                                      .mpi = true,
                                      .obstacles = tensorrt_llm_obstacles,
                                      .arguments = tensorrt_llm_arguments,
                                      .options_file = options_file,
                                      .router = tensorrt_llm_router};

}  // namespace podwright::sizing
