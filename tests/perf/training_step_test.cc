#include "perf/training_step.h"

#include <gtest/gtest.h>

#include "perf/estimate_training.h"

namespace podwright::training_step_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }
const Gpu& gpu(std::string_view id) { return **find_gpu(facts(), id); }
const Model& model(std::string_view id) { return **find_model(facts(), id); }

TrainingRun llama_run(const TrainingParallelism& parallelism, double global_batch) {
  TrainingRun run;
  run.sequence_length = 8192;
  run.global_batch_size = global_batch;
  run.parallelism = parallelism;
  return run;
}
TrainingStep<NoTrace> step_of(const TrainingRun& run, std::string_view model_id = "llama-3.1-70b",
                              std::string_view gpu_id = "h100-sxm5-80gb") {
  NoTrace none;
  std::vector<std::string> assumptions;
  std::vector<Infeasible> reasons;
  const auto step = training_step(none, facts(), gpu(gpu_id), model(model_id), layer_stack(model(model_id)), run,
                                  nullptr, assumptions, reasons);
  EXPECT_TRUE(step) << (reasons.empty() ? "" : reasons[0].message.text());
  return step.value_or(TrainingStep<NoTrace>{});
}

TrainingStep<NoTrace> step_of(const Model& of, const TrainingRun& run) {
  NoTrace none;
  std::vector<std::string> assumptions;
  std::vector<Infeasible> reasons;
  const auto step =
      training_step(none, facts(), gpu("h100-sxm5-80gb"), of, layer_stack(of), run, nullptr, assumptions, reasons);
  EXPECT_TRUE(step);
  return step.value_or(TrainingStep<NoTrace>{});
}

TEST(TrainingStep, TheLongestStageSetsTheStep) {
  // 30 layers on four stages are 8, 8, 8 and 6; 32 are 8 each, the last with the head too.
  Model thirty = model("llama-3-8b");
  thirty.vocab_size = 8192;  // a head shorter than a layer
  Model thirty_two = thirty;
  thirty.layers = 30;
  const TrainingRun run = llama_run({.tensor = 2, .pipeline = 4}, 64);
  const auto uneven = step_of(thirty, run);
  const auto even = step_of(thirty_two, run);
  EXPECT_EQ(uneven.attention, even.attention);
  EXPECT_LT(uneven.compute, even.compute);
  EXPECT_GT(uneven.compute, 0.95 * even.compute);
  EXPECT_LT(uneven.model_flops_per_gpu, even.model_flops_per_gpu);
}

TEST(TrainingStep, EmbeddingAndLossInPlaceOfLayersMakeTheLastStageTheLongest) {
  // 32 slots over four stages. Where embedding and loss fill two of them, the last stage holds seven layers and the
  // head, which takes longer than the layer that it replaces; without them it holds eight and the head.
  const Model thirty_two = model("llama-3-8b");
  Model thirty = thirty_two;
  thirty.layers = 30;
  TrainingRun run = llama_run({.tensor = 2, .pipeline = 4}, 64);
  const auto uncounted = step_of(thirty_two, run);
  run.embedding_and_loss_as_layers = true;
  const auto counted = step_of(thirty, run);
  EXPECT_NEAR(counted.attention / uncounted.attention, 7.0 / 8.0, 1e-12);
  EXPECT_LT(counted.compute, uncounted.compute);
  EXPECT_GT(counted.compute, 7.0 / 8.0 * uncounted.compute);
}

TEST(TrainingStep, Of405bOn16384H100) {
  TrainingRun run = llama_run({.tensor = 8, .pipeline = 16, .virtual_pipeline = 8, .data = 128}, 2048);
  run.schedule = Schedule::interleaved;
  run.embedding_and_loss_as_layers = true;
  run.framework = "meta-internal";
  const auto s = step_of(run, "llama-3.1-405b");
  EXPECT_NEAR(s.total * s.tokens_per_s, 2048.0 * 8192, 1e-6);
  EXPECT_NEAR(s.tokens_per_s / s.tokens_per_s_per_gpu, 16384, 1e-9);
  EXPECT_GT(s.compute, s.tensor_comm);
  EXPECT_GT(s.tensor_comm, s.pipeline_bubble / 10.0);
  // The run reached 400 TFLOP/s a GPU: arXiv 2407.21783 table 4.
  EXPECT_GT(s.model_flops_per_gpu, tflops(300));
  EXPECT_LT(s.model_flops_per_gpu, tflops(500));
}

