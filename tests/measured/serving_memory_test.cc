// Memory of serving engines against published logs. Every row of a known model, GPU and engine is predicted from its
// configuration alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "calibration/backtest_serving.h"
#include "catalog/catalog.h"
#include "support/test_data.h"

namespace podwright::serving_memory_test {
namespace {

struct Prediction {
  std::string id;
  std::string metric;
  double measured = 0;
  double predicted = 0;
  std::string not_comparable;  ///< why this figure cannot be expected to agree; empty: it must

  double error() const { return predicted / measured - 1.0; }
};

/// Settings that the KV figures of a row depend on and that it does not print. Weights depend on none of them.
std::string not_comparable(const MeasuredServingMemoryRow& row, const BacktestCell& cell) {
  if (cell.given) return "the batch of the benchmark, not a capacity";
  if (cell.metric == "weights_gib_per_gpu" || row.open_settings.empty()) return "";
  return "the row does not print " + row.open_settings;
}

std::vector<Prediction> predictions(std::vector<std::string>& skipped) {
  const Catalog& catalog = embedded_catalog_facts();
  const auto table = read_measured_serving_memory(
      catalog, podwright_test_data("tests/measured/data/serving_memory.csv"), "memory.csv");
  std::vector<Prediction> out;
  if (!table) return out;
  for (const SkippedRow& row : table->skipped) skipped.push_back(row.id);
  for (const MeasuredServingMemoryRow& row : table->rows) {
    Backtest backtest;
    backtest_serving_memory(catalog, MeasuredServingMemory{.rows = {row}, .skipped = {}}, backtest);
    for (const SkippedRow& unpredicted : backtest.skipped) skipped.push_back(unpredicted.id);
    for (const BacktestCell& cell : backtest.cells)
      out.push_back({cell.id, cell.metric, cell.measured, cell.predicted, not_comparable(row, cell)});
  }
  return out;
}

bool is_pool(const std::string& metric) {
  return metric == "kv_cache_gib_per_gpu" || metric == "kv_tokens" || metric == "kv_blocks";
}

struct MetricErrors {
  double mean = 0;
  double worst = 0;
  std::string worst_id;
  int rows = 0;
};

MetricErrors errors_of(const std::vector<Prediction>& all, std::string_view metric) {
  MetricErrors e;
  for (const Prediction& p : all) {
    if (p.metric != metric || !p.not_comparable.empty()) continue;
    const double error = std::fabs(p.error());
    e.mean += error;
    e.rows += 1;
    if (error < e.worst) continue;
    e.worst = error;
    e.worst_id = p.id;
  }
  e.mean /= std::max(1, e.rows);
  return e;
}

class MeasuredServingMemory : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    rows_ = new std::vector<Prediction>(predictions(skipped_));
    std::printf("%-11s %-21s %12s %12s %8s  %s\n", "row", "quantity", "measured", "predicted", "error",
                "not comparable because");
    for (const Prediction& p : *rows_) {
      std::printf("%-11s %-21s %12.5g %12.5g %+7.2f%%  %s\n", p.id.c_str(), p.metric.c_str(), p.measured, p.predicted,
                  100 * p.error(), p.not_comparable.c_str());
    }
    for (const char* metric : {"max_batch", "weights_gib_per_gpu", "kv_cache_gib_per_gpu", "kv_tokens", "kv_blocks"}) {
      const MetricErrors e = errors_of(*rows_, metric);
      std::printf("%-21s %3d rows, mean error %.2f%%, worst %.2f%% (%s)\n", metric, e.rows, 100 * e.mean, 100 * e.worst,
                  e.worst_id.c_str());
    }
  }
  static void TearDownTestSuite() { delete rows_; }

  static std::vector<Prediction>* rows_;
  static std::vector<std::string> skipped_;
};
std::vector<Prediction>* MeasuredServingMemory::rows_ = nullptr;
std::vector<std::string> MeasuredServingMemory::skipped_;

TEST_F(MeasuredServingMemory, EveryRowIsPredicted) {
  EXPECT_TRUE(skipped_.empty()) << skipped_.size() << " rows, first " << skipped_.front();
}

TEST_F(MeasuredServingMemory, LargestBatchOfTensorRtLlmStaysWithinOnePercentOnAverage) {
  const MetricErrors e = errors_of(*rows_, "max_batch");
  EXPECT_EQ(e.rows, 48);
  EXPECT_LE(e.mean, 0.01);
  EXPECT_LE(e.worst, 0.08) << e.worst_id;
}

TEST_F(MeasuredServingMemory, KvCacheAgreesWithinTwoPercentWhereAllSettingsArePrinted) {
  for (const Prediction& p : *rows_) {
    if (!p.not_comparable.empty() || !is_pool(p.metric)) continue;
    EXPECT_LE(std::fabs(p.error()), 0.02) << p.id << " " << p.metric;
  }
}

TEST_F(MeasuredServingMemory, WeightsAgreeWithinOnePercent) {
  const MetricErrors e = errors_of(*rows_, "weights_gib_per_gpu");
  EXPECT_LE(e.worst, 0.01) << e.worst_id;
}

}  // namespace
}  // namespace podwright::serving_memory_test
