#pragma once
/// What a serving engine says of itself, in the log of its start and in its metrics. docs/method/probes.md#engines.
#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "measure/import_foreign.h"

namespace podwright {

/// What a file does not say is absent. Figures are those of one engine: of one rank of attention data parallelism, of
/// one replica. Memory is that of its fullest GPU.
struct EngineFacts {
  std::string engine;        ///< id of the catalog
  std::string version;       ///< "0.11.1", without what follows the numbers
  std::string kv_precision;  ///< as requests write it
  std::optional<double> kv_cache_tokens;
  std::optional<double> kv_blocks;
  std::optional<double> block_tokens;
  std::optional<double> kv_cache_gib;
  std::optional<double> weights_gib;
  std::optional<double> cuda_graphs_gib;
  std::optional<double> full_sequences;  ///< of full length that the pool holds
  std::optional<double> max_model_tokens;
  std::optional<double> max_sequences;  ///< that the scheduler allows
  std::optional<double> max_batched_tokens;
  std::optional<double> memory_fraction;
  std::optional<double> tensor;
  std::optional<double> pipeline;
  std::optional<double> attention_data;
  std::optional<double> data_parallel;  ///< as the engine counts it: replicas, or ranks of attention
  // Of metrics: at the moment of reading, or since the engine started.
  std::optional<double> engines;            ///< that the metrics are of
  std::optional<double> running;            ///< requests, of one engine
  std::optional<double> waiting;            ///< requests, of all engines
  std::optional<double> running_sequences;  ///< `running` where requests waited, which is what the engine admits
  std::optional<double> kv_cache_usage;     ///< share of the pool in use
  std::optional<double> prefix_hit_ratio;
  std::optional<double> requests;
  std::optional<double> prompt_tokens;
  std::optional<double> output_tokens;
  std::optional<double> preemptions;
  std::optional<double> ttft_s;  ///< mean, as are those below
  std::optional<double> tpot_s;
  std::optional<double> request_s;
  std::vector<std::string> notes;  ///< what to know of them; no names
};

/// A number of EngineFacts by its name.
struct EngineFact {
  std::string_view key;
  std::optional<double> EngineFacts::*value;
};
inline constexpr std::array<EngineFact, 28> kEngineFacts{{
    {"kv_cache_tokens", &EngineFacts::kv_cache_tokens},
    {"kv_blocks", &EngineFacts::kv_blocks},
    {"block_tokens", &EngineFacts::block_tokens},
    {"kv_cache_gib", &EngineFacts::kv_cache_gib},
    {"weights_gib", &EngineFacts::weights_gib},
    {"cuda_graphs_gib", &EngineFacts::cuda_graphs_gib},
    {"full_sequences", &EngineFacts::full_sequences},
    {"max_model_tokens", &EngineFacts::max_model_tokens},
    {"max_sequences", &EngineFacts::max_sequences},
    {"max_batched_tokens", &EngineFacts::max_batched_tokens},
    {"memory_fraction", &EngineFacts::memory_fraction},
    {"tensor", &EngineFacts::tensor},
    {"pipeline", &EngineFacts::pipeline},
    {"attention_data", &EngineFacts::attention_data},
    {"data_parallel", &EngineFacts::data_parallel},
    {"engines", &EngineFacts::engines},
    {"running", &EngineFacts::running},
    {"waiting", &EngineFacts::waiting},
    {"running_sequences", &EngineFacts::running_sequences},
    {"kv_cache_usage", &EngineFacts::kv_cache_usage},
    {"prefix_hit_ratio", &EngineFacts::prefix_hit_ratio},
    {"requests", &EngineFacts::requests},
    {"prompt_tokens", &EngineFacts::prompt_tokens},
    {"output_tokens", &EngineFacts::output_tokens},
    {"preemptions", &EngineFacts::preemptions},
    {"ttft_s", &EngineFacts::ttft_s},
    {"tpot_s", &EngineFacts::tpot_s},
    {"request_s", &EngineFacts::request_s},
}};

/// The log of the start of vLLM, SGLang, TensorRT-LLM or llama.cpp. Error paths are ":<line>"; those of the whole text
/// are empty: "missing" where no line says how large the KV cache is, "conflict" where two lines contradict each other.
Result<EngineFacts> import_engine_log(std::string_view text);
FileFields engine_log_fields(std::string_view text);
/// Whether a text has a line that one of these engines writes when it starts.
bool looks_like_engine_log(std::string_view text);

/// What vLLM or SGLang tells Prometheus, as text. A metric that is not there stays unknown; means and ratios of no
/// events do too. Error paths are ":<line>".
Result<EngineFacts> import_engine_metrics(std::string_view text);
FileFields engine_metrics_fields(std::string_view text);
bool looks_like_engine_metrics(std::string_view text);

/// Of one engine: the first file that gives a fact counts, and `notes` name what the others say otherwise. Error
/// "conflict" with the path "/<place>" where files are of different engines.
Result<EngineFacts> joined_engine_facts(std::span<const EngineFacts> files);

/// A precision of the KV cache as engines call it ("fp8_e4m3", "torch.bfloat16") as requests write it; empty where it
/// follows the model or is not known.
std::string_view kv_precision_called(std::string_view name);
/// "0.11.1rc2.dev141+g38" as "0.11.1".
std::string_view version_numbers(std::string_view version);

}  // namespace podwright
