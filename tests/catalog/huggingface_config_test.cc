#include "catalog/huggingface_config.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/json_read.h"
#include "catalog/item_reader.h"
#include "catalog/model_writer.h"

namespace podwright::huggingface_config_test {
namespace {

constexpr std::string_view kUnknownType =
    "model_type: unknown, taken as the Llama family, without biases and norms of queries and keys";

JsonNode parsed(std::string_view text) {
  const Result<JsonNode> node = parse_json(text);
  EXPECT_TRUE(node) << text;
  return node ? *node : JsonNode{};
}

Model read(const JsonNode& node) {
  ErrorList errors;
  EXPECT_TRUE(is_huggingface_config(node));
  const std::optional<Model> model = read_huggingface_config(node, "/model", errors);
  for (const Error& error : errors.take()) ADD_FAILURE() << error.path << ": " << error.message;
  return model.value_or(Model{});
}

/// "code path" of every problem.
std::string problems(std::string_view text) {
  ErrorList errors;
  const std::optional<Model> model = read_huggingface_config(parsed(text), "/model", errors);
  const Errors list = errors.take();
  EXPECT_EQ(model.has_value(), list.empty()) << text;
  std::string all;
  for (const Error& error : list) {
    all += (all.empty() ? "" : ", ") + error.code + " " + error.path;
    EXPECT_FALSE(error.message.empty());
    EXPECT_FALSE(error.hint.empty());
  }
  return all;
}

/// `changes` (a merge patch) applied to a small model of the Llama family.
std::string small(std::string_view changes) {
  return json_text(merged(
      parsed(
          R"({"model_type": "llama", "hidden_size": 64, "intermediate_size": 128, "num_attention_heads": 8, "num_hidden_layers": 4,
                                     "vocab_size": 1000, "tie_word_embeddings": false})"),
      parsed(changes)));
}
Model small_model(std::string_view changes) { return read(parsed(small(changes))); }

double layers_with(const Model& model, AttentionKind kind) {
  double count = 0;
  for (const LayerGroup& group : model.layer_groups) count += group.attention == kind ? group.count : 0;
  return count;
}

TEST(IsHuggingfaceConfig, WantsATypeAndASize) {
  EXPECT_TRUE(is_huggingface_config(parsed(R"({"model_type": "llama", "hidden_size": 64})")));
  EXPECT_TRUE(is_huggingface_config(parsed(R"({"architectures": ["GPT2LMHeadModel"], "n_embd": 64})")));
  EXPECT_TRUE(is_huggingface_config(parsed(R"({"model_type": "gemma3", "text_config": {}})")));
  EXPECT_FALSE(is_huggingface_config(parsed(R"({"arch": "dense", "hidden_size": 64})"))) << "the catalog's own shape";
  EXPECT_FALSE(is_huggingface_config(parsed(R"({"base": "llama-3.1-8b"})")));
  EXPECT_FALSE(is_huggingface_config(parsed("[]")));
  EXPECT_FALSE(is_huggingface_config(parsed("\"llama\"")));
}

TEST(HuggingfaceConfig, NamesItself) {
  EXPECT_EQ(small_model("{}").id, "config-json");
  const Model model = small_model(R"({"_name_or_path": "org/model"})");
  EXPECT_EQ(model.id, "org/model");
  EXPECT_EQ(model.origin, "request/model");
  EXPECT_EQ(model.source_of("hidden_size"), "config.json");
}

TEST(HuggingfaceConfig, DerivesTheWidthOfAHead) {
  EXPECT_EQ(small_model("{}").head_dim, 8);
  EXPECT_EQ(small_model(R"({"head_dim": 32})").head_dim, 32);
  EXPECT_EQ(small_model(R"({"head_dim": null})").head_dim, 8);
  EXPECT_EQ(small_model(R"({"num_key_value_heads": null})").kv_heads, 8);
  EXPECT_EQ(problems(small(R"({"num_attention_heads": 7})")), "missing /model/head_dim");
}

TEST(HuggingfaceConfig, TiesAsTheFileOrTheLibrarySays) {
  EXPECT_FALSE(small_model(R"({"tie_word_embeddings": null})").tied_embeddings);
  EXPECT_TRUE(small_model(R"({"tie_word_embeddings": true})").tied_embeddings);
  EXPECT_TRUE(small_model(R"({"tie_word_embeddings": null, "model_type": "gemma"})").tied_embeddings);
  EXPECT_FALSE(small_model(R"({"tie_word_embeddings": false, "model_type": "gemma"})").tied_embeddings);
  const Model unknown = small_model(R"({"tie_word_embeddings": null, "model_type": "new_thing"})");
  EXPECT_EQ(unknown.unread_fields, (std::vector<std::string>{std::string(kUnknownType), "tie_word_embeddings"}));
}

// They change no size, and still what is trained.
TEST(HuggingfaceConfig, ReadsBaseEpsilonAndLoss) {
  const Model model = small_model(R"({"rope_theta": 5e6, "rms_norm_eps": 1e-6, "num_experts": 4,
    "num_experts_per_tok": 2, "moe_intermediate_size": 64, "router_aux_loss_coef": 0.001, "norm_topk_prob": false,
    "rope_scaling": {"rope_type": "llama3", "factor": 8}})");
  EXPECT_EQ(model.rope_base, 5e6);
  EXPECT_EQ(model.norm_epsilon, 1e-6);
  EXPECT_EQ(model.router_loss, 0.001);
  EXPECT_TRUE(model.router_pre_softmax);
  EXPECT_EQ(model.rope_scaling_factor, 8);
  // As a model of the request they are the same.
  ErrorList errors;
  Model again;
  read_model(*parse_json(model_json(model)), {.path = "/model", .origin = "request/model", .number_source = "request"},
             again, errors);
  for (const Error& error : errors.take()) ADD_FAILURE() << error.path << ": " << error.message;
  EXPECT_EQ(again.rope_base, 5e6);
  EXPECT_EQ(again.rope_scaling_factor, 8);
  EXPECT_EQ(again.norm_epsilon, 1e-6);
  EXPECT_EQ(again.router_loss, 0.001);
  EXPECT_TRUE(again.router_pre_softmax);
  EXPECT_EQ(small_model(R"({"rope_parameters": {"rope_type": "default", "rope_theta": 20000}})").rope_base, 20000);
  EXPECT_EQ(small_model(R"({"rope_theta": "no number"})").rope_base, 0);
}

