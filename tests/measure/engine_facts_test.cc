/// Logs and metrics of serving engines: what is taken of them, what is refused, and that no names stay.
#include "measure/engine_facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "measure/engine_samples.h"
#include "measure/foreign_samples.h"

namespace podwright::engine_facts_test {
namespace {

bool has_note(const EngineFacts& facts, const std::string& words) {
  return std::any_of(facts.notes.begin(), facts.notes.end(),
                     [&](const std::string& note) { return note.find(words) != std::string::npos; });
}

TEST(EngineLog, OfVllmGivesThePoolAndTheSettings) {
  const auto read = import_engine_log(kVllmLog);
  ASSERT_TRUE(read) << read.error().front().message;
  EXPECT_EQ(read->engine, "vllm");
  EXPECT_EQ(read->version, "0.11.1");
  EXPECT_EQ(read->kv_precision, "fp8");
  EXPECT_EQ(read->kv_cache_tokens, 748080);
  EXPECT_EQ(read->full_sequences, 91.32);
  EXPECT_EQ(read->max_model_tokens, 8192);
  EXPECT_EQ(read->max_batched_tokens, 8192);
  EXPECT_EQ(read->max_sequences, 256);
  EXPECT_EQ(read->memory_fraction, 0.9);
  EXPECT_EQ(read->tensor, 2);
  EXPECT_EQ(read->pipeline, 1);
  EXPECT_EQ(read->data_parallel, 1);
  EXPECT_EQ(read->weights_gib, 65.75);   // of the fullest worker
  EXPECT_EQ(read->kv_cache_gib, 57.07);  // of the smallest
  EXPECT_EQ(read->cuda_graphs_gib, 0.84);
  EXPECT_FALSE(read->block_tokens);
  EXPECT_FALSE(read->running);
  EXPECT_TRUE(read->notes.empty());
}

TEST(EngineLog, NewerVllmPrintsPoolAndLengthInOneLine) {
  const auto read = import_engine_log(
      "INFO kv_cache_utils.py] GPU KV cache size: 190,464 tokens, Maximum concurrency for 32,768 tokens per request: "
      "5.81x\n");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kv_cache_tokens, 190464);
  EXPECT_EQ(read->max_model_tokens, 32768);
  EXPECT_EQ(read->full_sequences, 5.81);
}

TEST(EngineLog, BlocksGetTheSizeThatTheirOwnLogImplies) {
  const auto read = import_engine_log(kVllmBlocksLog);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kv_blocks, 1381);
  EXPECT_EQ(read->block_tokens, 16);  // 10.79 x 2048 / 1381 = 16.0
  EXPECT_EQ(read->kv_cache_tokens, 1381 * 16);
  EXPECT_EQ(read->weights_gib, 67.7229);
  const auto alone =
      import_engine_log(kVllmBlocksLog.substr(0, kVllmBlocksLog.find("INFO 01-30 03:19:14 kv_cache_utils.py:398")));
  ASSERT_FALSE(alone);
  EXPECT_EQ(alone.error().front().code, "missing");
  EXPECT_NE(alone.error().front().message.find("how many tokens a block has"), std::string::npos);
}

TEST(EngineLog, OfSglangKeepsRanksOfAttentionApart) {
  const auto read = import_engine_log(kSglangLog);
  ASSERT_TRUE(read) << read.error().front().message;
  EXPECT_EQ(read->engine, "sglang");
  EXPECT_EQ(read->kv_cache_tokens, 442750);
  EXPECT_DOUBLE_EQ(*read->kv_cache_gib, 54.04);  // keys and values
  EXPECT_EQ(read->weights_gib, 15.11);
  EXPECT_EQ(read->max_sequences, 2049);
  EXPECT_EQ(read->max_batched_tokens, 8192);
  EXPECT_EQ(read->max_model_tokens, 131072);
  EXPECT_EQ(read->kv_precision, "bf16");
  EXPECT_EQ(read->attention_data, 2);
  EXPECT_EQ(read->tensor, 2);
  EXPECT_EQ(read->block_tokens, 1);
  EXPECT_TRUE(read->version.empty());
}

TEST(EngineLog, OfTensorRtLlmCountsTheLastPool) {
  const auto read = import_engine_log(kTrtLog);
  ASSERT_TRUE(read) << read.error().front().message;
  EXPECT_EQ(read->engine, "tensorrt-llm");
  EXPECT_EQ(read->version, "1.0.0");
  EXPECT_EQ(read->kv_cache_tokens, 294848);
  EXPECT_EQ(read->kv_cache_gib, 62.99);
  EXPECT_EQ(read->block_tokens, 32);
  EXPECT_EQ(read->max_sequences, 64);
  EXPECT_EQ(read->max_batched_tokens, 8192);
  EXPECT_TRUE(has_note(*read, "Line 3 says kv_cache_tokens 8,224, line 5 says 294,848. The last one counts."));
}

