// The published training runs as the command line compares them.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "base/math.h"
#include "calibration/backtest.h"
#include "support/test_data.h"

namespace podwright::training_backtest_test {
namespace {

class TrainingBacktest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const Catalog& catalog = embedded_catalog_facts();
    const auto read = read_measured_training(
        catalog, podwright_test_data(std::string("tests/measured/data/") + GetParam()), GetParam());
    ASSERT_TRUE(read);
    measured_ = *read;
    backtest_training(catalog, measured_, backtest_);
  }

  MeasuredTraining measured_;
  Backtest backtest_;
};

TEST_P(TrainingBacktest, SkipsAtMostEightPercentOfTheRows) {
  std::set<std::string> ids;
  for (const SkippedRow& skipped : backtest_.skipped) ids.insert(skipped.id);
  EXPECT_LE(static_cast<double>(ids.size()), 0.08 * backtest_.rows);
}

TEST_P(TrainingBacktest, PredictsEveryMeasuredCellOnce) {
  std::set<std::string> without;
  for (const SkippedRow& skipped : backtest_.skipped) without.insert(skipped.id);
  std::set<std::pair<std::string, std::string>> predicted;
  for (const BacktestCell& cell : backtest_.cells) {
    EXPECT_TRUE(predicted.insert({cell.id, cell.metric}).second) << cell.id << " " << cell.metric;
    EXPECT_TRUE(std::isfinite(cell.predicted) && cell.predicted > 0) << cell.id;
  }
  for (const MeasuredTrainingRow& row : measured_.rows)
    for (const Measured& cell : row.measured)
      EXPECT_TRUE(without.count(row.id) > 0 || predicted.count({row.id, cell.metric}) > 0)
          << row.id << " " << cell.metric;
}

INSTANTIATE_TEST_SUITE_P(Files, TrainingBacktest,
                         ::testing::Values("training.csv", "training_adapters.csv", "training_nanotron.csv",
                                           "training_single_node.csv"));

TEST(AdapterRows, AreNear) {
  const Catalog& catalog = embedded_catalog_facts();
  const auto read =
      read_measured_training(catalog, podwright_test_data("tests/measured/data/training_adapters.csv"), "");
  ASSERT_TRUE(read);
  Backtest backtest;
  backtest_training(catalog, *read, backtest);
  std::map<std::string, std::vector<double>> errors;
  for (const BacktestCell& cell : backtest.cells)
    errors[label_of(cell.labels, "method") + " " + cell.metric].push_back(std::fabs(cell.error()));
  for (const std::string method : {"lora", "full"}) {
    EXPECT_LE(math::quantile(errors[method + " step_time_s"], 0.5), 0.12) << method;
    EXPECT_LE(math::quantile(errors[method + " memory_p99_reserved_gib"], 0.5), 0.08) << method;
    EXPECT_LE(math::quantile(errors[method + " memory_allocated_avg_gib"], 0.5), 0.03) << method;
  }
}

}  // namespace
}  // namespace podwright::training_backtest_test
