// Published worked examples of serving memory: weights, KV cache, budgets. Expected figures are those printed by the
// source named in each test.
#include <gtest/gtest.h>

#include <algorithm>

#include "catalog/catalog.h"
#include "memory/rule_of_thumb.h"
#include "memory/serving_memory.h"
#include "model/kv_cache.h"
#include "model/parameters.h"

namespace podwright::serving_memory_test {
namespace {

const Model& model(std::string_view id) {
  const auto found = find_model(embedded_catalog_facts(), id);
  EXPECT_TRUE(found.has_value()) << id;
  return **found;
}
const Gpu& gpu(std::string_view id) {
  const auto found = find_gpu(embedded_catalog_facts(), id);
  EXPECT_TRUE(found.has_value()) << id;
  return **found;
}
const Engine& engine(std::string_view id) {
  for (const Engine& e : embedded_catalog_facts().engines)
    if (e.id == id) return e;
  ADD_FAILURE() << id;
  return embedded_catalog_facts().engines.front();
}
const WeightFormat& format(std::string_view id) {
  const WeightFormat* found = find_weight_format(embedded_catalog_facts().weight_formats, id);
  EXPECT_NE(found, nullptr) << id;
  return *found;
}

double in_gib(Bytes b) { return raw(b) / 1073741824.0; }
double in_mib(Bytes b) { return raw(b) / 1048576.0; }

Bytes per_token(const Model& m, double element, bool indexer = true) {
  NoTrace plain;
  const LayerStack stack = layer_stack(m);
  return kv_bytes_per_token(plain, m, stack, all_layers(stack),
                            {.element = Bytes(element), .indexer_element = Bytes(element), .indexer = indexer});
}
Bytes weights(const Model& m, const WeightFormat& f) {
  NoTrace plain;
  return serving_weights(plain, m, layer_stack(m), f, {}, {});
}

TEST(WorkedServingMemory, SeedFormulaOfSeventyBillionParameters) {  // Substratus, Modal
  EXPECT_DOUBLE_EQ(raw(quick_serving_memory(70e9, 16.0, 0.2)), 168e9);
  EXPECT_DOUBLE_EQ(raw(quick_serving_memory(70e9, 4.0, 0.2)), 42e9);
}

TEST(WorkedServingMemory, Llama3With70BillionParametersInSixteenBits) {  // llm-d pull request 381
  NoTrace plain;
  EXPECT_EQ(parameter_parts(plain, model("llama-3-70b")).total, 70553706496.0);
  EXPECT_NEAR(in_gib(weights(model("llama-3-70b"), format("bf16"))), 131.4165, 0.0001);
}

TEST(WorkedServingMemory, KvBytesPerTokenOfGroupedQueryModels) {  // configurations; TensorRT-LLM issue 1400
  EXPECT_EQ(per_token(model("llama-3-70b"), 2), Bytes(327680));
  EXPECT_DOUBLE_EQ(in_gib(131072.0 * per_token(model("llama-3-70b"), 2)), 40.0);
  EXPECT_EQ(per_token(model("llama-2-7b"), 2), Bytes(524288));
  EXPECT_EQ(132608.0 * per_token(model("llama-2-7b"), 2), Bytes(69524783104.0));
  EXPECT_EQ(per_token(model("llama-3.1-8b"), 2), Bytes(131072));
  EXPECT_DOUBLE_EQ(in_mib(8192.0 * per_token(model("llama-3.1-8b"), 2)), 1024);
}

TEST(WorkedServingMemory, KvCacheOf512TokensAsLlamaCppPrintsIt) {  // llama.cpp logs
  EXPECT_DOUBLE_EQ(in_mib(512.0 * per_token(model("llama-2-13b"), 2)), 400);
  EXPECT_DOUBLE_EQ(in_mib(512.0 * per_token(model("llama-2-70b"), 2)), 160);
  EXPECT_DOUBLE_EQ(in_mib(512.0 * per_token(model("llama-1-33b"), 2)), 780);
  EXPECT_DOUBLE_EQ(in_mib(512.0 * per_token(model("llama-1-65b"), 2)), 1280);
}

TEST(WorkedServingMemory, LatentAttentionKeepsOneLatentPerToken) {  // DeepSeek-V3 configuration; vLLM's packed layout
  const Model& v3 = model("deepseek-v3");
  EXPECT_EQ(per_token(v3, 2), Bytes(70272));
  EXPECT_EQ(per_token(v3, 1), Bytes(35136));
  NoTrace plain;
  const LayerStack stack = layer_stack(v3);
  EXPECT_EQ(kv_bytes_per_token(plain, v3, stack, all_layers(stack), {.latent_token_layer = Bytes(656)}), Bytes(40016));
}

TEST(WorkedServingMemory, SparseAttentionKeepsSelectorKeysToo) {  // vLLM blog on DeepSeek-V3.2
  EXPECT_EQ(per_token(model("deepseek-v3.2"), 2), Bytes(85888));
  EXPECT_EQ(per_token(model("deepseek-v3.2"), 2, false), Bytes(70272));
  EXPECT_NEAR(in_gib(1048576.0 * per_token(model("deepseek-v3.2"), 2)), 83.9, 0.05);
}

TEST(WorkedServingMemory, LatentAttentionOfGlmFlash) {  // fitllm vectors; 47 layers, latent 512 + 64
  EXPECT_EQ(47.0 * latent_kv_bytes_per_layer(512.0, 64.0, bytes(2)), Bytes(54144));
}

TEST(WorkedServingMemory, WindowedLayersKeepTheWindow) {  // fitllm vectors, Gemma-4-31B
  NoTrace plain;
  const Model& gemma = model("gemma-4-31b");
  const LayerStack stack = layer_stack(gemma);
  EXPECT_EQ(kv_bytes_per_sequence(plain, gemma, stack, all_layers(stack), KvStore{}, 262144.0), Bytes(22313697280.0));
  // Without a hybrid allocator every layer keeps the whole sequence.
  EXPECT_GT(kv_bytes_per_sequence(plain, gemma, stack, all_layers(stack), {.hybrid_allocator = false}, 262144.0),
            10.0 * Bytes(22313697280.0));
}

TEST(WorkedServingMemory, BlocksOfVllmLogs) {
  EXPECT_EQ(blocks_in(gib(3.8125), 16.0, bytes(131072)), 1952);  // vLLM issue 10517, log 3.81
  const Bytes token = 28.0 * kv_bytes_per_layer(8.0, 1.0, 128.0, 128.0, bytes(2));
  EXPECT_EQ(token, Bytes(114688));
  EXPECT_NEAR(blocks_in(gib(61.838), 16.0, token), 36184, 1);  // mellea pull request 416
}

ServingRun vllm_run(std::string version, double fraction) {
  ServingRun run;
  run.engine_version = std::move(version);
  run.memory_fraction = fraction;
  run.max_model_tokens = 2048;
  return run;
}

TEST(WorkedServingMemory, VllmBudgetFromPrintedTerms) {  // llm-d-planner accuracy report, vLLM 0.19 on H100
  const Bytes budget = budget_of_total(gib(79.19), 0.95, gib(14.99) + gib(1.89) + gib(0.25));
  EXPECT_NEAR(in_gib(budget), 58.1, 0.005);
  EXPECT_NEAR(16.0 * blocks_in(gib(58.11), 16.0, bytes(131072.0)), 476016, 476);
}

TEST(WorkedServingMemory, VllmBudgetFromTheConfigurationAlone) {  // the same run, nothing printed goes in
  NoTrace plain;
  const auto bf16 = serving_memory(plain, model("llama-3.1-8b"), gpu("h100-sxm5-80gb"), engine("vllm"), format("bf16"),
                                   vllm_run("0.19.0", 0.95));
  EXPECT_NEAR(bf16.kv_tokens, 476016, 476);
  ServingRun with_fp8 = vllm_run("0.19.0", 0.95);
  with_fp8.kv_precision = "fp8";
  const auto fp8 =
      serving_memory(plain, model("llama-3.1-8b"), gpu("h100-sxm5-80gb"), engine("vllm"), format("bf16"), with_fp8);
  EXPECT_NEAR(fp8.kv_tokens, 952032, 952);
  const auto qwen = serving_memory(plain, model("qwen2.5-7b"), gpu("h100-sxm5-80gb"), engine("vllm"), format("bf16"),
                                   vllm_run("0.19.0", 0.95));
  EXPECT_NEAR(qwen.kv_tokens, 1096000, 0.002 * 1096000);
  EXPECT_EQ(per_token(model("qwen2.5-7b"), 2), Bytes(57344));
  EXPECT_NEAR(16.0 * blocks_in(gib(58.53), 16.0, bytes(57344.0)), 1096000, 1096);
}

TEST(WorkedServingMemory,
     TensorRtLlmBlocksOfQwen) {  // TensorRT-LLM issue 2268: A100-40, 0.9 x 21.89 GiB free, 631 blocks of 64
  const Bytes token = 32.0 * kv_bytes_per_layer(32.0, 1.0, 128.0, 128.0, bytes(2));
  EXPECT_EQ(token, Bytes(524288));
  EXPECT_NEAR(in_gib(631 * 64 * token), 19.72, 0.02);
  EXPECT_NEAR(in_gib(0.9 * gib(21.89)), 19.70, 0.005);
  EXPECT_NEAR(blocks_in(0.9 * gib(21.89), 64.0, token), 631, 1);
}

ServingRun capacity_run(double tensor, double fraction, double tokens, double reserve) {
  ServingRun run;
  run.engine = "tensorrt-llm";
  run.parallelism.tensor = tensor;
  run.memory_fraction = fraction;
  run.max_batched_tokens = tokens;
  run.max_model_tokens = reserve;
  return run;
}

TEST(WorkedServingMemory, TensorRtLlmCapacities) {  // ai-dynamo/aiconfigurator capacity table
  NoTrace plain;
  const Model& llama = model("llama-3.1-8b");
  const auto h100 = serving_memory(plain, llama, gpu("h100-sxm5-80gb"), engine("tensorrt-llm"), format("bf16"),
                                   capacity_run(1, 0.8, 4096, 5096));
  EXPECT_NEAR(h100.max_sequences, 78, 2);
  const auto gb300 = serving_memory(plain, llama, gpu("gb300"), engine("tensorrt-llm"), format("bf16"),
                                    capacity_run(4, 0.9, 8192, 9192));
  EXPECT_NEAR(gb300.max_sequences, 856, 0.02 * 856);
}

TEST(WorkedServingMemory, KvHeadsPerGpu) {  // vLLM issue 21348, Qwen3-235B on four GPUs; SGLang on the same
  NoTrace plain;
  const Model& qwen = model("qwen3-235b-a22b");
  const LayerStack stack = layer_stack(qwen);
  EXPECT_EQ(per_token(qwen, 2), Bytes(192512));
  const Bytes on_gpu = kv_bytes_per_token(plain, qwen, stack, all_layers(stack), {.tensor = 4});
  EXPECT_EQ(on_gpu, Bytes(48128));
  // More ranks than key-value heads: one head stays on each.
  EXPECT_EQ(kv_bytes_per_token(plain, qwen, stack, all_layers(stack), {.tensor = 8}), Bytes(48128));
  EXPECT_NEAR(16.0 * blocks_in(gib(8.11), 16.0, on_gpu), 178880, 0.012 * 178880);
  EXPECT_NEAR(blocks_in(gib(16.46), 1.0, on_gpu), 367404, 0.001 * 367404);
}

TEST(WorkedServingMemory, LlamaCppOnOneGpu) {  // XiongjieDai notebooks: Llama-2-7B Q4_0, n_ctx 512
  NoTrace plain;
  ServingRun run;
  run.engine = "llama.cpp";
  run.max_model_tokens = 512;
  run.load = {LoadKind::static_batch, 1};
  const auto memory =
      serving_memory(plain, model("llama-2-7b"), gpu("rtx-4090"), engine("llama.cpp"), format("q4-0"), run);
  EXPECT_NEAR(in_mib(memory.weights), 3577.55, 0.01);
  EXPECT_NEAR(in_mib(memory.kv_cache), 256, 1e-9);
  ASSERT_TRUE(memory.activations.has_value());
  // 32 heads, n_ctx 8192: the rule gives 536 MiB where a log of a later version prints 560.
  EXPECT_DOUBLE_EQ(in_mib(context_score_bytes(32.0, 8192.0, mib(2.0 / 1024), mib(0.75))), 536);
}

TEST(WorkedServingMemory, WeightsWithSixteenBitEmbeddings) {
  EXPECT_NEAR(raw(weights(model("llama-3-70b"), format("nvfp4"))) / 1e9, 42.7, 0.05);  // arithmetic
  const Bytes fp8 = weights(model("llama-3-70b"), format("fp8"));  // vLLM issue 12569, log 67.72 GiB
  EXPECT_NEAR(raw(fp8) / 1e9, 72.66, 0.01);
  EXPECT_NEAR(in_gib(fp8), 67.67, 0.01);
}

}  // namespace
}  // namespace podwright::serving_memory_test