TEST(EngineLog, OfLlamaCppAddsUpItsStreams) {
  const auto read = import_engine_log(kLlamaLog);
  ASSERT_TRUE(read) << read.error().front().message;
  EXPECT_EQ(read->engine, "llama.cpp");
  EXPECT_EQ(read->kv_cache_tokens, 16384);
  EXPECT_EQ(read->kv_cache_gib, 2);
  EXPECT_EQ(read->max_sequences, 4);
  EXPECT_EQ(read->max_model_tokens, 4096);
  EXPECT_EQ(read->max_batched_tokens, 512);
}

TEST(EngineLog, NamesOfTheMachineAndOfTheModelAreNotKept) {
  for (const std::string& log : {kVllmLog, kSglangLog}) {
    const auto read = import_engine_log(log);
    ASSERT_TRUE(read);
    std::string kept = read->engine + read->version + read->kv_precision;
    for (const std::string& note : read->notes) kept += note;
    const FileFields fields = engine_log_fields(log);
    for (const auto& names : {fields.used, fields.ignored, fields.missing})
      for (const std::string& name : names) kept += " " + name;
    EXPECT_EQ(kept.find("secret"), std::string::npos) << kept;
    EXPECT_EQ(kept.find("10.1.2.3"), std::string::npos) << kept;
  }
}

struct WrongLog {
  std::string text;
  std::string code;
  std::string path;
  std::string words;
};

TEST(EngineLog, ContradictionsAndGapsAreNamed) {
  const std::string pool = kVllmLog.substr(0, kVllmLog.find("(EngineCore_DP0 pid=7) INFO 11-20 10:01:31"));
  const WrongLog wrong[] = {
      {pool, "missing", "", "No line of this log says how many tokens the KV cache holds."},
      {kVllmLog + "INFO x] GPU KV cache size: 120,000 tokens\n", "conflict", ":13",
       "Line 10 says kv_cache_tokens 748,080, line 13 says 120,000."},
      {with(kVllmLog, "max_seq_len=8192", "max_seq_len=4096"), "conflict", ":5",
       "Line 3 says max_model_tokens 8,192, line 5 says 4,096."},
      {with(kVllmLog, "LLM engine (v0.11.1)", "LLM engine (v0.10.2)"), "conflict", ":5", "of version 0.10.2"},
      {kVllmLog + kSglangLog, "conflict", ":13", "Line 1 is of vllm, line 13 of sglang."},
      {with(kSglangLog, "max_total_num_tokens=442750", "max_total_num_tokens=42750"), "conflict", ":6", "442,750"},
  };
  for (const WrongLog& one : wrong) {
    SCOPED_TRACE(one.words);
    const auto read = import_engine_log(one.text);
    ASSERT_FALSE(read);
    const Error& error = read.error().front();
    EXPECT_EQ(error.code, one.code);
    EXPECT_EQ(error.path, one.path);
    EXPECT_NE(error.message.find(one.words), std::string::npos) << error.message;
    EXPECT_FALSE(error.hint.empty());
  }
}

TEST(EngineLog, WorkersOfOneEngineMayDifferALittle) {
  const auto read = import_engine_log(kVllmLog + "INFO x] GPU KV cache size: 740,000 tokens\n");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kv_cache_tokens, 740000);
}

TEST(EngineLog, LayersWithWindowsAreTold) {
  const auto read = import_engine_log(with(kVllmLog, "91.32x", "120.00x"));
  ASSERT_TRUE(read);
  EXPECT_TRUE(has_note(*read, "layers with windows or states"));
}

TEST(EngineMetrics, OfVllmGivePoolHitsAndTimes) {
  const auto read = import_engine_metrics(kVllmMetrics);
  ASSERT_TRUE(read) << read.error().front().message;
  EXPECT_EQ(read->engine, "vllm");
  EXPECT_EQ(read->engines, 1);
  EXPECT_EQ(read->running, 71);
  EXPECT_EQ(read->waiting, 12);
  EXPECT_EQ(read->running_sequences, 71);
  EXPECT_EQ(read->kv_cache_usage, 0.97);
  EXPECT_DOUBLE_EQ(*read->prefix_hit_ratio, 0.31);
  EXPECT_EQ(read->kv_cache_tokens, 46755 * 16);
  EXPECT_EQ(read->block_tokens, 16);
  EXPECT_EQ(read->memory_fraction, 0.9);
  EXPECT_EQ(read->kv_precision, "fp8");
  EXPECT_EQ(read->requests, 1000);
  EXPECT_EQ(read->preemptions, 3);
  EXPECT_EQ(read->prompt_tokens, 2e6);
  EXPECT_EQ(read->output_tokens, 5e5);
  EXPECT_DOUBLE_EQ(*read->ttft_s, 0.45);
  EXPECT_FALSE(read->tpot_s);  // nothing was counted: that is not 0
  EXPECT_FALSE(read->request_s);
  EXPECT_FALSE(read->max_sequences);
}

TEST(EngineMetrics, WithoutWaitingRequestsWhatRunsIsTheLoad) {
  const auto read = import_engine_metrics(with(kVllmMetrics, "} 12.0", "} 0.0"));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->running, 71);
  EXPECT_FALSE(read->running_sequences);
  EXPECT_TRUE(has_note(*read, "No request waited"));
}

