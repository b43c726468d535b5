#include "sizing/training_launch.h"

#include <algorithm>
#include <cmath>

#include "base/number_text.h"
#include "base/words.h"
#include "catalog/compute_capability.h"
#include "memory/training_run.h"
#include "perf/ceilings.h"

namespace podwright::sizing {
namespace {

bool even_stages(const Model& model, const TrainingRun& run) {
  const double slots = layer_slots(model.layers, run.embedding_and_loss_as_layers);
  return std::fmod(slots, run.parallelism.pipeline * run.parallelism.virtual_pipeline) == 0;
}

bool replicated(const TrainingRun& run) { return run.parallelism.data * run.parallelism.context > 1; }

template <class Visit>
void megatron_rules(const Model& model, const TrainingRun& run, Visit visit) {
  const TrainingParallelism& p = run.parallelism;
  visit(run.schedule == Schedule::one_f_one_b || run.schedule == Schedule::interleaved,
        "Megatron-LM schedules pipelines as 1F1B or interleaved.");
  visit(p.zero_stage <= 1 || p.pipeline == 1,
        "Megatron-FSDP (ZeRO 2 and 3) goes with tensor, context and expert parallelism, not with a pipeline.");
  visit(p.zero_stage < 3 || p.shard == Shard::full,
        "Arguments for hybrid sharding in Megatron-FSDP are not known here.");
  visit(p.virtual_pipeline == 1 || even_stages(model, run), "Interleaved chunks of Megatron-LM must be equal.");
  visit(p.tensor == 1 || model.experts <= 0 || p.sequence_parallel,
        "Megatron-LM wants sequence parallelism where experts and tensor parallelism meet.");
}

template <class Visit>
void torchtitan_rules(const Model& model, const TrainingRun& run, Visit visit) {
  const TrainingParallelism& p = run.parallelism;
  visit(run.schedule != Schedule::zb_h1 && run.schedule != Schedule::zb_1p && run.schedule != Schedule::zb_2p,
        "torchtitan has zero-bubble schedules of several stages a rank only.");
  visit(p.zero_stage != 1, "torchtitan shards gradients together with the optimizer (ZeRO 2 or 3) or nothing.");
  visit(p.zero_stage > 0 || !replicated(run) || p.tensor * p.pipeline * p.context == 1,
        "torchtitan replicates without sharding in pure data parallelism only.");
  visit(p.pipeline == 1 || even_stages(model, run), "torchtitan gets the layers of a stage as one number.");
  visit(p.expert == 1 || p.expert_tensor == p.tensor, "torchtitan splits experts over the tensor ranks too.");
  visit(p.expert == 1 || (p.expert >= p.context && std::fmod(p.data * p.context, p.expert) == 0),
        "torchtitan takes the ranks of experts from the context and sharded data ranks.");
}

template <class Visit>
void deepspeed_rules(const TrainingRun& run, Visit visit) {
  const TrainingParallelism& p = run.parallelism;
  visit(run.schedule == Schedule::one_f_one_b, "DeepSpeed schedules pipelines as 1F1B.");
  visit(p.zero_stage <= 1 || p.pipeline == 1, "DeepSpeed joins pipelines with ZeRO 0 and 1 only.");
  visit(p.zero_stage < 3 || p.shard == Shard::full, "Hybrid sharding is not ZeRO 3.");
}

template <class Visit>
void fsdp_rules(const TrainingRun& run, Visit visit) {
  const TrainingParallelism& p = run.parallelism;
  visit(p.tensor * p.pipeline * p.context * p.expert * p.expert_tensor == 1,
        "PyTorch FSDP alone spreads over data ranks only.");
  visit(p.zero_stage >= 2 || !replicated(run),
        "PyTorch FSDP shards gradients and optimizer (ZeRO 2) or parameters too (ZeRO 3).");
}

template <class Visit>
void launch_rules(Launcher launcher, const Model& model, const TrainingRun& run, Visit visit) {
  switch (launcher) {
    case Launcher::megatron:
      return megatron_rules(model, run, visit);
    case Launcher::torchtitan:
      return torchtitan_rules(model, run, visit);
    case Launcher::deepspeed:
      return deepspeed_rules(run, visit);
    case Launcher::fsdp:
      return fsdp_rules(run, visit);
    case Launcher::other:
      return;
  }
}

/// Layers that the GPT model of Megatron-LM does not have.
bool unusual_layers(const Model& model) {
  return model.linear_attention || model.indexer || !model.layer_groups.empty() || model.moe_latent_size > 0;
}

/// What besides the layout has no argument.
void megatron_gaps(const Model& model, const TrainingRun& run, std::vector<std::string>& cannot) {
  if (run.method != TrainingMethod::full) cannot.emplace_back("The pretraining script of Megatron-LM has no adapters.");
  if (run.precision == Precision::tf32) cannot.emplace_back("Megatron-LM has no argument for TF32.");
  if (run.offload != Offload::none) cannot.emplace_back("Arguments for offload in Megatron-LM are not known here.");
  if (unusual_layers(model))
    cannot.push_back("The GPT model of Megatron-LM has no arguments for all layers of " + model.name + ".");
}

LaunchVariable checkpoints_variable() {
  return asked_variable("CHECKPOINTS", "folder of the checkpoints, which all nodes share");
}

void torchtitan_gaps(const Model& model, const TrainingRun& run, std::vector<std::string>& cannot) {
  if (!model.origin.starts_with("catalog"))
    cannot.emplace_back(
        "torchtitan trains models that it has as name and flavour; it has none of a model from a file.");
  if (run.method != TrainingMethod::full) cannot.emplace_back("torchtitan trains all weights.");
  const bool current = run.precision == Precision::fp8 && run.fp8_recipe == Fp8Recipe::current;
  if (!current && run.precision != Precision::bf16 && run.precision != Precision::fp32 &&
      run.precision != Precision::mxfp8)
    cannot.emplace_back("torchtitan computes in bf16, fp32, fp8 with current scaling, or mxfp8.");
  if (run.offload != Offload::none) cannot.emplace_back("Settings for offload in torchtitan are not known here.");
}

/// One option a line of a TOML file.
class Toml {
 public:
  explicit Toml(std::vector<std::string>& out) : out_(out) {}
  void section(std::string_view name) { out_.push_back("[" + std::string(name) + "]"); }
  void set(std::string_view key, double value) { raw(key, shortest_number(value)); }
  void text(std::string_view key, std::string_view value) { raw(key, "\"" + std::string(value) + "\""); }
  void raw(std::string_view key, std::string_view value) {
    out_.push_back(std::string(key) + " = " + std::string(value));
  }

