#include "api/answer_model_file.h"

#include <gtest/gtest.h>
#include <cstdint>

#include "api/answer.h"
#include "base/json_read.h"
#include "support/gguf_text.h"

namespace podwright::model_file_test {
namespace {

const Catalog& catalog() { return embedded_catalog_facts(); }

JsonNode json(const std::string& text) {
  const auto node = parse_json(text);
  EXPECT_TRUE(node);
  return node ? *node : JsonNode{};
}

double number_at(const JsonNode& node, std::string_view object, std::string_view key) {
  const JsonNode* inner = node.find(object);
  const JsonNode* value = inner == nullptr ? nullptr : inner->find(key);
  return value == nullptr ? -1 : value->number;
}

TEST(ModelFile, GgufGivesAServingRequestItsModelAndWeights) {
  const GgufText file = small_llama();
  const std::string header = file.header();
  const Answer answer = answer_model_files(catalog(), {{"small.gguf", header, file.file_bytes()}});
  ASSERT_EQ(answer.outcome, Outcome::answer) << answer.text;
  const JsonNode told = json(answer.text);
  EXPECT_EQ(number_at(told, "weights", "dense_mlp_bytes"), 3 * 512 * 144);
  EXPECT_EQ(number_at(told, "total", "weights"), number_at(told, "parameters", "total"));
  ASSERT_NE(told.find("model"), nullptr);
  ASSERT_NE(told.find("weight_precision"), nullptr);
  const std::string request =
      R"({"kind": "serving", "gpu": "rtx-4090", "gpu_count": 1, "engine": "vllm", "input_tokens": 64, "output_tokens": 8,)"
      R"("load": {"concurrency": 1}, "explain": true, "model": )" +
      json_text(*told.find("model")) + R"(, "weight_precision": ")" + told.find("weight_precision")->text +
      R"(", "weights": )" + json_text(*told.find("weights")) + "}";
  const Answer serving = answer_request(catalog(), request);
  ASSERT_EQ(serving.outcome, Outcome::answer) << serving.text;
  const double held = number_at(json(serving.text), "memory_per_gpu", "weights_gib") * 1073741824.0;
  EXPECT_NEAR(held, number_at(told, "total", "bytes"), 1e-3);
}

TEST(ModelFile, BytesOfAnotherModelAreErrorsWithTheirPath) {
  const Answer answer = answer_request(
      catalog(),
      R"({"kind": "serving", "gpu": "rtx-4090", "gpu_count": 1, "engine": "llama.cpp", "input_tokens": 64, "output_tokens": 8,
          "load": {"concurrency": 1}, "model": "llama-3.2-1b", "weight_precision": "q4-k-m", "weights": {"experts_bytes": 5}})");
  EXPECT_EQ(answer.outcome, Outcome::wrong_input);
  const JsonNode told = json(answer.text);
  ASSERT_NE(told.find("errors"), nullptr);
  std::string paths;
  for (const JsonNode& error : told.find("errors")->items) paths += error.find("path")->text + " ";
  EXPECT_NE(paths.find("/weights/experts_bytes "), std::string::npos) << paths;
  EXPECT_NE(paths.find("/weights/attention_bytes "), std::string::npos) << paths;
}

TEST(ModelFile, ConfigJsonAndSafetensorsGoTogether) {
  std::string header = R"({"lm_head.weight": {"dtype": "BF16", "shape": [8, 4], "data_offsets": [0, 64]}})";
  std::string text;
  for (int i = 0; i < 8; ++i) text += static_cast<char>(std::uint64_t{header.size()} >> (8 * i) & 0xff);
  text += header;
  const std::string config =
      R"({"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 4, "num_hidden_layers": 1,
          "num_attention_heads": 1, "num_key_value_heads": 1, "intermediate_size": 8, "vocab_size": 8,
          "max_position_embeddings": 16, "tie_word_embeddings": false})";
  const Answer answer = answer_model_files(
      catalog(), {{"model.safetensors", text, static_cast<double>(text.size()) + 64}, {"config.json", config, 300}});
  ASSERT_EQ(answer.outcome, Outcome::answer) << answer.text;
  const JsonNode told = json(answer.text);
  EXPECT_EQ(number_at(told, "weights", "output_head_bytes"), 64);
  EXPECT_EQ(number_at(told, "parameters", "output_head"), 32);
  // The file lacks most of the model, and that is said.
  EXPECT_NE(answer.text.find("would refuse"), std::string::npos);
}

TEST(ModelFile, FilesThatAnIndexNamesAndThatAreNotThereAreSaid) {
  const std::string index = R"({"weight_map": {"a": "../../etc/passwd", "b": "one.safetensors"}})";
  const Answer answer = answer_model_files(catalog(), {{"model.safetensors.index.json", index, 80}});
  ASSERT_EQ(answer.outcome, Outcome::answer) << answer.text;
  EXPECT_NE(answer.text.find("were not read: 2 of 2."), std::string::npos) << answer.text;
}

TEST(ModelFile, OtherFilesAndTruncatedOnesAreToldByName) {
  const Answer other = answer_model_files(catalog(), {{"notes.txt", "hello", 5}});
  EXPECT_EQ(other.outcome, Outcome::wrong_input);
  EXPECT_NE(other.text.find("notes.txt"), std::string::npos);
  const std::string header = small_llama().header();
  const FilePart part{"small.gguf", std::string_view(header).substr(0, 100), 1e9};
  EXPECT_EQ(answer_model_files(catalog(), {part}).outcome, Outcome::wrong_input);
  EXPECT_EQ(bytes_needed(catalog(), part), 400);
  EXPECT_EQ(bytes_needed(catalog(), {"small.gguf", header, 1e9}), 0);
}

TEST(Mig, ExampleIsPlacedAndErrorsHavePaths) {
  const Answer answer = answer_request(catalog(), R"({"kind": "mig", "gpu": "h100-sxm5-80gb", "workloads": [
      {"model": "llama-3.2-1b", "weight_precision": "bf16", "engine": "vllm", "input_tokens": 512, "output_tokens": 16, "count": 7}]})");
  ASSERT_EQ(answer.outcome, Outcome::answer) << answer.text;
  EXPECT_EQ(json(answer.text).find("gpus_needed")->number, 1);
  const Answer wrong = answer_request(catalog(), R"({"kind": "mig", "gpu": "l4", "workloads": [
      {"model": "llama-3.2-1b", "weight_precision": "bf16", "engine": "vllm", "input_tokens": 512, "output_tokens": 16}]})");
  EXPECT_EQ(wrong.outcome, Outcome::wrong_input);
  EXPECT_EQ(json(wrong.text).find("error")->find("path")->text, "/gpu");
  EXPECT_NE(json(wrong.text).find("error")->find("hint")->text.find("h100-sxm5-80gb"), std::string::npos);
  const Answer large = answer_request(catalog(), R"({"kind": "mig", "gpu": "a30", "workloads": [
      {"model": "llama-3.1-70b", "weight_precision": "bf16", "engine": "vllm", "input_tokens": 512, "output_tokens": 16}]})");
  EXPECT_EQ(large.outcome, Outcome::infeasible);
  EXPECT_NE(large.text.find("No slice holds it"), std::string::npos);
}

}  // namespace
}  // namespace podwright::model_file_test