TEST(EngineMetrics, AreReadUnderTheirOlderNames) {
  const auto read = import_engine_metrics(
      "vllm:gpu_cache_usage_perc{model_name=\"m\"} 0.5\nvllm:gpu_prefix_cache_hits_total{model_name=\"m\"} 10\n"
      "vllm:gpu_prefix_cache_queries_total{model_name=\"m\"} 40\n"
      "vllm:time_per_output_token_seconds_count{model_name=\"m\"} 9\n"
      "vllm:time_per_output_token_seconds_sum{model_name=\"m\"} 1.8\n");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->kv_cache_usage, 0.5);
  EXPECT_EQ(read->prefix_hit_ratio, 0.25);
  EXPECT_DOUBLE_EQ(*read->tpot_s, 0.2);
  EXPECT_FALSE(read->kv_cache_tokens);
}

TEST(EngineMetrics, OfNoQueriesThereIsNoRatio) {
  const auto read = import_engine_metrics("vllm:prefix_cache_hits_total 0\nvllm:prefix_cache_queries_total 0\n");
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->prefix_hit_ratio);
  const auto none_found =
      import_engine_metrics("vllm:prefix_cache_hits_total 0\nvllm:prefix_cache_queries_total 1000\n");
  EXPECT_EQ(none_found->prefix_hit_ratio, 0);
}

TEST(EngineMetrics, OfSglangCountRanksOnce) {
  const auto read = import_engine_metrics(kSglangMetrics);
  ASSERT_TRUE(read) << read.error().front().message;
  EXPECT_EQ(read->engine, "sglang");
  EXPECT_EQ(read->engines, 2);
  EXPECT_EQ(read->running, 32);  // of one engine, priorities and tensor ranks apart
  EXPECT_EQ(read->kv_cache_tokens, 442750);
  EXPECT_EQ(read->prefix_hit_ratio, 0.42);
  EXPECT_TRUE(has_note(*read, "gauge"));
}

TEST(EngineMetrics, OfTwoEnginesAddUpOrAverage) {
  std::string text;
  for (const std::string engine : {"0", "1"})
    text += "vllm:num_requests_running{engine=\"" + engine + "\"} 4" + engine +
            "\nvllm:num_requests_waiting{engine=\"" + engine + "\"} 1\nvllm:prompt_tokens_total{engine=\"" + engine +
            "\"} 100\n";
  const auto read = import_engine_metrics(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->running, 40.5);
  EXPECT_EQ(read->running_sequences, 40);
  EXPECT_EQ(read->waiting, 2);
  EXPECT_EQ(read->prompt_tokens, 200);
}

TEST(EngineMetrics, BrokenOrForeignOnesAreRefused) {
  EXPECT_EQ(import_engine_metrics("python_info 1\n").error().front().code, "missing");
  EXPECT_EQ(import_engine_metrics("vllm:num_requests_running{engine=\"0\"} many\n").error().front().path, ":1");
  EXPECT_EQ(import_engine_metrics("vllm:a 1\nvllm:num_requests_running{engine=\"0\n").error().front().path, ":2");
  EXPECT_EQ(import_engine_metrics("vllm:a 1\nsglang:b 1\n").error().front().code, "conflict");
}

TEST(EngineMetrics, NamesOfTheModelAreNotKept) {
  const FileFields fields = engine_metrics_fields(kVllmMetrics);
  for (const auto& names : {fields.used, fields.ignored, fields.missing})
    for (const std::string& name : names) EXPECT_EQ(name.find("secret"), std::string::npos) << name;
  EXPECT_NE(std::find(fields.used.begin(), fields.used.end(), "vllm:prefix_cache_hits_total"), fields.used.end());
  EXPECT_NE(std::find(fields.missing.begin(), fields.missing.end(), "tpot_s"), fields.missing.end());
  EXPECT_NE(std::find(fields.ignored.begin(), fields.ignored.end(), "python_gc_objects_collected_total"),
            fields.ignored.end());
}

TEST(EngineFacts, OfSeveralFilesTheFirstCountsAndDifferencesAreNoted) {
  const EngineFacts log = *import_engine_log(kVllmLog);
  const EngineFacts metrics = *import_engine_metrics(kVllmMetrics);
  const EngineFacts files[] = {log, metrics};
  const auto joined = joined_engine_facts(files);
  ASSERT_TRUE(joined);
  EXPECT_EQ(joined->kv_cache_tokens, 748080);
  EXPECT_EQ(joined->running_sequences, 71);
  EXPECT_EQ(joined->tensor, 2);
  EXPECT_FALSE(has_note(*joined, "Files differ"));
  EngineFacts other = metrics;
  other.kv_cache_tokens = 500000;
  const EngineFacts differing[] = {log, other};
  EXPECT_TRUE(has_note(*joined_engine_facts(differing), "Files differ in kv_cache_tokens: 748,080 and 500,000."));
  const EngineFacts two[] = {log, *import_engine_log(kSglangLog)};
  EXPECT_EQ(joined_engine_facts(two).error().front().path, "/1");
}

}  // namespace
}  // namespace podwright::engine_facts_test
