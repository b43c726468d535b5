// What must hold for every deployment, whatever its constants: over models, GPUs, engines and layouts.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "perf/estimate_serving.h"

namespace podwright::serving_properties_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }

struct Deployment {
  const char* name;
  const char* model;
  const char* gpu;
  const char* engine;
  const char* weights;
  ServingParallelism layout;
};

std::vector<Deployment> deployments() {
  return {{"DenseOnOneGpu", "llama-3.1-8b", "h100-sxm5-80gb", "vllm", "bf16", {}},
          {"DenseByTensor", "llama-3.1-70b", "h200-sxm5-141gb", "tensorrt-llm", "fp8", {.tensor = 4}},
          {"DenseByStages", "llama-3.1-70b", "h100-sxm5-80gb", "vllm", "bf16", {.tensor = 4, .pipeline = 2}},
          {"DenseOnCards", "qwen2.5-14b", "l40s", "sglang", "fp8", {.tensor = 2}},
          {"FourBit", "llama-3.1-70b", "a100-sxm4-80gb", "vllm", "int4-awq", {.tensor = 2}},
          {"ExpertsByTensor", "mixtral-8x7b-v0.1", "h100-sxm5-80gb", "vllm", "bf16", {.tensor = 4}},
          {"ExpertsAndLatentAttention",
           "deepseek-v3",
           "b200-sxm",
           "sglang",
           "nvfp4",
           {.tensor = 1, .expert = 8, .attention_data = 8}},
          {"SlidingWindow", "gpt-oss-120b", "gb200", "tensorrt-llm", "mxfp4", {}},
          {"Replicas", "qwen3-30b-a3b", "h200-sxm5-141gb", "vllm", "fp8", {.tensor = 2, .data = 4}},
          {"FilesOfADesktop", "llama-3-8b", "rtx-4090", "llama.cpp", "q4-k-m", {}}};
}

ServingRun run_of(const Deployment& deployment, Load load) {
  ServingRun run;
  run.weight_precision = deployment.weights;
  run.engine = deployment.engine;
  run.parallelism = deployment.layout;
  run.input_tokens = 1024;
  run.output_tokens = 256;
  run.load = load;
  return run;
}

ServingEstimate<NoTrace> estimate(const Deployment& deployment, const ServingRun& run) {
  NoTrace none;
  return estimate_serving(none, facts(), **find_model(facts(), deployment.model), **find_gpu(facts(), deployment.gpu),
                          run);
}

class EveryDeployment : public ::testing::TestWithParam<Deployment> {};

TEST_P(EveryDeployment, PartsOfAStepSumToTheWhole) {
  for (const double clients : {1.0, 24.0, 300.0}) {
    const auto e = estimate(GetParam(), run_of(GetParam(), {LoadKind::concurrency, clients}));
    ASSERT_TRUE(e.performance);
    for (const auto& step : {e.performance->decode_step, e.performance->mixed_step}) {
      const Seconds sum = step.linear + step.head + step.decode_attention + step.prefill_attention +
                          step.communication + step.overhead + step.draft;
      EXPECT_NEAR(sum.base_units(), step.total.base_units(), 1e-12 * step.total.base_units());
    }
  }
}

TEST_P(EveryDeployment, MoreClientsYieldMoreAndNeverMakeATokenFaster) {
  double last_tpot = 0;
  double last_ttft = 0;
  double last_rate = 0;
  for (double clients = 1; clients <= 1024; clients *= 2) {
    const auto e = estimate(GetParam(), run_of(GetParam(), {LoadKind::concurrency, clients}));
    ASSERT_TRUE(e.performance);
    const double slack = 1 - 1e-9;  // of rounding
    EXPECT_GE(e.performance->tpot->base_units(), slack * last_tpot) << clients;
    EXPECT_GE(e.performance->ttft->base_units(), slack * last_ttft) << clients;
    EXPECT_GE(e.performance->output_tokens_per_s.base_units(), slack * last_rate) << clients;
    last_tpot = e.performance->tpot->base_units();
    last_ttft = e.performance->ttft->base_units();
    last_rate = e.performance->output_tokens_per_s.base_units();
  }
}

TEST_P(EveryDeployment, MoreRoomNeverLowersAdmittedConcurrency) {
  double last = 0;
  int fitted = 0;
  for (double fraction = 0.5; fraction <= 0.98; fraction += 0.02) {
    ServingRun run = run_of(GetParam(), {LoadKind::concurrency, 4096});
    run.memory_fraction = fraction;
    const auto e = estimate(GetParam(), run);
    if (!e.performance) {
      EXPECT_EQ(fitted, 0) << "fitted with less than " << fraction;
      continue;
    }
    fitted += 1;
    EXPECT_GE(e.performance->admitted_concurrency, last) << fraction;
    last = e.performance->admitted_concurrency;
  }
  EXPECT_GT(fitted, 3);
}

TEST_P(EveryDeployment, LongerPromptsAndAnswersAdmitNoMore) {
  double last = 1e18;
  for (double tokens = 128; tokens <= 4096; tokens *= 2) {
    ServingRun run = run_of(GetParam(), {LoadKind::concurrency, 4096});
    run.input_tokens = tokens;
    run.output_tokens = tokens;
    const auto e = estimate(GetParam(), run);
    if (!e.performance) break;
    EXPECT_LE(e.performance->admitted_concurrency, last) << tokens;
    last = e.performance->admitted_concurrency;
  }
}

TEST_P(EveryDeployment, OverloadSaysWhichRateWouldBeStable) {
  const auto over = estimate(GetParam(), run_of(GetParam(), {LoadKind::request_rate, 1e5}));
  ASSERT_TRUE(over.performance);
  EXPECT_FALSE(over.performance->stable);
  EXPECT_FALSE(over.feasible);
  ASSERT_TRUE(over.performance->stable_requests_per_s);
  const double most = over.performance->stable_requests_per_s->base_units();
  ASSERT_GT(most, 0);
  const auto below = estimate(GetParam(), run_of(GetParam(), {LoadKind::request_rate, 0.95 * most}));
  ASSERT_TRUE(below.performance);
  EXPECT_TRUE(below.performance->stable);
  EXPECT_TRUE(below.feasible);
  const auto above = estimate(GetParam(), run_of(GetParam(), {LoadKind::request_rate, 1.05 * most}));
  EXPECT_FALSE(above.performance->stable);
}

INSTANTIATE_TEST_SUITE_P(Deployments, EveryDeployment, ::testing::ValuesIn(deployments()),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace podwright::serving_properties_test
