// Replays of published runs whose traffic is described: every run that ran is answered, and medians of today do not
// get worse. The table of docs/method/replay.md shows what they are.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "api/backtest_traffic.h"
#include "base/math.h"
#include "replay/staged_load.h"
#include "support/test_data.h"

namespace podwright::traffic_test {
namespace {

class TrafficRuns : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const auto table = read_measured_traffic(embedded_catalog_facts(),
                                             podwright_test_data("tests/measured/data/traffic.csv"), "traffic.csv");
    ASSERT_TRUE(table);
    table_ = *table;
    backtest_traffic(embedded_catalog_facts(), {table_}, backtest_);
  }
  static double median(const std::string& metric, const std::string& key = "", const std::string& value = "") {
    std::vector<double> errors;
    for (const BacktestCell& cell : backtest_.cells)
      if (cell.metric == metric && (key.empty() || label_of(cell.labels, key) == value))
        errors.push_back(std::fabs(cell.error()));
    return errors.empty() ? 1e9 : math::quantile(errors, 0.5);
  }
  static MeasuredTraffic table_;
  static Backtest backtest_;
};
MeasuredTraffic TrafficRuns::table_;
Backtest TrafficRuns::backtest_;

TEST_F(TrafficRuns, EveryRunThatIsNotSetAsideIsAnswered) {
  EXPECT_GE(table_.rows.size(), 250U);
  // Below the limit on a table's requests.
  double requests = 0;
  for (const MeasuredTrafficRow& row : table_.rows) requests += replay::staged_count(row.load);
  EXPECT_LT(requests, 1e6);
  for (const SkippedRow& skipped : backtest_.skipped) EXPECT_EQ(skipped.code, kSetAside) << skipped.id;
  std::map<std::string, std::size_t> cells;
  for (const BacktestCell& cell : backtest_.cells) ++cells[cell.id];
  for (const MeasuredTrafficRow& row : table_.rows) EXPECT_EQ(cells[row.id], row.measured.size()) << row.id;
}

TEST_F(TrafficRuns, MediansDoNotGetWorse) {
  EXPECT_LE(median("output_tokens_per_s"), 0.18);
  EXPECT_LE(median("request_ms"), 0.34);
  EXPECT_LE(median("tpot_or_itl_ms"), 0.16);
  EXPECT_LE(median("ttft_ms"), 0.49);
  EXPECT_LE(median("ttft_ms", "load_kind", "concurrency"), 0.2);
  EXPECT_LE(median("output_tokens_per_s", "source", "llm-d kv-cache benchmark, 37 % of the cache"), 0.04);
}

TEST_F(TrafficRuns, StagesAreRequestsASecondTimesSeconds) {
  const auto& rows = table_.rows;
  ASSERT_FALSE(rows.empty());
  EXPECT_EQ(rows.front().load.stages.size(), 2U);
  EXPECT_EQ(rows.front().load.stages.front().requests_per_s, 15);
  EXPECT_EQ(rows.front().load.stages.front().seconds, 50);
  EXPECT_EQ(rows.front().run.load.value, 3);
}

TEST(TrafficFile, RowsBeyondAMillionRequestsAreSkipped) {
  const std::string head =
      "id,gpu_id,model_id,framework,num_gpus,tp,input_len,output_len,request_rate,stages,ttft_ms\n";
  const std::string run = ",h100-sxm5-80gb,llama-3.1-8b,vllm,1,1,100,10,1,";
  const auto table = read_measured_traffic(
      embedded_catalog_facts(), head + "a" + run + "2x10,50\nb" + run + "1000x999,50\nc" + run + "1x10,50\n", "t.csv");
  ASSERT_TRUE(table);
  ASSERT_EQ(table->rows.size(), 3U);
  MeasuredTraffic first = *table, second = *table;
  first.rows.erase(first.rows.begin() + 1);
  second.rows.erase(second.rows.begin());
  second.rows.front().load.stages.front().seconds = 1000;  // a million with this row, and more with what was before
  Backtest backtest;
  backtest_traffic(embedded_catalog_facts(), {first, second}, backtest);
  ASSERT_EQ(backtest.skipped.size(), 2U);
  EXPECT_EQ(backtest.skipped[0].id, "b");
  EXPECT_EQ(backtest.skipped[1].code, "too-large");
  EXPECT_EQ(backtest.cells.size(), 2U);
}

TEST(TrafficFile, SaysWhyARowCannotBeReplayed) {
  const std::string head =
      "id,gpu_id,model_id,framework,num_gpus,tp,input_len,output_len,stages,system_prompt_tokens,routing,ttft_ms\n";
  for (const char* wrong : {"3x,,", "1e9x1e9,,", "3x20,5000,", "3x20,,nearest", ",,"}) {
    const auto table = read_measured_traffic(
        embedded_catalog_facts(), head + "a,h100-sxm5-80gb,llama-3.1-8b,vllm,1,1,1000,100," + wrong + ",50\n", "t.csv");
    ASSERT_TRUE(table) << wrong;
    EXPECT_TRUE(table->rows.empty()) << wrong;
    ASSERT_EQ(table->skipped.size(), 1U) << wrong;
    EXPECT_FALSE(table->skipped.front().reason.empty()) << wrong;
  }
}

}  // namespace
}  // namespace podwright::traffic_test
