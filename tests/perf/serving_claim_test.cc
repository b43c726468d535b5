#include "perf/serving_claim.h"

#include <gtest/gtest.h>

namespace podwright::serving_claim_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }

ServingClaim claim_on(std::string_view model, std::string_view gpu, double gpu_count, std::string weights,
                      SpeedMetric metric, double claimed) {
  ServingClaim claim;
  claim.model = **find_model(facts(), model);
  claim.gpu = **find_gpu(facts(), gpu);
  claim.gpu_count = gpu_count;
  claim.weight_precision = std::move(weights);
  claim.metric = metric;
  claim.claimed = claimed;
  return claim;
}

ServingClaimCheck<NoTrace> checked(const ServingClaim& claim) {
  NoTrace trace;
  std::string problem;
  const auto check = check_claim(trace, facts(), claim, problem);
  EXPECT_TRUE(check) << problem;
  return check.value_or(ServingClaimCheck<NoTrace>{});
}

/// Of a widely read page of benchmarks: 85 tokens/s at batch 1 with FP16 weights, 190 with INT4 on one card.
ServingClaim eighty_five() {
  ServingClaim claim = claim_on("llama-2-70b", "h100-sxm5-80gb", 2, "fp16", SpeedMetric::output_tokens_per_s, 85);
  claim.static_batch = 1;
  return claim;
}
ServingClaim hundred_ninety() {
  ServingClaim claim = claim_on("llama-2-70b", "h100-sxm5-80gb", 1, "int4-awq", SpeedMetric::output_tokens_per_s, 190);
  claim.static_batch = 1;
  return claim;
}

// 68,976,648,192 weights of 2 bytes through 2 x 3.35 TB/s.
TEST(CheckServingClaim, RefusesMoreStreamsOfTheWeightsThanTheMemoryGives) {
  const auto check = checked(eighty_five());
  EXPECT_EQ(check.verdict, ClaimVerdict::impossible);
  EXPECT_NEAR(check.bound.number(), 6.7e12 / (68976648192.0 * 2), 1e-9);
  EXPECT_NEAR(check.bound.number(), 48.6, 0.05);
  EXPECT_EQ(check.bound.limited_by, "memory-bandwidth");
  ASSERT_EQ(check.reasons.size(), 1u);
  EXPECT_EQ(check.reasons[0].code, "above-memory-bandwidth");
  EXPECT_EQ(check.reasons[0].message.text(),
            "Claimed are 85 output tokens/s; the bound is 48.6. A step reads 138 GB of weights; 2 H100 SXM5 80GB read "
            "6.7 TB/s, which is 48.6 steps/s.");
}

TEST(CheckServingClaim, RefusesTheSameOfFourBitWeights) {
  const auto check = checked(hundred_ninety());
  EXPECT_EQ(check.verdict, ClaimVerdict::impossible);
  EXPECT_NEAR(check.bound.number(), 92, 0.6);
}

TEST(CheckServingClaim, OneCardCannotHoldSixteenBitWeights) {
  ServingClaim claim = eighty_five();
  claim.gpu_count = 1;
  EXPECT_EQ(checked(claim).reasons[0].code, "weights-do-not-fit");
}

TEST(CheckServingClaim, WaysOutArePossible) {
  for (const ServingClaim& claim : {eighty_five(), hundred_ninety()}) {
    std::vector<Infeasible> reasons = checked(claim).reasons;
    add_ways_out(facts(), claim, reasons);
    EXPECT_GE(reasons[0].ways_out.size(), 3u);
  }
  std::vector<Infeasible> reasons = checked(eighty_five()).reasons;
  add_ways_out(facts(), eighty_five(), reasons);
  EXPECT_EQ(reasons[0].ways_out[1].text(), R"({"claim":{"gpu_count":4}})");
  EXPECT_EQ(reasons[0].ways_out[2].text(), R"({"claim":{"weight_precision":"fp8"}})");
  EXPECT_EQ(reasons[0].ways_out[3].text(), R"({"claim":{"static_batch":2}})");
}

TEST(CheckServingClaim, TheLimitIsNeverTighterThanTheBound) {
  for (const SpeedMetric metric :
       {SpeedMetric::output_tokens_per_s, SpeedMetric::tokens_per_s_per_user, SpeedMetric::tpot_s, SpeedMetric::ttft_s,
        SpeedMetric::total_tokens_per_s, SpeedMetric::max_batch}) {
    for (const char* model : {"llama-3.1-70b", "deepseek-v3", "gpt-oss-120b", "gemma-3-27b"}) {
      ServingClaim claim = claim_on(model, "h200-sxm5-141gb", 8, "fp8", metric, 1);
      claim.input_tokens = 2048;
      claim.output_tokens = 512;
      claim.tensor = 8;
      for (const double concurrency : {1.0, 32.0, 4096.0}) {
        claim.concurrency = concurrency;
        const auto check = checked(claim);
        if (less_is_faster(metric)) {
          EXPECT_LE(check.limit.number(), check.bound.number()) << model;
        } else {
          EXPECT_GE(check.limit.number(), check.bound.number()) << model;
        }
      }
    }
  }
}

