#include "calibration/backtest_serving.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace podwright::backtest_serving_test {
namespace {

const Catalog& catalog() { return embedded_catalog_facts(); }

const std::string kHead =
    "id,source,gpu_id,model_id,framework,framework_version,num_gpus,tp,precision,input_len,output_len,load_kind,"
    "concurrency_or_batch,request_rate,ttft_ms,tpot_or_itl_ms,output_tokens_per_s,total_tokens_per_s,"
    "output_tokens_per_s_per_gpu,requests_per_s,requests\n";

MeasuredServing table_of(const std::string& lines) {
  const auto table = read_measured_serving(catalog(), kHead + lines, "runs.csv");
  EXPECT_TRUE(table) << (table ? "" : table.error().front().message);
  return table ? *table : MeasuredServing{};
}

Backtest backtest_of(const std::string& lines) {
  Backtest backtest;
  backtest_serving(catalog(), table_of(lines), backtest);
  return backtest;
}

double predicted(const Backtest& backtest, const std::string& metric) {
  for (const BacktestCell& cell : backtest.cells)
    if (cell.metric == metric) return cell.predicted;
  ADD_FAILURE() << "no prediction of " << metric;
  return 0;
}

const std::string kRow = "a,s,h100-sxm5-80gb,llama-3-8b,vLLM,0.12.0,1,1,bf16,1024,256,concurrency,16,,1,1,1,1,1,1,\n";

TEST(BacktestServing, PredictsEveryMeasuredCell) {
  const Backtest backtest = backtest_of(kRow);
  EXPECT_EQ(backtest.rows, 1);
  ASSERT_EQ(backtest.cells.size(), 6u);
  EXPECT_TRUE(backtest.skipped.empty());
  const double requests = predicted(backtest, "requests_per_s");
  EXPECT_NEAR(predicted(backtest, "output_tokens_per_s"), 256 * requests, 1e-6 * 256 * requests);
  EXPECT_NEAR(predicted(backtest, "total_tokens_per_s"), 1280 * requests, 1e-6 * 1280 * requests);
  EXPECT_NEAR(predicted(backtest, "output_tokens_per_s_per_gpu"), 256 * requests, 1e-6 * 256 * requests);
}

TEST(BacktestServing, OfPromptsCountsInputTokens) {
  const Backtest backtest =
      backtest_of("a,s,rtx-4090,llama-3-8b,llama.cpp,,1,1,Q4_K_M,512,0,static_batch,1,,,,,2402,,1,\n");
  EXPECT_NEAR(predicted(backtest, "total_tokens_per_s"), 512 * predicted(backtest, "requests_per_s"), 1e-6);
}

TEST(BacktestServing, TellsWhyARowIsNotPredicted) {
  const Backtest backtest =
      backtest_of("a,s,abacus,llama-3-8b,vLLM,0.12.0,1,1,bf16,1024,256,concurrency,16,,1,1,1,1,1,1,\n" + kRow);
  ASSERT_EQ(backtest.skipped.size(), 1u);
  EXPECT_NE(backtest.skipped[0].reason.find("abacus"), std::string::npos);
  EXPECT_EQ(backtest.rows, 2);
}

TEST(BacktestServing, ARunThatRanHadTheMemoryItNeeded) {
  const Backtest backtest =
      backtest_of("a,s,l4,llama-3-70b,vLLM,0.12.0,2,2,fp8,1024,256,concurrency,1,,1,1,1,1,1,1,\n");
  EXPECT_TRUE(backtest.skipped.empty());
  ASSERT_FALSE(backtest.assumed.empty());
  EXPECT_NE(backtest.assumed.front().assumption.find("the run fitted"), std::string::npos);
}

TEST(BacktestServing, GroupsByTheKeysOfServing) {
  const Backtest backtest =
      backtest_of(kRow + "b,s,h100-sxm5-80gb,mixtral-8x7b-v0.1,SGLang,0.5.9,4,4,fp8,1024,256,offline,,,,,1,,,,\n");
  const auto groups = backtest_groups(backtest.cells, {"engine", "load_kind", "architecture", "model_id"});
  const auto of_output = [](const BacktestGroup& group) { return group.metric == "output_tokens_per_s"; };
  ASSERT_EQ(std::count_if(groups.begin(), groups.end(), of_output), 2);
  EXPECT_EQ(groups.back().values.front(), "vllm");
  const auto first_token =
      std::find_if(groups.begin(), groups.end(), [](const auto& g) { return g.metric == "ttft_ms"; });
  ASSERT_NE(first_token, groups.end());
  EXPECT_TRUE(first_token->median_log_error);
  EXPECT_FALSE(groups.back().median_log_error);
}

TEST(MeanAdmissionWait, IsThatOfAQueueThatGrowsWhileRequestsArrive) {
  // 4 requests at once, one place, one completed a second: they wait 0, 0, 1 and 2 s for the places before them.
  EXPECT_NEAR(raw(mean_admission_wait(4, 1, PerSecond(1e9), PerSecond(1))), 3.0 / 4, 1e-6);
  EXPECT_EQ(mean_admission_wait(100, 1, PerSecond(1), PerSecond(2)), Seconds(0));
  EXPECT_EQ(mean_admission_wait(0, 1, PerSecond(1), PerSecond(2)), Seconds(0));
}

TEST(LeftOutServing, PredictsEachGroupByAFitThatDidNotSeeIt) {
  const std::vector<MeasuredServing> tables{
      table_of(kRow + "b,t,h100-sxm5-80gb,llama-3-8b,vLLM,0.12.0,1,1,bf16,1024,256,concurrency,16,,1,,,,,,\n" +
               "c,s,l40s,llama-3-8b,vLLM,0.12.0,1,1,bf16,1024,256,concurrency,16,,1,,,,,,\n")};
  std::vector<std::vector<std::string>> seen;
  const FitServing fit = [&](const std::vector<const MeasuredServingRow*>& rows) -> Result<Catalog> {
    seen.emplace_back();
    for (const MeasuredServingRow* row : rows) seen.back().push_back(row->id);
    return catalog();
  };
  const auto silent = [](const std::string&) {};
  const auto both = left_out_serving(tables, {}, {"source", "gpu_id"}, fit, silent);
  ASSERT_TRUE(both);
  EXPECT_EQ(seen, (std::vector<std::vector<std::string>>{{"b", "c"}, {"a", "b"}, {"a", "c"}}));  // groups in order
  EXPECT_EQ(both->cells.size(), 8u);
  EXPECT_EQ(both->cells.front().id, "a");
  EXPECT_EQ(both->cells.back().id, "c");
  const auto all = left_out_serving(tables, {}, {"model_id"}, fit, silent);
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().front().code, "conflict");
  EXPECT_TRUE(left_out_serving(tables,
                               {table_of("d,u,l40s,qwen3-32b,vLLM,0.12.0,2,2,bf16,9,9,concurrency,1,,1,,,,,,\n")},
                               {"model_id"}, fit, silent));
}

