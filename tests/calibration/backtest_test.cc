#include "calibration/backtest.h"

#include <gtest/gtest.h>

namespace podwright::backtest_test {
namespace {

BacktestCell cell(const std::string& source, double measured, double predicted,
                  const std::string& metric = "step_time_s") {
  BacktestCell made;
  made.id = source;
  made.metric = metric;
  made.measured = measured;
  made.predicted = predicted;
  made.labels.assign(backtest_keys().size(), "");
  made.labels[0] = source;
  return made;
}

TEST(ErrorSummary, TellsSizeAndDirection) {
  const ErrorSummary summary = error_summary({0.1, -0.3, 0.2});
  EXPECT_EQ(summary.rows, 3);
  EXPECT_NEAR(summary.median_ape, 0.2, 1e-12);
  EXPECT_NEAR(summary.mean_ape, 0.2, 1e-12);
  EXPECT_NEAR(summary.bias, 0.0, 1e-12);
  EXPECT_NEAR(summary.p90_ape, 0.28, 1e-12);  // between the second (0.2) and the third (0.3): 0.2 + 0.8 x 0.1
}

TEST(ErrorSummary, OfNothingIsEmpty) { EXPECT_EQ(error_summary({}).rows, 0); }

TEST(BacktestGroups, AreMedianMeanBiasAndTail) {
  // Relative errors -10, +20, +30, -40 and 0 percent.
  const std::vector<BacktestCell> cells{cell("a", 10, 9), cell("a", 10, 12), cell("a", 10, 13), cell("a", 10, 6),
                                        cell("a", 10, 10)};
  const auto groups = backtest_groups(cells, {});
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].errors.rows, 5);
  EXPECT_NEAR(groups[0].errors.median_ape, 0.20, 1e-12);
  EXPECT_NEAR(groups[0].errors.mean_ape, 0.20, 1e-12);
  EXPECT_NEAR(groups[0].errors.bias, 0.0, 1e-12);
  EXPECT_NEAR(groups[0].errors.p90_ape, 0.36, 1e-12);  // between the fourth (30) and the fifth (40): 30 + 0.6 x 10
  EXPECT_FALSE(groups[0].coverage_90);
}

TEST(BacktestGroups, AgreeInAllKeys) {
  std::vector<BacktestCell> cells{cell("a", 1, 1), cell("b", 1, 2), cell("a", 1, 3)};
  cells[2].labels[1] = "other-gpu";
  EXPECT_EQ(backtest_groups(cells, {"source"}).size(), 2u);
  const auto groups = backtest_groups(cells, {"source", "gpu_id"});
  ASSERT_EQ(groups.size(), 3u);
  EXPECT_EQ(groups[2].values, (std::vector<std::string>{"a", "other-gpu"}));
}

TEST(BacktestGroups, KeepMetricsApart) {
  const auto groups = backtest_groups({cell("a", 1, 1, "mfu"), cell("a", 1, 2), cell("a", 1, 3)}, {});
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].metric, "step_time_s");
  EXPECT_EQ(groups[0].errors.rows, 2);
  EXPECT_EQ(groups[1].metric, "mfu");
}

TEST(BacktestGroups, CoverTheShareOfRowsInsideTheirInterval) {
  std::vector<BacktestCell> cells{cell("a", 10, 9), cell("a", 10, 12), cell("a", 10, 13)};
  for (BacktestCell& made : cells) {
    made.predicted_low = made.predicted - 2;
    made.predicted_high = made.predicted + 2;
  }
  const auto groups = backtest_groups(cells, {});
  ASSERT_TRUE(groups[0].coverage_90);
  EXPECT_NEAR(*groups[0].coverage_90, 2.0 / 3.0, 1e-12);
}

TEST(BacktestGroups, RatesOfUnclearConventionSayNothingAboutCoverage) {
  std::vector<BacktestCell> cells{cell("a", 10, 9, "tflops_per_gpu")};
  cells[0].predicted_low = 1;
  cells[0].predicted_high = 2;
  EXPECT_FALSE(backtest_groups(cells, {})[0].coverage_90);
}

Backtest of_table(const std::string& csv) {
  const Catalog& catalog = embedded_catalog_facts();
  const auto measured = read_measured_training(catalog, csv, "runs.csv");
  EXPECT_TRUE(measured);
  Backtest backtest;
  if (measured) backtest_training(catalog, *measured, backtest);
  return backtest;
}

const std::string kHead =
    "id,gpu_id,model_id,seq_len,num_gpus,tp,global_batch,framework,step_time_s,tokens_per_s_per_gpu,memory_gib_per_"
    "gpu\n";

TEST(BacktestOfTraining, HasOneEntryForEachMeasuredCell) {
  const Backtest backtest = of_table(kHead + "a,h100-sxm5-80gb,llama-3-8b,8192,8,2,64,Megatron-Core,5,2e4,40\n" +
                                     "b,h100-sxm5-80gb,llama-3-8b,8192,8,3,64,Megatron-Core,5,,\n");
  ASSERT_EQ(backtest.cells.size(), 3u);
  EXPECT_EQ(backtest.rows, 2);
  EXPECT_EQ(backtest.cells[0].metric, "step_time_s");
  EXPECT_EQ(backtest.cells[1].metric, "tokens_per_s_per_gpu");
  EXPECT_EQ(backtest.cells[2].metric, "memory_gib_per_gpu");
  ASSERT_EQ(backtest.skipped.size(), 1u);
  EXPECT_EQ(backtest.skipped[0].id, "b");
}

TEST(BacktestOfTraining, TimeTimesRateIsTheBatch) {
  const Backtest backtest = of_table(kHead + "a,h100-sxm5-80gb,llama-3-8b,8192,8,2,64,Megatron-Core,5,2e4,\n");
  ASSERT_EQ(backtest.cells.size(), 2u);
  EXPECT_NEAR(backtest.cells[0].predicted * backtest.cells[1].predicted * 8, 64.0 * 8192, 1e-3);
}

TEST(BacktestOfTraining, DoesNotLookAtWhatWasMeasured) {
  const Backtest one = of_table(kHead + "a,h100-sxm5-80gb,llama-3-8b,8192,8,2,64,Megatron-Core,5,,\n");
  const Backtest other = of_table(kHead + "a,h100-sxm5-80gb,llama-3-8b,8192,8,2,64,Megatron-Core,500,,\n");
  ASSERT_EQ(one.cells.size(), 1u);
  EXPECT_EQ(one.cells[0].predicted, other.cells[0].predicted);
}

TEST(BacktestOfTraining, CountsAssumptionsOverRows) {
  const Backtest backtest = of_table(kHead + "a,h100-sxm5-80gb,llama-3-8b,8192,8,2,64,Megatron-Core,5,,\n" +
                                     "b,h100-sxm5-80gb,llama-3-8b,8192,8,2,32,Megatron-Core,3,,\n");
  ASSERT_FALSE(backtest.assumed.empty());
  EXPECT_EQ(backtest.assumed.front().rows, 2);
}

}  // namespace
}  // namespace podwright::backtest_test
