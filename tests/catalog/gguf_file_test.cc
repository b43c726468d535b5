#include "catalog/gguf_file.h"

#include <gtest/gtest.h>

#include "catalog/catalog.h"
#include "catalog/gguf_model.h"
#include "catalog/inline_item.h"
#include "catalog/model_writer.h"
#include "support/gguf_text.h"

namespace podwright::gguf_file_test {
namespace {

Result<GgufFile> read(std::string_view text, double file_bytes = 0) {
  return read_gguf(text, file_bytes, embedded_catalog_facts().ggml_types);
}

const WeightTotal& of(const WeightSummary& summary, TensorClass part) {
  return summary.by_class[static_cast<std::size_t>(part)];
}

std::string code_of(const Result<GgufFile>& file) { return file ? "" : file.error().front().code; }

TEST(GgmlTypes, BlocksAreAsPublished) {
  const auto& types = embedded_catalog_facts().ggml_types;
  const auto bits = [&](double number) {
    const GgmlType* type = find_ggml_type(types, number);
    return type == nullptr ? 0 : 8.0 * type->block_bytes / type->block_weights;
  };
  EXPECT_EQ(bits(2), 4.5);                       // Q4_0
  EXPECT_EQ(bits(8), 8.5);                       // Q8_0
  EXPECT_EQ(bits(10), 2.625);                    // Q2_K
  EXPECT_EQ(bits(12), 4.5);                      // Q4_K
  EXPECT_EQ(bits(14), 6.5625);                   // Q6_K
  EXPECT_EQ(bits(23), 4.25);                     // IQ4_XS
  EXPECT_EQ(bits(39), 4.25);                     // MXFP4
  EXPECT_EQ(find_ggml_type(types, 4), nullptr);  // removed from the format
}

TEST(Gguf, BytesByClassAreExact) {
  const GgufText text = small_llama();
  const auto file = read(text.header(), text.file_bytes());
  ASSERT_TRUE(file) << file.error().front().message;
  EXPECT_EQ(file->version, 3);
  EXPECT_EQ(file->tensors.size(), 12u);
  const WeightSummary summary = weight_summary(file->tensors);
  EXPECT_EQ(of(summary, TensorClass::attention).bytes, 2 * 256 * 144 + 128 * 144 + 128 * 210);
  EXPECT_EQ(of(summary, TensorClass::dense_mlp).bytes, 3 * 512 * 144);
  EXPECT_EQ(of(summary, TensorClass::embedding).bytes, 64 * 144);
  EXPECT_EQ(of(summary, TensorClass::output_head).bytes, 64 * 210);
  EXPECT_EQ(of(summary, TensorClass::norms).bytes, 3 * 256 * 4);
  EXPECT_EQ(of(summary, TensorClass::other).bytes, 0);
  EXPECT_EQ(bits_per_weight(of(summary, TensorClass::dense_mlp)), 4.5);
  EXPECT_EQ(bits_per_weight(of(summary, TensorClass::output_head)), 6.5625);
  EXPECT_EQ(summary.types, (std::vector<std::string>{"Q4_K", "F32", "Q6_K"}));
  EXPECT_EQ(file->list("tokenizer.ggml.tokens")->count, 2);
}

TEST(Gguf, VersionTwoIsReadAndOthersAreRefused) {
  GgufText two(2);
  two.text("general.architecture", "llama");
  ASSERT_TRUE(read(two.header()));
  for (const std::uint32_t version : {0u, 1u, 4u, 3u << 24})
    EXPECT_EQ(code_of(read(GgufText(version).header())), "not-gguf");
  EXPECT_NE(read(GgufText(3u << 24).header()).error().front().message.find("big-endian"), std::string::npos);
}

TEST(Gguf, EveryShorterBeginningIsTruncated) {
  const std::string whole = small_llama().header();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto file = read(whole.substr(0, size), 1e9);
    ASSERT_EQ(code_of(file), "truncated") << size;
    EXPECT_EQ(file.error().front().path.front(), ':');
  }
}

TEST(Gguf, AFileCutInItsDataIsTold) {
  const GgufText text = small_llama();
  EXPECT_TRUE(read(text.header(), text.file_bytes()));
  EXPECT_EQ(code_of(read(text.header(), text.file_bytes() - 32)), "truncated");
}

TEST(Gguf, BrokenTensorsAreToldWithTheirPlace) {
  EXPECT_EQ(code_of(read(GgufText().tensor("a", {256, 2}, 4, 0).header())), "unknown-id");
  EXPECT_EQ(code_of(read(GgufText().tensor("a", {100, 2}, 12, 0).header())), "not-gguf");
  EXPECT_EQ(code_of(read(GgufText().tensor("a", {1ull << 40, 1ull << 40}, 0, 0).header())), "not-gguf");
  EXPECT_EQ(code_of(read(GgufText().tensor("a", {1, 1, 1, 1, 1}, 0, 0).header())), "not-gguf");
  EXPECT_EQ(code_of(read(GgufText().number("k", 1).number("k", 2).header())), "not-gguf");
}

/// Changed bytes anywhere give a file or an error, never anything else; nothing is reserved for lengths that lie.
TEST(Gguf, AnyChangedBytesAreSafe) {
  const std::string whole = small_llama().header();
  std::uint64_t state = 12345;
  const auto random = [&](std::uint64_t below) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (state >> 33) % below;
  };
  int read_well = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string changed = whole;
    for (std::uint64_t change = 0; change <= random(4); ++change)
      changed[static_cast<std::size_t>(random(changed.size()))] = static_cast<char>(random(2) == 0 ? 255 : random(256));
    const auto file = read(changed, 1e12);
    if (!file) {
      ASSERT_EQ(file.error().size(), 1u);
      ASSERT_FALSE(file.error().front().message.empty());
      continue;
    }
    ++read_well;
    const auto model = gguf_model(*file);
    ASSERT_TRUE(model || !model.error().empty());
  }
  EXPECT_GT(read_well, 100);
}

