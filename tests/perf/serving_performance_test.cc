#include "perf/serving_performance.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "perf/estimate_serving.h"
#include "perf/serving_software.h"

namespace podwright::serving_performance_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }
const Gpu& gpu(std::string_view id) { return **find_gpu(facts(), id); }
const Model& model(std::string_view id) { return **find_model(facts(), id); }

ServingRun chat(Load load) {
  return {.weight_precision = "fp8",
          .kv_precision = "fp8",
          .engine = "vllm",
          .engine_version = "",
          .parallelism = {.tensor = 4},
          .input_tokens = 1024,
          .output_tokens = 512,
          .load = load};
}
ServingEstimate<NoTrace> estimate(const ServingRun& run, std::string_view model_id = "llama-3.1-70b",
                                  std::string_view gpu_id = "h100-sxm5-80gb") {
  NoTrace none;
  return estimate_serving(none, facts(), model(model_id), gpu(gpu_id), run);
}

TEST(ServingEstimate, OneSequenceReadsTheWeightsOncePerToken) {
  ServingRun run{.weight_precision = "bf16",
                 .kv_precision = "",
                 .engine = "vllm",
                 .engine_version = "",
                 .parallelism = {},
                 .input_tokens = 128,
                 .output_tokens = 128,
                 .load = {LoadKind::concurrency, 1}};
  const auto one = estimate(run, "llama-3.1-8b");
  ASSERT_TRUE(one.performance);
  // 7.50e9 parameters of 16 bit without the input table, at the share of the measured 2.9 TB/s that vLLM's kernels
  // reach.
  const double weights = 2 * (8030261248.0 - 128256.0 * 4096);
  const ServingEfficiency& efficiency = facts().serving_efficiency;
  NoTrace trace;
  const double stream = weights / (2.9e12 * efficiency[ServingConstant::weights_16_bit]) *
                        engine_figures(trace, efficiency, run, **find_gpu(facts(), "h100-sxm5-80gb"),
                                       **find_model(facts(), "llama-3.1-8b"))
                            .time;
  const auto& step = one.performance->decode_step;
  const double products = (step.linear + step.head).base_units();
  EXPECT_GT(products, 0.98 * stream);
  const double starts = 4 * 32 * efficiency[ServingConstant::product_start_s];  // four products a layer
  EXPECT_LT(products, 1.05 * (stream + starts));
  EXPECT_GT(one.performance->tpot->base_units(), weights / 3.35e12);  // the data sheet's rate
  EXPECT_NEAR(one.performance->tpot->base_units(), step.total.base_units(), 0.02 * step.total.base_units());
  EXPECT_EQ(one.performance->decode_step.communication, Seconds(0));
  EXPECT_EQ(one.performance->binding.code, "memory-bandwidth");
}

TEST(ServingEstimate, PartsOfAStepSumToTheWhole) {
  const auto e = estimate(chat({LoadKind::concurrency, 64}));
  for (const auto& step : {e.performance->decode_step, e.performance->mixed_step}) {
    const Seconds sum =
        step.linear + step.head + step.decode_attention + step.prefill_attention + step.communication + step.overhead;
    EXPECT_DOUBLE_EQ(sum.base_units(), step.total.base_units());
  }
}

TEST(ServingEstimate, LittlesLawHolds) {
  for (const double clients : {1.0, 7.0, 64.0, 256.0, 5000.0}) {
    const auto e = estimate(chat({LoadKind::concurrency, clients}));
    ASSERT_TRUE(e.performance);
    const auto& speed = *e.performance;
    EXPECT_NEAR(speed.requests_per_s * *speed.request, clients, 1e-9 * clients);
    EXPECT_NEAR((*speed.ttft + 511 * *speed.tpot).base_units(), speed.request->base_units(),
                1e-9 * speed.request->base_units());
    EXPECT_LE(speed.admitted_concurrency, e.memory->max_sequences);
  }
}

TEST(ServingEstimate, MoreClientsNeverMakeATokenFaster) {
  double last_tpot = 0;
  double last_rate = 0;
  for (double clients = 1; clients <= 512; clients *= 2) {
    const auto e = estimate(chat({LoadKind::concurrency, clients}));
    EXPECT_GE(e.performance->tpot->base_units(), last_tpot);
    EXPECT_GE(e.performance->output_tokens_per_s.base_units(), last_rate);
    last_tpot = e.performance->tpot->base_units();
    last_rate = e.performance->output_tokens_per_s.base_units();
  }
}

TEST(ServingEstimate, ReplicasShareARequestRate) {
  double last = 1e9;
  for (double replicas = 2; replicas <= 16; replicas *= 2) {
    ServingRun run = chat({LoadKind::request_rate, 10});
    run.parallelism.data = replicas;
    const auto e = estimate(run);
    ASSERT_TRUE(e.performance && e.performance->stable);
    EXPECT_LE(e.performance->tpot->base_units(), last);
    EXPECT_NEAR(e.performance->requests_per_s.base_units(), 10, 1e-6);
    last = e.performance->tpot->base_units();
  }
}

