#include "memory/serving_memory.h"

#include <gtest/gtest.h>

#include <cmath>

#include "catalog/catalog.h"

namespace podwright::serving_memory_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }
const Model& model(std::string_view id) { return **find_model(facts(), id); }
const Gpu& gpu(std::string_view id) { return **find_gpu(facts(), id); }
const Engine& engine(std::string_view id) {
  for (const Engine& e : facts().engines)
    if (e.id == id) return e;
  ADD_FAILURE() << "no engine " << id;
  return facts().engines.front();
}
const WeightFormat& format(std::string_view id) { return *find_weight_format(facts().weight_formats, id); }

ServingRun run_of(double input, double output) {
  ServingRun run;
  run.input_tokens = input;
  run.output_tokens = output;
  return run;
}

ServingMemory<NoTrace> plain(std::string_view model_id, std::string_view engine_id, std::string_view format_id,
                             const ServingRun& run, std::string_view gpu_id = "h100-sxm5-80gb") {
  NoTrace trace;
  return serving_memory(trace, model(model_id), gpu(gpu_id), engine(engine_id), format(format_id), run);
}

TEST(ServingMemory, PartsSumToTheTotal) {
  for (const char* name : {"vllm", "tensorrt-llm", "sglang", "llama.cpp", "transformers", "lmdeploy", "exllamav2"}) {
    const auto m = plain("llama-3.1-8b", name, "bf16", run_of(1024, 1024));
    const Bytes sum = m.weights + m.kv_cache + m.activations.value_or(Bytes(0)) + m.runtime.value_or(Bytes(0));
    EXPECT_DOUBLE_EQ(raw(m.total), raw(sum)) << name;
    EXPECT_FALSE(m.infeasible.has_value()) << name;
  }
}

TEST(ServingMemory, AnUnknownPrecisionOfTheCacheIsNoGuess) {
  ServingRun run = run_of(1024, 1024);
  run.kv_precision = "int3";
  const auto unknown = plain("llama-3.1-8b", "vllm", "bf16", run);
  ASSERT_TRUE(unknown.infeasible);
  EXPECT_EQ(unknown.infeasible->code, "kv-precision-unknown");
  EXPECT_EQ(unknown.infeasible->message.text(), "The KV cache precision int3 is not known.");
  Engine silent = engine("vllm");
  for (EngineConventions& conventions : silent.conventions) conventions.kv_precision.clear();
  NoTrace trace;
  run.kv_precision.clear();
  EXPECT_EQ(serving_memory(trace, model("llama-3.1-8b"), gpu("h100-sxm5-80gb"), silent, format("bf16"), run)
                .infeasible->message.text(),
            "The precision of the engine's KV cache is not known.");
}

// A part of the layers is enough: states that count as nothing would make the unknown win.
TEST(ServingMemory, StatesOfUnknownWidthAreNoRoomForAllSequences) {
  Model states = model("qwen3-next-80b-a3b");
  states.layer_groups = {{.count = states.layers, .attention = AttentionKind::linear}};
  NoTrace trace;
  for (const Model& some : {states, model("qwen3-next-80b-a3b")}) {
    const auto of = [&](const char* id) {
      return serving_memory(trace, some, gpu("b200-sxm"), engine(id), format("fp8"), run_of(1024, 1024));
    };
    EXPECT_FALSE(of("sglang").infeasible);
    ASSERT_TRUE(of("tensorrt-llm").infeasible);
    EXPECT_EQ(of("tensorrt-llm").infeasible->code, "kv-precision-unknown");
  }
}

TEST(ServingMemory, FewerBitsStayInTheFilesThatTheEngineReads) {
  const auto fewer_bits = [](std::string_view engine_id, std::string_view format_id) {
    const ServingRun run = run_of(1024, 1024);
    auto m = plain("llama-3.1-8b", engine_id, format_id, run, "rtx-3090");
    EXPECT_TRUE(m.infeasible);
    add_ways_out(facts(), model("llama-3.1-8b"), gpu("rtx-3090"), engine(engine_id), format(format_id), run,
                 *m.infeasible);
    return m.infeasible->ways_out.empty() ? std::string() : m.infeasible->ways_out[0].text();
  };
  EXPECT_EQ(fewer_bits("llama.cpp", "fp32"), R"({"weight_precision":"bf16"})");
  EXPECT_EQ(fewer_bits("vllm", "fp32"), R"({"weight_precision":"bf16"})");
}

