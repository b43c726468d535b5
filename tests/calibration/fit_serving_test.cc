#include "calibration/fit_serving.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/math.h"
#include "base/number_text.h"
#include "calibration/calibration.h"

namespace podwright::fit_serving_test {
namespace {

const std::string kHead =
    "id,source,gpu_id,model_id,framework,framework_version,num_gpus,tp,precision,input_len,output_len,load_kind,"
    "concurrency_or_batch,ttft_ms,tpot_or_itl_ms\n";

std::string row_text(const std::string& source, const std::string& model, int tensor, int clients) {
  const std::string ranks = std::to_string(tensor);
  const std::string id = source + "-" + model + "-" + ranks + "-" + std::to_string(clients);
  return id + "," + source + ",h100-sxm5-80gb," + model + ",vLLM,0.12.0," + ranks + "," + ranks +
         ",bf16,1024,512,concurrency," + std::to_string(clients) + ",1,1\n";
}

/// Runs of one engine on one GPU; `source` of every second row is another one.
std::string table() {
  std::string csv = kHead;
  bool even = true;
  for (const char* model : {"llama-3-8b", "qwen2.5-7b", "qwen3-14b"})
    for (const int tensor : {1, 2})
      for (const int clients : {1, 8, 32, 96}) {
        csv += row_text(even ? "even" : "odd", model, tensor, clients);
        even = !even;
      }
  return csv;
}

class FitOfServing : public ::testing::Test {
 protected:
  void SetUp() override { read(table()); }
  void read(const std::string& csv) {
    auto read = read_measured_serving(catalog_, csv, "runs.csv");
    ASSERT_TRUE(read);
    measured_ = std::move(*read);
    ASSERT_TRUE(measured_.skipped.empty());
    rows_.clear();
    for (const MeasuredServingRow& row : measured_.rows) rows_.push_back(&row);
  }
  /// Constants at their priors, no factor of an engine.
  Catalog at_priors() const {
    Catalog catalog = catalog_;
    for (EfficiencyConstant& constant : catalog.serving_efficiency.constants) constant.value = constant.prior;
    for (EngineSoftware& software : catalog.serving_efficiency.software) software.factors = {};
    return catalog;
  }
  double predicted(const Catalog& catalog, const MeasuredServingRow& row, std::string_view metric) const {
    const ServingEstimate<NoTrace> estimate = estimate_of(catalog, row);
    EXPECT_TRUE(estimate.performance) << row.id;
    return estimate.performance ? predicted_figure(catalog, row, estimate, metric).value_or(0) : 0;
  }
  /// Sets what was measured to what the model says with constants of its own.
  void measure_with(const Catalog& truth) {
    for (MeasuredServingRow& row : measured_.rows)
      for (Measured& cell : row.measured) cell.value = predicted(truth, row, cell.metric);
  }
  std::vector<const MeasuredServingRow*> rows_of(const std::string& source) const {
    std::vector<const MeasuredServingRow*> some;
    for (const MeasuredServingRow* row : rows_)
      if (row->source == source) some.push_back(row);
    return some;
  }
  /// Largest difference between two catalogs' predictions, as a share.
  double farthest(const Catalog& one, const Catalog& other, std::string_view metric) const {
    double most = 0;
    for (const MeasuredServingRow* row : rows_)
      most = std::max(most, std::fabs(predicted(one, *row, metric) / predicted(other, *row, metric) - 1));
    return most;
  }

