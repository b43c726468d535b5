#include "perf/disaggregated.h"

#include <gtest/gtest.h>

#include "perf/estimate_serving.h"

namespace podwright::disaggregated_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }

ServingRun split(double prefill_gpus, double decode_gpus, Load load, double input = 4096, double output = 512) {
  ServingRun run;
  run.weight_precision = "fp8";
  run.kv_precision = "fp8";
  run.engine = "tensorrt-llm";
  run.input_tokens = input;
  run.output_tokens = output;
  run.load = load;
  Disaggregated pools;
  pools.prefill_gpus = prefill_gpus;
  pools.decode_gpus = decode_gpus;
  pools.prefill.tensor = pools.decode.tensor = 2;
  pools.prefill.data = prefill_gpus / 2;
  pools.decode.data = decode_gpus / 2;
  run.disaggregated = pools;
  return run;
}
ServingEstimate<NoTrace> estimate(const ServingRun& run, std::string_view gpu = "h100-sxm5-80gb",
                                  std::string_view model = "llama-3.1-70b") {
  NoTrace none;
  return estimate_serving(none, facts(), **find_model(facts(), model), **find_gpu(facts(), gpu), run);
}
constexpr Load kMost{LoadKind::max_throughput, 0};

TEST(Disaggregated, TheSlowerPoolBindsAndTheOtherIdles) {
  const auto prompts = estimate(split(2, 6, kMost, 16384, 64));
  ASSERT_TRUE(prompts.performance && prompts.pools);
  EXPECT_TRUE(prompts.pools->prefill_binds);
  EXPECT_EQ(*prompts.pools->prefill_idle, 0);
  EXPECT_GT(*prompts.pools->decode_idle, 0.1);
  const auto answers = estimate(split(6, 2, kMost, 256, 2048));
  EXPECT_FALSE(answers.pools->prefill_binds);
  EXPECT_EQ(*answers.pools->decode_idle, 0);
  EXPECT_GT(*answers.pools->prefill_idle, 0.1);
  for (const auto& e : {prompts, answers})
    EXPECT_EQ(e.performance->requests_per_s, std::min(*e.pools->prefill_rate, *e.pools->decode_rate));
}

TEST(Disaggregated, AnswersAreNotHeldUpByPrompts) {
  ServingRun whole = split(4, 4, {LoadKind::concurrency, 64});
  whole.disaggregated.reset();
  whole.parallelism.tensor = 2;
  whole.parallelism.data = 4;
  const auto apart = estimate(split(4, 4, {LoadKind::concurrency, 64}));
  const auto together = estimate(whole);
  EXPECT_LT(*apart.performance->tpot, *together.performance->tpot);
}

TEST(Disaggregated, LittlesLawHoldsForEveryLoad) {
  for (const double clients : {1.0, 16.0, 128.0, 5000.0}) {
    const auto e = estimate(split(4, 4, {LoadKind::concurrency, clients}));
    EXPECT_NEAR(e.performance->admitted_concurrency, clients, 1e-6 * clients);
    EXPECT_NEAR(e.performance->requests_per_s * *e.performance->request, clients, 1e-6 * clients);
  }
}

TEST(Disaggregated, ARateIsServedBelowTheSlowerPoolOnly) {
  const double most = estimate(split(4, 4, kMost)).performance->requests_per_s.base_units();
  const auto served = estimate(split(4, 4, {LoadKind::request_rate, 0.8 * most}));
  EXPECT_TRUE(served.feasible);
  EXPECT_NEAR(served.performance->requests_per_s.base_units(), 0.8 * most, 1e-12 * most);
  const auto over = estimate(split(4, 4, {LoadKind::request_rate, 1.2 * most}));
  EXPECT_FALSE(over.feasible);
  EXPECT_FALSE(over.performance->stable);
  EXPECT_EQ(over.reasons.at(0).code, "unstable");
  EXPECT_NEAR(over.performance->stable_requests_per_s->base_units(), most, 1e-9 * most);
}