TEST(ServingMemory, WhatNoSourceStatesIsAbsent) {
  const auto lmdeploy = plain("llama-3.1-8b", "lmdeploy", "bf16", run_of(1024, 1024));
  EXPECT_FALSE(lmdeploy.activations.has_value());
  EXPECT_FALSE(lmdeploy.runtime.has_value());
  EXPECT_FALSE(lmdeploy.conventions->missing.empty());
  EXPECT_TRUE(plain("llama-3.1-8b", "vllm", "bf16", run_of(1024, 1024)).runtime.has_value());
}

TEST(FirstStageActivations, OfOneStageAreThoseOfTheDeployment) {
  const ServingRun run = run_of(1024, 1024);
  const auto of = [&](std::string_view engine_id) {
    return first_stage_activations(model("llama-3.1-8b"), gpu("h100-sxm5-80gb"), engine(engine_id), format("bf16"),
                                   run);
  };
  const auto whole = plain("llama-3.1-8b", "vllm", "bf16", run).activations;
  ASSERT_TRUE(whole);
  EXPECT_EQ(of("vllm"), whole);
  EXPECT_FALSE(of("lmdeploy"));  // no source states its peak
}

TEST(FirstStageActivations, OfSeveralStagesAreWithoutTheSampler) {
  // Many sequences: the last stage's peak is that of its logits over the vocabulary, the first one's of its layers.
  ServingRun run = run_of(1024, 1024);
  run.max_batch_size = 1024;
  const auto first = [&] {
    return *first_stage_activations(model("llama-3.1-8b"), gpu("h100-sxm5-80gb"), engine("vllm"), format("bf16"), run);
  };
  const Bytes alone = first();
  run.parallelism.pipeline = 2;
  EXPECT_LT(first(), alone);
  // What is left does not depend on how many sequences are sampled.
  const Bytes of_many = first();
  run.max_batch_size = 2048;
  EXPECT_EQ(first(), of_many);
}

TEST(ServingMemory, MoreTensorParallelNeverAddsMemoryPerGpu) {
  for (const char* id : {"llama-3.1-70b", "qwen3-235b-a22b", "deepseek-v3", "gpt-oss-120b", "qwen3-next-80b-a3b"}) {
    Bytes before(1e300);
    for (double tensor = 1; tensor <= 8; tensor *= 2) {
      ServingRun run = run_of(1024, 1024);
      run.parallelism.tensor = tensor;
      const auto m = plain(id, "sglang", "fp8", run, "b200-sxm");
      EXPECT_LE(m.weights, before) << id << " at " << tensor;
      before = m.weights;
    }
  }
}

TEST(ServingMemory, CopiedKvHeadsStopShrinking) {
  ServingRun run = run_of(1024, 1024);
  run.parallelism.tensor = 4;
  const Bytes four = plain("qwen3-235b-a22b", "vllm", "fp8", run).bytes_per_token_on_gpu;
  run.parallelism.tensor = 8;
  EXPECT_EQ(plain("qwen3-235b-a22b", "vllm", "fp8", run).bytes_per_token_on_gpu, four);
  run.parallelism.tensor = 1;
  EXPECT_EQ(plain("qwen3-235b-a22b", "vllm", "fp8", run).bytes_per_token_on_gpu, 4.0 * four);
}

TEST(ServingMemory, CopiedKvProjectionsCountTwice) {
  // Llama-2-70B has 8 key-value heads of 128; on 16 ranks each head stands on two.
  ServingRun run = run_of(1024, 1024);
  run.parallelism.tensor = 16;
  NoTrace trace;
  const Model& llama = model("llama-2-70b");
  const double kv = kv_projection_parameters(8192.0, 8.0, 128.0, 128.0);
  ServingParallelism even = run.parallelism;
  const Bytes copied = serving_weights(trace, llama, layer_stack(llama), format("bf16"), even, {});
  Model many_heads = llama;
  many_heads.kv_heads = 64;
  const Bytes without = serving_weights(trace, many_heads, layer_stack(many_heads), format("bf16"), even, {});
  const double extra_heads =
      kv_projection_parameters(8192.0, 56.0, 128.0, 128.0) / 16;  // what 64 heads add on one rank
  EXPECT_NEAR(raw(copied), raw(without) + 80 * 2 * (copied_kv_parameters(kv, 16.0, 8.0) - extra_heads), 1.0);
}