TEST(TrainingStep, RecomputeCountsInHardwareFlopsOnly) {
  TrainingRun run = llama_run({.tensor = 8, .pipeline = 4, .data = 2}, 64);
  const auto none = step_of(run);
  EXPECT_EQ(none.recompute, Seconds(0));
  EXPECT_EQ(none.hfu, none.mfu);
  run.activation_recompute = Recompute::full;
  const auto full = step_of(run);
  EXPECT_GT(full.total, none.total);
  EXPECT_NEAR(full.hfu / full.mfu, 4.0 / 3.0, 1e-12);
  run.activation_recompute = Recompute::selective;
  const auto selective = step_of(run);
  EXPECT_GT(selective.total, none.total);
  EXPECT_LT(selective.total, full.total);
}

TEST(TrainingStep, MoreDataRanksNeverSlowACluster) {
  double last = 0;
  for (double data = 1; data <= 16; data *= 2) {
    const double rate = step_of(llama_run({.tensor = 8, .pipeline = 2, .data = data}, 256)).tokens_per_s.base_units();
    EXPECT_GT(rate, last);
    last = rate;
  }
}

TEST(TrainingStep, InterleavingAndMoreMicroBatchesShrinkTheBubble) {
  TrainingRun run = llama_run({.tensor = 8, .pipeline = 4, .data = 1}, 16);
  const auto plain = step_of(run);
  run.schedule = Schedule::interleaved;
  run.parallelism.virtual_pipeline = 2;
  const auto interleaved = step_of(run);
  // Half of it, but for the transfers of each chunk.
  EXPECT_NEAR(interleaved.pipeline_bubble / plain.pipeline_bubble, 0.5, 0.01);
  run = llama_run({.tensor = 8, .pipeline = 4, .data = 1}, 64);
  const auto longer = step_of(run);
  EXPECT_LT(longer.pipeline_bubble / longer.total, plain.pipeline_bubble / plain.total);
  run.schedule = Schedule::zb_2p;
  EXPECT_EQ(step_of(run).pipeline_bubble, Seconds(0));
}

TEST(TrainingStep, AdaptersExchangeAndUpdateLittle) {
  TrainingRun run = llama_run({.tensor = 8, .data = 2}, 8);
  const auto full = step_of(run);
  run.method = TrainingMethod::lora;
  const auto lora = step_of(run);
  EXPECT_LT(lora.compute, 0.75 * full.compute);
  EXPECT_LT(lora.optimizer, 0.05 * full.optimizer);
  EXPECT_LT(lora.data_comm_exposed, 0.05 * full.data_comm_exposed);
}

TEST(TrainingStep, GradientsOf530bOverDataRanks) {
  // 8-way tensor, 35-way pipeline: 1.89e9 parameters a GPU; a reduce-scatter in 4 bytes and a gather in 2.
  TrainingRun run;
  run.sequence_length = 2048;
  run.parallelism = {.tensor = 8, .pipeline = 35, .data = 1};
  run.global_batch_size = 280;
  EXPECT_EQ(step_of(run, "mt-nlg-530b", "a100-sxm4-80gb").data_comm_exposed, Seconds(0));
  run.parallelism.data = 8;
  run.global_batch_size = 2240;
  const auto zero_1 = step_of(run, "mt-nlg-530b", "a100-sxm4-80gb");
  run.parallelism.zero_stage = 0;
  const auto zero_0 = step_of(run, "mt-nlg-530b", "a100-sxm4-80gb");
  EXPECT_GT(zero_1.data_comm_exposed, Seconds(0));
  EXPECT_LT(zero_1.data_comm_exposed, zero_0.data_comm_exposed);  // 6 bytes a parameter against 8
  EXPECT_GT(zero_1.data_comm_exposed / zero_0.data_comm_exposed, 0.7);
  EXPECT_LT(zero_1.optimizer, zero_0.optimizer / 7.0);
}

