#include "calibration/measured_serving.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "perf/layout_rules.h"

namespace podwright::measured_serving_test {
namespace {

const Catalog& catalog() { return embedded_catalog_facts(); }

/// A table of one row: columns and cells as "key=value" with semicolons; "|" in a cell stands for a semicolon.
std::string table_of(const std::string& cells) {
  std::string head;
  std::string line;
  for (std::size_t begin = 0; begin < cells.size();) {
    const std::size_t end = std::min(cells.find(';', begin), cells.size());
    const std::string cell = cells.substr(begin, end - begin);
    const std::size_t equals = cell.find('=');
    std::string value = cell.substr(equals + 1);
    std::replace(value.begin(), value.end(), '|', ';');
    head += (head.empty() ? "" : ",") + cell.substr(0, equals);
    line += (line.empty() ? "\"" : ",\"") + value + "\"";
    begin = end + 1;
  }
  return head + "\n" + line + "\n";
}

MeasuredServing read(const std::string& cells) {
  const auto table = read_measured_serving(catalog(), table_of(cells), "runs.csv");
  EXPECT_TRUE(table) << (table ? "" : table.error().front().message);
  return table ? *table : MeasuredServing{};
}

MeasuredServingRow row_of(const std::string& cells) {
  const MeasuredServing table = read(cells);
  for (const SkippedRow& skipped : table.skipped) ADD_FAILURE() << skipped.reason;
  if (table.rows.empty()) return {};
  EXPECT_TRUE(serving_layout_problems(table.rows.front().model, table.rows.front().run).empty());
  return table.rows.front();
}

std::string skip_reason(const std::string& cells) {
  const MeasuredServing table = read(cells);
  EXPECT_TRUE(table.rows.empty());
  return table.skipped.empty() ? "" : table.skipped.front().reason;
}

Errors errors_of(const std::string& csv) {
  const auto table = read_measured_serving(catalog(), csv, "runs.csv");
  EXPECT_FALSE(table);
  return table ? Errors{} : table.error();
}

bool assumes(const MeasuredServingRow& row, std::string_view part) {
  return std::any_of(row.assumptions.begin(), row.assumptions.end(),
                     [&](const std::string& a) { return a.find(part) != std::string::npos; });
}

const std::string kDense =
    "id=a;gpu_id=h100-sxm5-80gb;model_id=llama-3-70b;framework=vLLM;input_len=1024;output_len=512;tpot_or_itl_ms=20";
const std::string kExperts =
    "id=a;gpu_id=b200-sxm;model_id=deepseek-r1;framework=SGLang;input_len=1024;output_len=512;ttft_ms=200;"
    "concurrency_or_batch=64;load_kind=concurrency";

TEST(MeasuredServingRow, IsARequest) {
  const MeasuredServingRow row =
      row_of(kDense +
             ";num_gpus=8;tp=4;pp=2;precision=fp8;kv_precision=fp8;framework_version=0.12.0;date=2025-08-19;"
             "concurrency_or_batch=32;load_kind=concurrency;source=s");
  EXPECT_EQ(row.run.engine, "vllm");
  EXPECT_EQ(row.run.engine_version, "0.12.0");
  EXPECT_EQ(row.run.weight_precision, "fp8");
  EXPECT_EQ(row.run.kv_precision, "fp8");
  EXPECT_EQ(row.run.parallelism.tensor, 4);
  EXPECT_EQ(row.run.parallelism.pipeline, 2);
  EXPECT_EQ(row.gpu_count, 8);
  EXPECT_EQ(row.run.input_tokens, 1024);
  EXPECT_EQ(row.run.output_tokens, 512);
  EXPECT_EQ(row.run.load.kind, LoadKind::concurrency);
  EXPECT_EQ(row.run.load.value, 32);
  EXPECT_NEAR(*row.year, 2025.63, 0.005);
  ASSERT_EQ(row.measured.size(), 1u);
  EXPECT_EQ(row.measured[0].metric, "tpot_or_itl_ms");
  EXPECT_EQ(row.measured[0].value, 20);
  EXPECT_TRUE(row.assumptions.empty()) << row.assumptions.front();
}

TEST(MeasuredServingRow, ReadsTheLoad) {
  const auto load = [](const std::string& more) { return row_of(kDense + ";tp=4;num_gpus=4" + more).run.load; };
  EXPECT_EQ(load(";load_kind=offline").kind, LoadKind::max_throughput);
  EXPECT_EQ(load(";load_kind=static_batch;concurrency_or_batch=8").kind, LoadKind::static_batch);
  EXPECT_EQ(load(";load_kind=static_batch").value, 1);
  EXPECT_EQ(load(";load_kind=concurrency;request_rate=16").kind, LoadKind::request_rate);
  EXPECT_EQ(load(";load_kind=server;request_rate=16;concurrency_or_batch=9").value, 16);
  EXPECT_EQ(load(";load_kind=concurrency;request_rate=inf").kind, LoadKind::max_throughput);
  EXPECT_EQ(load(";load_kind=concurrency;request_rate=inf;concurrency_or_batch=9").kind, LoadKind::concurrency);
  EXPECT_EQ(load(";load_kind=static_batch;concurrency_or_batch=256;requests=256").kind, LoadKind::concurrency);
}

TEST(MeasuredServingRow, BlankPrecisionIsWhatTheNameSaysElseSixteenBit) {
  const auto format = [](const std::string& more) { return row_of(kDense + ";tp=4" + more).run.weight_precision; };
  EXPECT_EQ(format(""), "bf16");
  EXPECT_EQ(format(";precision=fp8_block"), "fp8-block");
  EXPECT_EQ(format(";model=nvidia/Llama-3-70B-FP8"), "fp8");
  EXPECT_EQ(row_of("id=a;gpu=Tesla P40;model_id=llama-2-7b;framework=llama.cpp;input_len=9;output_len=9;ttft_ms=1")
                .run.weight_precision,
            "fp16");
}

TEST(MeasuredServingRow, FpFourIsTheFormatThatTheModelIsPublishedIn) {
  const std::string row =
      "id=a;gpu_id=h200-sxm5-141gb;framework=vLLM;input_len=9;output_len=9;ttft_ms=1;precision=fp4;model_id=";
  EXPECT_EQ(row_of(row + "gpt-oss-120b").run.weight_precision, "mxfp4");
  EXPECT_EQ(row_of(row + "llama-3-70b").run.weight_precision, "nvfp4");
}

TEST(MeasuredServingRow, ModelsAreFoundBehindOrganisationAndPrecision) {
  const std::string row = "id=a;gpu_id=h100-sxm5-80gb;framework=vLLM;input_len=9;output_len=9;ttft_ms=1;tp=8";
  EXPECT_EQ(row_of(row + ";model=meta-llama/Llama-3.1-8B-Instruct-FP8").model.id, "llama-3.1-8b");
  EXPECT_EQ(row_of(row + ";model=someone/Qwen3-32B-AWQ").model.id, "qwen3-32b");
  EXPECT_EQ(row_of(row + ";model_id=llama-3-70b;layers=40").model.layers, 40);
  EXPECT_NE(skip_reason(row + ";model=Unheard-Of-9B").find("Unheard-Of-9B"), std::string::npos);
}

TEST(MeasuredServingRow, AttentionDataParallelRanksStandBesideTheTensorGroupOrInsideIt) {
  const MeasuredServingRow beside = row_of(kExperts + ";num_gpus=8;tp=1;ep=8;attention_dp=8");
  EXPECT_EQ(beside.run.parallelism.attention_data, 8);
  EXPECT_EQ(beside.run.parallelism.tensor, 1);
  EXPECT_EQ(beside.run.parallelism.expert, 8);
  const MeasuredServingRow inside = row_of(kExperts + ";num_gpus=8;tp=8;ep=8;attention_dp=4");
  EXPECT_EQ(inside.run.parallelism.attention_data, 4);
  EXPECT_EQ(inside.run.parallelism.tensor, 2);
}

TEST(MeasuredServingRow, GpusBeyondOneEngineAreReplicas) {
  const MeasuredServingRow row = row_of(kDense + ";num_gpus=8;tp=2");
  EXPECT_EQ(row.run.parallelism.data, 4);
  EXPECT_EQ(row.gpu_count, 8);
  EXPECT_TRUE(assumes(row, "replicas"));
}

TEST(MeasuredServingRow, RanksThatDoNotDivideTheHeadsAreAttentionDataParallel) {
  const MeasuredServingRow row = row_of(kExperts + ";num_gpus=72;tp=72;ep=1");
  EXPECT_EQ(row.run.parallelism.tensor, 8);  // of 128 heads
  EXPECT_EQ(row.run.parallelism.attention_data, 9);
  EXPECT_EQ(row.gpu_count, 72);
  EXPECT_TRUE(row.layout_bent);
}

TEST(MeasuredServingRow, ExpertGroupsAreWhatTheModelAllows) {
  EXPECT_EQ(row_of(kDense + ";num_gpus=4;tp=4;ep=4").run.parallelism.expert, 1);  // dense
  const MeasuredServingRow row = row_of(kExperts + ";num_gpus=8;tp=8;ep=16");
  EXPECT_EQ(row.run.parallelism.expert, 8);
  EXPECT_TRUE(assumes(row, "expert parallel size 8 instead of 16"));
}

TEST(MeasuredServingRow, WithoutOutputMeasuresPrompts) {
  const std::string row = "id=a;gpu_id=rtx-4090;model_id=llama-3-8b;framework=llama.cpp;total_tokens_per_s=900";
  EXPECT_TRUE(row_of(row + ";input_len=512;output_len=0").prompt_only);
  EXPECT_EQ(row_of(row + ";input_len=0;output_len=128").run.input_tokens, 1);
}

TEST(MeasuredServingRow, WithoutPromptLengthHasPromptsAsLongAsAnswers) {
  const MeasuredServingRow row = row_of(kDense.substr(0, kDense.find(";input_len")) +
                                        ";input_len=;output_len=294.45;ttft_ms=9;tp=8;num_gpus=8;load_kind=server");
  EXPECT_EQ(row.run.input_tokens, 294.45);
  EXPECT_TRUE(assumes(row, "prompts as long as the answers"));
}

TEST(MeasuredServingRow, EnginesAndVersions) {
  const std::string row = "id=a;gpu_id=h100-sxm5-80gb;model_id=llama-3-8b;input_len=9;output_len=9;ttft_ms=1";
  const MeasuredServingRow dated = row_of(row + ";framework=vLLM;date=2025-10-29");
  EXPECT_EQ(dated.run.engine_version, "0.11");  // the period of the versions from 0.8 on
  EXPECT_TRUE(assumes(dated, "by its date"));
  const MeasuredServingRow named =
      row_of(row + ";framework=SGLang;framework_version=nightly-dev-20260402;date=2026-04");
  EXPECT_EQ(named.framework_version, "nightly-dev-20260402");
  const MeasuredServingRow unknown = row_of(row + ";framework=HomeGrown;framework_version=9.9");
  EXPECT_FALSE(unknown.catalog_engine);
  EXPECT_EQ(unknown.run.engine, "vllm");
  EXPECT_EQ(unknown.run.engine_version, "");
}

TEST(MeasuredServingRow, SettingsAreColumnsAndNoWordOfTheNotesCounts) {
  const std::string settings =
      kExperts + ";num_gpus=8;tp=8;ep=8;attention_dp=8;max_batched_tokens=512;max_sequences=256;requests=1000;";
  const MeasuredServingRow row = row_of(settings + "scheduler_steps=10;timed=decode");
  EXPECT_EQ(row.run.max_batched_tokens, 512);
  EXPECT_EQ(row.run.max_batch_size, 256);
  EXPECT_EQ(row.requests, 1000);
  EXPECT_TRUE(row.decode_rate);
  EXPECT_TRUE(row.other_scheduler);
  EXPECT_FALSE(row.as_it_ran());
  EXPECT_FALSE(row_of(settings + "scheduler_steps=1;chunked_prefill=true").other_scheduler);
  EXPECT_TRUE(row_of(settings + "scheduler_steps=1;chunked_prefill=false").other_scheduler);
  const std::string notes = ";notes=attn DP8| gemm nvfp4| max seqs 2| 3 requests in| scheduler steps 5| decode rate";
  const MeasuredServingRow noted = row_of(settings + "scheduler_steps=;timed=" + notes);
  EXPECT_FALSE(noted.other_scheduler || noted.decode_rate);
  EXPECT_EQ(noted.requests, 1000);
  EXPECT_FALSE(assumes(noted, "settings in notes are not read"));
  const MeasuredServingRow old = row_of(kExperts + ";num_gpus=8;tp=8" + notes);
  EXPECT_EQ(old.run.parallelism.attention_data, 1);
  EXPECT_EQ(old.requests, std::nullopt);
  EXPECT_TRUE(assumes(old, "settings in notes are not read"));
  EXPECT_FALSE(assumes(row_of(kExperts + ";num_gpus=8;tp=8;notes="), "notes"));
}

TEST(MeasuredServingRow, DisaggregatedIsReadAsOneDeployment) {
  const MeasuredServingRow row = row_of(kExperts + ";num_gpus=16;tp=8;serving_mode=disaggregated");
  EXPECT_TRUE(row.disaggregated);
  EXPECT_EQ(row.gpu_count, 16);
  EXPECT_TRUE(assumes(row, "disaggregated"));
}

TEST(MeasuredServingRow, IsSkippedWhereItCannotBeExpressed) {
  EXPECT_NE(skip_reason("id=a;gpu_id=abacus;model_id=llama-3-8b;framework=vLLM;input_len=9;output_len=9;ttft_ms=1")
                .find("abacus"),
            std::string::npos);
  EXPECT_NE(skip_reason(kDense + ";precision=ternary").find("ternary"), std::string::npos);
  EXPECT_NE(
      skip_reason("id=a;gpu_id=h100-sxm5-80gb;model_id=llama-3-8b;framework=vLLM;input_len=9;output_len=;ttft_ms=1")
          .find("output length"),
      std::string::npos);
  EXPECT_NE(skip_reason(kDense + ";pp=100;num_gpus=100;tp=1").find("pipeline"), std::string::npos);
}

TEST(MeasuredServingTable, NamesWhatIsWrong) {
  EXPECT_EQ(errors_of("id,gpu_id,input_len,output_len,ttft_ms\na,b,1,2,3\n").front().code, "missing");
  EXPECT_EQ(errors_of("id,gpu_id,framework,input_len,output_len\na,b,c,1,2\n").front().code, "missing");
  const Errors wrong = errors_of(table_of(kDense + ";tp=many"));
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_EQ(wrong.front().code, "wrong-type");
  EXPECT_EQ(wrong.front().path, "runs.csv:2");
  EXPECT_EQ(errors_of("id,\"gpu").front().code, "not-csv");
}

}  // namespace
}  // namespace podwright::measured_serving_test
