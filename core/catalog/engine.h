#pragma once
/// A serving engine's memory conventions, dated by version range. Absent means that no source states it.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/object_reader.h"
#include "base/units.h"
#include "catalog/item.h"

namespace podwright {

/// What the memory fraction is a fraction of, and how large the KV pool becomes.
enum class KvBudgetRule {
  fraction_of_total,  ///< fraction of the GPU's memory less weights, activation peak and what lies outside the
                      ///< allocator
  fraction_of_free,   ///< fraction of what is free once weights, activations and communication buffers stand
  static_pool,        ///< weights and KV share a fraction of the GPU's memory; activations live in the rest
  up_front,           ///< the whole context of every sequence, allocated at the start
  none                ///< no pool: the cache grows with the sequences
};
/// full_length: a sequence is admitted only if its last token has room. optimistic: admitted early, preempted when room
/// runs out.
enum class Reservation { full_length, optimistic };
enum class ActivationRule {
  width_multiple,      ///< a multiple of the step's tokens x attention width, plus a workspace of fine-grained experts
  forward_or_sampler,  ///< the larger of the widest layer and the sampler, plus a workspace of the experts
  context_scores,      ///< attention scores over the context, before fused attention
  logits               ///< the logits of every sequence
};

/// Bytes or multiples by the size of the tensor-parallel group.
using ByTensor = std::map<double, double>;
/// The entry of the largest group not above `tensor`; absent where the table is empty or starts above.
std::optional<double> by_tensor(const ByTensor& table, double tensor);

/// When keys and values come back from host memory. apart: the request waits for them while steps of others go on.
/// by_layer: while the layers before them are computed. before_step: the step waits.
enum class HostLoad { apart, by_layer, before_step };
/// Host memory that keeps what leaves the GPU's.
struct HostCacheConvention {
  bool copies = false;  ///< it holds what the GPU's memory keeps too; else only what was dropped there
  HostLoad load = HostLoad::apart;
};

struct ActivationConvention {
  ActivationRule rule = ActivationRule::width_multiple;
  ByTensor dense_multiple;   ///< width_multiple: values of two bytes per token and unit of attention width
  ByTensor expert_multiple;  ///< the same for mixture-of-experts models
  double overhead = 0;       ///< width_multiple: share added on top
  std::optional<Bytes> minimum;
  std::optional<double>
      expert_workspace_block;     ///< width_multiple: weights that share a scale in the experts' workspace
  double hidden_values = 0;       ///< forward_or_sampler: two-byte values per token and unit of the hidden size
  double logit_bytes = 0;         ///< forward_or_sampler, logits: bytes per sequence and vocabulary entry
  bool expert_workspace = false;  ///< forward_or_sampler: the experts' intermediate buffers stay allocated
  std::vector<std::string> expert_workspace_except;  ///< ... but not with these weight formats, whose kernels keep none
  std::optional<Bytes> constant;
  Bytes scores_per_head_and_token;  ///< context_scores
  Bytes scores_per_head;            ///< context_scores
};

/// Defaults that an engine chooses by the GPU. The first entry that holds serves.
struct EngineDefaults {
  std::optional<Bytes> memory_below;    ///< holds for GPUs with less memory ...
  std::vector<std::string> gpus;        ///< ... and for these, by id
  std::optional<double> max_sequences;  ///< in flight per replica
  std::optional<double> max_batched_tokens;
  ByTensor graph_sequences;  ///< largest batch captured as a CUDA graph
};

/// How a static pool's default fraction follows from what must stay free.
struct StaticReserve {
  Bytes constant;
  Bytes per_step_token;
  double step_tokens_at_least = 0;
  Bytes per_graph_sequence;
  Bytes per_gpu;
  Bytes per_graph_sequence_and_attention_rank;
  Bytes large_gpu_at_least;  ///< at least this much stays free ...
  Bytes large_gpu_memory;    ///< ... on GPUs with more memory than this
};

/// The conventions of one range of versions. `origin` and `sources` are those of its entry in the engine's file.
struct EngineConventions : CatalogItem {
  std::string from;       ///< first version, empty: from the beginning
  std::string until;      ///< first version that it no longer describes, empty: still
  std::string last_seen;  ///< newest version that was looked at, where the range is open
  std::string observed;   ///< ISO date, possibly shortened
  std::optional<KvBudgetRule> kv_budget;
  std::optional<double> memory_fraction;
  std::optional<StaticReserve> static_reserve;
  std::optional<double> usable_fraction;  ///< share of the budget that becomes KV blocks, where not all of it does
  std::optional<Reservation> reservation;
  std::optional<double> block_tokens;
  std::string kv_precision;  ///< default; empty: not stated
  std::vector<EngineDefaults> defaults;
  bool step_covers_length = false;       ///< the step's tokens are never below the model length (prompts are not split)
  std::optional<bool> hybrid_allocator;  ///< layers with a window keep only the window
  std::optional<double> state_bytes;     ///< bytes per value of a recurrent state
  std::optional<double> conv_state_bytes;      ///< bytes per value of a convolution state
  std::optional<double> packed_mla_fp8_bytes;  ///< per token and layer of sparse latent attention with an 8-bit cache
  std::optional<ActivationConvention> activation;
  ByTensor communication;  ///< bytes: communication and other memory outside the framework's allocator
  std::optional<Bytes> pipeline_communication;  ///< the same with pipeline stages on single GPUs
  std::optional<Bytes> cuda_graphs;
  bool cuda_graphs_in_budget = false;  ///< subtracted before the KV pool is sized
  std::optional<Bytes> safety;         ///< context, libraries and fragmentation kept free
  bool embedding_on_host = false;      ///< the input embedding table stays in the host's memory
  std::optional<HostCacheConvention> host_cache;
  std::vector<std::string> missing;  ///< conventions that no source states
};

struct Engine : CatalogItem {
  std::vector<EngineConventions> conventions;  ///< oldest first
};

/// Conventions of a version and, where they were not made for it, why.
struct ConventionsChoice {
  const EngineConventions* conventions = nullptr;  ///< never null for an engine of the catalog
  std::string warning;
};
/// Empty version: the newest. A version newer than the data: the newest, with a warning; the same for one that cannot
/// be read.
ConventionsChoice conventions_of(const Engine& engine, std::string_view version);

/// -1, 0, 1 by the numbers in "1.2.0rc3", "v0.19.1"; a pre-release counts as its release.
int compare_versions(std::string_view a, std::string_view b);

/// The defaults for a GPU: the first whose condition holds, null where none does.
const EngineDefaults* defaults_for(const EngineConventions& conventions, std::string_view gpu_id, Bytes memory);

/// Reads the file of one engine.
void read_engine(const JsonNode& node, const std::string& file, std::vector<Engine>& engines, ErrorList& errors);

}  // namespace podwright
