#include "perf/claim.h"

#include <gtest/gtest.h>

namespace podwright::claim_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }

TrainingClaim claim_on(std::string_view gpu, double gpu_count) {
  TrainingClaim claim;
  claim.gpu = **find_gpu(facts(), gpu);
  claim.gpu_count = gpu_count;
  return claim;
}

ClaimCheck<NoTrace> checked(const TrainingClaim& claim) {
  NoTrace trace;
  std::string problem;
  const auto check = check_claim(trace, facts(), claim, problem);
  EXPECT_TRUE(check) << problem;
  return check.value_or(ClaimCheck<NoTrace>{});
}

/// "An 8B model on 100B tokens takes 8 days on 8 A100", as study material has it.
TrainingClaim eight_days() {
  TrainingClaim claim = claim_on("a100-sxm4-80gb", 8);
  claim.parameters = 8e9;
  claim.tokens = 100e9;
  claim.days = 8;
  return claim;
}

TEST(CheckClaim, RefusesEightDaysOnEightA100) {
  const ClaimCheck<NoTrace> check = checked(eight_days());
  EXPECT_EQ(check.verdict, ClaimVerdict::impossible);
  EXPECT_NEAR(check.needed / tflops(1), 868.1, 0.05);
  EXPECT_EQ(check.peak, tflops(312));
  EXPECT_NEAR(check.mfu, 2.78, 0.005);
  EXPECT_NEAR(*check.realistic / days(1), 55.64, 0.005);
  EXPECT_EQ(check.realistic_mfu, 0.4);
  EXPECT_EQ(*check.realistic_gpus, 56);
  ASSERT_EQ(check.reasons.size(), 1u);
  EXPECT_EQ(check.reasons[0].code, "above-peak");
  EXPECT_EQ(check.reasons[0].message.text(),
            "The claim needs 868.1 TFLOP/s on every GPU, which is 2.78 times the peak of A100 SXM4 80GB (312 TFLOP/s). "
            "At 40 % of the peak it takes 55.6 days.");
}

TEST(CheckClaim, WaysOutArePossible) {
  TrainingClaim claim = eight_days();
  claim.days = *checked(claim).realistic / days(1);
  EXPECT_EQ(checked(claim).verdict, ClaimVerdict::plausible);
  claim = eight_days();
  claim.gpu_count = *checked(claim).realistic_gpus;
  EXPECT_EQ(checked(claim).verdict, ClaimVerdict::plausible);
}

TEST(CheckClaim, KnowsTheBestMatrixProductAndThePublishedRuns) {
  TrainingClaim claim = claim_on("h100-sxm5-80gb", 1);
  claim.parameters = 8e9;
  claim.mfu = 0.95;
  EXPECT_EQ(checked(claim).reasons[0].code, "above-measured-matmul");
  claim.mfu = 0.60;
  EXPECT_EQ(checked(claim).verdict, ClaimVerdict::unseen);
  claim.mfu = 0.40;
  EXPECT_EQ(checked(claim).verdict, ClaimVerdict::plausible);
}

// 16,384 H100, 405e9 parameters: 400 TFLOP/s and 41 % are printed (arXiv 2407.21783, table 4).
TEST(CheckClaim, TakesTheRateInAnyForm) {
  TrainingClaim claim = claim_on("h100-sxm5-80gb", 16384);
  claim.model = **find_model(facts(), "llama-3.1-405b");
  claim.tflops_per_gpu = 400;
  EXPECT_NEAR(checked(claim).mfu, 0.404, 0.001);
  claim.tflops_per_gpu.reset();
  claim.tokens_per_s_per_gpu = 160;
  const double mfu = checked(claim).mfu;
  claim.tokens_per_s_per_gpu.reset();
  claim.sequence_length = 8192;
  claim.global_batch_size = 2048;
  claim.step_time_s = 2048 * 8192 / (160.0 * 16384);
  const ClaimCheck<NoTrace> with_attention = checked(claim);
  EXPECT_GT(with_attention.mfu, mfu);
  EXPECT_LT(with_attention.mfu, 1.1 * mfu);
}

TEST(CheckClaim, NamesWhatTheCatalogLacks) {
  TrainingClaim claim = claim_on("a100-sxm4-80gb", 8);
  claim.parameters = 8e9;
  claim.mfu = 0.4;
  claim.gpu->peak_dense_flops.clear();
  NoTrace trace;
  std::string problem;
  EXPECT_FALSE(check_claim(trace, facts(), claim, problem));
  EXPECT_NE(problem.find("no peak"), std::string::npos);
}

}  // namespace
}  // namespace podwright::claim_test
