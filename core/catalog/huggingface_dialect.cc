#include "catalog/huggingface_dialect.h"

#include <algorithm>
#include <array>

namespace podwright {
namespace {

using Mixer = LinearAttention::Kind;

constexpr std::array kDialects{
    Dialect{.model_types = "llama smollm3 granite internlm2", .tied = false},
    Dialect{.model_types = "mistral ministral", .tied = false, .windows = WindowRule::every_layer},
    Dialect{.model_types = "mixtral",
            .tied = false,
            .windows = WindowRule::every_layer,
            .experts_have_intermediate_size = true},
    Dialect{.model_types = "llama4 llama4_text",
            .tied = false,
            .windows = WindowRule::chunked,
            .window_period = 4,
            .experts_have_intermediate_size = true},
    Dialect{.model_types = "qwen2 qwen2_vl qwen2_vl_text qwen2_5_vl qwen2_5_vl_text",
            .biases = BiasKind::qkv,
            .tied = false,
            .windows = WindowRule::from_max_window_layers},
    Dialect{.model_types = "qwen2_moe",
            .biases = BiasKind::qkv,
            .tied = false,
            .windows = WindowRule::from_max_window_layers,
            .shared_expert_gate = true},
    Dialect{.model_types = "qwen3 qwen3_vl_text",
            .qk_norm = QkNormKind::head,
            .tied = false,
            .windows = WindowRule::from_max_window_layers,
            .head_dim = 128},
    Dialect{.model_types = "qwen3_moe qwen3_vl_moe_text",
            .qk_norm = QkNormKind::head,
            .tied = false,
            .windows = WindowRule::from_max_window_layers},
    Dialect{.model_types = "qwen3_next qwen3_5 qwen3_5_text qwen3_5_moe qwen3_5_moe_text",
            .qk_norm = QkNormKind::head,
            .tied = false,
            .head_dim = 256,
            .shared_expert_gate = true,
            .attention_output_gate = true,
            .mixer = Mixer::gated_delta_net},
    Dialect{.model_types = "gemma", .tied = true, .head_dim = 256},
    Dialect{.model_types = "gemma2",
            .norms_per_layer = 4,
            .tied = true,
            .windows = WindowRule::periodic,
            .window_period = 2,
            .head_dim = 256},
    Dialect{.model_types = "gemma3 gemma3_text",
            .norms_per_layer = 4,
            .qk_norm = QkNormKind::head,
            .tied = true,
            .windows = WindowRule::periodic,
            .window_period = 6,
            .head_dim = 256},
    Dialect{.model_types = "gemma4 gemma4_text",
            .norms_per_layer = 4,
            .qk_norm = QkNormKind::head,
            .tied = true,
            .windows = WindowRule::periodic,
            .window_period = 6,
            .head_dim = 256},
    Dialect{.model_types = "phi",
            .mlp_matrices = 2,
            .norms_per_layer = 1,
            .norm_bias = true,
            .biases = BiasKind::attention_mlp,
            .tied = false,
            .lm_head_bias = true},
    Dialect{.model_types = "phi3", .tied = false, .windows = WindowRule::every_layer},
    Dialect{.model_types = "phimoe",
            .norm_bias = true,
            .tied = false,
            .windows = WindowRule::every_layer,
            .experts_have_intermediate_size = true},
    Dialect{.model_types = "deepseek deepseek_v2", .attention_bias = {.meaning = BiasKind::none}, .tied = false},
    Dialect{.model_types = "deepseek_v3 deepseek_v32 kimi_k2 glm_moe_dsa",
            .attention_bias = {.meaning = BiasKind::none},
            .tied = false,
            .router_bias = true},
    Dialect{.model_types = "glm4", .norms_per_layer = 4, .attention_bias = {.meaning = BiasKind::qkv}, .tied = false},
    Dialect{.model_types = "glm4_moe",
            .attention_bias = {.meaning = BiasKind::qkv},
            .qk_norm = QkNormKind::head,
            .qk_norm_by_key = true,
            .tied = false,
            .head_dim = 128,
            .router_bias = true},
    Dialect{.model_types = "gpt_oss",
            .attention_bias = {.otherwise = true},
            .tied = false,
            .windows = WindowRule::periodic,
            .window_period = 2,
            .head_dim = 64,
            .experts_have_intermediate_size = true,
            .router_bias = true,
            .expert_bias = true,
            .attention_sinks = true},
    Dialect{.model_types = "olmo2", .qk_norm = QkNormKind::full, .tied = false},
    Dialect{.model_types = "olmo3",
            .qk_norm = QkNormKind::full,
            .tied = false,
            .windows = WindowRule::periodic,
            .window_period = 4},
    Dialect{.model_types = "olmoe", .qk_norm = QkNormKind::full, .tied = false, .experts_have_intermediate_size = true},
    Dialect{.model_types = "minimax_m2",
            .qk_norm = QkNormKind::full,
            .qk_norm_by_key = true,
            .tied = false,
            .experts_have_intermediate_size = true},
    Dialect{.model_types = "mimo_v2_flash"},
    Dialect{.model_types = "seed_oss", .attention_bias = {.meaning = BiasKind::qkv}, .tied = false},
    Dialect{.model_types = "granitemoe", .tied = false, .experts_have_intermediate_size = true},
    Dialect{.model_types = "granitemoehybrid",
            .tied = false,
            .experts_have_intermediate_size = true,
            .mixer = Mixer::mamba_2},
    Dialect{.model_types = "nemotron", .mlp_matrices = 2, .norm_bias = true, .tied = false},
    Dialect{.model_types = "nemotron_h",
            .mlp_matrices = 2,
            .norms_per_layer = 1,
            .tied = false,
            .head_dim = 128,
            .router_bias = true,
            .mixer = Mixer::mamba_2},
    Dialect{.model_types = "cohere",
            .norms_per_layer = 1,
            .qk_norm = QkNormKind::full,
            .qk_norm_by_key = true,
            .tied = true},
    Dialect{.model_types = "cohere2",
            .norms_per_layer = 1,
            .tied = true,
            .windows = WindowRule::periodic,
            .window_period = 4},
    Dialect{.model_types = "starcoder2",
            .mlp_matrices = 2,
            .norm_bias = true,
            .biases = BiasKind::attention_mlp,
            .tied = true,
            .windows = WindowRule::every_layer},
    Dialect{.model_types = "stablelm", .norm_bias = true, .tied = false},
    Dialect{.model_types = "falcon", .mlp_matrices = 2, .norm_bias = true, .tied = true, .four_times_hidden = true},
    Dialect{.model_types = "bloom",
            .mlp_matrices = 2,
            .norm_bias = true,
            .biases = BiasKind::attention_mlp,
            .tied = true,
            .four_times_hidden = true,
            .embedding_norm = true},
    Dialect{.model_types = "gpt2 gpt_bigcode",
            .mlp_matrices = 2,
            .norm_bias = true,
            .biases = BiasKind::attention_mlp,
            .tied = true,
            .learned_positions = 0,
            .four_times_hidden = true},
    Dialect{.model_types = "gptj",
            .mlp_matrices = 2,
            .norms_per_layer = 1,
            .norm_bias = true,
            .biases = BiasKind::mlp,
            .tied = false,
            .four_times_hidden = true,
            .lm_head_bias = true},
    Dialect{.model_types = "gpt_neox",
            .mlp_matrices = 2,
            .norm_bias = true,
            .biases = BiasKind::attention_mlp,
            .tied = false},
    Dialect{.model_types = "opt",
            .mlp_matrices = 2,
            .norm_bias = true,
            .biases = BiasKind::attention_mlp,
            .tied = true,
            .learned_positions = 2},
};

bool is_one_of(std::string_view word, std::string_view words) {
  for (std::size_t begin = 0; begin < words.size();) {
    const std::size_t end = std::min(words.find(' ', begin), words.size());
    if (words.substr(begin, end - begin) == word) return true;
    begin = end + 1;
  }
  return false;
}

/// The key's whole name.
constexpr std::array<std::string_view, 7> kHarmless{
    // The file itself and the libraries around it.
    "architectures auto_map transformers_version _name_or_path _attn_implementation _attn_implementation_autoset "
    "model_max_length "
    "unsloth_fixed unsloth_version tokenizer_class processor_class cache_implementation custom_pipelines",
    // Start values and training.
    "initializer_range initializer_factor init_method init_std embd_pdrop attn_pdrop resid_pdrop dropout "
    "gradient_checkpointing pretraining_tp "
    "aux_loss_alpha seq_aux output_router_logits rescale_prenorm_residual use_cache for_llm_compressor "
    "masked_softmax_fusion bias_dropout_fusion skip_bias_add skip_bias_add_qkv "
    "slow_but_exact layerdrop ep_size",
    // What comes out of the model, and generation.
    "output_attentions output_hidden_states output_past return_dict torchscript problem_type id2label label2id "
    "task_specific_params num_logits_to_keep "
    "max_length min_length do_sample early_stopping num_beams num_beam_groups diversity_penalty temperature top_k "
    "top_p typical_p "
    "repetition_penalty length_penalty no_repeat_ngram_size encoder_no_repeat_ngram_size bad_words_ids "
    "num_return_sequences "
    "forced_bos_token_id forced_eos_token_id remove_invalid_values exponential_decay_length_penalty suppress_tokens "
    "begin_suppress_tokens "
    "return_dict_in_generate output_scores finetuning_task prefix use_bfloat16 is_decoder chunk_size_feed_forward "
    "tf_legacy_loss "
    "pruned_heads add_cross_attention cross_attention_hidden_size tie_encoder_decoder",
    // Positions that hold no parameters.
    "partial_rotary_factor rotary_pct rotary_dim rotary_emb_base rotary alibi offset_alibi position_embedding_type "
    "use_mrope "
    "original_max_position_embeddings initial_context_length default_theta no_rope_layer_interval "
    "attn_temperature_tuning "
    "floor_scale attn_scale mrope_section attn_factor",
    // Functions without parameters, scales and order of work.
    "hidden_act hidden_activation activation_function mlp_hidden_act mamba_hidden_act swiglu_limit swiglu_alpha "
    "scale_attn_weights "
    "scale_attn_by_inverse_layer_idx scale_attention_softmax_in_fp32 attention_softmax_in_fp32 reorder_and_upcast_attn "
    "norm_topk_prob "
    "scoring_func score_function shared_moe_mode n_group topk_group num_expert_group routed_scaling_factor "
    "router_aux_loss_coef router_jitter_noise "
    "router_z_loss_coef input_jitter_noise lm_head_multiplier attn_logit_softcapping final_logit_softcapping "
    "query_pre_attn_scalar "
    "logit_scale logits_scaling embedding_multiplier residual_multiplier attention_multiplier clip_qkv "
    "use_parallel_residual "
    "apply_residual_connection_post_layernorm residual_in_fp32 use_mamba_kernels chunk_size mamba_chunk_size "
    "mamba_ssm_cache_dtype "
    "mamba_ssm_dtype moe_shared_expert_overlap use_bidirectional_attention gelu_approximate float32_attention "
    "attention_value_scale "
    "swa_rope_theta hybrid_block_size attention_projection_layout norm_type normalization_function "
    "_remove_final_layer_norm",
    // Layers that predict further tokens besides the model.
    "num_nextn_predict_layers num_mtp_modules mtp_transformer_layers use_mtp",
    // Said again by other keys that are read.
    "expand mamba_expand qk_head_dim is_causal",
};
constexpr std::array<std::string_view, 10> kHarmlessEnds{"_token_id", "_token_ids",   "_token_index", "_dropout",
                                                         "_eps",      "_epsilon",     "_loss_coef",   "_pdrop",
                                                         "_prob",     "_dropout_prob"};
constexpr std::array<std::string_view, 5> kHarmlessBegins{"rope_", "summary_", "time_step_", "mtp_", "mamba_dt_"};

}  // namespace

const Dialect* find_dialect(std::string_view model_type) {
  if (model_type.empty()) return nullptr;
  for (const Dialect& dialect : kDialects)
    if (is_one_of(model_type, dialect.model_types)) return &dialect;
  return nullptr;
}

bool changes_nothing(std::string_view key) {
  const auto ends = [key](std::string_view end) {
    return key.size() >= end.size() && key.substr(key.size() - end.size()) == end;
  };
  const auto begins = [key](std::string_view begin) { return key.substr(0, begin.size()) == begin; };
  return std::any_of(kHarmless.begin(), kHarmless.end(),
                     [key](std::string_view words) { return is_one_of(key, words); }) ||
         std::any_of(kHarmlessEnds.begin(), kHarmlessEnds.end(), ends) ||
         std::any_of(kHarmlessBegins.begin(), kHarmlessBegins.end(), begins);
}

}  // namespace podwright