TEST(LeftOutServing, TellsAllThatWasAssumed) {
  const std::vector<MeasuredServing> tables{
      table_of(kRow + "m,t,h100-sxm5-80gb,llama-3-70b,vLLM,0.12.0,1,1,bf16,1024,256,concurrency,16,,1,,,,,,\n")};
  const FitServing fit = [&](const auto&) -> Result<Catalog> { return catalog(); };
  const auto left_out = left_out_serving(tables, {}, {"source"}, fit, [](const std::string&) {});
  ASSERT_TRUE(left_out);
  Backtest in_fit;
  backtest_serving(catalog(), tables.front(), in_fit);
  const auto sentences = [](const Backtest& backtest) {
    std::vector<std::string> told;
    for (const AssumedOften& assumed : backtest.assumed) told.push_back(assumed.assumption);
    return told;
  };
  EXPECT_EQ(sentences(*left_out), sentences(in_fit));
  EXPECT_EQ(in_fit.assumed.front().assumption, "the run fitted its GPUs, though it is not expected to");
}

/// A 70B model on one GPU of 80 GB, with the cells for num_gpus, tp and precision.
Backtest backtest_of_70b(const std::string& cells) {
  return backtest_of("a,s,h100-sxm5-80gb,llama-3.1-70b,vLLM,0.12.0," + cells +
                     ",1024,256,concurrency,16,,1,1,1,1,1,1,\n");
}

// The run took place, so that what was assumed about it is wrong.
TEST(BacktestServing, LeavesOutARowThatWouldNotFitAsAssumed) {
  for (const auto& [cells, missing] : {std::pair{",,", "Give precision and num_gpus in the table."},
                                       {"1,1,", "Give precision in the table."},
                                       {",,bf16", "Give num_gpus in the table."}}) {
    const Backtest backtest = backtest_of_70b(cells);
    EXPECT_TRUE(backtest.cells.empty());
    EXPECT_TRUE(backtest.of_rows.empty());
    ASSERT_EQ(backtest.skipped.size(), 1u);
    const std::string& reason = backtest.skipped.front().reason;
    EXPECT_NE(reason.find(missing), std::string::npos) << reason;
    EXPECT_NE(reason.find("As assumed, the run does not fit 1 x H100 SXM5 80GB with weights in bf16."),
              std::string::npos)
        << reason;
    EXPECT_NE(reason.find("(79."), std::string::npos) << reason;
  }
}

TEST(BacktestServing, SaysOfEachRowWhatWasAssumed) {
  const Backtest fits = backtest_of_70b("4,4,");
  ASSERT_EQ(fits.of_rows.size(), 1u);
  EXPECT_EQ(fits.of_rows.front().id, "a");
  const auto has = [](const Backtest& backtest, std::string_view part) {
    const auto& all = backtest.of_rows.at(0).assumptions;
    return std::any_of(all.begin(), all.end(),
                       [&](const std::string& one) { return one.find(part) != std::string::npos; });
  };
  EXPECT_TRUE(has(fits, "weights in bf16"));
  EXPECT_FALSE(has(fits, "the run fitted its GPUs"));
  // The row says it all: what is predicted is a GPU with more memory, and that is said.
  EXPECT_TRUE(has(backtest_of_70b("1,1,bf16"), "the run fitted its GPUs"));
  EXPECT_TRUE(
      has(backtest_of("a,s,h100-sxm5-80gb,llama-3-8b,vLLM,0.12.0,,,bf16,1024,256,concurrency,16,,1,1,1,1,1,1,\n"),
          "num_gpus is not given"));
}

}  // namespace
}  // namespace podwright::backtest_serving_test