TEST(HuggingfaceConfig, ReadsWindows) {
  const Model qwen = small_model(
      R"({"model_type": "qwen2", "sliding_window": 100, "use_sliding_window": true, "max_window_layers": 1})");
  EXPECT_EQ(layers_with(qwen, AttentionKind::sliding), 3);
  EXPECT_EQ(layers_with(qwen, AttentionKind::full), 1);
  EXPECT_EQ(qwen.layer_groups[1].window_tokens, 100);
  EXPECT_TRUE(
      small_model(R"({"model_type": "qwen2", "sliding_window": 100, "max_window_layers": 1})").layer_groups.empty());
  EXPECT_EQ(layers_with(small_model(R"({"model_type": "mistral", "sliding_window": 100})"), AttentionKind::sliding), 4);
  EXPECT_TRUE(small_model(R"({"model_type": "mistral", "sliding_window": null})").layer_groups.empty());
  EXPECT_TRUE(small_model(R"({"model_type": "mistral", "sliding_window": 4096, "max_position_embeddings": 4096})")
                  .layer_groups.empty())
      << "it never cuts anything off";
  EXPECT_EQ(
      layers_with(small_model(R"({"model_type": "gemma3_text", "sliding_window": 100, "sliding_window_pattern": 2})"),
                  AttentionKind::full),
      2);
  EXPECT_EQ(layers_with(small_model(R"({"model_type": "cohere2", "sliding_window": 100})"), AttentionKind::full), 1);
  const Model named = small_model(
      R"({"sliding_window": 100, "layer_types": ["sliding_attention", "full_attention", "full_attention", "full_attention"]})");
  EXPECT_EQ(layers_with(named, AttentionKind::sliding), 1) << "a list of layer types stands above the rule of the type";
  EXPECT_EQ(small_model(R"({"model_type": "new_thing", "sliding_window": 100})").unread_fields,
            (std::vector<std::string>{std::string(kUnknownType), "sliding_window"}));
  EXPECT_EQ(problems(small(
                R"({"layer_types": ["sliding_attention", "full_attention", "full_attention", "full_attention"]})")),
            "missing /model/sliding_window");
  EXPECT_EQ(problems(small(R"({"layer_types": ["full_attention"]})")), "conflict /model/layer_types");
  EXPECT_EQ(problems(small(R"({"layer_types": [1, "full_attention", "full_attention", {}]})")),
            "wrong-type /model/layer_types/0, wrong-type /model/layer_types/3");
}

