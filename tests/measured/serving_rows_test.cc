// Every published serving run can be read and laid out, and its figures are predicted.
#include <gtest/gtest.h>

#include <cstdio>
#include <optional>
#include <set>
#include <vector>

#include "calibration/backtest_serving.h"
#include "calibration/fit_serving.h"
#include "perf/layout_rules.h"
#include "support/test_data.h"

namespace podwright::serving_rows_test {
namespace {

constexpr double kMostSkipped = 0.08;

class MeasuredServingRows : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const auto read = read_measured_serving(embedded_catalog_facts(),
                                            podwright_test_data("tests/measured/data/serving.csv"), "serving.csv");
    ASSERT_TRUE(read) << read.error().front().path << ": " << read.error().front().message;
    table_ = new MeasuredServing(*read);
  }
  static void TearDownTestSuite() { delete table_; }
  static MeasuredServing* table_;
};
MeasuredServing* MeasuredServingRows::table_ = nullptr;

TEST_F(MeasuredServingRows, AreAllReadAsLegalDeployments) {
  EXPECT_EQ(table_->rows.size(), 2798u);
  for (const SkippedRow& skipped : table_->skipped) ADD_FAILURE() << skipped.id << ": " << skipped.reason;
  for (const MeasuredServingRow& row : table_->rows) {
    const ServingParallelism& p = row.run.parallelism;
    EXPECT_TRUE(serving_layout_problems(row.model, row.run).empty()) << row.id;
    EXPECT_EQ(p.tensor * p.pipeline * p.attention_data * p.data, row.gpu_count) << row.id;
    EXPECT_TRUE(row.catalog_engine) << row.id << " " << row.framework_text;
    EXPECT_FALSE(row.measured.empty()) << row.id;
  }
}

TEST_F(MeasuredServingRows, ArePredictedButForAFew) {
  Backtest backtest;
  backtest_serving(embedded_catalog_facts(), *table_, backtest);
  std::set<std::string> skipped;
  for (const SkippedRow& row : backtest.skipped) skipped.insert(row.id);
  std::printf("%d rows, %zu skipped\n", backtest.rows, skipped.size());
  EXPECT_LE(static_cast<double>(skipped.size()), kMostSkipped * backtest.rows);
  for (const BacktestCell& cell : backtest.cells) EXPECT_GT(cell.predicted, 0) << cell.id << " " << cell.metric;
}

// The fit takes no derivatives by constants that are said not to matter to a row.
TEST_F(MeasuredServingRows, AreNotMovedByConstantsOfOtherEnginesAndModels) {
  Catalog moved = embedded_catalog_facts();
  const auto figures = [&](const MeasuredServingRow& row) {
    std::vector<std::optional<double>> told;
    const ServingEstimate<NoTrace> estimate = estimate_of(moved, row);
    for (const Measured& cell : row.measured)
      told.push_back(estimate.performance ? predicted_figure(moved, row, *estimate.performance, cell.metric)
                                          : std::nullopt);
    return told;
  };
  int left_aside = 0;
  for (std::size_t i = 0; i < table_->rows.size(); i += 37) {
    const MeasuredServingRow& row = table_->rows[i];
    const auto before = figures(row);
    for (std::size_t constant = 0; constant < kServingConstants; ++constant) {
      if (may_move(static_cast<ServingConstant>(constant), row)) continue;
      double& value = moved.serving_efficiency.constants[constant].value;
      const double fitted = value;
      value *= 1.3;
      EXPECT_EQ(figures(row), before) << row.id << " " << serving_constant_word(static_cast<ServingConstant>(constant));
      value = fitted;
      ++left_aside;
    }
  }
  EXPECT_GT(left_aside, 1000);
}

// The same measurement stands in the table with 64 GPUs and with 8.
TEST_F(MeasuredServingRows, ThatStandTwiceAreTheSameDeployment) {
  const MeasuredServingRow* first = nullptr;
  int twins = 0;
  for (const MeasuredServingRow& row : table_->rows) {
    if (row.measured.front().metric != "ttft_ms" || row.measured.front().value != 3201.026) continue;
    twins += 1;
    if (first == nullptr) {
      first = &row;
      continue;
    }
    EXPECT_EQ(row.gpu_count, first->gpu_count);
    EXPECT_EQ(row.run.parallelism.attention_data, first->run.parallelism.attention_data);
    EXPECT_EQ(row.run.parallelism.expert, first->run.parallelism.expert);
  }
  EXPECT_EQ(twins, 2);
}

}  // namespace
}  // namespace podwright::serving_rows_test
