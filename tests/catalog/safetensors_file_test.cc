#include "catalog/safetensors_file.h"

#include <gtest/gtest.h>
#include <cstdint>

namespace podwright::safetensors_file_test {
namespace {

std::string with_length(const std::string& header) {
  std::string out;
  for (int i = 0; i < 8; ++i) out += static_cast<char>(std::uint64_t{header.size()} >> (8 * i) & 0xff);
  return out + header;
}

const std::string kHeader = R"({"__metadata__": {"format": "pt"},
 "model.embed_tokens.weight": {"dtype": "BF16", "shape": [10, 4], "data_offsets": [0, 80]},
 "model.layers.0.mlp.gate_proj.weight": {"dtype": "F8_E4M3", "shape": [8, 4], "data_offsets": [80, 112]},
 "model.layers.0.mlp.gate_proj.weight_scale_inv": {"dtype": "F32", "shape": [1, 1], "data_offsets": [112, 116]},
 "model.layers.0.self_attn.q_proj.qweight": {"dtype": "I32", "shape": [4, 2], "data_offsets": [116, 148]}})";

TEST(Safetensors, BytesAreThoseOfTheOffsets) {
  const auto file = read_safetensors(with_length(kHeader), 0);
  ASSERT_TRUE(file) << file.error().front().message;
  const WeightSummary summary = weight_summary(file->tensors);
  EXPECT_EQ(summary.total.bytes, 148);
  const WeightTotal& mlp = summary.by_class[static_cast<std::size_t>(TensorClass::dense_mlp)];
  EXPECT_EQ(mlp.bytes, 36);
  EXPECT_EQ(mlp.weights, 32);  // scales are none
  EXPECT_EQ(bits_per_weight(mlp), 9);
  EXPECT_FALSE(bits_per_weight(summary.by_class[static_cast<std::size_t>(TensorClass::attention)]));  // packed
  EXPECT_FALSE(summary.total.weights);
}

TEST(Safetensors, EveryShorterBeginningIsTruncated) {
  const std::string whole = with_length(kHeader);
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const auto file = read_safetensors(whole.substr(0, size), 1e9);
    ASSERT_FALSE(file);
    EXPECT_EQ(file.error().front().code, "truncated");
  }
  EXPECT_FALSE(read_safetensors(whole, static_cast<double>(whole.size()) + 147));
  EXPECT_TRUE(read_safetensors(whole, static_cast<double>(whole.size()) + 148));
}

TEST(Safetensors, ContradictionsAreErrors) {
  const auto code = [](const std::string& tensor) {
    const auto file = read_safetensors(with_length("{\"a\": " + tensor + "}"), 0);
    return file ? std::string() : file.error().front().code;
  };
  EXPECT_EQ(code(R"({"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]})"), "");
  EXPECT_EQ(code(R"({"dtype": "BF16", "shape": [2], "data_offsets": [0, 5]})"), "not-safetensors");
  EXPECT_EQ(code(R"({"dtype": "BF16", "shape": [2], "data_offsets": [4, 0]})"), "not-safetensors");
  EXPECT_EQ(code(R"({"dtype": "Z9", "shape": [2], "data_offsets": [0, 4]})"), "not-safetensors");
  EXPECT_NE(code(R"({"dtype": "BF16", "shape": [-2], "data_offsets": [0, 4]})"), "");
  EXPECT_NE(code(R"({"dtype": "BF16", "shape": "x"})"), "");
  EXPECT_NE(code("7"), "");
  EXPECT_FALSE(is_safetensors(std::string("\xff\xff\xff\xff\xff\xff\xff\x7f{", 9)));
  EXPECT_FALSE(read_safetensors(std::string("\xff\xff\xff\xff\xff\xff\xff\x7f{", 9), 0));
}

TEST(SafetensorsIndex, NamesItsFilesOnceAndTheTotal) {
  const auto index = read_safetensors_index(
      R"({"metadata": {"total_size": 123}, "weight_map": {"a": "1.safetensors", "b": "2.safetensors", "c": "1.safetensors"}})");
  ASSERT_TRUE(index);
  EXPECT_EQ(index->total_bytes, 123);
  EXPECT_EQ(index->files, (std::vector<std::string>{"1.safetensors", "2.safetensors"}));
  EXPECT_FALSE(read_safetensors_index(R"({"metadata": {}})"));
  const auto empty = read_safetensors_index(R"({"metadata": {"total_size": 148}, "weight_map": {}})");
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().front().path, "/weight_map");
  EXPECT_FALSE(read_safetensors_index(R"({"weight_map": {"a": 1}})"));
}

TEST(TensorClass, NamesOfBothFormats) {
  struct Case {
    const char* name;
    TensorClass part;
  };
  const Case cases[] = {{"blk.3.attn_kv_b.weight", TensorClass::attention},
                        {"blk.3.attn_q.bias", TensorClass::norms},
                        {"blk.3.ffn_gate_inp.weight", TensorClass::router},
                        {"blk.3.exp_probs_b.bias", TensorClass::router},
                        {"blk.3.ffn_up_exps.bias", TensorClass::experts},
                        {"blk.3.ffn_up_shexp.weight", TensorClass::shared_experts},
                        {"blk.3.post_ffw_norm.weight", TensorClass::norms},
                        {"rope_freqs.weight", TensorClass::other},
                        {"model.embed_tokens.weight", TensorClass::embedding},
                        {"transformer.wte.weight", TensorClass::embedding},
                        {"lm_head.weight", TensorClass::output_head},
                        {"model.layers.1.self_attn.q_norm.weight", TensorClass::norms},
                        {"model.layers.1.self_attn.kv_a_proj_with_mqa.weight", TensorClass::attention},
                        {"model.layers.1.mlp.gate.weight", TensorClass::router},
                        {"model.layers.1.mlp.gate_proj.weight", TensorClass::dense_mlp},
                        {"model.layers.1.mlp.experts.7.down_proj.weight", TensorClass::experts},
                        {"model.layers.1.mlp.shared_experts.up_proj.weight", TensorClass::shared_experts},
                        {"model.layers.1.block_sparse_moe.gate.weight", TensorClass::router},
                        {"model.layers.1.block_sparse_moe.experts.0.w1.weight", TensorClass::experts},
                        {"model.layers.1.input_layernorm.weight", TensorClass::norms},
                        {"model.visual.blocks.0.attn.qkv.weight", TensorClass::other}};
  for (const Case& c : cases) EXPECT_EQ(tensor_class(c.name), c.part) << c.name;
}

}  // namespace
}  // namespace podwright::safetensors_file_test
