#include "memory/training_memory.h"

#include <gtest/gtest.h>

#include "catalog/catalog.h"

namespace podwright::training_memory_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }
const Model& model_of(const char* id) {
  const auto model = find_model(facts(), id);
  EXPECT_TRUE(model) << id;
  return **model;
}
const Gpu& h100() { return **find_gpu(facts(), "h100-sxm5-80gb"); }

Result<TrainingMemory<NoTrace>> answer(const Model& model, const TrainingRun& run, const Gpu& gpu = h100()) {
  NoTrace trace;
  return training_memory(trace, model, gpu, run, training_recipe(facts().training_recipes, run));
}
TrainingMemory<NoTrace> memory_of(const Model& model, const TrainingRun& run) {
  const auto memory = answer(model, run);
  EXPECT_TRUE(memory) << (memory ? "" : memory.error().front().message);
  return memory ? *memory : TrainingMemory<NoTrace>{};
}
double total(const Model& model, const TrainingRun& run) { return raw(memory_of(model, run).total); }

TrainingRun run_of(double tensor, double pipeline, double data) {
  TrainingRun run;
  run.sequence_length = 4096;
  run.parallelism.tensor = tensor;
  run.parallelism.pipeline = pipeline;
  run.parallelism.data = data;
  run.global_batch_size = 16 * data;
  return run;
}

TEST(TrainingMemory, PartsSumToTheWhole) {
  const auto memory = memory_of(model_of("llama-3-8b"), run_of(2, 2, 2));
  EXPECT_DOUBLE_EQ(raw(memory.allocated),
                   raw(memory.weights + memory.gradients + memory.optimizer + memory.activations + memory.buffers));
  EXPECT_DOUBLE_EQ(raw(memory.total), raw(memory.allocated + memory.runtime));
  EXPECT_EQ(memory.capacity, *h100().memory_driver);
}

TEST(TrainingMemory, CapacityIsThePrintedOneWhereNoDriverFigureIsKnown) {
  Gpu gpu;
  gpu.id = "mine";
  gpu.memory = gb(100);
  const auto memory = answer(model_of("llama-3-8b"), run_of(1, 1, 1), gpu);
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->capacity, gb(100));
  EXPECT_FALSE(memory->fits());
}

TEST(TrainingMemory, GrowsWithSequenceAndBatch) {
  const Model& model = model_of("llama-3-8b");
  TrainingRun run = run_of(2, 2, 2);
  const double base = total(model, run);
  run.sequence_length *= 2;
  EXPECT_GT(total(model, run), base);
  run = run_of(2, 2, 2);
  run.micro_batch_size = 2;
  EXPECT_GT(total(model, run), base);
}

TEST(TrainingMemory, ShrinksWithEveryParallelSize) {
  const Model& model = model_of("llama-3-70b");
  const double base = total(model, run_of(2, 2, 2));
  EXPECT_LT(total(model, run_of(4, 2, 2)), base);
  EXPECT_LT(total(model, run_of(2, 2, 4)), base);
  EXPECT_LT(total(model, run_of(2, 4, 2)), base);
  TrainingRun split = run_of(2, 2, 2);
  split.parallelism.context = 2;
  EXPECT_LT(total(model, split), base);
}

TEST(TrainingMemory, HigherZeroStagesNeverHoldMore) {
  for (const char* const framework : {"megatron-core", "deepspeed", "torchtitan"}) {
    TrainingRun run = run_of(1, 1, 64);
    run.framework = framework;
    double before = 1e300;
    for (int stage = 0; stage <= 3; ++stage) {
      run.parallelism.zero_stage = stage;
      const double now = total(model_of("llama-3-70b"), run);
      EXPECT_LE(now, before) << framework << " stage " << stage;
      before = now;
    }
  }
}

TEST(TrainingMemory, RecomputeSavesActivations) {
  const Model& model = model_of("llama-3-70b");
  TrainingRun run = run_of(8, 4, 1);
  const double none = total(model, run);
  run.activation_recompute = Recompute::selective;
  const double selective = total(model, run);
  run.activation_recompute = Recompute::full;
  const double full = total(model, run);
  EXPECT_LT(selective, none);
  EXPECT_LT(full, selective);
}

