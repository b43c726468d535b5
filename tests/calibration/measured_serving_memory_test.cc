#include "calibration/measured_serving_memory.h"

#include <gtest/gtest.h>

#include "base/units.h"

namespace podwright::measured_serving_memory_test {
namespace {

const std::string kHead =
    "id,gpu_id,model_id,framework,framework_version,tp,pp,weight_precision,kv_precision,gpu_total_gib,mem_fraction,"
    "max_model_len,max_num_batched_tokens,kv_tokens,max_batch,max_concurrency\n";

MeasuredServingMemory read(const std::string& lines) {
  const auto table = read_measured_serving_memory(embedded_catalog_facts(), kHead + lines, "memory.csv");
  EXPECT_TRUE(table) << (table ? "" : table.error().front().message);
  return table ? *table : MeasuredServingMemory{};
}

TEST(MeasuredServingMemoryRow, IsADeploymentOnTheMemoryThatTheDriverReports) {
  const auto table = read("a,h100-sxm5-80gb,llama-3.1-8b,vLLM,0.15/0.16,2,1,fp8 (online),auto,79.19,0.95,,2048,9,,\n");
  ASSERT_EQ(table.rows.size(), 1u);
  const MeasuredServingMemoryRow& row = table.rows[0];
  EXPECT_EQ(*row.reported_gpu.memory_driver, gib(79.19));
  EXPECT_EQ(row.run.engine_version, "0.15");
  EXPECT_EQ(row.run.weight_precision, "fp8");
  EXPECT_EQ(row.run.kv_precision, "");
  EXPECT_EQ(row.run.parallelism.tensor, 2);
  EXPECT_EQ(row.run.memory_fraction, 0.95);
  EXPECT_EQ(row.run.max_batched_tokens, 2048);
  EXPECT_EQ(row.run.max_model_tokens, row.model.context_tokens);
  EXPECT_EQ(row.open_settings, "");
}

TEST(MeasuredServingMemoryRow, NamesTheSettingsThatStayOpen) {
  const auto table = read(
      "a,h100-sxm5-80gb,llama-3.1-8b,vLLM,,1,1,,,,,2048,,9,,\n"
      "b,h100-sxm5-80gb,llama-3.1-8b,TensorRT-LLM,,1,1,fp8,,,0.8,2048,,9,,\n"
      "c,h100-sxm5-80gb,llama-3.1-8b,llama.cpp,,1,1,,,,,2048,,9,,\n");
  ASSERT_EQ(table.rows.size(), 3u);
  EXPECT_EQ(table.rows[0].open_settings, "weight_precision, mem_fraction, framework_version, gpu_total_gib");
  EXPECT_EQ(table.rows[1].open_settings, "max_num_batched_tokens");
  EXPECT_EQ(table.rows[2].open_settings, "");
}

TEST(MeasuredServingMemoryRow, ABatchIsACapacityOnlyWhereWholeSequencesAreReserved) {
  const auto table = read(
      "a,a100-sxm4-80gb,llama-2-7b,LMDeploy,,1,1,fp16,fp16,,,,,,64,\n"
      "b,h100-sxm5-80gb,llama-3.1-8b,TensorRT-LLM,,1,1,fp8,,,0.8,2048,4096,,27,\n");
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_TRUE(table.rows[0].batch_is_given);
  EXPECT_EQ(table.rows[0].run.load.value, 64);
  EXPECT_FALSE(table.rows[1].batch_is_given);
  EXPECT_EQ(table.rows[1].run.load.kind, LoadKind::max_throughput);
}

TEST(MeasuredServingMemoryRow, AConcurrencyWithoutALengthSaysNothing) {
  const auto table = read(
      "a,h100-sxm5-80gb,qwen3-14b,vLLM,0.18,1,1,bf16,bf16,79.19,0.95,,,9,,36.18\n"
      "b,h100-sxm5-80gb,qwen3-14b,vLLM,0.18,1,1,bf16,bf16,79.19,0.95,8192,,9,,36.18\n");
  ASSERT_EQ(table.rows.size(), 2u);
  EXPECT_EQ(table.rows[0].measured.size(), 1u);
  EXPECT_EQ(table.rows[1].measured.size(), 2u);
}

TEST(MeasuredServingMemoryTable, NamesWhatIsWrong) {
  const auto errors = [](const std::string& csv) {
    const auto table = read_measured_serving_memory(embedded_catalog_facts(), csv, "memory.csv");
    return table ? Errors{} : table.error();
  };
  ASSERT_FALSE(errors("id,framework\n").empty());
  EXPECT_EQ(errors("id,framework\n").front().code, "missing");
  const Errors wrong = errors(kHead + "a,h100-sxm5-80gb,llama-3.1-8b,vLLM,,1,1,,,,most,2048,,9,,\n");
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_EQ(wrong.front().code, "wrong-type");
  EXPECT_EQ(read("a,abacus,llama-3.1-8b,vLLM,,1,1,,,,,2048,,9,,\n").skipped.size(), 1u);
}

}  // namespace
}  // namespace podwright::measured_serving_memory_test