TEST(ServingMemory, ReplicasMultiplyTheDeploymentOnly) {
  ServingRun run = run_of(1024, 1024);
  const auto one = plain("llama-3.1-8b", "vllm", "bf16", run);
  run.parallelism.data = 3;
  const auto three = plain("llama-3.1-8b", "vllm", "bf16", run);
  EXPECT_EQ(three.total, one.total);
  EXPECT_EQ(three.capacity_tokens, 3 * one.capacity_tokens);
  EXPECT_EQ(three.max_sequences, 3 * one.max_sequences);
  EXPECT_EQ(three.max_sequences_per_replica, one.max_sequences_per_replica);
}

TEST(ServingMemory, AttentionDataParallelSpreadsExpertsAndMultipliesThePools) {
  ServingRun run = run_of(1024, 1024);
  run.parallelism = {.tensor = 8, .expert = 8};
  const auto tensor = plain("deepseek-v3", "sglang", "fp8-block", run, "b200-sxm");
  run.parallelism = {.tensor = 1, .expert = 8, .attention_data = 8};
  const auto attention = plain("deepseek-v3", "sglang", "fp8-block", run, "b200-sxm");
  EXPECT_GT(attention.weights, tensor.weights);  // attention is copied to every rank
  EXPECT_LT(attention.weights, 2.0 * tensor.weights);
  EXPECT_EQ(attention.bytes_per_token_on_gpu,
            tensor.bytes_per_token_on_gpu);  // latents stand on every tensor rank anyway
  EXPECT_GT(attention.capacity_tokens, 4.0 * tensor.capacity_tokens);
}

TEST(ServingMemory, LargestPipelineStageDecides) {  // llm-d-planner accuracy report: 4.26 GiB, not 14.99 / 4
  ServingRun run = run_of(1024, 1024);
  run.engine_version = "0.19";
  run.parallelism.pipeline = 4;
  const auto m = plain("llama-3.1-8b", "vllm", "bf16", run);
  EXPECT_NEAR(raw(m.weights) / 1073741824.0, 4.26, 0.04);
  EXPECT_EQ(m.stage, 3);  // the head's sampler takes more than the embedding's stage
}

TEST(ServingMemory, TiedEmbeddingsStandOnceOnOneGpuAndTwiceOnTwoStages) {
  NoTrace trace;
  const Model& small = model("qwen2.5-0.5b");
  ASSERT_TRUE(small.tied_embeddings);
  const LayerStack stack = layer_stack(small);
  const Bytes whole = serving_weights(trace, small, stack, format("bf16"), {}, {});
  EXPECT_NEAR(raw(whole), 2 * small.total_parameters.value_or(0), 1.0);
  ServingParallelism two;
  two.pipeline = 2;
  const Bytes stages = serving_weights(trace, small, stack, format("bf16"), two, {.stage = 0}) +
                       serving_weights(trace, small, stack, format("bf16"), two, {.stage = 1});
  EXPECT_NEAR(raw(stages - whole), 2 * small.vocab_size * small.hidden_size, 1.0);
}

TEST(ServingMemory, StagesHoldEveryWeightOnce) {
  NoTrace trace;
  for (const char* id : {"llama-3.1-70b", "mixtral-8x7b-v0.1", "qwen3-next-80b-a3b", "gpt-oss-120b"}) {
    const Model& m = model(id);
    const LayerStack stack = layer_stack(m);
    ServingParallelism p;
    p.pipeline = 4;
    Bytes sum;
    for (int stage = 0; stage < 4; ++stage)
      sum += serving_weights(trace, m, stack, format("bf16"), p, {.stage = stage});
    const Bytes whole = serving_weights(trace, m, stack, format("bf16"), {}, {});
    EXPECT_NEAR(raw(sum) / raw(whole), 1.0, 1e-12) << id;
    EXPECT_NEAR(raw(whole), 2 * m.total_parameters.value_or(0), 1e-6 * raw(whole)) << id;
  }
}

TEST(ServingMemory, HybridAllocatorSavesWhatWindowsSave) {
  ServingRun run = run_of(30000, 1000);
  run.hybrid_allocator = true;
  const auto on = plain("gpt-oss-20b", "vllm", "mxfp4", run);
  run.hybrid_allocator = false;
  const auto off = plain("gpt-oss-20b", "vllm", "mxfp4", run);
  EXPECT_EQ(on.kv_cache, off.kv_cache);
  EXPECT_NEAR(off.kv_tokens / on.kv_tokens, 0.5, 0.01);  // half of the layers have a window of 128 tokens
  EXPECT_EQ(on.bytes_per_token, off.bytes_per_token);
}