TEST(TrainingMemory, RoutedExpertsDivideByExpertParallelismNotByTensorParallelism) {
  const Model& model = model_of("qwen3-30b-a3b");
  TrainingRun run = run_of(1, 1, 8);
  run.parallelism.zero_stage = 0;
  const double base = raw(memory_of(model, run).weights);
  run.parallelism.expert = 8;
  const double spread = raw(memory_of(model, run).weights);
  const double experts = 48.0 * 128 * 3 * 2048 * 768 * 2;
  EXPECT_NEAR(base - spread, experts * 7 / 8, 1);
  run = run_of(8, 1, 1);
  run.parallelism.zero_stage = 0;
  EXPECT_GT(raw(memory_of(model, run).weights), experts);
}

TEST(TrainingMemory, FirstStageOf1f1bHoldsMostActivations) {
  const auto memory = memory_of(model_of("llama-3.1-405b"), run_of(8, 14, 1));
  EXPECT_EQ(memory.stage, 0);
}

TEST(TrainingMemory, DeeperSchedulesHoldMore) {
  const Model& model = model_of("llama-3-70b");
  TrainingRun run = run_of(8, 4, 1);
  const double plain = total(model, run);
  run.schedule = Schedule::zb_2p;
  const double deep = total(model, run);
  run.schedule = Schedule::gpipe;
  const double all = total(model, run);
  EXPECT_LT(plain, deep);
  EXPECT_LT(deep, all);
  run.schedule = Schedule::interleaved;
  run.parallelism.virtual_pipeline = 5;
  const double interleaved = total(model, run);
  EXPECT_GT(interleaved, plain);
  EXPECT_LT(interleaved, deep);
}

TEST(TrainingMemory, AdaptersTrainAlone) {
  const Model& model = model_of("llama-3-8b");
  TrainingRun run = run_of(1, 1, 1);
  run.method = TrainingMethod::lora;
  run.lora_rank = 16;
  const auto memory = memory_of(model, run);
  // Per layer: qkv 4,096 + 6,144; o 8,192; gate and up 4,096 + 28,672; down 14,336 + 4,096.
  const double adapters = 32.0 * 16 * (4096 + 6144 + 8192 + 4096 + 28672 + 14336 + 4096);
  EXPECT_EQ(raw(memory.gradients), 4 * adapters);
  EXPECT_EQ(raw(memory.optimizer), 12 * adapters);
  EXPECT_EQ(raw(memory.weights), 2 * (*model.total_parameters + adapters));
  EXPECT_EQ(raw(memory.buffers), 0);
}

// Llama-3.2-3B: 28 layers of 3,072, 24 heads of 128 with 8 for keys and values, MLP of 8,192, 128,256 logits.
constexpr double kParameters = 3212749824, kTokens = 4 * 216, kLogits = 128256;
TrainingRun peft_run(TrainingMethod method) {
  TrainingRun run;
  run.sequence_length = 216;
  run.micro_batch_size = run.global_batch_size = 4;
  run.framework = "transformers";
  run.parallelism.zero_stage = 0;
  run.method = method;
  run.lora_rank = 32;
  run.lora_targets = {LoraTarget::q_proj, LoraTarget::v_proj};
  return run;
}

TEST(TrainingMemory, AdaptersOfPeftAreWideAndSaveWhatTheyRead) {
  const Model& model = model_of("llama-3.2-3b");
  TrainingRun run = peft_run(TrainingMethod::lora);
  const auto memory = memory_of(model, run);
  // As the published run prints them: q 3,072 + 3,072, v 3,072 + 1,024.
  const double adapters = 28.0 * 32 * (6144 + 4096);
  EXPECT_EQ(adapters, 9175040);
  EXPECT_EQ(raw(memory.weights), 2 * kParameters + 4 * adapters);
  EXPECT_EQ(raw(memory.optimizer), 8 * adapters);
  // The loss is fullest, before any gradient of the only micro-batch.
  EXPECT_EQ(raw(memory.gradients), 0);
  EXPECT_EQ(raw(memory.buffers), 0);
  const double norms = 2 * 3072 * 4;                        // 32-bit inputs
  const double adapter_values = 2 * 3072 * 4 + 2 * 32 * 4;  // 32-bit copies of the input, values between the pairs
  const double attention = (24 + 24 + 24 + 24 + 2 * 8) * 128 * 2 + 24 * 4;  // q, k and v repeated, output, k, v; sums
  const double mlp = 3 * 8192 * 2;  // gate, its activation, up; inputs of frozen weights not
  EXPECT_EQ(raw(memory.activations),
            kTokens * (28 * (norms + adapter_values + attention + mlp) + 14 * kLogits + 2 * 3072 * 2));
  EXPECT_EQ(raw(memory.lasting), 2 * kParameters + 16 * adapters + 2 * kTokens * kLogits);
  run.global_batch_size = 8;
  EXPECT_EQ(raw(memory_of(model, run).gradients), 4 * adapters);
  run.lora_targets = {LoraTarget::gate_proj, LoraTarget::down_proj};
  EXPECT_EQ(raw(memory_of(model, run).gradients), 4 * 28.0 * 32 * (3072 + 8192) * 2);
}

