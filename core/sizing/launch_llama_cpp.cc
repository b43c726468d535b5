#include <algorithm>
#include <cmath>

#include "sizing/serving_launch_engines.h"

namespace podwright::sizing {
namespace {

/// Word of llama-server for a type of the KV cache; empty where it has none.
std::string_view cache_type(std::string_view precision) {
  if (precision == "fp32") return "f32";
  if (precision == "bf16") return "bf16";
  if (precision == "fp16") return "f16";
  if (precision == "q8-0") return "q8_0";
  return precision == "q4-0" ? "q4_0" : "";
}

void llama_cpp_obstacles(const ReplicaLaunch& r, std::vector<std::string>& cannot) {
  const ServingParallelism& p = r.parallelism;
  if (!is_gguf(r.run.weight_precision) && !is_plain(r.run.weight_precision) && r.run.weight_precision != "mxfp4")
    cannot.push_back("llama.cpp has no GGUF type for " + r.run.weight_precision + " weights.");
  if (p.expert > 1 || p.attention_data > 1)
    cannot.emplace_back("llama-server splits a model by layers or by rows, not by experts or sequences.");
  if (p.tensor > 1 && p.pipeline > 1) cannot.emplace_back("llama-server splits by layers or by rows, not both.");
  if (r.nodes() > 1) cannot.emplace_back("Arguments for llama-server on several nodes are not known here.");
  if (!r.run.kv_precision.empty() && cache_type(r.run.kv_precision).empty())
    cannot.push_back("llama-server has no " + r.run.kv_precision + " KV cache.");
  if (r.pool != Pool::whole) cannot.emplace_back("llama-server computes prompts and answers in one process.");
}

/// Sequences at a time: as given, else those of the load on one replica, else as many as fit; absent where no one says.
std::optional<double> slots_of(const ReplicaLaunch& r) {
  const Load& load = r.run.load;
  if (r.run.max_batch_size) return r.run.max_batch_size;
  if (load.kind == LoadKind::concurrency || load.kind == LoadKind::static_batch)
    return std::max(1.0, std::ceil(load.value / r.parallelism.data));
  if (r.places) return std::max(1.0, std::floor(*r.places));
  return std::nullopt;
}

/// The context is shared out among the slots; where lengths scatter they draw on it together.
void add_slots(const ReplicaLaunch& r, LaunchOptions& options) {
  const double longest = r.longest();
  const std::optional<double> slots = slots_of(r);
  options.add_known("--parallel", slots);
  if (slots && *slots > 1 && longest > r.usual_tokens()) options.add("--kv-unified");
  options.add("--ctx-size", std::max(longest, slots.value_or(1) * r.usual_tokens()));
}

void add_cache_type(std::string_view type, LaunchOptions& options) {
  if (type.empty()) return;
  options.add("--cache-type-k", type);
  options.add("--cache-type-v", type);
  if (type[0] == 'q') options.add("--flash-attn", "on");
}

void add_speculative_llama_cpp(const ReplicaLaunch& r, LaunchOptions& options) {
  const Draft draft = r.draft();
  if (draft == Draft::none) return;
  if (r.draft_has_files()) options.add("--spec-draft-model", "\"$DRAFT_MODEL\"");
  if (draft != Draft::model) options.add("--spec-type", draft == Draft::own_layers ? "draft-mtp" : "draft-eagle3");
  options.add("--spec-draft-n-max", r.run.speculative->draft_tokens);
}

void llama_cpp_arguments(const ReplicaLaunch& r, LaunchArguments& launch) {
  LaunchOptions options(launch.arguments);
  options.add("--model", "\"$MODEL\"");
  add_address(kLlamaCppLaunch, r, options);
  options.add("--n-gpu-layers", "all");
  if (r.parallelism.tensor > 1) options.add("--split-mode", "row");
  if (r.parallelism.pipeline > 1) options.add("--split-mode", "layer");
  add_slots(r, options);
  options.add_known("--batch-size", r.run.max_batched_tokens);
  options.add_known("--ubatch-size", r.run.max_batched_tokens);
  add_cache_type(cache_type(r.run.kv_precision), options);
  if (r.run.hybrid_allocator && !*r.run.hybrid_allocator) options.add("--swa-full");
  add_speculative_llama_cpp(r, options);
}

}  // namespace

const EngineLaunch kLlamaCppLaunch{.id = "llama.cpp",
                                   .program = "llama-server",
                                   .image = "ghcr.io/ggml-org/llama.cpp",
                                   .port = 8080,
                                   .gguf = true,
                                   .obstacles = llama_cpp_obstacles,
                                   .arguments = llama_cpp_arguments};

}  // namespace podwright::sizing
