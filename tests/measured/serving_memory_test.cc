// Memory of serving engines against published logs. Every row of a known model, GPU and engine is predicted from its
// configuration alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "base/csv_read.h"
#include "catalog/catalog.h"
#include "memory/serving_memory.h"
#include "support/test_data.h"

namespace podwright {
namespace {

struct Prediction {
  std::string id;
  std::string metric;
  double measured = 0;
  double predicted = 0;
  std::string not_comparable;  ///< why this figure cannot be expected to agree; empty: it must

  double error() const { return predicted / measured - 1.0; }
};

std::optional<double> number(const CsvTable& table, const CsvTable::Row& row, std::string_view column) {
  const std::string& cell = table.cell(row, column);
  if (cell.empty()) return {};
  return std::strtod(cell.c_str(), nullptr);
}

/// What a row leaves open that its KV figures depend on. Weights depend on none of it.
std::string open_settings(const CsvTable& table, const CsvTable::Row& row) {
  const std::string& framework = table.cell(row, "framework");
  if (framework == "llama.cpp") return "";
  std::string open;
  const auto need = [&](std::string_view column) {
    if (table.cell(row, column).empty()) open += (open.empty() ? "" : ", ") + std::string(column);
  };
  need("weight_precision");
  need("mem_fraction");
  if (framework == "vLLM") need("framework_version");
  if (framework == "vLLM") need("gpu_total_gib");
  if (framework == "TensorRT-LLM") need("max_num_batched_tokens");
  return open.empty() ? "" : "the row does not print " + open;
}

std::string first_version(const std::string& versions) { return versions.substr(0, versions.find('/')); }

std::vector<Prediction> predictions(std::vector<std::string>& skipped) {
  const Catalog& catalog = embedded_catalog_facts();
  const auto table = parse_csv(podwright_test_data("serving_memory.csv"));
  std::vector<Prediction> out;
  if (!table) return out;
  for (const CsvTable::Row& row : table->rows) {
    const std::string& id = table->cell(row, "id");
    const auto model = find_model(catalog, table->cell(row, "model_id"));
    const auto gpu_fact = find_gpu(catalog, table->cell(row, "gpu_id"));
    const std::string engine_id = canonical_id(catalog, "engines", table->cell(row, "framework"));
    const auto engine = std::find_if(catalog.engines.begin(), catalog.engines.end(),
                                     [&](const Engine& e) { return e.id == engine_id; });
    const std::string& precision = table->cell(row, "weight_precision");
    const WeightFormat* format = find_weight_format(
        catalog.weight_formats, precision.empty() ? "bf16" : canonical_id(catalog, "precisions", precision));
    if (!model || !gpu_fact || engine == catalog.engines.end() || format == nullptr) {
      skipped.push_back(id);
      continue;
    }
    Gpu gpu = **gpu_fact;
    if (const auto total = number(*table, row, "gpu_total_gib")) gpu.memory_driver = gib(*total);
    ServingRun run;
    run.weight_precision = format->id;
    run.kv_precision = canonical_id(catalog, "precisions", table->cell(row, "kv_precision"));
    run.engine = engine_id;
    run.engine_version = first_version(table->cell(row, "framework_version"));
    run.parallelism.tensor = number(*table, row, "tp").value_or(1);
    run.parallelism.pipeline = number(*table, row, "pp").value_or(1);
    run.memory_fraction = number(*table, row, "mem_fraction");
    run.max_batched_tokens = number(*table, row, "max_num_batched_tokens");
    run.max_model_tokens = number(*table, row, "max_model_len").value_or((*model)->context_tokens);
    run.block_tokens = number(*table, row, "block_size");
    const bool capacity_batch = engine_id == "tensorrt-llm";
    if (!capacity_batch) run.load = {LoadKind::static_batch, number(*table, row, "max_batch").value_or(1)};

    NoTrace trace;
    const auto memory = serving_memory(trace, **model, gpu, *engine, *format, run);
    const std::string open = open_settings(*table, row);
    const auto compare = [&](std::string_view metric, double predicted, const std::string& why_not) {
      if (const auto measured = number(*table, row, metric))
        out.push_back({id, std::string(metric), *measured, predicted, why_not});
    };
    const double in_gib = 1073741824.0;
    compare("weights_gib_per_gpu", raw(memory.weights) / in_gib, "");
    compare("kv_cache_gib_per_gpu", raw(memory.kv_cache) / in_gib, open);
    compare("kv_tokens", memory.kv_tokens, open);
    compare("kv_blocks", memory.blocks, open);
    compare("max_batch", memory.max_sequences, capacity_batch ? open : "the batch of the benchmark, not a capacity");
  }
  return out;
}

struct ErrorSummary {
  double mean = 0;
  double worst = 0;
  std::string worst_id;
  int rows = 0;
};

ErrorSummary errors_of(const std::vector<Prediction>& all, std::string_view metric) {
  ErrorSummary e;
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
      const ErrorSummary e = errors_of(*rows_, metric);
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
  const ErrorSummary e = errors_of(*rows_, "max_batch");
  EXPECT_EQ(e.rows, 48);
  EXPECT_LE(e.mean, 0.01);
  EXPECT_LE(e.worst, 0.08) << e.worst_id;
}

TEST_F(MeasuredServingMemory, KvCacheAgreesWithinTwoPercentWhereAllSettingsArePrinted) {
  for (const Prediction& p : *rows_) {
    if (!p.not_comparable.empty() || p.metric == "max_batch" || p.metric == "weights_gib_per_gpu") continue;
    EXPECT_LE(std::fabs(p.error()), 0.02) << p.id << " " << p.metric;
  }
}

TEST_F(MeasuredServingMemory, WeightsAgreeWithinOnePercent) {
  const ErrorSummary e = errors_of(*rows_, "weights_gib_per_gpu");
  EXPECT_LE(e.worst, 0.01) << e.worst_id;
}

}  // namespace
}  // namespace podwright