TEST(HuggingfaceConfig, PlacesExperts) {
  constexpr std::string_view kExperts =
      R"({"model_type": "qwen3_moe", "num_experts": 8, "num_experts_per_tok": 2, "moe_intermediate_size": 32})";
  const auto with = [&](std::string_view changes) { return read(merged(parsed(small(kExperts)), parsed(changes))); };
  EXPECT_EQ(with("{}").arch, "moe");
  EXPECT_EQ(with("{}").first_dense_layers, 0);
  EXPECT_EQ(with(R"({"decoder_sparse_step": 2})").moe_every_n_layers, 2);
  EXPECT_EQ(with(R"({"mlp_only_layers": [0, 1]})").first_dense_layers, 2);
  EXPECT_EQ(with(R"({"first_k_dense_replace": 3})").first_dense_layers, 3);
  EXPECT_EQ(with(R"({"moe_layer_freq": [0, 1, 1, 1]})").first_dense_layers, 1);
  EXPECT_EQ(with(R"({"moe_layer_freq": 2})").layer_groups.size(), 2u)
      << "layers 0 and 2: no rule of the catalog says so";
  const Model scattered = with(R"({"mlp_only_layers": [1]})");
  ASSERT_EQ(scattered.layer_groups.size(), 2u);
  EXPECT_EQ(scattered.layer_groups[0].mlp, MlpKind::moe);
  EXPECT_EQ(scattered.layer_groups[0].count, 3);
  EXPECT_EQ(scattered.layer_groups[1].mlp, MlpKind::dense);
  EXPECT_EQ(with(R"({"num_experts": 0})").arch, "dense");
  EXPECT_EQ(with(R"({"n_shared_experts": 2})").shared_ffn_hidden_size, 64);
  EXPECT_EQ(with(R"({"intermediate_size": null})").ffn_hidden_size, 0) << "no layer is dense";
  EXPECT_EQ(problems(json_text(
                merged(parsed(small(kExperts)), parsed(R"({"intermediate_size": null, "mlp_only_layers": [0]})")))),
            "missing /model/intermediate_size");
  EXPECT_EQ(problems(json_text(merged(parsed(small(kExperts)), parsed(R"({"num_experts_per_tok": 9})")))),
            "conflict /model/num_experts_per_tok");
  EXPECT_EQ(problems(json_text(merged(parsed(small(kExperts)), parsed(R"({"num_experts_per_tok": null})")))),
            "missing /model/num_experts_per_tok");
  EXPECT_EQ(problems(json_text(merged(parsed(small(kExperts)), parsed(R"({"mlp_only_layers": [0, "1", -1]})")))),
            "wrong-type /model/mlp_only_layers/1, wrong-type /model/mlp_only_layers/2");
}

TEST(HuggingfaceConfig, ReadsHybridLayers) {
  const Model hybrid = read(parsed(
      R"({"model_type": "granitemoehybrid", "hidden_size": 64, "intermediate_size": 32, "shared_intermediate_size": 96,
      "num_attention_heads": 8, "num_hidden_layers": 4, "vocab_size": 1000, "num_local_experts": 8, "num_experts_per_tok": 2,
      "layer_types": ["mamba", "mamba", "attention", "mamba"], "mamba_n_heads": 16, "mamba_d_head": 8, "mamba_n_groups": 1, "mamba_d_state": 128,
      "mamba_d_conv": 4, "mamba_conv_bias": true, "mamba_proj_bias": false, "mamba_expand": 2, "tie_word_embeddings": true})"));
  EXPECT_EQ(hybrid.arch, "hybrid-moe");
  EXPECT_EQ(layers_with(hybrid, AttentionKind::linear), 3);
  EXPECT_EQ(hybrid.moe_ffn_hidden_size, 32);
  EXPECT_EQ(hybrid.shared_ffn_hidden_size, 96);
  ASSERT_TRUE(hybrid.linear_attention);
  EXPECT_EQ(hybrid.linear_attention->state_size, 128);
  EXPECT_TRUE(hybrid.unread_fields.empty());

  // Mamba-1 layers have no place in the arithmetic: they are left out and said so.
  const Model jamba = small_model(
      R"({"model_type": "jamba", "layer_types": ["mamba", "mamba", "attention", "mamba"], "mamba_d_state": 16})");
  EXPECT_EQ(layers_with(jamba, AttentionKind::none), 3);
  EXPECT_EQ(jamba.unread_fields, (std::vector<std::string>{std::string(kUnknownType), "layer_types", "mamba_d_state"}));

  EXPECT_EQ(problems(small(R"({"model_type": "nemotron_h", "hybrid_override_pattern": "M*-"})")),
            "conflict /model/hybrid_override_pattern");
  EXPECT_EQ(
      problems(small(
          R"({"model_type": "nemotron_h", "hybrid_override_pattern": "M*-M", "mamba_num_heads": 4, "mamba_head_dim": 8, "n_groups": 1})")),
      "missing /model/ssm_state_size, missing /model/conv_kernel");
  EXPECT_EQ(problems(small(R"({"model_type": "nemotron_h", "hybrid_override_pattern": "*E*-"})")),
            "missing /model/n_routed_experts");
  EXPECT_EQ(problems(small(R"({"model_type": "granitemoehybrid"})")), "missing /model/layer_types");
}

