#include "calibration/own_runs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/json_read.h"

namespace podwright::own_runs_test {
namespace {

const Catalog& catalog() { return embedded_catalog_facts(); }

MeasuredTables serving(int rows) {
  std::string csv = "model,gpu,num_gpus,tp,concurrency,input_len,output_len,engine,tpot_ms\n";
  for (int i = 0; i < rows; ++i) csv += "llama-3.1-70b,H100 SXM,4,4," + std::to_string(2 << i) + ",1024,512,vLLM,1\n";
  const auto table = read_measured_serving(catalog(), csv, "runs.csv");
  EXPECT_TRUE(table) << table.error().front().message;
  return {.training = {}, .serving = {*table}, .serving_memory = {}};
}

MeasuredTables training(int rows) {
  std::string csv = "model,gpu,num_gpus,tp,seq_len,global_batch,framework,step_time_s,memory_gib_per_gpu\n";
  for (int i = 0; i < rows; ++i)
    csv += "llama-3.1-8b,H100 SXM,64,2,8192," + std::to_string(64 << i) + ",Megatron-Core,1,1\n";
  const auto table = read_measured_training(catalog(), csv, "runs.csv");
  EXPECT_TRUE(table) << table.error().front().message;
  return {.training = {*table}, .serving = {}, .serving_memory = {}};
}

/// What was measured is what is predicted once `change` has altered the runs, times the scale of its row.
template <class Change, class Scale>
OwnRuns own(MeasuredTables tables, const Change& change, const Scale& scale) {
  MeasuredTables as_ran = tables;
  for (auto& table : as_ran.serving)
    for (auto& row : table.rows) change(row);
  for (auto& table : as_ran.training)
    for (auto& row : table.rows) change(row);
  const Backtest truth = backtest_all(catalog(), as_ran);
  std::size_t cell = 0;
  const auto measure = [&](auto& list) {
    for (auto& table : list)
      for (auto& row : table.rows)
        for (Measured& measured : row.measured) {
          measured.value = truth.cells.at(cell).predicted * scale(static_cast<int>(cell));
          ++cell;
        }
  };
  measure(tables.training);
  measure(tables.serving);
  return own_runs(catalog(), tables, backtest_all(catalog(), tables)).front();
}

const auto kAsItIs = [](auto&) {};
const auto kExactly = [](int) { return 1.0; };
const auto kInstalled = [](auto& row) { row.run.tuning = Tuning::as_installed; };

TEST(OwnRuns, ThatFitNeedNothing) {
  const OwnRuns runs = own(serving(5), kAsItIs, kExactly);
  EXPECT_EQ(runs.figures, "serving");
  EXPECT_EQ(runs.rows, 5);
  EXPECT_EQ(runs.cells, 5);
  EXPECT_EQ(runs.inside, 5);
  EXPECT_NEAR(runs.median_error, 0, 1e-12);
  EXPECT_EQ(runs.advice.code, "own-runs/good");
  EXPECT_TRUE(runs.set.empty());
}

TEST(OwnRuns, WithAnotherSettingAreToldIt) {
  const auto blocking = [](auto& row) {
    if constexpr (requires { row.run.overlap; }) row.run.overlap = false;
  };
  MeasuredTables tables = training(3);
  for (auto& row : tables.training.front().rows) row.run.parallelism.tensor = 8, row.run.parallelism.data = 8;
  const OwnRuns runs = own(tables, blocking, kExactly);
  EXPECT_EQ(runs.figures, "training");
  ASSERT_EQ(runs.set.size(), 1u) << runs.says.text() << runs.advice.text();
  EXPECT_EQ(runs.set.front().text(), R"({"overlap":false})");
  EXPECT_EQ(runs.advice.code, "own-runs/set");
  EXPECT_NE(runs.says.text().find("3 runs are slower than predicted"), std::string::npos) << runs.says.text();
  EXPECT_NEAR(runs.tried.front().median_error, 0, 1e-12);
  EXPECT_GT(runs.median_error, kRepeats);
}

TEST(OwnRuns, OfAWorseTuningAreToldIt) {
  MeasuredTables tables = serving(3);
  for (auto& row : tables.serving.front().rows) row.run.tuning = Tuning::tuned;
  const OwnRuns runs = own(tables, kInstalled, kExactly);
  ASSERT_EQ(runs.set.size(), 1u) << runs.advice.text();
  EXPECT_EQ(runs.set.front().text(), R"({"tuning":"as-installed"})");
}

// Nothing that a request says is tried where the row says otherwise.
TEST(OwnRuns, KeepWhatTheirTableSays) {
  MeasuredTables tables = training(3);
  for (auto& row : tables.training.front().rows) row.overlap_given = true;
  for (const TriedSetting& tried : own(tables, kAsItIs, kExactly).tried)
    EXPECT_EQ(tried.set.text().find("overlap"), std::string::npos);
}

// A setting is advised for the runs whose table does not say it: the others have it as it is.
TEST(OwnRuns, SaySomeOfTheSettingThemselves) {
  MeasuredTables tables = training(3);
  for (auto& row : tables.training.front().rows) row.run.parallelism.tensor = 8, row.run.parallelism.data = 8;
  tables.training.front().rows.front().overlap_given = true;
  tables.training.front().rows.front().run.overlap = false;
  const OwnRuns runs = own(
      tables,
      [](auto& row) {
        if constexpr (requires { row.run.overlap; }) row.run.overlap = false;
      },
      kExactly);
  ASSERT_EQ(runs.set.size(), 1u) << runs.advice.text();
  EXPECT_EQ(runs.set.front().text(), R"({"overlap":false})");
  EXPECT_NE(runs.advice.text().find("for runs that do not state it (2 of these 3)"), std::string::npos)
      << runs.advice.text();
}

TEST(OwnRuns, ThatNoSettingExplainsGetAFactorFromFiveRowsOn) {
  const auto faster = [](int cell) { return 1 / (3.0 + 0.1 * cell); };
  const OwnRuns runs = own(serving(5), kAsItIs, faster);
  ASSERT_EQ(runs.factors.size(), 1u) << runs.advice.text();
  EXPECT_EQ(runs.factors.front().metric, "tpot_or_itl_ms");
  EXPECT_NEAR(runs.factors.front().factor, 1 / 3.2, 1e-9);
  EXPECT_NEAR(runs.factors.front().low, 0.6 / 3.4 + 0.4 / 3.3, 1e-9);
  EXPECT_NEAR(runs.factors.front().high, 0.6 / 3 + 0.4 / 3.1, 1e-9);
  EXPECT_NE(runs.advice.text().find("Multiply tpot_or_itl_ms by 0.31"), std::string::npos) << runs.advice.text();
  const OwnRuns few = own(serving(4), kAsItIs, faster);
  EXPECT_EQ(few.advice.code, "own-runs/few");
  EXPECT_TRUE(few.factors.empty());
}

TEST(OwnRuns, ThatScatterGetNoFactor) {
  const OwnRuns runs = own(serving(6), kAsItIs, [](int cell) { return cell % 2 == 0 ? 5.0 : 0.2; });
  EXPECT_EQ(runs.advice.code, "own-runs/scattered");
}

TEST(OwnRuns, CountFasterRatesAsFasterRuns) {
  std::string csv = "model,gpu,tp,concurrency,input_len,output_len,output_tokens_per_s\n";
  csv += "llama-3.1-8b,H100 SXM,1,8,512,512,1\n";
  const auto table = read_measured_serving(catalog(), csv, "runs.csv");
  ASSERT_TRUE(table);
  const MeasuredTables tables{.training = {}, .serving = {*table}, .serving_memory = {}};
  const OwnRuns fast = own(tables, kAsItIs, [](int) { return 2.0; });
  EXPECT_NEAR(fast.median_ratio, 0.5, 1e-12);
  EXPECT_NE(fast.says.text().find("1 run is faster than predicted"), std::string::npos) << fast.says.text();
}

}  // namespace
}  // namespace podwright::own_runs_test