 private:
  std::vector<std::string>& out_;
};

void megatron_model(const Model& model, const TrainingRun& run, LaunchOptions options) {
  options.add("--num-layers", model.layers);
  options.add("--hidden-size", model.hidden_size);
  if (model.ffn_hidden_size > 0) options.add("--ffn-hidden-size", model.ffn_hidden_size);
  options.add("--num-attention-heads", model.attention_heads);
  if (model.kv_lora_rank > 0) {
    options.add("--multi-latent-attention");
    if (model.q_lora_rank > 0) options.add("--q-lora-rank", model.q_lora_rank);
    options.add("--kv-lora-rank", model.kv_lora_rank);
    options.add("--qk-head-dim", model.qk_nope_dim);
    options.add("--qk-pos-emb-head-dim", model.qk_rope_dim);
    options.add("--v-head-dim", model.v_head_dim);
  } else {
    options.add("--kv-channels", model.head_dim);
    if (model.kv_heads > 0 && model.kv_heads < model.attention_heads) {
      options.add("--group-query-attention");
      options.add("--num-query-groups", model.kv_heads);
    }
  }
  options.add("--vocab-size", model.vocab_size);
  options.add("--seq-length", run.sequence_length);
  options.add("--max-position-embeddings",
              std::max({run.sequence_length, model.context_tokens, model.position_embeddings}));
  if (model.position_embeddings <= 0) options.add("--position-embedding-type", "rope");
  if (model.rope_base > 0) options.add("--rotary-base", model.rope_base);
  if (model.rope_scaling_factor > 0) {
    options.add("--use-rope-scaling");
    options.add("--rope-scaling-factor", model.rope_scaling_factor);
  }
  if (!model.norm_bias) options.add("--normalization", "RMSNorm");
  if (model.norm_epsilon > 0) options.add("--norm-epsilon", model.norm_epsilon);
  if (model.mlp_matrices == 3) options.add("--swiglu");
  if (model.biases != BiasKind::attention_mlp) options.add("--disable-bias-linear");
  if (model.biases == BiasKind::qkv) options.add("--add-qkv-bias");
  if (model.qk_norm == QkNormKind::head) options.add("--qk-layernorm");
  if (!model.tied_embeddings) options.add("--untie-embeddings-and-output-weights");
  // Megatron-LM drops a tenth of the values unless told otherwise, and keeps masks of them; only runs of its first
  // years did so.
  if (run.framework != "megatron-lm") {
    options.add("--attention-dropout", 0);
    options.add("--hidden-dropout", 0);
  }
  if (model.experts <= 0) return;
  options.add("--num-experts", model.experts);
  options.add("--moe-router-topk", model.experts_per_token);
  options.add("--moe-ffn-hidden-size", model.moe_ffn_hidden_size);
  if (model.router_pre_softmax) options.add("--moe-router-pre-softmax");
  if (model.router_loss > 0) options.add("--moe-aux-loss-coeff", model.router_loss);
  if (model.shared_ffn_hidden_size > 0)
    options.add("--moe-shared-expert-intermediate-size", model.shared_ffn_hidden_size);
  if (model.first_dense_layers > 0) {
    options.add("--moe-layer-freq", "\"([0]*" + shortest_number(model.first_dense_layers) + "+[1]*" +
                                        shortest_number(model.layers - model.first_dense_layers) + ")\"");
  } else if (model.moe_every_n_layers > 1) {
    options.add("--moe-layer-freq", model.moe_every_n_layers);
  }
  options.add("--moe-token-dispatcher-type", "alltoall");
  if (run.precision == Precision::bf16) options.add("--moe-grouped-gemm");
}

/// The stages of an uneven pipeline: "Ett|ttt|ttL".
std::string stage_map(const Model& model, const TrainingRun& run) {
  const LayerStack stack = layer_stack(model);
  const StageSplit split = stage_split(run);
  std::string text = "\"E";
  const int stages = static_cast<int>(run.parallelism.pipeline);
  for (int stage = 0; stage < stages; ++stage) {
    double layers = 0;
    for (const double kind : stage_layers(stack, split, stage)) layers += kind;
    if (layers > 0) text += "t*" + shortest_number(layers);
    if (stage + 1 < stages) text += "|";
  }
  return text + "L\"";
}

void megatron_pipeline(const Model& model, const TrainingRun& run, LaunchOptions options) {
  const TrainingParallelism& p = run.parallelism;
  options.add("--pipeline-model-parallel-size", p.pipeline);
  if (p.pipeline == 1) return;
  if (!even_stages(model, run)) return options.add("--pipeline-model-parallel-layout", stage_map(model, run));
  if (run.embedding_and_loss_as_layers) {
    options.add("--account-for-embedding-in-pipeline-split");
    options.add("--account-for-loss-in-pipeline-split");
  }
  if (p.virtual_pipeline > 1)
    options.add("--num-layers-per-virtual-pipeline-stage",
                layer_slots(model.layers, run.embedding_and_loss_as_layers) / (p.pipeline * p.virtual_pipeline));
}

void megatron_precision(const TrainingRun& run, LaunchOptions options) {
  switch (run.precision) {
    case Precision::fp32:
    case Precision::tf32:
      return;
    case Precision::fp16:
      return options.add("--fp16");
    case Precision::bf16:
      return options.add("--bf16");
    case Precision::fp8:
      options.add("--bf16");
      options.add("--fp8-format", run.fp8_recipe == Fp8Recipe::block ? "e4m3" : "hybrid");
      return options.add("--fp8-recipe", run.fp8_recipe == Fp8Recipe::block     ? "blockwise"
                                         : run.fp8_recipe == Fp8Recipe::current ? "tensorwise"
                                                                                : "delayed");
    case Precision::mxfp8:
      options.add("--bf16");
      options.add("--fp8-format", "e4m3");
      return options.add("--fp8-recipe", "mxfp8");
    case Precision::nvfp4:
      options.add("--bf16");
      options.add("--fp4-format", "e2m1");
      return options.add("--fp4-recipe", "nvfp4");
  }
}

void megatron_data(const TrainingRun& run, LaunchOptions options) {
  const int zero = run.parallelism.zero_stage;
  if (zero == 0) return;
  options.add("--use-distributed-optimizer");
  if (zero >= 2) {
    options.add("--use-megatron-fsdp");
    options.add("--data-parallel-sharding-strategy", zero == 2 ? "optim_grads" : "optim_grads_params");
    options.add("--no-gradient-accumulation-fusion");
    options.add("--ckpt-format", "fsdp_dtensor");
  }
  options.add("--overlap-grad-reduce");
  options.add("--overlap-param-gather");
}

/// Hopper and earlier need one queue of commands for tensor and context parallelism to overlap in order.
bool wants_one_queue(const Gpu& gpu, const TrainingRun& run) {
  const double capability = capability_number(gpu.compute_capability);
  const bool before_blackwell = capability > 0 && capability < 10;
  return before_blackwell && run.parallelism.zero_stage < 2 && run.parallelism.tensor * run.parallelism.context > 1;
}

void titan_parallelism(const Model& model, const Gpu& gpu, const TrainingRun& run, Toml toml) {
  const TrainingParallelism& p = run.parallelism;
  const bool hybrid = p.zero_stage == 3 && p.shard == Shard::hybrid;
  const double room = gpu.link_domain_gpus.value_or(1) / (p.tensor * p.context);
  const double sharded = p.zero_stage == 0 ? 1 : hybrid ? ranks_inside(p.data, room) : p.data;
  toml.section("parallelism");
  toml.set("data_parallel_replicate_degree", p.data / sharded);
  toml.set("data_parallel_shard_degree", sharded);
  toml.text("fsdp_reshard_after_forward", p.zero_stage == 3 ? "always" : "never");
  toml.set("tensor_parallel_degree", p.tensor);
  toml.set("pipeline_parallel_degree", p.pipeline);
  if (p.pipeline > 1) {
    const double ends = run.embedding_and_loss_as_layers ? 1 : 0;
    toml.text("pipeline_parallel_schedule", p.virtual_pipeline > 1            ? "Interleaved1F1B"
                                            : run.schedule == Schedule::gpipe ? "GPipe"
                                                                              : "1F1B");
    toml.set("pipeline_parallel_microbatch_size", run.micro_batch_size);
    toml.set("pipeline_parallel_layers_per_stage",
             layer_slots(model.layers, run.embedding_and_loss_as_layers) / (p.pipeline * p.virtual_pipeline));
    toml.set("pipeline_parallel_first_stage_less_layers", ends);
    toml.set("pipeline_parallel_last_stage_less_layers", ends);
  }
  toml.set("context_parallel_degree", p.context);
  if (model.experts > 0) toml.set("expert_parallel_degree", p.expert);
}

}  // namespace

Launcher launcher_of(std::string_view framework) {
  const auto has = [&](std::string_view word) { return framework.find(word) != std::string_view::npos; };
  if (has("deepspeed") || has("neox")) return Launcher::deepspeed;
  if (has("megatron") || (has("nemo") && !has("automodel"))) return Launcher::megatron;
  if (has("torchtitan")) return Launcher::torchtitan;
  return has("fsdp") || has("foundry") ? Launcher::fsdp : Launcher::other;
}

bool launches(Launcher launcher, const Model& model, const TrainingRun& run) {
  bool all = true;
  launch_rules(launcher, model, run, [&](bool holds, const char*) { all = all && holds; });
  return all;
}

std::vector<std::string> launch_obstacles(Launcher launcher, const Model& model, const TrainingRun& run) {
  std::vector<std::string> obstacles;
  launch_rules(launcher, model, run, [&](bool holds, const char* sentence) {
    if (!holds) obstacles.emplace_back(sentence);
  });
  return obstacles;
}

double optimizer_steps(double tokens, const TrainingRun& run) {
  return std::ceil(tokens / (run.global_batch_size * run.sequence_length));
}

LaunchArguments megatron_arguments(const Model& model, const Gpu& gpu, const TrainingRun& run,
                                   const TrainingLength& length) {
  LaunchArguments launch{.program = "megatron-lm", .form = "command-line"};
  launch.cannot = launch_obstacles(Launcher::megatron, model, run);
  megatron_gaps(model, run, launch.cannot);
  if (!launch.cannot.empty()) return launch;
  const TrainingParallelism& p = run.parallelism;
  LaunchOptions options(launch.arguments);
  options.add("--tensor-model-parallel-size", p.tensor);
  if (p.tensor > 1 && p.sequence_parallel) options.add("--sequence-parallel");
  megatron_pipeline(model, run, options);
  if (p.context > 1) options.add("--context-parallel-size", p.context);
  if (model.experts > 0) {
    options.add("--expert-model-parallel-size", p.expert);
    options.add("--expert-tensor-parallel-size", p.expert_tensor);
  }
  megatron_data(run, options);
  options.add("--micro-batch-size", run.micro_batch_size);
  options.add("--global-batch-size", run.global_batch_size);
  if (length.tokens) options.add("--train-iters", optimizer_steps(*length.tokens, run));
  if (run.activation_recompute != Recompute::none)
    options.add("--recompute-granularity", run.activation_recompute == Recompute::full ? "full" : "selective");
  if (run.activation_recompute == Recompute::full) {
    options.add("--recompute-method", "uniform");
    options.add("--recompute-num-layers", 1);
  }
  megatron_precision(run, options);
  if (run.optimizer == Optimizer::sgd) options.add("--optimizer", "sgd");
  megatron_model(model, run, options);
  if (length.save_steps) {
    // What is there already is where the run goes on.
    for (const char* name : {"--save", "--load"}) options.add(name, "\"$CHECKPOINTS\"");
    options.add("--save-interval", *length.save_steps);
  }
  options.add("--data-path", "\"$DATA_PATH\"");
  options.add("--tokenizer-type", "HuggingFaceTokenizer");
  options.add("--tokenizer-model", "\"$TOKENIZER\"");
  launch.environment = {asked_variable("DATA_PATH", "prefix of the files that tools/preprocess_data.py wrote"),
                        asked_variable("TOKENIZER", "folder or Hugging Face name of the tokenizer")};
  if (length.save_steps) launch.environment.push_back(checkpoints_variable());
  if (wants_one_queue(gpu, run)) launch.environment.push_back({"CUDA_DEVICE_MAX_CONNECTIONS", "1"});
  return launch;
}

LaunchArguments torchtitan_arguments(const Model& model, const Gpu& gpu, const TrainingRun& run,
                                     const TrainingLength& length) {
  LaunchArguments launch{.program = "torchtitan", .form = "toml"};
  launch.cannot = launch_obstacles(Launcher::torchtitan, model, run);
  torchtitan_gaps(model, run, launch.cannot);
  if (!launch.cannot.empty()) return launch;
  const TrainingParallelism& p = run.parallelism;
  Toml toml(launch.arguments);
  const bool mx = run.precision == Precision::mxfp8;
  if (mx || run.precision == Precision::fp8) {
    toml.section("model");
    toml.raw("converters", mx ? "[\"mx\"]" : "[\"float8\"]");
    toml.section(mx ? "mx" : "float8");
    toml.text("recipe_name", mx ? "mxfp8_cublas" : "tensorwise");
    if (!mx && p.zero_stage >= 2) {
      toml.raw("enable_fsdp_float8_all_gather", "true");
      toml.raw("precompute_float8_dynamic_scale_for_fsdp", "true");
    }
  }
  toml.section("training");
  // A pipeline takes all micro-batches of a rank at once; without one they are accumulated.
  toml.set("local_batch_size", p.pipeline > 1 ? run.global_batch_size / p.data : run.micro_batch_size);
  toml.set("global_batch_size", run.global_batch_size);
  if (length.tokens) toml.set("steps", optimizer_steps(*length.tokens, run));
  toml.set("seq_len", run.sequence_length);
  toml.text("mixed_precision_param", run.precision == Precision::fp32 ? "float32" : "bfloat16");
  titan_parallelism(model, gpu, run, toml);
  toml.section("activation_checkpoint");
  toml.text("mode", word_of(run.activation_recompute, kRecomputeWords));
  if (run.activation_recompute == Recompute::selective) toml.text("selective_ac_option", "op");
  if (length.save_steps) {
    toml.section("checkpoint");
    toml.raw("enable_checkpoint", "true");
    toml.set("interval", *length.save_steps);
  }
  launch.environment = {asked_variable("TITAN_MODEL", "name of the model in torchtitan, such as llama3"),
                        asked_variable("TITAN_FLAVOR", "its size in torchtitan, such as 8B"),
                        asked_variable("TITAN_DATASET", "a data set that torchtitan knows, such as c4")};
  if (length.save_steps) launch.environment.push_back(checkpoints_variable());
  return launch;
}

double host_gpus(const Catalog& catalog, const Gpu& gpu, const System* system) {
  const double node = node_gpus(catalog, gpu, system);
  for (const System& one : catalog.systems)
    if (system == nullptr && holds_gpu(one, gpu.id) && one.gpu_count == node) system = &one;
  return system != nullptr && is_rack(*system) ? node / *system->trays : node;
}

LaunchArguments torchrun_arguments(double gpus, double node_gpus) {
  LaunchArguments launch{.program = "torchrun", .form = "command-line"};
  const double here = std::min(gpus, node_gpus);
  if (std::fmod(gpus, here) != 0) {
    launch.cannot.push_back(shortest_number(gpus) + " GPUs do not fill nodes of " + shortest_number(node_gpus) +
                            ", and torchrun starts the same number on each.");
    return launch;
  }
  LaunchOptions options(launch.arguments);
  options.add("--nnodes", gpus / here);
  options.add("--nproc-per-node", here);
  if (gpus > here) {
    options.add("--rdzv-backend", "c10d");
    options.add("--rdzv-endpoint", "$MASTER_ADDR:$MASTER_PORT");
    options.add("--rdzv-id", "$JOB_ID");
  } else {
    options.add("--standalone");
  }
  return launch;
}

}  // namespace podwright::sizing