TEST(HuggingfaceConfig, ReadsGemma4sTwoKindsOfHeads) {
  const Model model = small_model(
      R"({"model_type": "gemma4_text", "num_hidden_layers": 6, "num_key_value_heads": 4, "head_dim": 16, "global_head_dim": 32,
      "num_global_key_value_heads": 2, "attention_k_eq_v": true, "sliding_window": 100, "hidden_size_per_layer_input": 256})");
  ASSERT_EQ(model.layer_groups.size(), 2u);
  EXPECT_EQ(model.layer_groups[0].count, 5);
  const LayerGroup& full = model.layer_groups[1];
  EXPECT_EQ(full.attention, AttentionKind::full);
  EXPECT_EQ(full.head_dim, 32);
  EXPECT_EQ(full.kv_heads, 2);
  EXPECT_TRUE(full.shared_kv);
  EXPECT_EQ(model.unread_fields, (std::vector<std::string>{"hidden_size_per_layer_input"}));
}

TEST(HuggingfaceConfig, ReadsBiases) {
  EXPECT_EQ(small_model("{}").biases, BiasKind::none);
  EXPECT_EQ(small_model(R"({"attention_bias": true})").biases, BiasKind::attention);
  EXPECT_EQ(small_model(R"({"model_type": "glm4_moe", "attention_bias": true})").biases, BiasKind::qkv);
  EXPECT_EQ(small_model(R"({"model_type": "seed_oss", "attention_bias": true, "attention_out_bias": true})").biases,
            BiasKind::attention);
  EXPECT_EQ(small_model(R"({"model_type": "nemotron", "mlp_bias": true})").biases, BiasKind::mlp);
  EXPECT_EQ(small_model(R"({"model_type": "starcoder2", "use_bias": false})").biases, BiasKind::none);
  EXPECT_EQ(small_model(R"({"model_type": "gpt_neox", "attention_bias": false})").biases, BiasKind::mlp);
  EXPECT_EQ(small_model(R"({"mlp_bias": true})").unread_fields, (std::vector<std::string>{"mlp_bias"}));
  EXPECT_EQ(small_model(R"({"model_type": "deepseek_v3", "attention_bias": true})").unread_fields,
            (std::vector<std::string>{"attention_bias"}));
}

TEST(HuggingfaceConfig, ReadsTheStoredFormat) {
  EXPECT_EQ(small_model(R"({"torch_dtype": "bfloat16"})").native_dtype, "bf16");
  EXPECT_EQ(small_model(R"({"dtype": "float16"})").native_dtype, "fp16");
  EXPECT_EQ(small_model(R"({"torch_dtype": "bfloat16", "quantization_config": {"quant_method": "fp8"}})").native_dtype,
            "fp8 / bf16");
  EXPECT_EQ(small_model(R"({"torch_dtype": "float16", "quantization_config": {"quant_method": "awq", "bits": 4}})")
                .native_dtype,
            "int4-awq / fp16");
  EXPECT_EQ(small_model(R"({"quantization_config": {"quant_method": "modelopt", "quant_algo": "NVFP4"}})").native_dtype,
            "nvfp4");
  EXPECT_EQ(problems(small(R"({"quantization_config": {"quant_method": 4, "bits": "4"}})")),
            "wrong-type /model/quantization_config/quant_method, wrong-type /model/quantization_config/bits");
}