TEST(ServingMemory, ConstantStatesLimitSequencesNotLength) {
  const auto short_run = plain("qwen3-next-80b-a3b", "sglang", "fp8", run_of(100, 100), "b200-sxm");
  const auto long_run = plain("qwen3-next-80b-a3b", "sglang", "fp8", run_of(100000, 100), "b200-sxm");
  EXPECT_GT(long_run.kv_tokens, short_run.kv_tokens);
  EXPECT_GT(raw(short_run.bytes_per_sequence), 36 * 32 * 128 * 128 * 4.0);  // 36 recurrent states in 32 bits
}

TEST(ServingMemory, EmbeddingTableOfLlamaCppStaysOnTheHost) {
  ServingRun run = run_of(100, 100);
  run.load = {LoadKind::static_batch, 4};
  const auto host = plain("llama-3-8b", "llama.cpp", "q4-k-m", run);
  const auto all = plain("llama-3-8b", "transformers", "q4-k-m", run);
  EXPECT_NEAR(raw(all.weights - host.weights), 128256 * 4096.0 * 4.5 / 8, 1.0);
  EXPECT_EQ(host.max_sequences, 4);
  EXPECT_EQ(host.kv_cache, Bytes(4 * 200 * 131072.0));
}

TEST(ServingMemory, OptimisticAdmissionCountsHalfTheOutput) {
  ServingRun run = run_of(4000, 4000);
  run.max_batch_size = 100000;
  const auto vllm = plain("llama-3.1-8b", "vllm", "bf16", run);
  EXPECT_EQ(vllm.reserved_tokens, 6000);
  EXPECT_EQ(vllm.max_sequences, std::floor(vllm.kv_tokens / 6000));
  const auto trt = plain("llama-3.1-8b", "tensorrt-llm", "bf16", run);
  EXPECT_EQ(trt.reserved_tokens, 8000);
  EXPECT_NEAR(vllm.concurrency, vllm.kv_tokens / 8000, 1e-9);
}

TEST(ServingMemory, EngineLimitCapsTheSequences) {
  EXPECT_EQ(plain("llama-3.2-1b", "vllm", "bf16", run_of(64, 64)).max_sequences, 1024);
  EXPECT_EQ(plain("llama-3.2-1b", "vllm", "bf16", run_of(64, 64), "a100-sxm4-80gb").max_sequences, 256);
}

TEST(ServingMemory, SharedPrefixIsStoredOnce) {
  ServingRun run = run_of(8000, 1000);
  run.max_batch_size = 100000;
  const double without = plain("llama-3.1-8b", "tensorrt-llm", "bf16", run).max_sequences;
  run.prefix_hit_ratio = 0.5;
  const double with = plain("llama-3.1-8b", "tensorrt-llm", "bf16", run).max_sequences;
  EXPECT_NEAR(with / without, 9000.0 / 5000.0, 0.05);
}

TEST(ServingMemory, StaticPoolLeavesTheReserveFree) {
  // 80 GB H100: 512 + 8,192 x 1.5 + 256 x 2 + 128 MiB = 13,440 MiB.
  const auto m = plain("llama-3.1-8b", "sglang", "bf16", run_of(1024, 1024));
  const double fraction = std::floor((gib(79.19) - mib(13440)) / gib(79.19) * 1000 + 0.5) / 1000;
  EXPECT_NEAR(raw(m.weights + m.kv_cache), raw(fraction * gib(79.19)), 1.0);
}

TEST(ServingMemory, CudaGraphsComeOffTheBudgetSinceTheyAreProfiled) {
  ServingRun run = run_of(1024, 1024);
  run.memory_fraction = 0.9;
  run.engine_version = "0.20";
  const auto before = plain("llama-3.1-8b", "vllm", "bf16", run);
  run.engine_version = "0.21";
  const auto after = plain("llama-3.1-8b", "vllm", "bf16", run);
  EXPECT_NEAR(raw(before.kv_cache - after.kv_cache), raw(gib(1.04)), 1.0);
  EXPECT_NEAR(raw(before.total - after.total), raw(gib(1.04)), 1.0);
}

TEST(ServingMemory,
     OlderVllmHoldsWholePromptsInAStep) {  // vLLM issue 10517 of November 2024: 1,478 blocks on an RTX 3090
  ServingRun run;
  run.engine_version = "0.6";
  run.memory_fraction = 0.9;
  run.max_model_tokens = 29000;
  const auto m = plain("llama-3.1-8b", "vllm", "bf16", run, "rtx-3090");
  EXPECT_EQ(m.step_tokens, 29000);
  EXPECT_NEAR(m.blocks, 1478, 0.04 * 1478);  // memory outside the allocator is not stated for one GPU
}