TEST(ServingEstimate, ARateAboveCapacityIsUnstable) {
  const auto e = estimate(chat({LoadKind::request_rate, 1000}));
  ASSERT_TRUE(e.performance);
  EXPECT_FALSE(e.performance->stable);
  EXPECT_FALSE(e.feasible);
  EXPECT_FALSE(e.performance->ttft);
  ASSERT_EQ(e.reasons.size(), 1u);
  EXPECT_EQ(e.reasons[0].code, "unstable");
  EXPECT_GT(e.reasons[0].shortfall, 0);
}

TEST(ServingEstimate, TracingChangesNoNumber) {
  for (const char* id : {"llama-3.1-70b", "deepseek-v3", "gpt-oss-120b", "qwen3-235b-a22b"}) {
    ServingRun run = chat({LoadKind::request_rate, 5});
    run.parallelism = {.tensor = 8};
    const auto plain = estimate(run, id, "b200-sxm");
    Trace trace;
    const auto traced = estimate_serving(trace, facts(), model(id), gpu("b200-sxm"), run);
    ASSERT_TRUE(plain.performance && traced.performance) << id;
    EXPECT_EQ(value_of(*traced.performance->tpot), *plain.performance->tpot) << id;
    EXPECT_EQ(value_of(traced.performance->requests_per_s), plain.performance->requests_per_s) << id;
  }
}

TEST(ServingEstimate, NarrowWeightsOnAGpuWithoutTheirProducts) {
  const auto a100 = estimate(chat({LoadKind::concurrency, 16}), "llama-3.1-70b", "a100-sxm4-80gb");
  ASSERT_TRUE(a100.performance);
  EXPECT_FALSE(a100.assumptions.empty());
  const auto v100 = estimate(chat({LoadKind::concurrency, 16}), "llama-3.1-70b", "v100-sxm2-32gb");
  EXPECT_FALSE(v100.performance);
  EXPECT_FALSE(v100.feasible);
  EXPECT_EQ(v100.reasons.back().code, "format-not-supported");
}

TEST(ServingEstimate, OneOutputTokenHasNoTimePerToken) {
  ServingRun run = chat({LoadKind::concurrency, 8});
  run.output_tokens = 1;
  const auto e = estimate(run);
  ASSERT_TRUE(e.performance);
  EXPECT_FALSE(e.performance->tpot);
  EXPECT_TRUE(e.performance->ttft);
}

TEST(ServingEstimate, PrefixHitsShortenThePrompt) {
  ServingRun run = chat({LoadKind::concurrency, 8});
  const auto cold = estimate(run);
  run.prefix_hit_ratio = 0.5;
  const auto warm = estimate(run);
  EXPECT_LT(*warm.performance->ttft, *cold.performance->ttft);
}

TEST(ServingEstimate, MoreTensorRanksCommunicateMore) {
  ServingRun run = chat({LoadKind::concurrency, 32});
  run.parallelism.tensor = 8;
  const auto eight = estimate(run);
  EXPECT_GT(eight.performance->decode_step.communication, Seconds(0));
  EXPECT_LT(*eight.performance->tpot, *estimate(chat({LoadKind::concurrency, 32})).performance->tpot);
}

TEST(ServingEstimate, WideGroupsSendTokensOnlyWhereTheirExpertsAre) {
  ServingRun run{.weight_precision = "fp8-block",
                 .kv_precision = "",
                 .engine = "sglang",
                 .engine_version = "",
                 .parallelism = {.expert = 16, .attention_data = 16},
                 .input_tokens = 1024,
                 .output_tokens = 1024,
                 .load = {LoadKind::concurrency, 1024}};
  const auto wide = estimate(run, "deepseek-v3", "h200-sxm5-141gb");
  ASSERT_TRUE(wide.performance);
  // 64 tokens a GPU of 7168 values, to the other of two nodes when one of 8 experts is there (1 - 2^-8), 1 byte out and
  // 2 back, over 50 GB/s of network or to 15 (1 - (15/16)^8) GPUs over 450 GB/s of NVLink, in 58 layers.
  const double network = 58 * 64 * (1 - 1.0 / 256) * 7168 * 3 / 50e9;
  const double links = 58 * 64 * 6.05 * 7168 * 3 / 450e9;
  const double took = wide.performance->decode_step.communication.base_units();
  EXPECT_GT(took, std::max(network, links));
  EXPECT_LT(took, 4 * std::max(network, links) + 58 * 2 * 100e-6);
  // Gathering all 1024 tokens on every GPU would send 2 x 15/16 x 1024 x 7168 x 2 bytes over the network.
  EXPECT_LT(took, 58 * 2 * 15.0 / 16 * 1024 * 7168 * 2 / 50e9);
}

TEST(ServingEstimate, AnIllegalLayoutNamesItsRule) {
  ServingRun run = chat({LoadKind::concurrency, 1});
  run.parallelism.tensor = 3;
  const auto e = estimate(run);
  EXPECT_FALSE(e.feasible);
  ASSERT_FALSE(e.reasons.empty());
  EXPECT_EQ(e.reasons[0].code, "layout");
}

}  // namespace
}  // namespace podwright::serving_performance_test
