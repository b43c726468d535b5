// How far the fitted constants come from the published runs that they were fitted on: medians of today with a fifth to
// spare, so that a change that loses accuracy is seen. What runs that no fit saw come to stands in
// docs/method/accuracy.md.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/math.h"
#include "calibration/backtest_serving.h"
#include "calibration/fit_serving.h"
#include "support/test_data.h"

namespace podwright::serving_accuracy_test {
namespace {

struct Cells {
  std::vector<double> errors;  ///< absolute and relative
  double covered = 0;
  double with_interval = 0;

  double median() const { return math::quantile(errors, 0.5); }
  double coverage() const { return with_interval > 0 ? covered / with_interval : 0; }
};

class ServingAccuracy : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const Catalog& catalog = embedded_catalog_facts();
    const auto table =
        read_measured_serving(catalog, podwright_test_data("tests/measured/data/serving.csv"), "serving.csv");
    ASSERT_TRUE(table);
    std::map<std::string, const MeasuredServingRow*> rows;
    for (const MeasuredServingRow& row : table->rows) rows[row.id] = &row;
    Backtest backtest;
    backtest_serving(catalog, *table, backtest);
    for (const BacktestCell& cell : backtest.cells) {
      const MeasuredServingRow& row = *rows.at(cell.id);
      if (cell.given || !row.as_it_ran()) continue;
      const std::string metric(serving_metric_class(row, cell.metric));
      if (row.run.engine == "llama.cpp")
        add("llama.cpp " + metric, cell);
      else
        add(metric + (row.run.tuning == Tuning::tuned ? "" : ", not tuned,") +
                (row.model.experts > 0 ? " moe" : " dense"),
            cell);
      if (row.run.engine != "tensorrt-llm" || metric != "throughput" || row.run.load.kind != LoadKind::max_throughput)
        continue;
      for (const char* version : {"0.14", "1."})
        if (row.framework_version.rfind(version, 0) == 0) add(std::string("offline tensorrt-llm ") + version, cell);
    }
    for (const auto& [name, group] : groups_)
      std::printf("%-24s %5zu cells, median %5.1f %%, inside the interval %5.1f %%\n", name.c_str(),
                  group.errors.size(), 100 * group.median(), 100 * group.coverage());
  }
  static void add(const std::string& name, const BacktestCell& cell) {
    Cells& group = groups_[name];
    group.errors.push_back(std::fabs(cell.error()));
    if (const auto inside = cell.covered()) {
      group.with_interval += 1;
      group.covered += *inside ? 1 : 0;
    }
  }
  static double median(const std::string& name) {
    const auto found = groups_.find(name);
    EXPECT_TRUE(found != groups_.end() && found->second.errors.size() >= 15) << name;
    return found == groups_.end() ? 1 : found->second.median();
  }
  static std::map<std::string, Cells> groups_;
};
std::map<std::string, Cells> ServingAccuracy::groups_;

TEST_F(ServingAccuracy, TimePerOutputToken) {
  EXPECT_LE(median("tpot dense"), 0.07);
  EXPECT_LE(median("tpot moe"), 0.12);
}

TEST_F(ServingAccuracy, TimeToFirstToken) {
  EXPECT_LE(median("ttft dense"), 0.22);
  EXPECT_LE(median("ttft moe"), 0.25);
}

TEST_F(ServingAccuracy, OfflineThroughput) {
  EXPECT_LE(median("offline tensorrt-llm 1."), 0.10);
  EXPECT_LE(median("offline tensorrt-llm 0.14"), 0.09);
}

TEST_F(ServingAccuracy, LlamaCpp) {
  EXPECT_LE(median("llama.cpp throughput"), 0.07);
  EXPECT_LE(median("llama.cpp prompt"), 0.13);
}

TEST_F(ServingAccuracy, IntervalsHoldNineTenthsOfWhatTheyWereFittedOn) {
  for (const char* name : {"tpot dense", "tpot moe", "ttft dense", "ttft moe"}) {
    const auto group = groups_.find(name);
    ASSERT_NE(group, groups_.end()) << name;
    EXPECT_EQ(group->second.with_interval, static_cast<double>(group->second.errors.size())) << name;
    EXPECT_GE(group->second.coverage(), 0.85) << name;
    EXPECT_LE(group->second.coverage(), 0.95) << name;
  }
}

}  // namespace
}  // namespace podwright::serving_accuracy_test