TEST(TrainingStep, ShardsOfOneNodeSpareTheNetwork) {
  TrainingRun run = llama_run({.data = 64, .zero_stage = 3}, 512);
  run.framework = "pytorch-fsdp";
  const auto full = step_of(run, "llama-3-8b");
  run.parallelism.shard = Shard::hybrid;
  const auto hybrid = step_of(run, "llama-3-8b");
  EXPECT_LT(hybrid.data_comm_exposed, full.data_comm_exposed);
  EXPECT_GT(hybrid.optimizer, full.optimizer);  // an eighth of the states instead of a sixty-fourth
  EXPECT_EQ(hybrid.compute, full.compute);
}

TEST(TrainingStep, ModulesOfFurtherTokensAreLayersWithHeads) {
  TrainingRun run = llama_run({.pipeline = 16, .expert = 32, .data = 32}, 1024);
  const auto plain = step_of(run, "deepseek-v3");
  run.multi_token_depths = 1;
  const auto with = step_of(run, "deepseek-v3");
  EXPECT_GE(with.total, plain.total);
  EXPECT_NEAR((with.model_flops_per_gpu * with.total) / (plain.model_flops_per_gpu * plain.total), 1.04, 0.01);
}

TEST(TrainingStep, ALayoutThatNeedsAMissingNetworkDoesNotSpoilTheNext) {
  NoTrace none;
  const Model& small = model("llama-3-8b");
  TrainingRun run = llama_run({.pipeline = 2, .data = 16}, 32);
  TrainingRates<NoTrace> rates(none, facts(), gpu("rtx-4090"), nullptr, run.precision);
  ASSERT_EQ(rates.refused(), "");
  const LayerStack stack = layer_stack(small);
  TrainingStepModel<NoTrace> times(none, facts(), facts().training_efficiency, rates, small, stack, run);
  TrainingStep<NoTrace> step;
  ASSERT_TRUE(times.layer(run));
  EXPECT_FALSE(times.step(run, step));
  run.parallelism = {};
  EXPECT_TRUE(times.step(run, step));
}

TEST(TrainingEstimate, SaysByHowMuchItDoesNotFit) {
  NoTrace none;
  const auto e =
      estimate_training(none, facts(), model("llama-3.1-70b"), gpu("h100-sxm5-80gb"), llama_run({.tensor = 2}, 4));
  EXPECT_FALSE(e.feasible);
  ASSERT_FALSE(e.reasons.empty());
  EXPECT_EQ(e.reasons[0].code, "does-not-fit");
  EXPECT_GT(e.reasons[0].shortfall, 0);
  EXPECT_FALSE(e.reasons[0].ways_out.empty());
}

TEST(TrainingEstimate, ABatchThatDoesNotDivideIsALayoutProblem) {
  NoTrace none;
  const auto e =
      estimate_training(none, facts(), model("llama-3-8b"), gpu("h100-sxm5-80gb"), llama_run({.data = 8}, 12));
  ASSERT_EQ(e.reasons.size(), 1u);
  EXPECT_EQ(e.reasons[0].code, "layout");
  EXPECT_EQ(e.reasons[0].ways_out[0].text(), "{\"global_batch_size\":16}");
}

TEST(TrainingEstimate, WithoutANetworkThereIsNoTimeAcrossNodes) {
  NoTrace none;
  const auto e = estimate_training(none, facts(), model("llama-3-8b"), gpu("rtx-4090"), llama_run({.data = 16}, 16));
  EXPECT_FALSE(e.step);
  EXPECT_EQ(e.reasons.back().code, "network-unknown");
}

}  // namespace
}  // namespace podwright::training_step_test
