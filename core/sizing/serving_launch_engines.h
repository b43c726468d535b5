#pragma once
/// What each engine is started with; serving_launch.h asks for all of it. One file an engine: launch_vllm.cc ...
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/model.h"
#include "memory/serving_run.h"
#include "sizing/launch_options.h"

namespace podwright::sizing {

/// Who proposes tokens: nobody, a smaller model, the multi-token layers of the model itself, or a draft head trained
/// for it.
enum class Draft { none, model, own_layers, head };

/// What a replica of one engine is asked for.
struct ReplicaLaunch {
  const Model& model;
  const ServingRun& run;
  const ServingParallelism& parallelism;
  Pool pool = Pool::whole;
  double node_gpus = 1;
  std::optional<double> places = {};  ///< sequences that fit on it, where that is told

  double nodes() const;
  /// Tokens of a sequence: as long as it may become, else the mean.
  double usual_tokens() const { return run.max_model_tokens.value_or(run.input_tokens + run.output_tokens); }
  /// Tokens of the longest sequence that the engine takes. Where lengths scatter, no more than one of a thousand is
  /// longer; at most what the model's context and the places take. docs/method/serving_launch.md#longest-sequence.
  double longest() const;
  /// Sequences of one attention rank, which is what schedulers count.
  std::optional<double> sequences_of_rank() const;
  bool chunked() const { return run.max_batched_tokens && *run.max_batched_tokens < run.input_tokens; }
  Draft draft() const;
  /// Whether the draft lies in files of its own, which the variable DRAFT_MODEL names.
  bool draft_has_files() const { return draft() == Draft::model || draft() == Draft::head; }
};

/// What stands in front of the pools and hands each request from one to the other.
struct RouterLaunch {
  double prefill_servers = 1;
  double decode_servers = 1;
  double prefill_port = 8000;
  double decode_port = 8000;
  double port = 8000;  ///< on which the router answers
};

/// How one engine is started.
struct EngineLaunch {
  std::string_view id;       ///< of the catalog's engine
  std::string_view program;  ///< first words of the command
  std::string_view image;    ///< public container image, without the tag
  double port = 8000;        ///< on which it answers as started here
  bool gguf = false;         ///< the model is a GGUF file, not a folder of safetensors
  bool mpi = false;          ///< MPI tells the nodes of a replica apart, no variables
  /// What stands against a start, one sentence each.
  void (*obstacles)(const ReplicaLaunch& replica, std::vector<std::string>& cannot) = nullptr;
  /// Adds the arguments, and changes of program and environment; called where nothing stands against it.
  void (*arguments)(const ReplicaLaunch& replica, LaunchArguments& launch) = nullptr;
  /// The file of options that the arguments name; null: there is none.
  LaunchArguments (*options_file)(const ReplicaLaunch& replica) = nullptr;
  /// Program, arguments and file of the router; null: the engine has no pools.
  std::vector<LaunchArguments> (*router)(const RouterLaunch& router) = nullptr;
};

extern const EngineLaunch kVllmLaunch;
extern const EngineLaunch kTensorRtLlmLaunch;
extern const EngineLaunch kSglangLaunch;
extern const EngineLaunch kLlamaCppLaunch;
extern const EngineLaunch kLmdeployLaunch;

// ---- What engines have in common

bool one_of(std::string_view word, std::initializer_list<std::string_view> words);
/// Formats that live in GGUF files: q4-k-m, iq4-xs ...
bool is_gguf(std::string_view format);
/// Formats of plain tensors: fp32, bf16, fp16.
bool is_plain(std::string_view format);
/// "--dtype bfloat16" where the weights are plain.
void add_dtype(const ReplicaLaunch& replica, LaunchOptions& options);
/// Port of a server: pools get one each, so that a host can hold both.
double port_of(const EngineLaunch& engine, Pool pool);
/// "$PREFILL_0:8100": the address of one server of a pool.
std::string server_address(Pool pool, double server, double port);
/// "--host" or what the engine calls it, and the port.
void add_address(const EngineLaunch& engine, const ReplicaLaunch& replica, LaunchOptions& options,
                 std::string_view host = "--host", std::string_view port = "--port");
/// The router's options for the servers of both pools and for its own address; `beside` follows each prefill server.
void add_servers(const RouterLaunch& router, LaunchOptions& options, std::string_view beside = "");
/// Engines that read folders of safetensors: what speaks against GGUF files.
void refuse_gguf(std::string_view engine, const ReplicaLaunch& replica, std::vector<std::string>& cannot);
/// What speaks against formats of the KV cache other than the 16-bit ones and `legal`.
void refuse_kv_cache(std::string_view engine, const ReplicaLaunch& replica,
                     std::initializer_list<std::string_view> legal, std::vector<std::string>& cannot);

}  // namespace podwright::sizing
