#include "sizing/serving_launch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "catalog/catalog.h"

namespace podwright::sizing::serving_launch_test {
namespace {

using Lines = std::vector<std::string>;

const Model& model(std::string_view id) { return **find_model(embedded_catalog_facts(), id); }
const Gpu& h100() { return **find_gpu(embedded_catalog_facts(), "h100-sxm5-80gb"); }

ServingRun run_on(std::string engine, std::string weights, ServingParallelism parallelism) {
  ServingRun run;
  run.engine = std::move(engine);
  run.weight_precision = std::move(weights);
  run.parallelism = parallelism;
  run.input_tokens = 2048;
  run.output_tokens = 512;
  return run;
}

LaunchArguments only(const std::vector<LaunchArguments>& launches) {
  EXPECT_EQ(launches.size(), 1u);
  return launches[0];
}

LaunchArguments launch(std::string_view model_id, const ServingRun& run) {
  return only(serving_launch_arguments(model(model_id), h100(), run, 8));
}

TEST(VllmArguments, OfOneNode) {
  ServingRun run = run_on("vllm", "fp8", {.tensor = 4, .data = 2});
  run.kv_precision = "fp8";
  run.max_batch_size = 256;
  run.max_batched_tokens = 1024;
  run.memory_fraction = 0.92;
  run.prefix_hit_ratio = 0.3;
  const LaunchArguments launched = launch("llama-3.1-70b", run);
  EXPECT_EQ(launched.program, "vllm serve");
  EXPECT_EQ(assignments_of(launched.environment),
            Lines{"MODEL='<Hugging Face id or folder of Llama-3.1-70B, fp8 weights>'"});
  EXPECT_EQ(launched.arguments,
            (Lines{"\"$MODEL\"", "--host 0.0.0.0", "--port 8000", "--tensor-parallel-size 4", "--kv-cache-dtype fp8",
                   "--max-model-len 2560", "--max-num-seqs 256", "--max-num-batched-tokens 1024",
                   "--gpu-memory-utilization 0.92", "--enable-prefix-caching", "--enable-chunked-prefill"}));
}

/// Whether the arguments of the engine name host memory for prefixes so.
bool names_host_memory(const std::string& engine, const std::string& option) {
  ServingRun run = run_on(engine, "bf16", {.tensor = 4});
  run.traffic = TrafficPattern{.system_prompt_tokens = 500, .host_cache = gb(100)};
  for (const LaunchArguments& launched : serving_launch_arguments(model("llama-3.1-70b"), h100(), run, 8))
    if (std::find(launched.arguments.begin(), launched.arguments.end(), option) != launched.arguments.end())
      return true;
  return false;
}

TEST(LaunchArguments, OfHostMemoryCountAsTheEngineDoes) {
  // Four GPUs of 100 GB: GiB of all ranks, GB of a rank, bytes of a rank.
  EXPECT_TRUE(names_host_memory("vllm", "--kv-offloading-size 372.5"));
  EXPECT_TRUE(names_host_memory("sglang", "--enable-hierarchical-cache"));
  EXPECT_TRUE(names_host_memory("sglang", "--hicache-size 100"));
  EXPECT_TRUE(names_host_memory("tensorrt-llm", "  host_cache_size: 100000000000"));
}

TEST(VllmArguments, OfAReplicaOnTwoNodes) {
  const LaunchArguments launched = launch("llama-3.1-405b", run_on("vllm", "bf16", {.tensor = 8, .pipeline = 2}));
  EXPECT_EQ(launched.arguments,
            (Lines{"\"$MODEL\"", "--host 0.0.0.0", "--port 8000", "--tensor-parallel-size 8",
                   "--pipeline-parallel-size 2", "--dtype bfloat16", "--max-model-len 2560",
                   "--distributed-executor-backend mp", "--nnodes 2", "--node-rank $NODE_RANK",
                   "--master-addr $MASTER_ADDR", "$([ \"$NODE_RANK\" -eq 0 ] || echo --headless)"}));
}

TEST(VllmArguments, OfAttentionDataParallelExperts) {
  ServingRun run = run_on("vllm", "fp8-block", {.expert = 16, .attention_data = 16});
  run.max_batch_size = 1024;
  run.speculative = Speculative{.draft_tokens = 1, .acceptance = 0.8, .draft_model = nullptr};
  const LaunchArguments launched = launch("deepseek-v3", run);
  EXPECT_EQ(
      launched.arguments,
      (Lines{"\"$MODEL\"", "--host 0.0.0.0", "--port 8000", "--tensor-parallel-size 1", "--data-parallel-size 16",
             "--enable-expert-parallel", "--max-model-len 2560", "--max-num-seqs 64", "--speculative-config.method mtp",
             "--speculative-config.num_speculative_tokens 1", "--data-parallel-size-local 8",
             "--data-parallel-start-rank $((NODE_RANK * 8))", "--data-parallel-address $MASTER_ADDR",
             "--data-parallel-rpc-port 13345", "$([ \"$NODE_RANK\" -eq 0 ] || echo --headless)"}));
}

TEST(VllmArguments, OfADraftModel) {
  ServingRun run = run_on("vllm", "bf16", {.tensor = 4});
  run.speculative = Speculative{
      .draft_tokens = 5, .acceptance = 0.7, .draft_model = std::make_shared<const Model>(model("llama-3.1-8b"))};
  const LaunchArguments launched = launch("llama-3.1-70b", run);
  EXPECT_EQ(assignment_of(launched.environment[1]), "DRAFT_MODEL='<Llama-3.1-8B>'");
  EXPECT_EQ(Lines(launched.arguments.end() - 3, launched.arguments.end()),
            (Lines{"--speculative-config.method draft_model", R"(--speculative-config.model "$DRAFT_MODEL")",
                   "--speculative-config.num_speculative_tokens 5"}));
}

TEST(SglangArguments, CountAllGpusOfTheEngineAsTensorParallel) {
  ServingRun run = run_on("sglang", "fp8-block", {.expert = 16, .attention_data = 16});
  run.kv_precision = "fp8";
  run.max_batch_size = 1024;
  run.max_batched_tokens = 8192;
  run.memory_fraction = 0.85;
  run.speculative = Speculative{.draft_tokens = 3, .acceptance = 0.7, .draft_model = nullptr};
  const LaunchArguments launched = launch("deepseek-v3", run);
  EXPECT_EQ(launched.program, "python3 -m sglang.launch_server");
  EXPECT_EQ(launched.arguments,
            (Lines{"--model-path \"$MODEL\"", "--host 0.0.0.0", "--port 30000", "--tp-size 16", "--dp-size 16",
                   "--enable-dp-attention", "--ep-size 16", "--kv-cache-dtype fp8_e4m3", "--context-length 2560",
                   "--max-running-requests 1024", "--chunked-prefill-size 8192", "--mem-fraction-static 0.85",
                   "--speculative-algorithm NEXTN", "--speculative-num-steps 3", "--speculative-eagle-topk 1",
                   "--speculative-num-draft-tokens 4", "--nnodes 2", "--node-rank $NODE_RANK",
                   "--dist-init-addr $MASTER_ADDR:5000"}));
}

TEST(TensorRtLlmArguments, HaveAFileOfOptions) {
  ServingRun run = run_on("tensorrt-llm", "nvfp4", {.expert = 8, .attention_data = 8});
  run.kv_precision = "fp8";
  run.max_batch_size = 3072;
  run.max_batched_tokens = 1024;
  run.memory_fraction = 0.85;
  run.speculative = Speculative{.draft_tokens = 1, .acceptance = 0.8, .draft_model = nullptr};
  const auto launches = serving_launch_arguments(model("deepseek-v3"), h100(), run, 8);
  ASSERT_EQ(launches.size(), 2u);
  EXPECT_EQ(launches[0].program, "trtllm-serve");
  EXPECT_EQ(launches[0].arguments,
            (Lines{"\"$MODEL\"", "--host 0.0.0.0", "--port 8000", "--backend pytorch", "--tp_size 8", "--ep_size 8",
                   "--max_batch_size 384", "--max_num_tokens 1024", "--max_seq_len 2560",
                   "--kv_cache_free_gpu_memory_fraction 0.85", "--config extra-llm-api-config.yml"}));
  EXPECT_EQ(launches[1].form, "yaml");
  EXPECT_EQ(launches[1].arguments,
            (Lines{"kv_cache_config:", "  enable_block_reuse: false", "  dtype: fp8", "enable_attention_dp: true",
                   "enable_chunked_prefill: true", "speculative_config:", "  decoding_type: MTP",
                   "  num_nextn_predict_layers: 1"}));
}

TEST(TensorRtLlmArguments, StartManyNodesThroughMpi) {
  const auto launches = serving_launch_arguments(model("llama-3.1-405b"), h100(),
                                                 run_on("tensorrt-llm", "bf16", {.tensor = 8, .pipeline = 2}), 8);
  EXPECT_EQ(launches[0].program, "mpirun -n 16 trtllm-llmapi-launch trtllm-serve");
  EXPECT_EQ(launches[0].environment.size(), 1u);
}

TEST(LlamaCppArguments, ShareTheContextOutAmongTheSlots) {
  ServingRun run = run_on("llama.cpp", "q4-k-m", {.pipeline = 2});
  run.load = {.kind = LoadKind::concurrency, .value = 4};
  run.kv_precision = "fp16";
  const LaunchArguments launched = launch("llama-3.1-70b", run);
  EXPECT_EQ(assignments_of(launched.environment), Lines{"MODEL='<GGUF file of Llama-3.1-70B, q4-k-m weights>'"});
  EXPECT_EQ(launched.arguments,
            (Lines{"--model \"$MODEL\"", "--host 0.0.0.0", "--port 8080", "--n-gpu-layers all", "--split-mode layer",
                   "--parallel 4", "--ctx-size 10240", "--cache-type-k f16", "--cache-type-v f16"}));
}

TEST(LmdeployArguments, NameTheFormat) {
  ServingRun run = run_on("lmdeploy", "int4-awq", {.tensor = 2});
  run.kv_precision = "int8";
  run.memory_fraction = 0.8;
  EXPECT_EQ(launch("llama-3.1-70b", run).arguments,
            (Lines{"\"$MODEL\"", "--server-name 0.0.0.0", "--server-port 23333", "--backend turbomind", "--tp 2",
                   "--model-format awq", "--session-len 2560", "--cache-max-entry-count 0.8", "--quant-policy 8"}));
}

TEST(ServingLaunch, StartsEachPoolOfADisaggregatedDeployment) {
  ServingRun run = run_on("sglang", "fp8", {});
  run.disaggregated =
      Disaggregated{.prefill_gpus = 4, .decode_gpus = 8, .prefill = {.tensor = 4}, .decode = {.tensor = 8}};
  const auto launches = serving_launch_arguments(model("llama-3.1-70b"), h100(), run, 8);
  ASSERT_EQ(launches.size(), 3u);
  EXPECT_EQ(launches[0].role(), "prefill");
  EXPECT_EQ(launches[0].arguments[2], "--port 30100");
  EXPECT_EQ(Lines(launches[0].arguments.end() - 2, launches[0].arguments.end()),
            (Lines{"--disaggregation-mode prefill", "--disaggregation-bootstrap-port 8998"}));
  EXPECT_EQ(launches[1].arguments[2], "--port 30200");
  EXPECT_EQ(launches[1].arguments[3], "--tp-size 8");
  EXPECT_EQ(launches[1].arguments.back(), "--disaggregation-mode decode");
  EXPECT_EQ(launches[2].program, "python3 -m sglang_router.launch_router");
}

TEST(ServingLaunch, VllmPoolsMeetOverPortsOfTheirOwn) {
  ServingRun run = run_on("vllm", "fp8", {});
  run.disaggregated =
      Disaggregated{.prefill_gpus = 8, .decode_gpus = 8, .prefill = {.tensor = 4, .data = 2}, .decode = {.tensor = 8}};
  const auto launches = serving_launch_arguments(model("llama-3.1-70b"), h100(), run, 8);
  ASSERT_EQ(launches.size(), 3u);
  const std::string host = "VLLM_NIXL_SIDE_CHANNEL_HOST='<address of this host that the other pool reaches>'";
  const std::string weights = "MODEL='<Hugging Face id or folder of Llama-3.1-70B, fp8 weights>'";
  EXPECT_EQ(assignments_of(launches[0].environment),
            (Lines{"POOL=prefill", weights, "CUDA_VISIBLE_DEVICES='<4 GPUs of the node for this server alone>'", host,
                   "VLLM_NIXL_SIDE_CHANNEL_PORT=5600"}));
  EXPECT_EQ(assignments_of(launches[1].environment),
            (Lines{"POOL=decode", weights, host, "VLLM_NIXL_SIDE_CHANNEL_PORT=5800"}));
  EXPECT_EQ(launches[0].arguments[2], "--port 8100");
  EXPECT_EQ(launches[1].arguments[2], "--port 8200");
  EXPECT_EQ(Lines(launches[0].arguments.end() - 2, launches[0].arguments.end()),
            (Lines{"--kv-transfer-config.kv_connector NixlConnector", "--kv-transfer-config.kv_role kv_producer"}));
  EXPECT_EQ(launches[1].arguments.back(), "--kv-transfer-config.kv_role kv_consumer");
  EXPECT_EQ(assignments_of(launches[2].environment),
            (Lines{"POOL=router", "PREFILL_0='<host of a prefill server>'", "PREFILL_1='<host of a prefill server>'",
                   "DECODE_0='<host of a decode server>'"}));
  EXPECT_EQ(launches[2].arguments,
            (Lines{"--vllm-pd-disaggregation", "--prefill http://$PREFILL_0:8100", "--prefill http://$PREFILL_1:8100",
                   "--decode http://$DECODE_0:8200", "--host 0.0.0.0", "--port 8000"}));
}

TEST(ServingLaunch, TensorRtLlmPoolsStandInTheFileOfTheirServer) {
  ServingRun run = run_on("tensorrt-llm", "fp8", {});
  run.disaggregated =
      Disaggregated{.prefill_gpus = 4, .decode_gpus = 8, .prefill = {.tensor = 4}, .decode = {.tensor = 8}};
  const auto launches = serving_launch_arguments(model("llama-3.1-70b"), h100(), run, 8);
  ASSERT_EQ(launches.size(), 6u);
  EXPECT_EQ(launches[4].program, "trtllm-serve disaggregated");
  EXPECT_EQ(launches[5].arguments,
            (Lines{"hostname: 0.0.0.0", "port: 8000", "backend: pytorch", "context_servers:", "  num_instances: 1",
                   "  urls:", "    - \"$PREFILL_0:8100\"", "generation_servers:", "  num_instances: 1",
                   "  urls:", "    - \"$DECODE_0:8200\""}));
}

/// Value of the option that begins so.
std::string value_of(const std::vector<std::string>& arguments, const std::string& name) {
  for (const std::string& argument : arguments)
    if (argument.rfind(name + " ", 0) == 0) return argument.substr(name.size() + 1);
  return "";
}

TEST(ServingLaunch, TakesLongerSequencesThanTheMeanWhereLengthsScatter) {
  ServingRun run = run_on("vllm", "fp8", {.tensor = 4});
  const auto longest = [&](std::string_view model_id, std::optional<double> places) {
    return value_of(serving_launch_arguments(model(model_id), h100(), run, 8, places)[0].arguments, "--max-model-len");
  };
  EXPECT_EQ(longest("llama-3.1-70b", {}), "2560");
  run.input_tokens_cv = 0.5;
  run.output_tokens_cv = 0.6;
  // Scatter (2048 x 0.5 / 2560)^2 + (512 x 0.6 / 2560)^2 = 0.1744: 999 of 1000 are below 3.19 means.
  EXPECT_EQ(longest("llama-3.1-70b", {}), "8192");
  EXPECT_EQ(longest("llama-3.1-70b", 2.5), "5120");  // what the cache holds
  EXPECT_EQ(longest("llama-3.1-70b", 1.0), "2560");
  run.input_tokens = 6000;
  EXPECT_EQ(longest("llama-3-8b", {}), "8192");  // the model's context
  run.max_model_tokens = 7000;
  EXPECT_EQ(longest("llama-3-8b", {}), "7000");
}

TEST(LlamaCppArguments, HaveAsManySlotsAsSequencesFit) {
  ServingRun run = run_on("llama.cpp", "q4-k-m", {});
  run.load = {.kind = LoadKind::request_rate, .value = 3};
  const auto arguments = [&](std::optional<double> places) {
    return serving_launch_arguments(model("llama-3.1-8b"), h100(), run, 8, places)[0].arguments;
  };
  EXPECT_EQ(value_of(arguments(12.7), "--parallel"), "12");
  EXPECT_EQ(value_of(arguments(12.7), "--ctx-size"), "30720");
  EXPECT_EQ(value_of(arguments({}), "--parallel"), "");  // the server's own choice
  run.input_tokens_cv = 0.5;
  run.output_tokens_cv = 0.6;
  const Lines shared = arguments(12.7);
  EXPECT_EQ(std::count(shared.begin(), shared.end(), "--kv-unified"), 1);
  EXPECT_EQ(value_of(shared, "--ctx-size"), "30720");
}

TEST(ServingLaunch, KnowsWhatStandsAgainstAStart) {
  const auto obstacles = [](std::string_view engine, std::string_view weights) {
    return start_obstacles(model("llama-3.1-8b"), h100(), run_on(std::string(engine), std::string(weights), {}), 8);
  };
  EXPECT_TRUE(obstacles("vllm", "fp8").empty());
  EXPECT_EQ(obstacles("llama.cpp", "fp8"), Lines{"llama.cpp has no GGUF type for fp8 weights."});
  EXPECT_FALSE(knows_server("transformers"));
  EXPECT_FALSE(obstacles("transformers", "bf16").empty());
}

TEST(ServingLaunch, TakesFormatsForWhatTheCatalogSays) {
  for (const WeightFormat& format : embedded_catalog_facts().weight_formats) {
    const ServingRun run = run_on("llama.cpp", format.id, {});
    EXPECT_EQ(start_obstacles(model("llama-3.1-8b"), h100(), run, 8).empty(), format.in_gguf()) << format.id;
    const ServingRun folder = run_on("vllm", format.id, {});
    EXPECT_EQ(start_obstacles(model("llama-3.1-8b"), h100(), folder, 8).empty(), format.in_safetensors()) << format.id;
  }
}

TEST(ServingLaunch, SaysWhatAnEngineCannot) {
  const auto cannot = [](std::string_view model_id, const ServingRun& run) {
    const LaunchArguments launched = serving_launch_arguments(model(model_id), h100(), run, 8)[0];
    EXPECT_TRUE(launched.arguments.empty());
    return launched.cannot.empty() ? std::string() : launched.cannot[0];
  };
  EXPECT_EQ(cannot("deepseek-v3", run_on("vllm", "fp8", {.tensor = 8, .expert = 4})),
            "vLLM spreads experts over all tensor and data parallel ranks or over none.");
  EXPECT_EQ(cannot("llama-3.1-8b", run_on("vllm", "bf16", {.attention_data = 2})),
            "vLLM shares weights between attention data parallel ranks in MoE models only.");
  EXPECT_EQ(cannot("deepseek-v3", run_on("tensorrt-llm", "fp8", {.tensor = 2, .attention_data = 4})),
            "TensorRT-LLM runs attention data parallel on every GPU or on none.");
  EXPECT_EQ(cannot("llama-3.1-8b", run_on("sglang", "q4-k-m", {})),
            "SGLang is not started with GGUF files here; llama.cpp is.");
  EXPECT_EQ(cannot("llama-3.1-8b", run_on("llama.cpp", "fp8", {})), "llama.cpp has no GGUF type for fp8 weights.");
  EXPECT_EQ(cannot("llama-3.1-8b", run_on("transformers", "bf16", {})),
            "Launch arguments for a server with transformers are not known here.");
}

}  // namespace
}  // namespace podwright::sizing::serving_launch_test