TEST(HuggingfaceConfig, SaysWhatItDidNotRead) {
  const Model model = small_model(
      R"({"rope_scaling": {"type": "yarn"}, "eos_token_id": 2, "resid_pdrop": 0.1, "num_memory_layers": 2, "altup_width": 4, "empty": {}})");
  EXPECT_EQ(model.unread_fields, (std::vector<std::string>{"num_memory_layers", "altup_width"}));
  const Model nested = read(parsed(R"({"model_type": "new_vlm", "vision_config": {"depth": 2}, "text_config": )" +
                                   small(R"({"odd": 1})") + "}"));
  EXPECT_EQ(nested.unread_fields, (std::vector<std::string>{"text_config.odd", "vision_config"}));
  EXPECT_EQ(small_model(R"({"use_qk_norm": true})").unread_fields, (std::vector<std::string>{"use_qk_norm"}));
}

TEST(HuggingfaceConfig, NamesWhatIsMissing) {
  EXPECT_EQ(problems(R"({"model_type": "llama", "hidden_size": 64})"),
            "missing /model/num_hidden_layers, missing /model/num_attention_heads, missing /model/vocab_size, missing "
            "/model/intermediate_size");
  EXPECT_EQ(problems(small(R"({"model_type": "deepseek_v3", "kv_lora_rank": 512})")),
            "missing /model/qk_rope_head_dim, missing /model/qk_nope_head_dim, missing /model/v_head_dim");
  EXPECT_EQ(problems(small(R"({"model_type": "gpt2"})")), "missing /model/max_position_embeddings");
  EXPECT_EQ(problems(R"({"model_type": "gemma3", "text_config": {"hidden_size": 64}})"),
            "missing /model/text_config/num_hidden_layers, missing /model/text_config/intermediate_size");
}

TEST(HuggingfaceConfig, RefusesAbsurdValuesByPath) {
  const struct {
    std::string_view change;
    std::string_view problem;
  } cases[] = {
      {R"({"hidden_size": "64"})", "wrong-type /model/hidden_size"},
      {R"({"hidden_size": 0})", "out-of-range /model/hidden_size"},
      {R"({"hidden_size": -64})", "out-of-range /model/hidden_size"},
      {R"({"hidden_size": 1e300})", "out-of-range /model/hidden_size"},
      {R"({"hidden_size": 64.5})", "wrong-type /model/hidden_size"},
      {R"({"num_hidden_layers": 1000000})", "out-of-range /model/num_hidden_layers"},
      {R"({"num_hidden_layers": [4]})", "wrong-type /model/num_hidden_layers"},
      {R"({"num_key_value_heads": 3})", "conflict /model/num_key_value_heads"},
      {R"({"num_key_value_heads": 16})", "conflict /model/num_key_value_heads"},
      {R"({"vocab_size": true})", "wrong-type /model/vocab_size"},
      {R"({"tie_word_embeddings": "yes"})", "wrong-type /model/tie_word_embeddings"},
      {R"({"model_type": 7})", "wrong-type /model/model_type"},
      {R"({"torch_dtype": 16})", "wrong-type /model/torch_dtype"},
      {R"({"num_experts": -1})", "out-of-range /model/num_experts"},
      {R"({"sliding_window": "all"})", "wrong-type /model/sliding_window"},
      {R"({"text_config": []})", "wrong-type /model/text_config"},
      {R"({"quantization_config": "fp8"})", "wrong-type /model/quantization_config"},
      {R"({"layer_types": "full_attention"})", "wrong-type /model/layer_types"},
      {R"({"intermediate_size": [1, 2, 3, 4]})", "wrong-type /model/intermediate_size"},
      {R"({"attention_bias": 1})", "wrong-type /model/attention_bias"},
      {R"({"max_position_embeddings": 0})", "out-of-range /model/max_position_embeddings"},
  };
  for (const auto& [change, problem] : cases) EXPECT_EQ(problems(small(change)), problem) << change;
}

TEST(HuggingfaceConfig, KeepsTheOrderOfTheText) {
  EXPECT_EQ(
      problems(
          R"({"model_type": "llama", "vocab_size": 0, "num_hidden_layers": "4", "hidden_size": 64, "num_attention_heads": 8, "intermediate_size": -1})"),
      "out-of-range /model/vocab_size, wrong-type /model/num_hidden_layers, out-of-range /model/intermediate_size");
}

}  // namespace
}  // namespace podwright::huggingface_config_test