TEST(Disaggregated, PercentilesAreInOrder) {
  const auto e = estimate(split(4, 4, {LoadKind::concurrency, 64}));
  const auto& p = *e.performance->percentiles;
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_GE(p.ttft[i], p.ttft[i - 1]);
    EXPECT_GE((*p.tpot)[i], (*p.tpot)[i - 1]);
    EXPECT_GE(p.request[i], p.request[i - 1]);
  }
}

TEST(Disaggregated, KeysAndValuesCrossTheSlowestLink) {
  const auto near = estimate(split(4, 4, kMost));  // one node
  const auto far = estimate(split(8, 8, kMost));   // two nodes
  EXPECT_LT(*near.pools->transfer, *far.pools->transfer);
  // 4,096 tokens of 163,840 bytes over two links.
  const double payload = 4096.0 * 163840;
  EXPECT_GT(near.pools->transfer->base_units(), payload / (2 * 450e9));
}

TEST(Disaggregated, ACacheLiesOnOneAttentionRankOrIsCopied) {
  const auto transfer = [](double tensor, double attention) {
    ServingRun run = split(8, 8, kMost);
    run.engine = "sglang";
    run.kv_precision = "";
    for (ServingParallelism* pool : {&run.disaggregated->prefill, &run.disaggregated->decode}) {
      pool->tensor = tensor;
      pool->attention_data = pool->expert = attention;
      pool->data = 1;
    }
    const auto e = estimate(run, "h200-sxm5-141gb", "deepseek-v3");
    EXPECT_TRUE(e.pools && e.pools->transfer) << tensor << " " << attention;
    return e.pools && e.pools->transfer ? e.pools->transfer->base_units() : 0;
  };
  // Latents have no heads to split: each tensor rank holds them whole, over a link of its own.
  const double whole = transfer(1, 8);
  EXPECT_GT(whole, 0);
  EXPECT_NEAR(transfer(8, 1), whole, 1e-9 * whole);
}

TEST(Disaggregated, MoreHeadsThanGpusAreSplitAndFewerCopied) {
  const auto transfer = [](double prefill, double decode) {
    ServingRun run = split(16, 16, kMost);
    run.disaggregated->prefill.tensor = prefill;
    run.disaggregated->decode.tensor = decode;
    run.disaggregated->prefill.data = 16 / prefill;
    run.disaggregated->decode.data = 16 / decode;
    return estimate(run).pools->transfer->base_units();
  };
  const double two = transfer(2, 2);
  EXPECT_NEAR(transfer(8, 8), two / 4, 1e-9 * two);
  EXPECT_NEAR(transfer(2, 8), two, 1e-9 * two);  // two GPUs send to eight
  EXPECT_NEAR(transfer(8, 2), two, 1e-9 * two);
  EXPECT_NEAR(transfer(2, 16), 2 * two, 1e-9 * two);  // 16 GPUs hold eight heads twice
}

TEST(Disaggregated, BindingNamesOnlyWhatIsRead) {
  const auto message = [](double weights, double kv) {
    return binding_of({.compute = 0.1, .weights = weights, .kv = kv, .communication = 0.1, .overhead = 0.1}, false, "X")
        .says.text();
  };
  EXPECT_EQ(message(0.7, 0).find("Reading weights takes 70 % of the time on X"), 0U) << message(0.7, 0);
  EXPECT_EQ(message(0, 0.7).find("Reading KV takes 70 % of the time on X"), 0U) << message(0, 0.7);
  EXPECT_EQ(message(0.3, 0.4).find("Reading weights (30 %) and KV (40 %) takes 70 % of the time on X"), 0U)
      << message(0.3, 0.4);
}

TEST(Disaggregated, EachPoolMustHoldTheModel) {
  ServingRun run = split(1, 7, kMost);
  run.disaggregated->prefill.tensor = 1;
  run.disaggregated->prefill.data = 1;
  run.disaggregated->decode.tensor = 7;
  run.disaggregated->decode.data = 1;
  run.weight_precision = "bf16";
  const auto e = estimate(run);
  EXPECT_FALSE(e.feasible);
  ASSERT_FALSE(e.reasons.empty());
  EXPECT_EQ(e.reasons[0].message.text().rfind("The prefill pool: ", 0), 0U) << e.reasons[0].message.text();
}

}  // namespace
}  // namespace podwright::disaggregated_test
