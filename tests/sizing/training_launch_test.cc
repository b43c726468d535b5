#include "sizing/training_launch.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "catalog/catalog.h"

namespace podwright::sizing::training_launch_test {
namespace {

const Model& model(std::string_view id) { return **find_model(embedded_catalog_facts(), id); }
const Gpu& gpu(std::string_view id) { return **find_gpu(embedded_catalog_facts(), id); }

bool has(const std::vector<std::string>& list, std::string_view item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

/// Llama 3.1 405B as its report trains it (arXiv 2407.21783 table 4, first row).
TrainingRun report_405b() {
  TrainingRun run;
  run.sequence_length = 8192;
  run.global_batch_size = 2048;
  run.parallelism = {.tensor = 8, .pipeline = 16, .virtual_pipeline = 8, .data = 128};
  run.schedule = Schedule::interleaved;
  run.embedding_and_loss_as_layers = true;
  return run;
}

TEST(MegatronArguments, NameEverySizeOfTheLayout) {
  const LaunchArguments launch = megatron_arguments(model("llama-3.1-405b"), gpu("h100-sxm5-80gb"), report_405b());
  EXPECT_TRUE(launch.cannot.empty());
  for (const char* argument : {"--tensor-model-parallel-size 8",
                               "--sequence-parallel",
                               "--pipeline-model-parallel-size 16",
                               "--account-for-embedding-in-pipeline-split",
                               "--account-for-loss-in-pipeline-split",
                               "--num-layers-per-virtual-pipeline-stage 1",
                               "--use-distributed-optimizer",
                               "--overlap-grad-reduce",
                               "--overlap-param-gather",
                               "--micro-batch-size 1",
                               "--global-batch-size 2048",
                               "--bf16",
                               "--num-layers 126",
                               "--hidden-size 16384",
                               "--ffn-hidden-size 53248",
                               "--num-attention-heads 128",
                               "--group-query-attention",
                               "--num-query-groups 8",
                               "--seq-length 8192",
                               "--swiglu",
                               "--disable-bias-linear",
                               "--normalization RMSNorm",
                               "--position-embedding-type rope",
                               "--untie-embeddings-and-output-weights"})
    EXPECT_TRUE(has(launch.arguments, argument)) << argument;
  EXPECT_TRUE(has(assignments_of(launch.environment), "CUDA_DEVICE_MAX_CONNECTIONS=1"));
}

TEST(MegatronArguments, UnevenStagesAreDrawn) {
  TrainingRun run = report_405b();
  run.parallelism = {.tensor = 8, .pipeline = 5, .data = 2};
  run.schedule = Schedule::one_f_one_b;
  run.embedding_and_loss_as_layers = false;
  const LaunchArguments launch = megatron_arguments(model("llama-3.1-405b"), gpu("h100-sxm5-80gb"), run);
  EXPECT_TRUE(has(launch.arguments, "--pipeline-model-parallel-layout \"Et*26|t*26|t*26|t*26|t*22L\""))
      << launch.arguments[3];
}

TEST(MegatronArguments, PrecisionsHaveTheirRecipes) {
  TrainingRun run = report_405b();
  const auto with = [&](Precision precision, Fp8Recipe recipe) {
    run.precision = precision;
    run.fp8_recipe = recipe;
    return megatron_arguments(model("llama-3.1-405b"), gpu("b200-sxm"), run);
  };
  EXPECT_TRUE(has(with(Precision::fp8, Fp8Recipe::delayed).arguments, "--fp8-recipe delayed"));
  EXPECT_TRUE(has(with(Precision::fp8, Fp8Recipe::current).arguments, "--fp8-recipe tensorwise"));
  EXPECT_TRUE(has(with(Precision::fp8, Fp8Recipe::block).arguments, "--fp8-recipe blockwise"));
  EXPECT_TRUE(has(with(Precision::mxfp8, Fp8Recipe::delayed).arguments, "--fp8-recipe mxfp8"));
  EXPECT_TRUE(has(with(Precision::nvfp4, Fp8Recipe::delayed).arguments, "--fp4-format e2m1"));
  for (const LaunchVariable& variable : with(Precision::bf16, Fp8Recipe::delayed).environment)
    EXPECT_FALSE(variable.name.starts_with("CUDA_DEVICE")) << variable.name;  // Blackwell needs no single queue
}

TEST(MegatronArguments, ExpertsAndLatentAttentionAreShaped) {
  TrainingRun run;
  run.sequence_length = 4096;
  run.global_batch_size = 15360;
  run.parallelism = {.pipeline = 16, .expert = 64, .data = 128};
  run.activation_recompute = Recompute::selective;
  const LaunchArguments launch = megatron_arguments(model("deepseek-v3"), gpu("h100-sxm5-80gb"), run);
  if (!launch.cannot.empty()) GTEST_FAIL() << launch.cannot.front();
  for (const char* argument :
       {"--expert-model-parallel-size 64", "--expert-tensor-parallel-size 1", "--multi-latent-attention",
        "--kv-lora-rank 512", "--q-lora-rank 1536", "--qk-head-dim 128", "--qk-pos-emb-head-dim 64", "--v-head-dim 128",
        "--num-experts 256", "--moe-router-topk 8", "--moe-ffn-hidden-size 2048", "--moe-layer-freq \"([0]*3+[1]*58)\"",
        "--recompute-granularity selective"})
    EXPECT_TRUE(has(launch.arguments, argument)) << argument;
}

TEST(MegatronArguments, SayWhatTheyCannot) {
  TrainingRun run = report_405b();
  run.schedule = Schedule::zb_2p;
  run.parallelism.virtual_pipeline = 1;
  const LaunchArguments launch = megatron_arguments(model("llama-3.1-405b"), gpu("h100-sxm5-80gb"), run);
  EXPECT_TRUE(launch.arguments.empty());
  ASSERT_EQ(launch.cannot.size(), 1u);
  EXPECT_NE(launch.cannot[0].find("1F1B"), std::string::npos);
}

TEST(TorchtitanArguments, AreLinesOfToml) {
  TrainingRun run;
  run.sequence_length = 8192;
  run.global_batch_size = 64;
  run.micro_batch_size = 2;
  run.precision = Precision::fp8;
  run.fp8_recipe = Fp8Recipe::current;
  run.activation_recompute = Recompute::selective;
  run.parallelism = {.tensor = 4, .data = 8, .zero_stage = 3};
  const LaunchArguments launch = torchtitan_arguments(model("llama-3-8b"), gpu("h100-sxm5-80gb"), run);
  EXPECT_TRUE(launch.cannot.empty());
  const std::vector<std::string> expected{"[model]",
                                          "converters = [\"float8\"]",
                                          "[float8]",
                                          "recipe_name = \"tensorwise\"",
                                          "enable_fsdp_float8_all_gather = true",
                                          "precompute_float8_dynamic_scale_for_fsdp = true",
                                          "[training]",
                                          "local_batch_size = 2",
                                          "global_batch_size = 64",
                                          "seq_len = 8192",
                                          "mixed_precision_param = \"bfloat16\"",
                                          "[parallelism]",
                                          "data_parallel_replicate_degree = 1",
                                          "data_parallel_shard_degree = 8",
                                          "fsdp_reshard_after_forward = \"always\"",
                                          "tensor_parallel_degree = 4",
                                          "pipeline_parallel_degree = 1",
                                          "context_parallel_degree = 1",
                                          "[activation_checkpoint]",
                                          "mode = \"selective\"",
                                          "selective_ac_option = \"op\""};
  EXPECT_EQ(launch.arguments, expected);
}

// 10^12 tokens in batches of 256 sequences of 8,192: 476,837.2 steps.
TEST(TrainingLaunch, RunsUntilAllTokensAreSeen) {
  TrainingRun run;
  run.sequence_length = 8192;
  run.global_batch_size = 256;
  run.parallelism = {.data = 16, .zero_stage = 2};
  EXPECT_EQ(optimizer_steps(1e12, run), 476838);
  const auto arguments = [&](auto of, const std::optional<double>& tokens) {
    return of(model("llama-3-8b"), gpu("h100-sxm5-80gb"), run, {.tokens = tokens}).arguments;
  };
  EXPECT_TRUE(has(arguments(megatron_arguments, 1e12), "--train-iters 476838"));
  EXPECT_TRUE(has(arguments(torchtitan_arguments, 1e12), "steps = 476838"));
  for (const std::string& one : arguments(megatron_arguments, std::nullopt))
    EXPECT_FALSE(one.starts_with("--train-iters")) << one;
}

// A run of weeks that keeps nothing begins again with each failure.
TEST(TrainingLaunch, SavesAndGoesOn) {
  TrainingRun run;
  run.global_batch_size = 256;
  run.sequence_length = 4096;
  run.parallelism = {.data = 16, .zero_stage = 2};
  const TrainingLength length{.tokens = 1e12, .save_steps = 750, .longest = {}};
  const LaunchArguments megatron = megatron_arguments(model("llama-3-8b"), gpu("h100-sxm5-80gb"), run, length);
  for (const char* argument : {"--save \"$CHECKPOINTS\"", "--load \"$CHECKPOINTS\"", "--save-interval 750"})
    EXPECT_TRUE(has(megatron.arguments, argument)) << argument;
  const LaunchArguments titan = torchtitan_arguments(model("llama-3-8b"), gpu("h100-sxm5-80gb"), run, length);
  EXPECT_TRUE(has(titan.arguments, "enable_checkpoint = true"));
  EXPECT_TRUE(has(titan.arguments, "interval = 750"));
  for (const LaunchArguments& one : {megatron, titan})
    EXPECT_EQ(one.environment.back().name.substr(0, 11), "CHECKPOINTS");
}

// Another base, epsilon or loss is another model.
TEST(MegatronArguments, TrainWhatTheModelsFileSays) {
  Model of_file = model("mixtral-8x7b-v0.1");
  of_file.origin = "request/model";
  of_file.rope_base = 5e6;
  of_file.norm_epsilon = 1e-6;
  of_file.router_loss = 0.001;
  of_file.router_pre_softmax = true;
  of_file.rope_scaling_factor = 8;
  of_file.context_tokens = 32768;
  TrainingRun run;
  run.sequence_length = 4096;
  run.parallelism = {.data = 16, .zero_stage = 2};
  const LaunchArguments launch = megatron_arguments(of_file, gpu("h100-sxm5-80gb"), run);
  for (const char* argument :
       {"--rotary-base 5000000", "--norm-epsilon 1e-06", "--moe-aux-loss-coeff 0.001", "--moe-router-pre-softmax",
        "--use-rope-scaling", "--rope-scaling-factor 8", "--max-position-embeddings 32768"})
    EXPECT_TRUE(has(launch.arguments, argument)) << argument;
  for (const std::string& one : megatron_arguments(model("mixtral-8x7b-v0.1"), gpu("h100-sxm5-80gb"), run).arguments)
    EXPECT_FALSE(one.starts_with("--rotary-base")) << "the catalog does not know it";
  // torchtitan knows models by name and flavour.
  EXPECT_FALSE(torchtitan_arguments(of_file, gpu("h100-sxm5-80gb"), run).cannot.empty());
  EXPECT_TRUE(torchtitan_arguments(model("mixtral-8x7b-v0.1"), gpu("h100-sxm5-80gb"), run).cannot.empty());
}

TEST(TorchtitanArguments, APipelineTakesAllMicroBatchesOfARank) {
  TrainingRun run;
  run.sequence_length = 8192;
  run.global_batch_size = 64;
  run.schedule = Schedule::interleaved;
  run.parallelism = {.pipeline = 4, .virtual_pipeline = 2, .data = 4, .zero_stage = 2};
  const LaunchArguments launch = torchtitan_arguments(model("llama-3-8b"), gpu("h100-sxm5-80gb"), run);
  for (const char* line : {"local_batch_size = 16", "pipeline_parallel_schedule = \"Interleaved1F1B\"",
                           "pipeline_parallel_microbatch_size = 1", "pipeline_parallel_layers_per_stage = 4",
                           "pipeline_parallel_first_stage_less_layers = 0", "fsdp_reshard_after_forward = \"never\""})
    EXPECT_TRUE(has(launch.arguments, line)) << line;
}

TEST(TorchtitanArguments, HybridShardingReplicatesBetweenDomains) {
  TrainingRun run;
  run.sequence_length = 8192;
  run.global_batch_size = 64;
  run.parallelism = {.tensor = 2, .data = 32, .zero_stage = 3, .shard = Shard::hybrid};
  const LaunchArguments launch = torchtitan_arguments(model("llama-3-8b"), gpu("h100-sxm5-80gb"), run);
  EXPECT_TRUE(has(launch.arguments, "data_parallel_replicate_degree = 8"));
  EXPECT_TRUE(has(launch.arguments, "data_parallel_shard_degree = 4"));
}

TEST(TorchtitanArguments, ZeroOneIsNotThere) {
  const LaunchArguments launch = torchtitan_arguments(model("llama-3.1-405b"), gpu("h100-sxm5-80gb"), report_405b());
  EXPECT_TRUE(launch.arguments.empty());
  EXPECT_FALSE(launch.cannot.empty());
}

TEST(TorchrunArguments, FillNodes) {
  EXPECT_EQ(torchrun_arguments(16384, 8).arguments,
            (std::vector<std::string>{"--nnodes 2048", "--nproc-per-node 8", "--rdzv-backend c10d",
                                      "--rdzv-endpoint $MASTER_ADDR:$MASTER_PORT", "--rdzv-id $JOB_ID"}));
  EXPECT_EQ(torchrun_arguments(4, 8).arguments,
            (std::vector<std::string>{"--nnodes 1", "--nproc-per-node 4", "--standalone"}));
  EXPECT_FALSE(torchrun_arguments(12, 8).cannot.empty());
}

TEST(Launcher, IsKnownByTheFramework) {
  EXPECT_EQ(launcher_of("megatron-core"), Launcher::megatron);
  EXPECT_EQ(launcher_of("nemo"), Launcher::megatron);
  EXPECT_EQ(launcher_of("megatron-deepspeed"), Launcher::deepspeed);
  EXPECT_EQ(launcher_of("torchtitan"), Launcher::torchtitan);
  EXPECT_EQ(launcher_of("pytorch-fsdp"), Launcher::fsdp);
  EXPECT_EQ(launcher_of("hai-llm"), Launcher::other);
}

TEST(Torchrun, StartsTheGpusOfANodeOrOfATray) {
  const Catalog& catalog = embedded_catalog_facts();
  EXPECT_EQ(host_gpus(catalog, gpu("h100-sxm5-80gb"), nullptr), 8);
  EXPECT_EQ(host_gpus(catalog, gpu("gb200"), nullptr), 4) << "18 trays of 72 GPUs";
  EXPECT_EQ(host_gpus(catalog, gpu("gb200"), *find_system(catalog, "gb200-nvl72")), 4);
}

}  // namespace
}  // namespace podwright::sizing::training_launch_test
