#include "sizing/serving_launch.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"

namespace podwright::sizing {
namespace {

constexpr std::string_view kOptionsFile = "extra_llm_api_options.yaml";

/// A pool of a disaggregated deployment; `whole`: one engine does both.
enum class Pool { whole, prefill, decode };

class Options {
 public:
  explicit Options(std::vector<std::string>& out) : out_(out) {}
  void add(std::string_view name) { out_.emplace_back(name); }
  void add(std::string_view name, std::string_view value) {
    out_.push_back(std::string(name) + " " + std::string(value));
  }
  void add(std::string_view name, double value) { add(name, shortest_number(value)); }
  void add_above_one(std::string_view name, double value) {
    if (value > 1) add(name, value);
  }
  void add_known(std::string_view name, const std::optional<double>& value) {
    if (value) add(name, *value);
  }

 private:
  std::vector<std::string>& out_;
};

/// What a replica of one engine is asked for.
struct Replica {
  const Model& model;
  const ServingRun& run;
  const ServingParallelism& parallelism;
  Pool pool = Pool::whole;
  double node_gpus = 1;

  double nodes() const { return nodes_of_replica(parallelism, node_gpus); }
  double longest() const { return run.max_model_tokens.value_or(run.input_tokens + run.output_tokens); }
  /// Sequences of one attention rank, which is what schedulers count.
  std::optional<double> sequences_of_rank() const {
    if (!run.max_batch_size) return std::nullopt;
    return std::ceil(*run.max_batch_size / parallelism.attention_data);
  }
  bool chunked() const { return run.max_batched_tokens && *run.max_batched_tokens < run.input_tokens; }
};

bool one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Formats that live in GGUF files: q4-k-m, iq4-xs ...
bool is_gguf(std::string_view format) {
  return format.size() > 1 && (format[0] == 'q' || format.substr(0, 2) == "iq") &&
         format.find_first_of("0123456789") <= 2;
}

bool is_plain(std::string_view format) { return one_of(format, {"fp32", "bf16", "fp16"}); }

/// "float32", "bfloat16", "float16".
std::string_view torch_type(std::string_view format) {
  return format == "fp32" ? "float32" : format == "bf16" ? "bfloat16" : "float16";
}

bool has_own_draft(const Model& model) { return model.multi_token_depths > 0; }

std::string of_engine(std::string_view engine, std::string_view rest) {
  return std::string(engine) + std::string(rest);
}

/// What stands against every Python engine in the same way.
void shared_obstacles(std::string_view engine, const Replica& r, std::vector<std::string>& cannot) {
  if (is_gguf(r.run.weight_precision))
    cannot.push_back(of_engine(engine, " is not started with GGUF files here; llama.cpp is."));
}

/// Variables that the user fills in.
void add_environment(const Replica& r, LaunchArguments& launch) {
  const bool gguf = r.run.engine == "llama.cpp";
  launch.environment.push_back("MODEL='<" + std::string(gguf ? "GGUF file of " : "Hugging Face id or folder of ") +
                               r.model.name + ", " + r.run.weight_precision + " weights>'");
  if (r.run.speculative && (r.run.speculative->draft_model || !has_own_draft(r.model)))
    launch.environment.push_back(r.run.speculative->draft_model
                                     ? "DRAFT_MODEL='<" + r.run.speculative->draft_model->name + ">'"
                                     : "DRAFT_MODEL='<draft head for " + r.model.name + ">'");
  if (r.nodes() > 1) {
    launch.environment.emplace_back("NODE_RANK='<0 on the first node, 1 on the next ...>'");
    launch.environment.emplace_back("MASTER_ADDR='<address of the first node>'");
  }
}

// ---- vLLM

void vllm_obstacles(const Replica& r, std::vector<std::string>& cannot) {
  const ServingParallelism& p = r.parallelism;
  shared_obstacles("vLLM", r, cannot);
  if (p.expert > 1 && p.expert != p.tensor * p.attention_data)
    cannot.emplace_back("vLLM spreads experts over all tensor and data parallel ranks or over none.");
  if (p.attention_data > 1 && r.model.experts <= 0)
    cannot.emplace_back("vLLM shares weights between attention data parallel ranks in MoE models only.");
  if (!one_of(r.run.kv_precision, {"", "bf16", "fp16", "fp8"}))
    cannot.push_back("vLLM is not started with a " + r.run.kv_precision + " KV cache here.");
  if (r.nodes() > 1 && p.attention_data > 1 && p.tensor * p.pipeline > r.node_gpus)
    cannot.emplace_back("Arguments for data parallel ranks that each span nodes are not known here.");
}

void vllm_nodes(const Replica& r, Options options) {
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

void vllm_speculative(const Replica& r, Options options) {
  if (!r.run.speculative) return;
  const bool draft = r.run.speculative->draft_model != nullptr;
  const bool own = !draft && has_own_draft(r.model);
  options.add("--speculative-config.method", draft ? "draft_model" : own ? "mtp" : "eagle3");
  if (!own) options.add("--speculative-config.model", "$DRAFT_MODEL");
  options.add("--speculative-config.num_speculative_tokens", r.run.speculative->draft_tokens);
}

LaunchArguments vllm(const Replica& r) {
  LaunchArguments launch{.program = "vllm serve", .form = "command-line"};
  vllm_obstacles(r, launch.cannot);
  if (!launch.cannot.empty()) return launch;
  add_environment(r, launch);
  const ServingParallelism& p = r.parallelism;
  Options options(launch.arguments);
  options.add("\"$MODEL\"");
  options.add("--host", "0.0.0.0");
  options.add("--port", port_of_engine("vllm"));
  options.add("--tensor-parallel-size", p.tensor);
  options.add_above_one("--pipeline-parallel-size", p.pipeline);
  options.add_above_one("--data-parallel-size", p.attention_data);
  if (p.expert > 1) options.add("--enable-expert-parallel");
  if (is_plain(r.run.weight_precision)) options.add("--dtype", torch_type(r.run.weight_precision));
  if (r.run.kv_precision == "fp8") options.add("--kv-cache-dtype", "fp8");
  options.add("--max-model-len", r.longest());
  options.add_known("--max-num-seqs", r.sequences_of_rank());
  options.add_known("--max-num-batched-tokens", r.run.max_batched_tokens);
  options.add_known("--gpu-memory-utilization", r.run.memory_fraction);
  options.add_known("--block-size", r.run.block_tokens);
  if (r.run.hybrid_allocator && !*r.run.hybrid_allocator) options.add("--disable-hybrid-kv-cache-manager");
  if (r.run.prefix_hit_ratio > 0) options.add("--enable-prefix-caching");
  if (r.chunked()) options.add("--enable-chunked-prefill");
  vllm_speculative(r, options);
  if (r.pool != Pool::whole) {
    options.add("--kv-transfer-config.kv_connector", "NixlConnector");
    options.add("--kv-transfer-config.kv_role", "kv_both");
  }
  vllm_nodes(r, options);
  return launch;
}

// ---- TensorRT-LLM

void trtllm_obstacles(const Replica& r, std::vector<std::string>& cannot) {
  const ServingParallelism& p = r.parallelism;
  shared_obstacles("TensorRT-LLM", r, cannot);
  if (p.attention_data > 1 && p.tensor > 1)
    cannot.emplace_back("TensorRT-LLM runs attention data parallel on every GPU or on none.");
  if (!one_of(r.run.kv_precision, {"", "bf16", "fp16", "fp8", "nvfp4"}))
    cannot.push_back("TensorRT-LLM is not started with a " + r.run.kv_precision + " KV cache here.");
  if (one_of(r.run.weight_precision, {"int4-gptq", "mxfp8"}))
    cannot.push_back("TensorRT-LLM is not started with " + r.run.weight_precision + " weights here.");
  if (r.run.speculative && r.run.speculative->draft_model && r.nodes() > 1)
    cannot.emplace_back("A draft model on several nodes is not known here for TensorRT-LLM.");
}

/// Lines of the options file.
LaunchArguments trtllm_options(const Replica& r) {
  LaunchArguments file{.program = std::string(kOptionsFile), .form = "yaml"};
  std::vector<std::string>& lines = file.arguments;
  lines.emplace_back("kv_cache_config:");
  lines.push_back(r.run.prefix_hit_ratio > 0 ? "  enable_block_reuse: true" : "  enable_block_reuse: false");
  if (one_of(r.run.kv_precision, {"fp8", "nvfp4"})) lines.push_back("  dtype: " + r.run.kv_precision);
  if (r.run.block_tokens) lines.push_back("  tokens_per_block: " + shortest_number(*r.run.block_tokens));
  if (r.parallelism.attention_data > 1) lines.emplace_back("enable_attention_dp: true");
  if (r.chunked()) lines.emplace_back("enable_chunked_prefill: true");
  if (r.run.speculative) {
    const std::string tokens = shortest_number(r.run.speculative->draft_tokens);
    const bool draft = r.run.speculative->draft_model != nullptr;
    lines.emplace_back("speculative_config:");
    if (draft || !has_own_draft(r.model)) {
      lines.emplace_back(draft ? "  decoding_type: DraftTarget" : "  decoding_type: Eagle");
      lines.push_back("  max_draft_len: " + tokens);
      lines.emplace_back("  speculative_model_dir: \"$DRAFT_MODEL\"");
    } else {
      lines.emplace_back("  decoding_type: MTP");
      lines.push_back("  num_nextn_predict_layers: " + tokens);
    }
  }
  if (r.pool != Pool::whole) {
    lines.emplace_back("cache_transceiver_config:");
    lines.emplace_back("  backend: DEFAULT");
    if (r.pool == Pool::prefill) lines.emplace_back("disable_overlap_scheduler: true");
  }
  return file;
}

LaunchArguments trtllm(const Replica& r) {
  LaunchArguments launch{.program = "trtllm-serve", .form = "command-line"};
  trtllm_obstacles(r, launch.cannot);
  if (!launch.cannot.empty()) return launch;
  add_environment(r, launch);
  const ServingParallelism& p = r.parallelism;
  if (r.nodes() > 1) {
    // The launcher's MPI ranks stand in the place of node ranks.
    launch.environment.resize(launch.environment.size() - 2);
    launch.program = "mpirun -n " + shortest_number(p.tensor * p.pipeline * p.attention_data) +
                     " trtllm-llmapi-launch " + launch.program;
  }
  Options options(launch.arguments);
  options.add("\"$MODEL\"");
  options.add("--host", "0.0.0.0");
  options.add("--port", port_of_engine("tensorrt-llm"));
  options.add("--backend", "pytorch");
  options.add("--tp_size", p.tensor * p.attention_data);
  options.add_above_one("--pp_size", p.pipeline);
  options.add_above_one("--ep_size", p.expert);
  if (r.nodes() > 1) options.add("--gpus_per_node", r.node_gpus);
  options.add_known("--max_batch_size", r.sequences_of_rank());
  options.add_known("--max_num_tokens", r.run.max_batched_tokens);
  options.add("--max_seq_len", r.longest());
  options.add_known("--kv_cache_free_gpu_memory_fraction", r.run.memory_fraction);
  options.add("--extra_llm_api_options", kOptionsFile);
  return launch;
}

// ---- SGLang

void sglang_obstacles(const Replica& r, std::vector<std::string>& cannot) {
  shared_obstacles("SGLang", r, cannot);
  if (!one_of(r.run.kv_precision, {"", "bf16", "fp16", "fp8"}))
    cannot.push_back("SGLang is not started with a " + r.run.kv_precision + " KV cache here.");
}

void sglang_speculative(const Replica& r, Options options) {
  if (!r.run.speculative) return;
  const bool draft = r.run.speculative->draft_model != nullptr;
  const bool own = !draft && has_own_draft(r.model);
  options.add("--speculative-algorithm", draft ? "STANDALONE" : own ? "NEXTN" : "EAGLE3");
  if (!own) options.add("--speculative-draft-model-path", "\"$DRAFT_MODEL\"");
  options.add("--speculative-num-steps", r.run.speculative->draft_tokens);
  options.add("--speculative-eagle-topk", 1);
  options.add("--speculative-num-draft-tokens", r.run.speculative->draft_tokens + 1);
}

LaunchArguments sglang(const Replica& r) {
  LaunchArguments launch{.program = "python3 -m sglang.launch_server", .form = "command-line"};
  sglang_obstacles(r, launch.cannot);
  if (!launch.cannot.empty()) return launch;
  add_environment(r, launch);
  const ServingParallelism& p = r.parallelism;
  Options options(launch.arguments);
  options.add("--model-path", "\"$MODEL\"");
  options.add("--host", "0.0.0.0");
  options.add("--port", port_of_engine("sglang"));
  options.add("--tp-size", p.tensor * p.attention_data);
  options.add_above_one("--pp-size", p.pipeline);
  if (p.attention_data > 1) {
    options.add("--dp-size", p.attention_data);
    options.add("--enable-dp-attention");
  }
  options.add_above_one("--ep-size", p.expert);
  if (is_plain(r.run.weight_precision)) options.add("--dtype", torch_type(r.run.weight_precision));
  if (r.run.kv_precision == "fp8") options.add("--kv-cache-dtype", "fp8_e4m3");
  options.add("--context-length", r.longest());
  options.add_known("--max-running-requests", r.run.max_batch_size);
  options.add_known("--chunked-prefill-size", r.run.max_batched_tokens);
  options.add_known("--mem-fraction-static", r.run.memory_fraction);
  options.add_known("--page-size", r.run.block_tokens);
  sglang_speculative(r, options);
  if (r.pool != Pool::whole) options.add("--disaggregation-mode", r.pool == Pool::prefill ? "prefill" : "decode");
  if (r.nodes() > 1) {
    options.add("--nnodes", r.nodes());
    options.add("--node-rank", "$NODE_RANK");
    options.add("--dist-init-addr", "$MASTER_ADDR:5000");
  }
  return launch;
}

// ---- llama.cpp

/// Word of llama-server for a type of the KV cache; empty where it has none.
std::string_view ggml_type(std::string_view precision) {
  if (precision == "fp32") return "f32";
  if (precision == "bf16") return "bf16";
  if (precision == "fp16") return "f16";
  if (precision == "q8-0") return "q8_0";
  return precision == "q4-0" ? "q4_0" : "";
}

void llama_cpp_obstacles(const Replica& r, std::vector<std::string>& cannot) {
  const ServingParallelism& p = r.parallelism;
  if (!is_gguf(r.run.weight_precision) && !is_plain(r.run.weight_precision) && r.run.weight_precision != "mxfp4")
    cannot.push_back("llama.cpp has no GGUF type for " + r.run.weight_precision + " weights.");
  if (p.expert > 1 || p.attention_data > 1)
    cannot.emplace_back("llama-server splits a model by layers or by rows, not by experts or sequences.");
  if (p.tensor > 1 && p.pipeline > 1) cannot.emplace_back("llama-server splits by layers or by rows, not both.");
  if (r.nodes() > 1) cannot.emplace_back("Arguments for llama-server on several nodes are not known here.");
  if (!r.run.kv_precision.empty() && ggml_type(r.run.kv_precision).empty())
    cannot.push_back("llama-server has no " + r.run.kv_precision + " KV cache.");
  if (r.pool != Pool::whole) cannot.emplace_back("llama-server computes prompts and answers in one process.");
}

LaunchArguments llama_cpp(const Replica& r) {
  LaunchArguments launch{.program = "llama-server", .form = "command-line"};
  llama_cpp_obstacles(r, launch.cannot);
  if (!launch.cannot.empty()) return launch;
  add_environment(r, launch);
  const bool loaded = r.run.load.kind == LoadKind::concurrency || r.run.load.kind == LoadKind::static_batch;
  const double slots =
      r.run.max_batch_size.value_or(loaded ? std::max(1.0, std::ceil(r.run.load.value / r.parallelism.data)) : 1);
  Options options(launch.arguments);
  options.add("--model", "\"$MODEL\"");
  options.add("--host", "0.0.0.0");
  options.add("--port", port_of_engine("llama.cpp"));
  options.add("--n-gpu-layers", "all");
  if (r.parallelism.tensor > 1) options.add("--split-mode", "row");
  if (r.parallelism.pipeline > 1) options.add("--split-mode", "layer");
  options.add("--parallel", slots);
  options.add("--ctx-size", slots * r.longest());  // shared out among the slots
  if (r.run.max_batched_tokens) {
    options.add("--batch-size", *r.run.max_batched_tokens);
    options.add("--ubatch-size", *r.run.max_batched_tokens);
  }
  const std::string_view type = ggml_type(r.run.kv_precision);
  if (!type.empty()) {
    options.add("--cache-type-k", type);
    options.add("--cache-type-v", type);
    if (type[0] == 'q') options.add("--flash-attn", "on");
  }
  if (r.run.hybrid_allocator && !*r.run.hybrid_allocator) options.add("--swa-full");
  if (r.run.speculative) {
    const bool own = !r.run.speculative->draft_model && has_own_draft(r.model);
    if (!own) options.add("--spec-draft-model", "\"$DRAFT_MODEL\"");
    if (!r.run.speculative->draft_model) options.add("--spec-type", own ? "draft-mtp" : "draft-eagle3");
    options.add("--spec-draft-n-max", r.run.speculative->draft_tokens);
  }
  return launch;
}

// ---- LMDeploy

void lmdeploy_obstacles(const Replica& r, std::vector<std::string>& cannot) {
  const ServingParallelism& p = r.parallelism;
  shared_obstacles("LMDeploy", r, cannot);
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

LaunchArguments lmdeploy(const Replica& r) {
  LaunchArguments launch{.program = "lmdeploy serve api_server", .form = "command-line"};
  lmdeploy_obstacles(r, launch.cannot);
  if (!launch.cannot.empty()) return launch;
  add_environment(r, launch);
  Options options(launch.arguments);
  options.add("\"$MODEL\"");
  options.add("--server-name", "0.0.0.0");
  options.add("--server-port", port_of_engine("lmdeploy"));
  options.add("--backend", "turbomind");
  options.add("--tp", r.parallelism.tensor);
  if (is_plain(r.run.weight_precision)) options.add("--dtype", torch_type(r.run.weight_precision));
  if (r.run.weight_precision == "int4-awq") options.add("--model-format", "awq");
  if (r.run.weight_precision == "int4-gptq") options.add("--model-format", "gptq");
  options.add("--session-len", r.longest());
  options.add_known("--max-batch-size", r.run.max_batch_size);
  options.add_known("--cache-max-entry-count", r.run.memory_fraction);
  options.add_known("--max-prefill-token-num", r.run.max_batched_tokens);
  options.add_known("--cache-block-seq-len", r.run.block_tokens);
  if (r.run.kv_precision == "int8") options.add("--quant-policy", 8);
  if (r.run.prefix_hit_ratio > 0) options.add("--enable-prefix-caching");
  return launch;
}

/// Appends what starts one pool, and its options file.
void add_pool(const Replica& r, std::vector<LaunchArguments>& launches) {
  const std::string& engine = r.run.engine;
  LaunchArguments launch;
  if (engine == "vllm") {
    launch = vllm(r);
  } else if (engine == "tensorrt-llm") {
    launch = trtllm(r);
  } else if (engine == "sglang") {
    launch = sglang(r);
  } else if (engine == "llama.cpp") {
    launch = llama_cpp(r);
  } else if (engine == "lmdeploy") {
    launch = lmdeploy(r);
  } else {
    launch.program = engine;
    launch.form = "command-line";
    launch.cannot.push_back("Launch arguments for a server with " + engine + " are not known here.");
  }
  const bool options = engine == "tensorrt-llm" && launch.cannot.empty();
  if (r.pool == Pool::prefill) launch.environment.insert(launch.environment.begin(), "POOL=prefill");
  if (r.pool == Pool::decode) launch.environment.insert(launch.environment.begin(), "POOL=decode");
  launches.push_back(std::move(launch));
  if (options) launches.push_back(trtllm_options(r));
}

}  // namespace

double nodes_of_replica(const ServingParallelism& parallelism, double node_gpus) {
  const double gpus = parallelism.tensor * parallelism.pipeline * parallelism.attention_data;
  return std::ceil(gpus / std::max(1.0, node_gpus));
}

double port_of_engine(std::string_view engine) {
  if (engine == "sglang") return 30000;
  if (engine == "llama.cpp") return 8080;
  return engine == "lmdeploy" ? 23333 : 8000;
}

std::string_view image_of_engine(std::string_view engine) {
  if (engine == "vllm") return "vllm/vllm-openai";
  if (engine == "sglang") return "lmsysorg/sglang";
  if (engine == "tensorrt-llm") return "nvcr.io/nvidia/tensorrt-llm/release";
  if (engine == "llama.cpp") return "ghcr.io/ggml-org/llama.cpp";
  return engine == "lmdeploy" ? "openmmlab/lmdeploy" : "";
}

std::vector<LaunchArguments> serving_launch_arguments(const Model& model, const Gpu& gpu, const ServingRun& run,
                                                      double node_gpus) {
  std::vector<LaunchArguments> launches;
  const double known_node = node_gpus > 0 ? node_gpus : gpu.link_domain_gpus.value_or(1);
  if (run.disaggregated) {
    add_pool({.model = model,
              .run = run,
              .parallelism = run.disaggregated->prefill,
              .pool = Pool::prefill,
              .node_gpus = known_node},
             launches);
    add_pool({.model = model,
              .run = run,
              .parallelism = run.disaggregated->decode,
              .pool = Pool::decode,
              .node_gpus = known_node},
             launches);
  } else {
    add_pool({.model = model, .run = run, .parallelism = run.parallelism, .pool = Pool::whole, .node_gpus = known_node},
             launches);
  }
  return launches;
}

}  // namespace podwright::sizing
