#include "perf/training_step.h"

#include <gtest/gtest.h>

#include "perf/estimate_training.h"

namespace podwright {
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
  EXPECT_TRUE(step) << (reasons.empty() ? "" : reasons[0].message);
  return step.value_or(TrainingStep<NoTrace>{});
}
Seconds part(const std::optional<Seconds>& time) { return time.value_or(Seconds(0)); }
void expect_parts_sum(const TrainingStep<NoTrace>& s) {
  const Seconds sum = s.compute + s.attention + part(s.recompute) + s.tensor_comm + part(s.context_comm) +
                      part(s.expert_comm) + s.pipeline_comm + s.pipeline_bubble + s.data_comm_exposed + s.optimizer;
  EXPECT_NEAR(sum.base_units(), s.total.base_units(), 1e-12 * s.total.base_units());
}

TEST(TrainingStep, OneGpuCommunicatesNothing) {
  for (const int zero_stage : {0, 1, 2, 3}) {
    const auto s = step_of(llama_run({.zero_stage = zero_stage}, 8), "llama-3-8b");
    EXPECT_EQ(s.tensor_comm, Seconds(0));
    EXPECT_EQ(s.pipeline_comm, Seconds(0));
    EXPECT_EQ(s.pipeline_bubble, Seconds(0));
    EXPECT_EQ(s.data_comm_exposed, Seconds(0));
    EXPECT_FALSE(s.context_comm);
    EXPECT_FALSE(s.expert_comm);
    EXPECT_EQ(s.total, step_of(llama_run({.zero_stage = 0}, 8), "llama-3-8b").total);
  }
}

TEST(TrainingStep, PartsSumToTheWholeAndTokensToTheBatch) {
  TrainingRun run = llama_run({.tensor = 8, .pipeline = 16, .virtual_pipeline = 8, .data = 128}, 2048);
  run.schedule = Schedule::interleaved;
  run.embedding_and_loss_as_layers = true;
  TrainingRun context = llama_run({.tensor = 4, .pipeline = 2, .context = 2, .data = 4}, 64);
  context.activation_recompute = Recompute::full;
  for (const auto& s : {step_of(run, "llama-3.1-405b"), step_of(context)}) expect_parts_sum(s);
  const auto experts = step_of(llama_run({.tensor = 1, .pipeline = 8, .expert = 32, .data = 64}, 2048), "deepseek-v3");
  expect_parts_sum(experts);
  EXPECT_TRUE(experts.expert_comm);
  const auto s = step_of(run, "llama-3.1-405b");
  EXPECT_NEAR(s.total * s.tokens_per_s, 2048.0 * 8192, 1e-6);
  EXPECT_NEAR(s.tokens_per_s / s.tokens_per_s_per_gpu, 16384, 1e-9);
}

TEST(TrainingStep, NoRateAboveWhatMatrixProductsReach) {
  for (const char* id : {"a100-sxm4-80gb", "h100-sxm5-80gb", "h200-sxm5-141gb", "b200-sxm"}) {
    const auto s = step_of(llama_run({.data = 8}, 64), "llama-3-8b", id);
    std::vector<std::string> assumptions;
    NoTrace none;
    EXPECT_LT(s.model_flops_per_gpu, *gemm_ceiling(none, facts(), gpu(id), "bf16", assumptions)) << id;
    EXPECT_LT(s.mfu, 1) << id;
  }
}

TEST(TrainingStep, RecomputeCountsInHardwareFlopsOnly) {
  TrainingRun run = llama_run({.tensor = 8, .pipeline = 4, .data = 2}, 64);
  const auto none = step_of(run);
  EXPECT_FALSE(none.recompute);
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
  EXPECT_NEAR(interleaved.pipeline_bubble / plain.pipeline_bubble, 0.5, 1e-12);
  run = llama_run({.tensor = 8, .pipeline = 4, .data = 1}, 64);
  const auto longer = step_of(run);
  EXPECT_LT(longer.pipeline_bubble / longer.total, plain.pipeline_bubble / plain.total);
  run.schedule = Schedule::zb_2p;
  EXPECT_EQ(step_of(run).pipeline_bubble, Seconds(0));
}

TEST(TrainingStep, FrozenWeightsCostTwoPassesInsteadOfThree) {
  TrainingRun run = llama_run({.tensor = 8, .data = 1}, 8);
  const auto full = step_of(run);
  run.method = TrainingMethod::lora;
  const auto lora = step_of(run);
  EXPECT_NEAR(lora.compute / full.compute, 2.0 / 3.0, 1e-12);
  EXPECT_LT(lora.optimizer, full.optimizer);
}

TEST(TrainingStep, TracingChangesNoNumber) {
  TrainingRun run = llama_run({.tensor = 2, .pipeline = 2, .context = 2, .data = 2}, 32);
  NoTrace none;
  Trace trace;
  const auto plain = estimate_training(none, facts(), model("llama-3.1-70b"), gpu("h100-sxm5-80gb"), run);
  const auto traced = estimate_training(trace, facts(), model("llama-3.1-70b"), gpu("h100-sxm5-80gb"), run);
  ASSERT_TRUE(plain.step && traced.step);
  EXPECT_EQ(value_of(traced.step->total), plain.step->total);
  EXPECT_EQ(value_of(traced.step->mfu), plain.step->mfu);
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
  EXPECT_EQ(e.reasons[0].ways_out[0], "{\"global_batch_size\":16}");
}

TEST(TrainingEstimate, WithoutANetworkThereIsNoTimeAcrossNodes) {
  NoTrace none;
  const auto e = estimate_training(none, facts(), model("llama-3-8b"), gpu("rtx-4090"), llama_run({.data = 16}, 16));
  EXPECT_FALSE(e.step);
  EXPECT_EQ(e.reasons.back().code, "network-unknown");
}

}  // namespace
}  // namespace podwright