/// Peaks that vLLM 0.19 printed on H100 with 95 % of its memory (llm-d-planner accuracy report), in GiB.
TEST(ServingMemory, ActivationPeaksOfVllm) {
  struct Peak {
    const char* model_id;
    double tensor;
    const char* format_id;
    double printed_gib;
  };
  for (const Peak& p :
       {Peak{"llama-3.1-8b", 1, "bf16", 1.89}, Peak{"llama-3.3-70b-instruct", 2, "fp8", 1.96},
        Peak{"qwen2.5-72b", 2, "bf16", 2.29}, Peak{"gemma-2-27b", 1, "bf16", 3.66}, Peak{"phi-4", 1, "bf16", 1.52},
        Peak{"phi-2", 1, "bf16", 0.79}, Peak{"qwen3-30b-a3b", 1, "bf16", 2.68},
        Peak{"qwen1.5-moe-a2.7b", 1, "bf16", 2.47}, Peak{"mixtral-8x7b-v0.1", 2, "bf16", 1.21},
        Peak{"deepseek-v2-lite", 1, "bf16", 1.93}, Peak{"gpt-oss-20b", 2, "mxfp4", 2.87}}) {
    ServingRun run = run_of(4096, 4096);
    run.engine_version = "0.19.0";
    run.parallelism.tensor = p.tensor;
    const auto m = plain(p.model_id, "vllm", p.format_id, run);
    EXPECT_NEAR(raw(m.activations.value_or(Bytes(0))) / 1073741824.0, p.printed_gib, 0.03) << p.model_id;
  }
}

TEST(ServingMemory, TraceGivesTheSameNumbers) {
  for (const char* name : {"vllm", "tensorrt-llm", "sglang", "llama.cpp", "transformers"}) {
    for (const char* id : {"deepseek-v3.2", "qwen3-next-80b-a3b", "gemma-3-27b", "llama-3.1-70b"}) {
      ServingRun run = run_of(2000, 500);
      run.parallelism = {.tensor = 8, .pipeline = 2};
      run.prefix_hit_ratio = 0.25;
      Trace on;
      const auto traced = serving_memory(on, model(id), gpu("h200-sxm5-141gb"), engine(name), format("fp8"), run);
      const auto off = plain(id, name, "fp8", run, "h200-sxm5-141gb");
      EXPECT_EQ(traced.total.value, off.total) << name << " " << id;
      EXPECT_EQ(traced.max_sequences.value, off.max_sequences) << name << " " << id;
      EXPECT_EQ(traced.capacity_tokens.value, off.capacity_tokens) << name << " " << id;
      EXPECT_EQ(traced.max_model_tokens.value, off.max_model_tokens) << name << " " << id;
    }
  }
}

TEST(ServingMemory, EveryFactOfTheTraceNamesItsSource) {
  for (const char* name : {"vllm", "tensorrt-llm", "sglang", "llama.cpp", "transformers", "lmdeploy", "exllamav2"}) {
    Trace trace;
    serving_memory(trace, model("qwen3-30b-a3b"), gpu("h100-sxm5-80gb"), engine(name), format("fp8"),
                   run_of(1000, 1000));
    for (const TraceNode& node : trace.nodes()) {
      if (node.id.rfind("catalog/", 0) == 0) {
        EXPECT_FALSE(node.source.empty()) << node.id;
      }
    }
  }
}

TEST(ServingLimits, WeightsThatDoNotFitSayByHowMuch) {
  const auto m = plain("llama-3.1-70b", "vllm", "bf16", run_of(1024, 1024));
  ASSERT_TRUE(m.infeasible.has_value());
  EXPECT_EQ(m.infeasible->code, "weights-do-not-fit");
  EXPECT_EQ(m.infeasible->unit, "bytes");
  EXPECT_NEAR(m.infeasible->shortfall, 2048 * 327680.0 - raw(m.kv_cache), 1.0);
}

TEST(ServingLimits, SequencesThatDoNotFitSayByHowMuch) {
  const auto m = plain("llama-3.1-8b", "vllm", "bf16", run_of(130000, 1000), "rtx-4090");
  ASSERT_TRUE(m.infeasible.has_value());
  EXPECT_EQ(m.infeasible->code, "no-room-for-one-sequence");
  EXPECT_EQ(m.max_sequences, 0);
}