TEST(TrainingMemory, WithSeparateKernelsOfTheOptimizerTheUpdateIsFullest) {
  const auto memory = memory_of(model_of("llama-3.2-3b"), peft_run(TrainingMethod::full));
  EXPECT_EQ(raw(memory.weights), 2 * kParameters);
  EXPECT_EQ(raw(memory.gradients), 2 * kParameters);
  EXPECT_EQ(raw(memory.optimizer), 4 * kParameters);
  EXPECT_EQ(raw(memory.activations), 2 * kTokens * kLogits);
  EXPECT_EQ(raw(memory.buffers), 2 * kParameters);
}

TEST(TrainingMemory, AdaptersNeedAWeightOfTheModel) {
  TrainingRun run = peft_run(TrainingMethod::lora);
  run.lora_targets = {LoraTarget::gate_proj};
  const auto memory = answer(model_of("gpt-3-175b"), run);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().front().path, "/lora_targets");
}

TEST(TrainingMemory, QuantisedBaseTakesFourBitsAndOneWorkingWeight) {
  const Model& model = model_of("llama-3-8b");
  TrainingRun run = run_of(1, 1, 1);
  run.method = TrainingMethod::qlora;
  const auto memory = memory_of(model, run);
  run.method = TrainingMethod::lora;
  const auto plain = memory_of(model, run);
  const double linear = 32.0 * (4096 * 6144.0 + 4096 * 4096.0 + 3 * 4096.0 * 14336);
  EXPECT_NEAR(raw(plain.weights - memory.weights), linear * (2 - raw(double_quantised_bytes(4.0, 64.0, 256.0))), 1);
  EXPECT_EQ(raw(memory.buffers), 2.0 * 4096 * 2 * 14336);
}

TEST(TrainingMemory, OffloadMovesTheOptimizer) {
  const Model& model = model_of("llama-3-8b");
  TrainingRun run = run_of(1, 1, 8);
  run.framework = "deepspeed";
  run.parallelism.zero_stage = 2;
  run.offload = Offload::optimizer;
  const auto memory = memory_of(model, run);
  EXPECT_EQ(raw(memory.optimizer), 0);
  EXPECT_EQ(raw(memory.gradients), 0);
  EXPECT_EQ(raw(memory.weights), 2 * *model.total_parameters);
  run.parallelism.zero_stage = 3;
  run.offload = Offload::parameters;
  EXPECT_EQ(raw(memory_of(model, run).weights), 0);
  EXPECT_GT(raw(memory_of(model, run).buffers), 0);
}

TEST(TrainingMemory, WhatIsOffloadedIsCounted) {
  const Model& model = model_of("llama-3-8b");
  TrainingRun run = run_of(1, 1, 8);
  run.framework = "deepspeed";
  run.parallelism.zero_stage = 3;
  const auto here = memory_of(model, run);
  EXPECT_EQ(raw(here.offloaded), 0);
  run.offload = Offload::parameters;
  const auto away = memory_of(model, run);
  EXPECT_DOUBLE_EQ(raw(away.offloaded), raw(here.weights + here.gradients + here.optimizer));
  EXPECT_EQ(away.activations, here.activations);
  run.offload = Offload::activations;
  const auto activations = memory_of(model, run);
  EXPECT_NEAR(raw(activations.offloaded + activations.activations), raw(here.activations), 1);
  EXPECT_LT(activations.activations, here.activations);
  run.offload_target = OffloadTarget::nvme;
  EXPECT_FALSE(answer(model, run));
  run.offload = Offload::parameters;
  EXPECT_TRUE(answer(model, run));
}

TEST(TrainingMemory, NarrowLinearsSaveInputsAndKeepCopies) {
  const Model& model = model_of("llama-3-8b");
  TrainingRun run = run_of(1, 1, 1);
  const auto wide = memory_of(model, run);
  run.precision = Precision::fp8;
  const auto narrow = memory_of(model, run);
  EXPECT_LT(narrow.activations, wide.activations);
  EXPECT_GT(narrow.weights, wide.weights);
}