TEST(GgufModel, ShapeComesFromMetadataAndTensors) {
  const auto file = read(small_llama().header());
  const auto model = gguf_model(*file);
  ASSERT_TRUE(model) << model.error().front().message;
  EXPECT_EQ(model->id, "small-llama");
  EXPECT_EQ(model->layers, 1);
  EXPECT_EQ(model->hidden_size, 256);
  EXPECT_EQ(model->kv_heads, 2);
  EXPECT_EQ(model->head_dim, 64);
  EXPECT_EQ(model->vocab_size, 64);
  EXPECT_EQ(model->mlp_matrices, 3);
  EXPECT_EQ(model->norms_per_layer, 2);
  EXPECT_FALSE(model->tied_embeddings);
  EXPECT_TRUE(model->unread_fields.empty());
}

TEST(GgufModel, WithoutAHeadTheEmbeddingIsTied) {
  GgufText text;
  text.text("general.architecture", "gemma3").number("gemma3.block_count", 12).number("gemma3.embedding_length", 64);
  text.number("gemma3.attention.head_count", 1).number("gemma3.attention.key_length", 32);
  text.number("gemma3.attention.value_length", 32).number("gemma3.attention.sliding_window", 512);
  text.number("gemma3.feed_forward_length", 128);
  text.tensor("token_embd.weight", {64, 100}, 1, 12800).tensor("blk.0.attn_q_norm.weight", {32}, 0, 128);
  const auto model = gguf_model(*read(text.header()));
  ASSERT_TRUE(model);
  EXPECT_TRUE(model->tied_embeddings);
  EXPECT_EQ(model->qk_norm, QkNormKind::head);
  ASSERT_EQ(model->layer_groups.size(), 2u);
  EXPECT_EQ(model->layer_groups[0].count, 2);  // every sixth of twelve sees everything
  EXPECT_EQ(model->layer_groups[1].window_tokens, 512);
}

TEST(GgufModel, ExpertsAndTheListOfWindows) {
  GgufText text;
  text.text("general.architecture", "x").number("x.block_count", 2).number("x.embedding_length", 64);
  text.number("x.attention.head_count", 2).number("x.expert_count", 8).number("x.expert_used_count", 2);
  text.number("x.attention.sliding_window", 128).flags("x.attention.sliding_window_pattern", {true, false});
  text.number("x.vocab_size", 10);
  text.tensor("blk.0.ffn_down_exps.weight", {96, 64, 8}, 1, 98304)
      .tensor("blk.0.ffn_gate_exps.weight", {64, 96, 8}, 1, 98304);
  const auto model = gguf_model(*read(text.header()));
  ASSERT_TRUE(model);
  EXPECT_EQ(model->arch, "moe");
  EXPECT_EQ(model->moe_ffn_hidden_size, 96);
  EXPECT_EQ(model->layer_groups.front().count, 1);
}

TEST(GgufModel, WhatTheFileDoesNotSayIsNamed) {
  GgufText text;
  text.text("general.architecture", "new").number("new.block_count", 2).number("new.embedding_length", 64);
  text.number("new.attention.head_count", 2).number("new.vocab_size", 10).number("new.attention.sliding_window", 64);
  text.number("new.ssm.state_size", 16);
  const auto model = gguf_model(*read(text.header()));
  ASSERT_TRUE(model);
  EXPECT_EQ(model->unread_fields.size(), 2u);
  GgufText bare;
  bare.text("general.architecture", "new");
  const auto none = gguf_model(*read(bare.header()));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().front().path, "new.block_count");
}

TEST(ModelWriter, EveryCatalogModelReadsBackAsTheSameText) {
  const Catalog& catalog = embedded_catalog_facts();
  for (const Model& model : catalog.models) {
    const std::string text = model_json(model);
    const auto node = parse_json(text);
    ASSERT_TRUE(node) << model.id;
    ErrorList errors;
    const auto again = read_inline_model(catalog, *node, "/model", errors);
    ASSERT_TRUE(again) << model.id << ": " << errors.take().front().message;
    EXPECT_EQ(model_json(*again), text);
  }
}

}  // namespace
}  // namespace podwright::gguf_file_test
