#include "perf/serving_energy.h"

#include <gtest/gtest.h>

#include "perf/estimate_serving.h"

namespace podwright::serving_energy_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }
const Gpu& gpu(std::string_view id) { return **find_gpu(facts(), id); }
const Model& model(std::string_view id) { return **find_model(facts(), id); }

ServingRun chat(double sequences, double data = 1) {
  return {.weight_precision = "bf16",
          .engine = "vllm",
          .parallelism = {.data = data},
          .input_tokens = 1024,
          .output_tokens = 256,
          .load = {LoadKind::concurrency, sequences}};
}

ServingEnergy<NoTrace> energy_of(const ServingRun& run, const Gpu& on = gpu("h100-sxm5-80gb")) {
  NoTrace none;
  return *estimate_serving(none, facts(), model("llama-3.1-8b"), on, run).energy;
}

TEST(GpuPower, ByHand) {
  // 700 x (0.25 + 1.4 x 0.1 + 0.6 x 0.5) = 483; the limit of the board holds above.
  EXPECT_NEAR(raw(gpu_power(watts(700), 0.25, 1.4, 0.1, 0.6, 0.5)), 483, 1e-9);
  EXPECT_EQ(gpu_power(watts(700), 0.25, 1.4, 0.6, 0.6, 0.5), watts(700));
  EXPECT_EQ(gpu_power(watts(700), 0.25, 1.4, 0.0, 0.6, 0.0), watts(175));
  // 8 sequences of a lane take 4e15 FLOP; one request a second is half of a peak of 1e15.
  EXPECT_EQ(used_share(Flops(4e15), 8.0, PerSecond(1), tflops(1000)), 0.5);
  EXPECT_EQ(energy_of_one(watts(483), 2.0, PerSecond(4)), Joules(241.5));
}

TEST(ServingEnergy, IsThePowerOfAllGpusOverTheirRate) {
  NoTrace none;
  const ServingRun run = chat(64, 2);
  const auto estimate = estimate_serving(none, facts(), model("llama-3.1-8b"), gpu("h100-sxm5-80gb"), run);
  ASSERT_TRUE(estimate.energy);
  const double watts_of_all = 2 * raw(estimate.energy->gpu_power);
  EXPECT_NEAR(raw(estimate.energy->per_request) * raw(estimate.performance->requests_per_s), watts_of_all, 1e-6);
  EXPECT_NEAR(raw(*estimate.energy->per_output_token) * 256, raw(estimate.energy->per_request), 1e-9);
  EXPECT_LT(estimate.energy->per_request_bounds->low, estimate.energy->per_request);
  EXPECT_LE(estimate.energy->gpu_power_bounds->high, watts(700));
}

/// A replica draws what it draws alone, whatever stands beside it.
TEST(ServingEnergy, ReplicasDrawAlike) {
  EXPECT_NEAR(raw(energy_of(chat(32)).gpu_power), raw(energy_of(chat(128, 4)).gpu_power), 1e-6);
}

TEST(ServingEnergy, MoreSequencesDrawMoreAndCostLessEach) {
  ServingEnergy<NoTrace> before = energy_of(chat(1));
  for (const double sequences : {4, 16, 64, 256}) {
    const ServingEnergy<NoTrace> after = energy_of(chat(sequences));
    EXPECT_GT(after.gpu_power, before.gpu_power) << sequences;
    EXPECT_LT(*after.per_output_token, *before.per_output_token) << sequences;
    before = after;
  }
}

TEST(ServingEnergy, UseNeverExceedsTheDataSheet) {
  for (const double sequences : {1, 64, 512}) {
    const auto use = energy_of(chat(sequences)).use;
    EXPECT_GT(use.products, 0);
    EXPECT_GT(use.memory, 0);
    EXPECT_LT(use.products, 1);
    EXPECT_LT(use.memory, 1);
  }
}

/// The board of a superchip holds a processor; power and limit are those of the GPU.
TEST(ServingEnergy, OfASuperchipIsThatOfItsGpu) {
  EXPECT_LE(energy_of(chat(512), gpu("gh200-96gb")).gpu_power, watts(700));
}

TEST(ServingEnergy, IsAbsentWhereNothingIsKnown) {
  NoTrace none;
  Gpu unknown = gpu("h100-sxm5-80gb");
  unknown.board_power = {};
  EXPECT_FALSE(estimate_serving(none, facts(), model("llama-3.1-8b"), unknown, chat(8)).energy);
  ServingRun together = chat(8);
  together.load = {LoadKind::request_rate, 1e6};  // too many: what is completed is known all the same
  EXPECT_TRUE(estimate_serving(none, facts(), model("llama-3.1-8b"), gpu("h100-sxm5-80gb"), together).energy);
}

}  // namespace
}  // namespace podwright::serving_energy_test
