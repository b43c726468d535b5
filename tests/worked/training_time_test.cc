/// Published times and what follows from them. Tolerances: the digits that the source prints, or as said.
#include <gtest/gtest.h>

#include "catalog/catalog.h"
#include "model/closed_forms.h"
#include "perf/calendar.h"
#include "perf/estimate_training.h"
#include "perf/training_arithmetic.h"

namespace podwright::training_time_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }

// arXiv 2401.10241 table 5, 1F1B: measured 0.2431, 0.1240 and 0.2646. The ideal lies 1.7 to 2.5 points below.
TEST(WorkedTime, BubbleOf1f1bLiesBelowTheMeasuredOne) {
  struct Row {
    double stages, micro_batches, ideal, measured;
  };
  for (const Row& row : {Row{8, 24, 0.2258, 0.2431}, Row{8, 64, 0.0986, 0.1240}, Row{32, 96, 0.2441, 0.2646}}) {
    const double ideal = bubble_over_total(row.stages, row.micro_batches, 1.0);
    EXPECT_NEAR(ideal, row.ideal, 0.00005);
    EXPECT_GT(row.measured, ideal);
  }
}

// arXiv 2412.19437 table 1: 180,000 H800 GPU-hours for 1e12 tokens.
TEST(WorkedTime, RateOfDeepSeekV3WithAndWithoutItsPredictionModule) {
  const Model& model = **find_model(facts(), "deepseek-v3");
  const PerSecond tokens_per_s = per_second(1e12 / (hours(180e3) / seconds(1)));
  NoTrace none;
  const auto rate = [&](double depths) {
    return flops_per_token(none, model, {.multi_token_depths = depths}, 4096).total * tokens_per_s / tflops(1);
  };
  EXPECT_NEAR(rate(1), 401.2, 0.05);
  EXPECT_NEAR(rate(0), 385.5, 0.05);
}

// arXiv 2205.05198 table 4: a layer of 22B on eight A100, micro-batch 4, forward 7.7 ms without sequence parallelism;
// with full recompute the backward pass takes 19.5 instead of 11.9 ms. The software of 2022 was within a fifth of that.
TEST(WorkedTime, ALayerOf22bOnEightA100) {
  const Model& model = **find_model(facts(), "megatron-22b");
  TrainingRun run;
  run.sequence_length = 2048;
  run.micro_batch_size = 4;
  run.global_batch_size = 4;
  run.framework = "megatron-lm";
  run.framework_date = "2022";
  run.parallelism = {.tensor = 8, .sequence_parallel = false, .zero_stage = 0};
  NoTrace none;
  TrainingRates<NoTrace> rates(none, facts(), **find_gpu(facts(), "a100-sxm4-80gb"), nullptr, run.precision);
  const LayerStack stack = layer_stack(model);
  TrainingLayers<NoTrace> layers(none, rates, facts().training_efficiency,
                                 software_traits(facts(), facts().training_efficiency, model, run), model, stack, run,
                                 training_recipe(facts().training_recipes, run));
  LayerTimes<NoTrace> times;
  ASSERT_TRUE(layers.mean_layer(run, times));
  const auto ms = [](Seconds time) { return time.base_units() * 1e3; };
  EXPECT_NEAR(ms(times.compute_forward + times.attention_forward + times.host_forward + times.tensor), 7.7, 1.6);
  EXPECT_NEAR(ms(times.compute_backward + times.attention_backward + times.host_backward + times.tensor), 11.9, 2.4);
}

// Nothing is gathered on one GPU, so ZeRO changes neither an exchange nor the step.
TEST(WorkedTime, ZeroStagesAgreeOnOneGpu) {
  NoTrace none;
  TrainingRun run;
  run.sequence_length = 4096;
  run.global_batch_size = 8;
  std::optional<Seconds> first;
  for (const int zero_stage : {0, 1, 2, 3}) {
    run.parallelism.zero_stage = zero_stage;
    const auto estimate = estimate_training(none, facts(), **find_model(facts(), "llama-3.2-1b"),
                                            **find_gpu(facts(), "h100-sxm5-80gb"), run);
    ASSERT_TRUE(estimate.step && estimate.memory);
    const TrainingStep<NoTrace>& step = *estimate.step;
    for (const Seconds exchange :
         {step.tensor_comm, step.context_comm, step.expert_comm, step.pipeline_comm, step.data_comm_exposed})
      EXPECT_EQ(exchange, Seconds(0));
    if (!first) first = step.total;
    EXPECT_EQ(step.total, *first);
  }
}

}  // namespace
}  // namespace podwright::training_time_test
