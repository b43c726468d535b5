#include "calibration/fit_power.h"

#include <gtest/gtest.h>

#include "base/math.h"
#include "calibration/backtest_serving.h"

namespace podwright::fit_power_test {
namespace {

constexpr ServingConstant kConstants[]{ServingConstant::power_ready, ServingConstant::power_products,
                                       ServingConstant::power_memory};

Catalog with_constants(double ready, double products, double memory) {
  Catalog catalog = embedded_catalog_facts();
  const double values[]{ready, products, memory};
  for (std::size_t i = 0; i < 3; ++i)
    catalog.serving_efficiency.constants[static_cast<std::size_t>(kConstants[i])].value = values[i];
  return catalog;
}

std::string row(int batch, double rate, double power, int source = 0) {
  return "r" + std::to_string(batch) + ",h100-sxm5-80gb,llama-3.1-8b,source " + std::to_string(source) +
         ",1,vLLM,bf16,512,512," + std::to_string(batch) + ",concurrency," + std::to_string(rate) + "," +
         std::to_string(power) + "\n";
}
constexpr std::string_view kHead =
    "id,gpu_id,model_id,source,num_gpus,framework,precision,input_len,output_len,concurrency_or_batch,load_kind,"
    "output_tokens_per_s,mean_gpu_power_w\n";

MeasuredServing table(const Catalog& catalog, const std::string& rows) {
  return *read_measured_serving(catalog, std::string(kHead) + rows, "rows.csv");
}
std::vector<const MeasuredServingRow*> rows_of(const MeasuredServing& measured) {
  std::vector<const MeasuredServingRow*> rows;
  for (const MeasuredServingRow& each : measured.rows) rows.push_back(&each);
  return rows;
}

/// Rows whose powers are those of known constants, at a share of the predicted rates: power follows from the measured
/// rate. Two shares, so that what is drawn in any case is told apart.
MeasuredServing rows_drawn_with(const Catalog& truth) {
  std::string rows;
  for (const int batch : {1, 4, 16, 32, 64, 128, 256, 512}) {
    const MeasuredServing one = table(truth, row(batch, 1, 1));
    const auto estimate = estimate_of(truth, one.rows[0], true);
    const GpuUse<NoTrace>& use = estimate.energy->use;
    const auto of = [&](ServingConstant constant) { return truth.serving_efficiency[constant]; };
    for (int source = 0; source < 300; ++source) {  // so many that the priors do not matter
      const double pace = source % 2 == 0 ? 0.05 : 0.8;
      const Watts drawn = gpu_power(watts(700), of(kConstants[0]), of(kConstants[1]), use.products * pace,
                                    of(kConstants[2]), use.memory * pace);
      rows += row(batch, raw(estimate.performance->output_tokens_per_s) * pace, raw(drawn), source);
    }
  }
  return table(truth, rows);
}

TEST(FitPower, FindsTheConstantsThatRowsWereMadeWith) {
  const Catalog truth = with_constants(0.2, 1.3, 0.7);  // its rows point into it
  const MeasuredServing measured = rows_drawn_with(truth);
  Catalog fitted = with_constants(0.25, 1.2, 0.6);
  fit_power(fitted, rows_of(measured));
  EXPECT_NEAR(fitted.serving_efficiency[ServingConstant::power_ready], 0.2, 0.01);
  EXPECT_NEAR(fitted.serving_efficiency[ServingConstant::power_products], 1.3, 0.15);
  EXPECT_NEAR(fitted.serving_efficiency[ServingConstant::power_memory], 0.7, 0.05);
}

TEST(FitPower, LeavesThePriorsWithoutRows) {
  Catalog fitted = with_constants(0.2, 1.3, 0.7);
  fit_power(fitted, {});
  EXPECT_EQ(fitted.serving_efficiency[ServingConstant::power_ready], 0.2);
}

}  // namespace
}  // namespace podwright::fit_power_test