TEST(TrainingMemory, UnknownRecipeIsNamed) {
  TrainingRun run = run_of(1, 1, 1);
  run.framework = "no-such-framework";
  const auto memory = answer(model_of("llama-3-8b"), run);
  ASSERT_FALSE(memory);
  EXPECT_EQ(memory.error().front().code, "not-modelled");
  EXPECT_EQ(memory.error().front().path, "/framework");
  run.framework = "torchtitan";
  run.precision = Precision::nvfp4;
  EXPECT_FALSE(answer(model_of("llama-3-8b"), run));
}

TEST(TrainingMemory, WhatNoFormulaCoversIsNamed) {
  TrainingRun run = run_of(1, 1, 8);
  run.framework = "torchtitan";
  run.activation_recompute = Recompute::selective;
  run.parallelism.zero_stage = 3;
  EXPECT_TRUE(answer(model_of("llama-3-8b"), run));
  const auto mixture = answer(model_of("qwen3-30b-a3b"), run);
  ASSERT_FALSE(mixture);
  EXPECT_EQ(mixture.error().front().path, "/activation_recompute");
  run.activation_recompute = Recompute::none;
  run.parallelism.zero_stage = 1;
  run.offload = Offload::parameters;
  ASSERT_FALSE(answer(model_of("llama-3-8b"), run));
}

TEST(TrainingMemory, TraceGivesTheSameNumbersAndExplainsThem) {
  const Model& model = model_of("deepseek-v3");
  TrainingRun run = run_of(1, 4, 8);
  run.parallelism.expert = 8;
  const auto plain = memory_of(model, run);
  Trace trace;
  const auto traced = training_memory(trace, model, h100(), run, training_recipe(facts().training_recipes, run));
  ASSERT_TRUE(traced);
  EXPECT_EQ(traced->total.value, plain.total);
  EXPECT_EQ(traced->stage, plain.stage);
  for (const TraceNode& node : trace.nodes()) {
    EXPECT_FALSE(node.source.empty()) << node.id;
  }
  EXPECT_FALSE(trace.nodes()[static_cast<std::size_t>(traced->total.node)].inputs.empty());
}

TEST(TrainingMemory, EveryModelHasAnAnswer) {
  for (const Model& model : facts().models) {
    TrainingRun run = run_of(1, 1, 8);
    const auto memory = answer(model, run);
    ASSERT_TRUE(memory) << model.id;
    EXPECT_GT(memory->weights, bytes(0)) << model.id;
    EXPECT_GT(memory->activations, bytes(0)) << model.id;
  }
}

TEST(InFlight, FollowsTheSchedule) {
  EXPECT_EQ(in_flight_1f1b(100.0, 8.0, 0.0), 8);
  EXPECT_EQ(in_flight_1f1b(100.0, 8.0, 7.0), 1);
  EXPECT_EQ(in_flight_1f1b(3.0, 8.0, 0.0), 3);
  // First stage, arXiv 2205.05198 section 4.2.3: p times 1 + (p - 1) / (p v).
  EXPECT_DOUBLE_EQ(in_flight_interleaved(100.0, 8.0, 3.0, 0.0), 8 * (1 + 7.0 / 24));
  EXPECT_EQ(in_flight_zero_bubble(100.0, 8.0, 2.0), 16);
  EXPECT_EQ(in_flight_zero_bubble(10.0, 8.0, 2.0), 10);
}

TEST(TrainingRecipes, EveryStackStatesItsBytesOnce) {
  for (const TrainingStack& stack : facts().training_recipes.get().stacks) {
    EXPECT_FALSE(stack.frameworks.empty()) << stack.id;
    for (const StateRecipe& states : stack.states) {
      EXPECT_GT(states.weight, bytes(0)) << stack.id;
      for (const std::string& precision : states.precisions) {
        const TrainingRecipe found = find_training_recipe(facts().training_recipes, stack.frameworks.front(), precision,
                                                          stack.from.empty() ? "0" : stack.from);
        EXPECT_EQ(&found.bytes(), &states) << stack.id << " " << precision;
      }
    }
  }
}

TEST(TrainingRecipes, ContextIsOfTheNewestKnownGenerationNotNewerThanTheGpu) {
  const TrainingRecipes& recipes = facts().training_recipes;
  EXPECT_EQ(find_gpu_context(recipes, "7.0")->context, mib(1113));
  EXPECT_EQ(find_gpu_context(recipes, "7.5")->context, mib(1113));
  EXPECT_EQ(find_gpu_context(recipes, "9.0")->context, find_gpu_context(recipes, "")->context);
}

}  // namespace
}  // namespace podwright::training_memory_test
