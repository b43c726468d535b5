#pragma once
/// What the notes of a measured serving row tell of its configuration, in the words that published tables use.
#include <optional>
#include <string>
#include <string_view>

namespace podwright {

struct ServingNotes {
  std::optional<double> attention_data;      ///< "attn DP4", "dp_attention 8"
  bool attention_is_data_parallel = false;   ///< "attention DP", whether or not a size is given
  std::optional<double> expert_tensor;       ///< "MoE TP8": ranks that share an expert
  std::optional<double> expert;              ///< "EP8"
  std::string linear_format;                 ///< "gemm fp8_block"; empty: not given
  std::string expert_format;                 ///< "moe fp8_block"; empty: not given
  std::string image_version;                 ///< "0.15.1" of "vllm-openai:v0.15.1"; empty: not given
  std::optional<double> max_batched_tokens;  ///< "max batched tokens 512", "chunk 8192"
  std::optional<double> max_sequences;       ///< "max seqs 512"
  std::optional<double> requests;            ///< sent in all: "256 requests in 399 s", "1000 chat prompts"
  bool micro_batch = false;  ///< the batch column holds the tokens of a step: "micro-batch size in the batch column"
  bool decode_rate = false;  ///< output tokens per second of decoding alone: "value is decode tokens/s"
  bool other_scheduler = false;   ///< several steps at once, or prompts in one piece: "scheduler steps 10", "chunked
                                  ///< prefill FALSE"
  bool figures_per_node = false;  ///< rates of one 8-GPU node: "per node", "per 8-GPU node"
};

ServingNotes read_serving_notes(std::string_view notes);

/// The number behind a phrase that begins a word: 4 of "attn DP4", 512 of "max seqs 512", 8 of "ep=8". Case counts.
std::optional<double> number_after(std::string_view text, std::string_view phrase);

}  // namespace podwright
