#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/huggingface_config.h"
#include "model/parameters.h"
#include "support/test_data.h"

namespace podwright::huggingface_parameters_test {
namespace {

const std::string kConfigs = "tests/model/data/configs/";

/// Published configuration files, by the id that the catalog gives the model.
std::vector<std::string> published() {
  std::vector<std::string> ids;
  for (const TestFile& file : podwright_test_files()) {
    const std::string_view path = file.path;
    if (path.starts_with(kConfigs)) ids.emplace_back(path.substr(kConfigs.size(), path.size() - kConfigs.size() - 5));
  }
  return ids;
}

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

class PublishedConfig : public testing::TestWithParam<std::string> {};

TEST_P(PublishedConfig, GivesTheCatalogsModel) {
  const Result<const Model*> found = find_model(embedded_catalog_facts(), GetParam());
  ASSERT_TRUE(found);
  const Model& expected = **found;
  const Model model = read(parsed(podwright_test_data(kConfigs + GetParam() + ".json")));

  EXPECT_EQ(model.arch, expected.arch);
  EXPECT_EQ(model.layers, expected.layers);
  EXPECT_EQ(model.hidden_size, expected.hidden_size);
  EXPECT_EQ(model.attention_heads, expected.attention_heads);
  EXPECT_EQ(model.kv_heads, expected.kv_heads);
  EXPECT_EQ(model.head_dim, expected.head_dim);
  if (expected.ffn_hidden_size > 0) {
    EXPECT_EQ(model.ffn_hidden_size, expected.ffn_hidden_size);
  }
  EXPECT_EQ(model.mlp_matrices, expected.mlp_matrices);
  EXPECT_EQ(model.vocab_size, expected.vocab_size);
  EXPECT_EQ(model.experts, expected.experts);
  EXPECT_EQ(model.experts_per_token, expected.experts_per_token);
  EXPECT_EQ(model.moe_ffn_hidden_size, expected.moe_ffn_hidden_size);
  EXPECT_EQ(model.shared_ffn_hidden_size, expected.shared_ffn_hidden_size);
  EXPECT_EQ(model.first_dense_layers, expected.first_dense_layers);
  EXPECT_EQ(model.moe_every_n_layers, expected.moe_every_n_layers);
  EXPECT_EQ(model.q_lora_rank, expected.q_lora_rank);
  EXPECT_EQ(model.kv_lora_rank, expected.kv_lora_rank);
  EXPECT_EQ(model.qk_rope_dim, expected.qk_rope_dim);
  EXPECT_EQ(model.qk_nope_dim, expected.qk_nope_dim);
  EXPECT_EQ(model.v_head_dim, expected.v_head_dim);
  EXPECT_EQ(model.tied_embeddings, expected.tied_embeddings);
  EXPECT_EQ(model.biases, expected.biases);
  EXPECT_EQ(model.qk_norm, expected.qk_norm);
  EXPECT_EQ(model.norms_per_layer, expected.norms_per_layer);
  EXPECT_EQ(model.norm_bias, expected.norm_bias);
  EXPECT_EQ(model.position_embeddings, expected.position_embeddings);
  EXPECT_EQ(model.lm_head_bias, expected.lm_head_bias);
  EXPECT_EQ(model.embedding_norm, expected.embedding_norm);
  EXPECT_EQ(model.router_bias, expected.router_bias);
  EXPECT_EQ(model.expert_bias, expected.expert_bias);
  EXPECT_EQ(model.shared_expert_gate, expected.shared_expert_gate);
  EXPECT_EQ(model.attention_sinks, expected.attention_sinks);
  EXPECT_EQ(model.attention_output_gate, expected.attention_output_gate);

  ASSERT_EQ(model.indexer.has_value(), expected.indexer.has_value());
  if (model.indexer) {
    EXPECT_EQ(model.indexer->heads, expected.indexer->heads);
    EXPECT_EQ(model.indexer->head_dim, expected.indexer->head_dim);
    EXPECT_EQ(model.indexer->top_k, expected.indexer->top_k);
  }
  ASSERT_EQ(model.linear_attention.has_value(), expected.linear_attention.has_value());
  if (model.linear_attention) {
    const LinearAttention& ours = *model.linear_attention;
    const LinearAttention& theirs = *expected.linear_attention;
    EXPECT_EQ(ours.kind, theirs.kind);
    EXPECT_EQ(ours.heads, theirs.heads);
    EXPECT_EQ(ours.head_dim, theirs.head_dim);
    EXPECT_EQ(ours.groups, theirs.groups);
    EXPECT_EQ(ours.state_size, theirs.state_size);
    EXPECT_EQ(ours.key_heads, theirs.key_heads);
    EXPECT_EQ(ours.value_heads, theirs.value_heads);
    EXPECT_EQ(ours.key_head_dim, theirs.key_head_dim);
    EXPECT_EQ(ours.value_head_dim, theirs.value_head_dim);
    EXPECT_EQ(ours.conv_kernel, theirs.conv_kernel);
  }

  ASSERT_EQ(model.layer_groups.size(), expected.layer_groups.size());
  for (const LayerGroup& theirs : expected.layer_groups) {
    const auto ours = std::find_if(model.layer_groups.begin(), model.layer_groups.end(), [&](const LayerGroup& g) {
      return g.attention == theirs.attention && g.mlp == theirs.mlp;
    });
    ASSERT_NE(ours, model.layer_groups.end());
    EXPECT_EQ(ours->count, theirs.count);
    EXPECT_EQ(ours->heads, theirs.heads);
    EXPECT_EQ(ours->kv_heads, theirs.kv_heads);
    EXPECT_EQ(ours->head_dim, theirs.head_dim);
    EXPECT_EQ(ours->v_head_dim, theirs.v_head_dim);
    EXPECT_EQ(ours->window_tokens, theirs.window_tokens);
    EXPECT_EQ(ours->read_tokens, theirs.read_tokens);
    EXPECT_EQ(ours->shared_kv, theirs.shared_kv);
  }
}

TEST_P(PublishedConfig, CountsTheParametersThatTheCatalogStates) {
  const Result<const Model*> found = find_model(embedded_catalog_facts(), GetParam());
  ASSERT_TRUE(found);
  ASSERT_TRUE((*found)->total_parameters);
  NoTrace trace;
  const ParameterParts<NoTrace> parts =
      parameter_parts(trace, read(parsed(podwright_test_data(kConfigs + GetParam() + ".json"))));
  EXPECT_EQ(parts.total, *(*found)->total_parameters);
  EXPECT_EQ(parts.active, *(*found)->active_parameters);
}

TEST_P(PublishedConfig, LeavesNothingUnreadButWhatHasNoPlace) {
  std::vector<std::string> expected;
  const std::string& id = GetParam();
  if (id.substr(0, 8) == "gemma-3-") expected = {"mm_tokens_per_image", "vision_config"};
  if (id.substr(0, 8) == "llama-4-") expected = {"vision_config"};
  if (id == "mimo-v2-flash") expected = {"add_swa_attention_sink_bias"};
  EXPECT_EQ(read(parsed(podwright_test_data(kConfigs + id + ".json"))).unread_fields, expected);
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(Models, PublishedConfig, testing::ValuesIn(published()), test_name);

TEST(PublishedConfigs, AreAtLeastTwenty) { EXPECT_GE(published().size(), 20u); }

}  // namespace
}  // namespace podwright::huggingface_parameters_test