  const Catalog& catalog_ = embedded_catalog_facts();
  MeasuredServing measured_;
  std::vector<const MeasuredServingRow*> rows_;
};

TEST_F(FitOfServing, RecoversTheTimesOfAChangedConstant) {
  constexpr auto kStart = static_cast<std::size_t>(ServingConstant::layer_start_s);
  Catalog truth = at_priors();
  truth.serving_efficiency.constants[kStart].value *= 1.5;
  measure_with(truth);
  const ServingFit fit(catalog_, rows_);
  EXPECT_EQ(fit.fitted_rows(), 24);
  const double before = farthest(at_priors(), truth, "tpot_or_itl_ms");
  EXPECT_GT(before, 0.04);
  EXPECT_LT(farthest(fit.whole(), truth, "tpot_or_itl_ms"), 0.02);
  EXPECT_LT(farthest(fit.whole(), truth, "tpot_or_itl_ms"), before / 4);
  EXPECT_LT(farthest(fit.whole(), truth, "ttft_ms"), 0.05);
  // Other times that each step takes tell most of it.
  const EfficiencyConstant& fitted = fit.whole().serving_efficiency.constants[kStart];
  EXPECT_GT(fitted.value, fitted.prior);
  EXPECT_LT(fitted.value, 1.5 * fitted.prior);
}

TEST_F(FitOfServing, KeepsThePriorOfWhatNoRunSpeaksOf) {
  measure_with(at_priors());
  const ServingFit fit(catalog_, rows_);
  for (const ServingConstant which : {ServingConstant::gemm_4_bit, ServingConstant::expert_weights_8_bit,
                                      ServingConstant::stage_start_s, ServingConstant::file_kv}) {
    const EfficiencyConstant& constant = fit.whole().serving_efficiency.constant(which);
    EXPECT_NEAR(constant.value, constant.prior, 1e-9 * constant.prior) << serving_constant_word(which);
  }
}

TEST_F(FitOfServing, WithoutSomeRowsIsCloseToAFitOfTheOthers) {
  Catalog truth = at_priors();
  for (const ServingConstant which : {ServingConstant::weights_16_bit, ServingConstant::kv_16_bit})
    truth.serving_efficiency.constants[static_cast<std::size_t>(which)].value *= 0.9;
  measure_with(truth);
  const auto even = rows_of("even");
  const Catalog refitted = *ServingFit(catalog_, rows_).without(even);
  const Catalog alone = ServingFit(catalog_, even).whole();
  EXPECT_LT(farthest(refitted, alone, "tpot_or_itl_ms"), 0.01);
  EXPECT_LT(farthest(refitted, alone, "ttft_ms"), 0.02);
}

TEST_F(FitOfServing, WithoutSomeRowsHardlyFollowsThem) {
  measure_with(at_priors());
  const auto even = rows_of("even");
  const Catalog before = *ServingFit(catalog_, rows_).without(even);
  // What one source measured becomes slower by a third: the fit without it must stay where it was.
  for (MeasuredServingRow& row : measured_.rows)
    if (row.source == "odd")
      for (Measured& cell : row.measured) cell.value *= 1.33;
  const ServingFit moved(catalog_, rows_);
  EXPECT_GT(farthest(moved.whole(), before, "tpot_or_itl_ms"), 0.1);
  EXPECT_LT(farthest(*moved.without(even), before, "tpot_or_itl_ms"), 0.02);
}

TEST_F(FitOfServing, AGroupCountsAsOneHoweverManyRowsItHas) {
  // 36 rows of one group are 8 % slower than all else: six groups of two rows each.
  std::string csv = kHead;
  for (const int tensor : {1, 2, 4})
    for (const int clients : {1, 2, 4, 8, 16, 24, 32, 48, 64, 80, 96, 128})
      csv += row_text("far", "llama-3-8b", tensor, clients);
  for (const char* source : {"one", "two"})
    for (const char* model : {"qwen2.5-7b", "qwen3-14b", "qwen3-8b"})
      for (const int clients : {4, 64}) csv += row_text(source, model, 1, clients);
  read(csv);
  measure_with(at_priors());
  for (MeasuredServingRow& row : measured_.rows)
    if (row.source == "far")
      for (Measured& cell : row.measured) cell.value *= 1.08;
  Catalog fitted = ServingFit(catalog_, rows_).whole();
  // Its level has it, half of which one source alone may keep; without levels its rows are predicted like the others.
  ASSERT_EQ(fitted.serving_efficiency.levels.size(), 1u);
  EXPECT_EQ(fitted.serving_efficiency.levels[0].model, "llama-3-8b");
  EXPECT_NEAR(fitted.serving_efficiency.levels[0].time, math::log(1.08) / 2, 0.02);
  fitted.serving_efficiency.levels.clear();
  EXPECT_LT(farthest(fitted, at_priors(), "tpot_or_itl_ms"), 0.02);
  EXPECT_LT(farthest(fitted, at_priors(), "ttft_ms"), 0.02);
}

TEST_F(FitOfServing, AGroupAtOneLoadBendsTheOthersLoadsLittle) {
  // Who measured 96 clients alone is a third slower: that is no way in which time grows with clients.
  measure_with(at_priors());
  int place = 0;
  for (MeasuredServingRow& row : measured_.rows) {
    if (place++ % 4 != 3) continue;
    row.source = "far";
    for (Measured& cell : row.measured) cell.value *= 1.33;
  }
  const Catalog fitted = ServingFit(catalog_, rows_).whole();
  double least = 1;
  double most = 1;
  for (const MeasuredServingRow* row : rows_) {
    const double slower = predicted(fitted, *row, "tpot_or_itl_ms") / predicted(at_priors(), *row, "tpot_or_itl_ms");
    least = std::min(least, slower);
    most = std::max(most, slower);
  }
  EXPECT_LT(most / least, 1.17);  // 1.23 where groups have no level
}

TEST_F(FitOfServing, WhatOneSourceHasToItselfBendsTheRestLittle) {
  measure_with(at_priors());
  const Catalog before = ServingFit(catalog_, rows_).whole();
  for (MeasuredServingRow& row : measured_.rows)
    if (row.source == "odd")
      for (Measured& cell : row.measured) cell.value *= 1.33;
  // Between what half of the rows say (1) and what the other half says (1.33), less than the middle.
  EXPECT_LT(farthest(ServingFit(catalog_, rows_).whole(), before, "tpot_or_itl_ms"), 0.165);
}

TEST_F(FitOfServing, CountsTheRunsBehindIt) {
  measure_with(at_priors());
  const ServingFit fit(catalog_, rows_);
  const auto rows = [](const Catalog& catalog) {
    double all = 0;
    for (const ServingSupport& entry : catalog.serving_efficiency.support) all += entry.rows;
    return all;
  };
  EXPECT_EQ(rows(fit.whole()), 24);
  EXPECT_EQ(fit.whole().serving_efficiency.support.size(), 3u);
  EXPECT_EQ(rows(*fit.without(rows_of("even"))), 12);
  EXPECT_EQ(fit.whole().serving_efficiency.engine("vllm")->rows, 24);
  EXPECT_EQ(fit.whole().serving_efficiency.engine("sglang")->rows, 0);
  EXPECT_EQ(fit.whole().serving_efficiency.period("vllm", "0.12.0")->rows, 24);
}

TEST_F(FitOfServing, WritesTablesThatTheCatalogReads) {
  measure_with(at_priors());
  const Catalog fitted = ServingFit(catalog_, rows_).whole();
  const ServingEfficiency& fit = fitted.serving_efficiency;
  Catalog again;
  Errors errors;
  read_table("serving_constants.csv", constants_csv(fit.constants), again, errors);
  read_table("serving_software.csv", serving_software_csv(fit), again, errors);
  read_table("serving_support.csv", serving_support_csv(fit), again, errors);
  read_table("serving_spreads.csv", serving_spreads_csv(fit), again, errors);
  const ServingEfficiency& read = again.serving_efficiency;
  for (const Error& error : errors) ADD_FAILURE() << error.path << ": " << error.message;
  for (std::size_t i = 0; i < kServingConstants; ++i) {
    EXPECT_NEAR(read.constants[i].value, fit.constants[i].value, 1e-4 * fit.constants[i].value);
    EXPECT_EQ(read.constants[i].prior, fit.constants[i].prior);
  }
  // What was read is written as the same bytes.
  EXPECT_EQ(constants_csv(read.constants), constants_csv(fit.constants));
  EXPECT_EQ(serving_software_csv(read), serving_software_csv(fit));
  EXPECT_EQ(serving_support_csv(read), serving_support_csv(fit));
  EXPECT_EQ(serving_spreads_csv(read), serving_spreads_csv(fit));
}

TEST_F(FitOfServing, StartsAtThePriorsWhateverTheCatalogHolds) {
  measure_with(at_priors());
  Catalog other = catalog_;
  for (EfficiencyConstant& constant : other.serving_efficiency.constants) constant.value *= 1.7;
  for (EngineSoftware& software : other.serving_efficiency.software) software.factors.fill(0.4);
  EXPECT_EQ(constants_csv(ServingFit(other, rows_).whole().serving_efficiency.constants),
            constants_csv(ServingFit(catalog_, rows_).whole().serving_efficiency.constants));
}

TEST_F(FitOfServing, LeavesOutSchedulersThatAreNotModelled) {
  measure_with(at_priors());
  measured_.rows.front().other_scheduler = true;
  EXPECT_EQ(ServingFit(catalog_, rows_).fitted_rows(), 23);
}

TEST_F(FitOfServing, IsTheSameTwice) {
  measure_with(at_priors());
  EXPECT_EQ(constants_csv(ServingFit(catalog_, rows_).whole().serving_efficiency.constants),
            constants_csv(ServingFit(catalog_, rows_).whole().serving_efficiency.constants));
}

TEST_F(FitOfServing, ClassesOfFigures) {
  const MeasuredServingRow& row = *rows_.front();
  EXPECT_EQ(serving_metric_class(row, "ttft_ms"), "ttft");
  EXPECT_EQ(serving_metric_class(row, "tpot_or_itl_ms"), "tpot");
  EXPECT_EQ(serving_metric_class(row, "output_tokens_per_s"), "throughput");
  MeasuredServingRow prompts = row;
  prompts.prompt_only = true;
  EXPECT_EQ(serving_metric_class(prompts, "total_tokens_per_s"), "prompt");
}

}  // namespace
}  // namespace podwright::fit_serving_test