TEST(ServingLimits, EveryWayOutHelps) {
  struct Case {
    const char* model_id;
    const char* gpu_id;
    double input;
    std::size_t at_least;
  };
  for (const Case& c :
       {Case{"llama-3.1-70b", "h100-sxm5-80gb", 1024, 3}, Case{"llama-3.1-8b", "rtx-4090", 130000, 3}}) {
    const ServingRun run = run_of(c.input, 1000);
    auto m = plain(c.model_id, "vllm", "bf16", run, c.gpu_id);
    ASSERT_TRUE(m.infeasible.has_value());
    add_ways_out(facts(), model(c.model_id), gpu(c.gpu_id), engine("vllm"), format("bf16"), run, *m.infeasible);
    EXPECT_GE(m.infeasible->ways_out.size(), c.at_least);
    for (const Patch& patch : m.infeasible->ways_out) {
      const JsonNode node = patch.merge_patch();
      ServingRun changed = run;
      const auto text = [&](std::string_view key, std::string fallback) {
        return node.find(key) != nullptr ? node.find(key)->text : std::move(fallback);
      };
      changed.kv_precision = text("kv_precision", "");
      if (const JsonNode* input = node.find("input_tokens")) changed.input_tokens = input->number;
      if (const JsonNode* parallelism = node.find("parallelism"))
        changed.parallelism.tensor = parallelism->find("tensor")->number;
      EXPECT_FALSE(plain(c.model_id, "vllm", text("weight_precision", "bf16"), changed, text("gpu", c.gpu_id))
                       .infeasible.has_value())
          << patch.text();
    }
  }
}

TEST(ServingMemory, AMeasuredPoolReplacesTheComputedOne) {
  for (const char* name : {"vllm", "tensorrt-llm", "sglang"}) {
    ServingRun run = run_of(1024, 1024);
    const auto computed = plain("llama-3.1-8b", name, "bf16", run);
    run.measured.kv_cache_tokens = computed.kv_tokens;
    const auto same = plain("llama-3.1-8b", name, "bf16", run);
    EXPECT_EQ(same.kv_tokens, computed.kv_tokens) << name;
    EXPECT_EQ(same.max_sequences, computed.max_sequences) << name;
    EXPECT_EQ(same.weights, computed.weights) << name;
    run.measured.kv_cache_tokens = 262144;
    const auto smaller = plain("llama-3.1-8b", name, "bf16", run);
    EXPECT_EQ(smaller.kv_tokens, 262144) << name;
    EXPECT_EQ(raw(smaller.kv_cache), 262144.0 * 131072) << name;
    EXPECT_EQ(smaller.max_sequences, std::min(std::floor(262144 / smaller.reserved_tokens), computed.max_sequences))
        << name;
  }
}

TEST(ServingMemory, OfLayersWithWindowsAMeasuredPoolCountsSequencesOfFullLength) {
  ServingRun run = run_of(30000, 1000);
  const auto computed = plain("gemma-3-27b", "vllm", "bf16", run);
  ASSERT_FALSE(computed.infeasible);
  run.measured.kv_cache_tokens = computed.kv_tokens;
  const auto same = plain("gemma-3-27b", "vllm", "bf16", run);
  EXPECT_NEAR(same.kv_tokens / computed.kv_tokens, 1, 1e-12);
  EXPECT_NEAR(same.concurrency / computed.concurrency, 1, 1e-12);
}

TEST(ServingMemory, AMeasuredPoolTooSmallForASequenceIsInfeasible) {
  ServingRun run = run_of(1024, 1024);
  run.measured.kv_cache_tokens = 1000;
  const auto m = plain("llama-3.1-8b", "vllm", "bf16", run);
  ASSERT_TRUE(m.infeasible);
  EXPECT_EQ(m.infeasible->code, "no-room-for-one-sequence");
}

TEST(ServingMemory, SequencesThatRanAtOnceReplaceThoseThatFit) {
  ServingRun run = run_of(1024, 1024);
  run.parallelism.attention_data = 2;
  run.parallelism.data = 3;
  run.measured.running_sequences = 77;
  const auto m = plain("llama-3.1-8b", "vllm", "bf16", run);
  EXPECT_EQ(m.max_sequences_per_replica, 2 * 77);
  EXPECT_EQ(m.max_sequences, 3 * 2 * 77);
}

}  // namespace
}  // namespace podwright::serving_memory_test
