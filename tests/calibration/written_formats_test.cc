#include "calibration/written_formats.h"

#include <gtest/gtest.h>

#include "perf/estimate_serving.h"

namespace podwright::written_formats_test {
namespace {

const Catalog& catalog() { return embedded_catalog_facts(); }

TEST(WrittenWeightFormat, KnowsTheSpellingsOfTables) {
  const auto format = [](std::string_view text) { return written_weight_format(catalog(), text); };
  EXPECT_EQ(format("FP8"), "fp8");
  EXPECT_EQ(format("fp8_e4m3"), "fp8");
  EXPECT_EQ(format("fp8_block"), "fp8-block");
  EXPECT_EQ(format("fp4"), "nvfp4");
  EXPECT_EQ(format("modelopt_fp4"), "nvfp4");
  EXPECT_EQ(format("w4a16_mxfp4"), "mxfp4");
  EXPECT_EQ(format("int4_wo"), "int4-awq");
  EXPECT_EQ(format("GPTQ-Int4"), "int4-gptq");
  EXPECT_EQ(format("AWQ 4-bit"), "int4-awq");
  EXPECT_EQ(format("w8a8"), "int8");
  EXPECT_EQ(format("bfloat16"), "bf16");
  EXPECT_EQ(format("half"), "fp16");
  EXPECT_EQ(format("GGUF Q5_K_M"), "q5-k-m");
  EXPECT_EQ(format("Q4_K_S"), "q4-k-s");
  EXPECT_EQ(format("colourful"), "");
  EXPECT_EQ(format(""), "");
}

TEST(WrittenWeightFormat, OfBitsIsTheNearest) {
  EXPECT_EQ(written_weight_format(catalog(), "exl2 4.25 bpw"), "iq4-xs");  // 4.25 bits
  EXPECT_EQ(written_weight_format(catalog(), "8.5bpw"), "q8-0");
}

TEST(Fp4Format, IsThatOfTheModelOrOfTheMaker) {
  const auto model = [](const char* id) { return **find_model(catalog(), id); };
  const auto gpu = [](const char* id) { return **find_gpu(catalog(), id); };
  EXPECT_EQ(fp4_format(model("gpt-oss-120b"), gpu("b200-sxm")), "mxfp4");
  EXPECT_EQ(fp4_format(model("deepseek-r1"), gpu("b200-sxm")), "nvfp4");
  EXPECT_EQ(fp4_format(model("deepseek-r1"), gpu("mi355x")), "mxfp4");
}

TEST(WrittenKvPrecision, IsAnEnginesDefaultWhereNotKnown) {
  EXPECT_EQ(written_kv_precision(catalog(), "auto"), "");
  EXPECT_EQ(written_kv_precision(catalog(), "fp8_e5m2"), "fp8");
  EXPECT_EQ(written_kv_precision(catalog(), "fp8 (sliding-window layers kept in 16 bit)"), "fp8");
  EXPECT_EQ(written_kv_precision(catalog(), "FP16"), "fp16");
  EXPECT_EQ(written_kv_precision(catalog(), "int8"), "int8");
  EXPECT_EQ(written_kv_precision(catalog(), "who knows"), "");
}

TEST(WrittenEngine, IsFoundByAliasAndInsideANameThatSaysMore) {
  EXPECT_EQ(written_engine(catalog(), "TRT-LLM"), "tensorrt-llm");
  EXPECT_EQ(written_engine(catalog(), "Dynamo TRT-LLM 1.2"), "tensorrt-llm");
  EXPECT_EQ(written_engine(catalog(), "TensorRT 10.2 (MLPerf)"), "tensorrt-llm");
  EXPECT_EQ(written_engine(catalog(), "LMDeploy TurboMind"), "lmdeploy");
  EXPECT_EQ(written_engine(catalog(), "ExLlamaV2 0.1"), "exllamav2");
  EXPECT_EQ(written_engine(catalog(), "HF Transformers"), "transformers");
  EXPECT_EQ(written_engine(catalog(), "vLLM (ROCm)"), "vllm");
  EXPECT_EQ(written_engine(catalog(), "homegrown"), "");
}

TEST(WrittenVersion, IsItsNumber) {
  EXPECT_EQ(written_version("1.2.0rc6.post2"), "1.2.0rc6.post2");
  EXPECT_EQ(written_version("v0.5.9-cu130"), "0.5.9");
  EXPECT_EQ(written_version("0.15/0.16"), "0.15");
  EXPECT_EQ(written_version("nightly-dev-20260402-d7256eb6"), "");
  EXPECT_EQ(written_version(""), "");
}

TEST(VersionAt, IsOfTheConventionsObservedNext) {
  const Engine& vllm = *find_engine_conventions(catalog(), "vllm");
  const auto began = [&](std::string_view date) {
    return conventions_of(vllm, version_at(vllm, date)).conventions->from;
  };
  EXPECT_EQ(began("2024-05"), "");
  EXPECT_EQ(began("2025-10-29"), "0.8");
  EXPECT_EQ(version_at(vllm, ""), "");
  EXPECT_EQ(version_at(vllm, "2099-01"), "");
}

TEST(YearOfDate, IsADecimalYear) {
  EXPECT_NEAR(*year_of_date("2025-08-19"), 2025.63, 0.005);
  EXPECT_NEAR(*year_of_date("2024-05"), 2024 + 4.5 / 12, 1e-12);
  EXPECT_EQ(year_of_date("2024"), 2024.5);
  EXPECT_EQ(year_of_date(""), std::nullopt);
  EXPECT_EQ(year_of_date("May 2024"), std::nullopt);
}

}  // namespace
}  // namespace podwright::written_formats_test
