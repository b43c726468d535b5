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
  EXPECT_EQ(table_->rows.size(), 4300u);
  // Those that are set aside say why in their own column.
  EXPECT_EQ(table_->skipped.size(), 255u);
  const std::string text(podwright_test_data("tests/measured/data/serving.csv"));
  for (const SkippedRow& skipped : table_->skipped)
    EXPECT_NE(text.find(skipped.reason), std::string::npos) << skipped.id << ": " << skipped.reason;
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
      told.push_back(estimate.performance ? predicted_figure(moved, row, estimate, cell.metric) : std::nullopt);
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

// The same measurement stands in the table with 64 GPUs and with 8: one of them is set aside.
TEST_F(MeasuredServingRows, ThatStandTwiceCountOnce) {
  const auto counts = [&](std::string_view id) {
    return std::any_of(table_->rows.begin(), table_->rows.end(),
                       [&](const MeasuredServingRow& row) { return row.id == id; });
  };
  EXPECT_TRUE(counts("ix-0279"));
  EXPECT_FALSE(counts("ix-1051"));
}

}  // namespace
}  // namespace podwright::serving_rows_test