TEST(CheckServingClaim, KnowsMeasuredKernelsAndEstimates) {
  ServingClaim claim = claim_on("llama-3.1-8b", "h100-sxm5-80gb", 1, "bf16", SpeedMetric::tokens_per_s_per_user, 150);
  EXPECT_EQ(checked(claim).verdict, ClaimVerdict::plausible);  // 16.06 GB, 2.9 TB/s measured
  claim.claimed = 200;
  EXPECT_EQ(checked(claim).verdict, ClaimVerdict::unseen);  // 3.35 TB/s on the data sheet
  claim.claimed = 230;
  EXPECT_EQ(checked(claim).verdict, ClaimVerdict::impossible);
  claim = claim_on("llama-3.1-8b", "rtx-3080", 1, "q4-k-m", SpeedMetric::tokens_per_s_per_user, 145);
  EXPECT_EQ(checked(claim).verdict, ClaimVerdict::unknown);
}

TEST(CheckServingClaim, MoreRequestsYieldMoreAndGiveOneUserNoMore) {
  ServingClaim claim = claim_on("llama-3.1-70b", "h100-sxm5-80gb", 8, "fp8", SpeedMetric::output_tokens_per_s, 1);
  claim.input_tokens = 1024;
  claim.output_tokens = 1024;
  double before = 0;
  for (double batch = 1; batch <= 4096; batch *= 4) {
    claim.concurrency = batch;
    const double bound = checked(claim).bound.number();
    EXPECT_GE(bound, before);
    before = bound;
  }
  claim.concurrency.reset();
  claim.metric = SpeedMetric::tpot_s;
  double fastest = 0;
  for (double batch = 1; batch <= 256; batch *= 4) {
    claim.static_batch = batch;
    const double bound = checked(claim).bound.number();
    EXPECT_GE(bound, fastest);
    fastest = bound;
  }
}

TEST(CheckServingClaim, ReplicasStreamTheirOwnWeights) {
  ServingClaim claim = claim_on("llama-3.1-8b", "h100-sxm5-80gb", 8, "bf16", SpeedMetric::tokens_per_s_per_user, 1);
  const double together = checked(claim).bound.number();
  claim.data = 8;
  EXPECT_NEAR(checked(claim).bound.number(), together / 8, 1e-9 * together);
}

TEST(CheckServingClaim, ABatchMustFit) {
  ServingClaim claim = claim_on("llama-3.1-70b", "h100-sxm5-80gb", 2, "fp8", SpeedMetric::tpot_s, 1);
  claim.input_tokens = 16384;
  claim.output_tokens = 1024;
  claim.static_batch = 1024;
  EXPECT_EQ(checked(claim).reasons[0].code, "batch-does-not-fit");
  claim.static_batch.reset();
  claim.input_tokens = 1e6;
  claim.kv_precision = "fp16";
  EXPECT_EQ(checked(claim).reasons[0].code, "no-room-for-one-sequence");
}

TEST(CheckServingClaim, APromptTakesItsArithmetic) {
  // Linear layers: 2 x 68.45e9 x 8192 FLOP at 8 x 1,978.9 TFLOP/s, 70.84 ms. Attention: 80 layers x 2 x 8192^2 / 2
  // pairs x 64 heads x 256 at 8 x 989.4 TFLOP/s, 11.11 ms.
  ServingClaim claim = claim_on("llama-3.1-70b", "h100-sxm5-80gb", 8, "fp8", SpeedMetric::ttft_s, 0.05);
  claim.input_tokens = 8192;
  const auto check = checked(claim);
  EXPECT_EQ(check.verdict, ClaimVerdict::impossible);
  EXPECT_EQ(check.limit.limited_by, "arithmetic");
  EXPECT_NEAR(check.bound.number(), 0.08195, 1e-5);
  claim.prefix_hit_ratio = 0.5;
  EXPECT_EQ(checked(claim).verdict, ClaimVerdict::unseen);
  claim.claimed = 0.1;
  EXPECT_EQ(checked(claim).verdict, ClaimVerdict::plausible);
}

TEST(CheckServingClaim, LinksLimitTensorParallelPrompts) {
  ServingClaim claim = claim_on("llama-3.1-70b", "h100-sxm5-80gb", 8, "fp8", SpeedMetric::ttft_s, 1);
  claim.input_tokens = 8192;
  EXPECT_EQ(checked(claim).bound.links, Seconds(0));
  claim.tensor = 8;
  // 2 all-reduces of 80 layers, 8192 tokens x 8192 values x 2 B, 7/4 of it over 450 GB/s.
  EXPECT_NEAR(raw(checked(claim).bound.links), 160.0 * 8192 * 8192 * 2 * 1.75 / 450e9, 1e-9);
}

}  // namespace
}  // namespace podwright::serving_claim_test
