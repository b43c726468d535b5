// What training_rates.csv says of a GPU and precision, made again from the published runs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/csv_read.h"
#include "base/math.h"
#include "catalog/catalog.h"
#include "support/test_data.h"

namespace podwright::training_rates_test {
namespace {

struct Runs {
  std::vector<double> tflops;
  std::set<std::string> sources;
};

std::string width_of(const std::string& precision) {
  if (precision.find("fp8") != std::string::npos) return "fp8";
  if (precision == "nvfp4") return "fp4";
  return precision == "fp16" ? "bf16" : precision;
}

/// Full-training runs of dense models with a rate, as 6 x parameters x tokens.
std::map<std::pair<std::string, std::string>, Runs> published_runs() {
  const auto table = parse_csv(podwright_test_data("tests/measured/data/training.csv"));
  std::map<std::pair<std::string, std::string>, Runs> runs;
  EXPECT_TRUE(table);
  if (!table) return runs;
  for (const CsvTable::Row& row : table->rows) {
    const auto number = [&](std::string_view column) { return std::atof(table->cell(row, column).c_str()); };
    const std::string& method = table->cell(row, "method");
    if (table->cell(row, "gpu_id").empty() || number("experts") > 1 || !(method.empty() || method == "full")) continue;
    double rate = number("tokens_per_s_per_gpu");
    if (rate == 0 && number("step_time_s") > 0 && number("num_gpus") > 0)
      rate = number("global_batch") * number("seq_len") / number("step_time_s") / number("num_gpus");
    if (rate <= 0 || number("params_b") <= 0) continue;
    Runs& group = runs[{table->cell(row, "gpu_id"), width_of(table->cell(row, "precision"))}];
    group.tflops.push_back(6 * number("params_b") * 1e9 * rate / 1e12);
    group.sources.insert(table->cell(row, "source"));
  }
  return runs;
}

TEST(TrainingRates, AreThoseOfThePublishedRuns) {
  const auto runs = published_runs();
  const std::vector<TrainingRate>& rates = embedded_catalog_facts().training_rates;
  EXPECT_EQ(rates.size(), runs.size());
  for (const TrainingRate& rate : rates) {
    SCOPED_TRACE(rate.id);
    const auto found = runs.find({rate.gpu_id, rate.precision});
    ASSERT_NE(found, runs.end());
    const Runs& group = found->second;
    EXPECT_EQ(rate.rows, static_cast<double>(group.tflops.size()));
    EXPECT_EQ(rate.row_sources, static_cast<double>(group.sources.size()));
    EXPECT_NEAR(rate.lowest / tflops(1), *std::min_element(group.tflops.begin(), group.tflops.end()), 0.051);
    EXPECT_NEAR(rate.median / tflops(1), math::quantile(group.tflops, 0.5), 0.051);
    EXPECT_NEAR(rate.best / tflops(1), *std::max_element(group.tflops.begin(), group.tflops.end()), 0.051);
  }
}

}  // namespace
}  // namespace podwright::training_rates_test
