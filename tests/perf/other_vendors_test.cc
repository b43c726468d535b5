#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "perf/estimate_serving.h"
#include "perf/estimate_training.h"
#include "perf/training_interval.h"
#include "support/patch_texts.h"

namespace podwright::other_vendors_test {
namespace {

const Catalog& catalog() { return embedded_catalog_facts(); }
const Model& model_of(const char* id) { return **find_model(catalog(), id); }

std::vector<const Gpu*> other_vendors() {
  std::vector<const Gpu*> gpus;
  for (const Gpu& gpu : catalog().gpus)
    if (gpu.vendor != "NVIDIA") gpus.push_back(&gpu);
  return gpus;
}

bool says_roofline_alone(const std::vector<std::string>& assumptions) {
  return std::any_of(assumptions.begin(), assumptions.end(),
                     [](const std::string& text) { return text.rfind("Roofline alone", 0) == 0; });
}

ServingRun small_serving(const std::string& format, double tensor) {
  ServingRun run;
  run.weight_precision = format;
  run.engine = "vllm";
  run.parallelism.tensor = tensor;
  run.input_tokens = 128;
  run.output_tokens = 32;
  run.load = {LoadKind::concurrency, 1};
  return run;
}

TrainingRun small_training(Precision precision, double data) {
  TrainingRun run;
  run.precision = precision;
  run.sequence_length = 512;
  run.global_batch_size = data;
  run.parallelism.data = data;
  return run;
}

bool has(const Gpu& gpu, const char* precision) { return gpu.peak_dense_flops.count(precision) > 0; }

TEST(OtherVendors, NvidiaAloneIsMeasured) {
  EXPECT_EQ(other_vendors().size(), 21u);
  for (const Gpu* gpu : other_vendors()) EXPECT_FALSE(measured_vendor(catalog(), *gpu)) << gpu->id;
  EXPECT_TRUE(measured_vendor(catalog(), **find_gpu(catalog(), "l4")));
}

TEST(OtherVendors, EveryOneServes) {
  for (const Gpu* gpu : other_vendors()) {
    NoTrace trace;
    const auto estimate = estimate_serving(trace, catalog(), model_of("qwen2.5-0.5b"), *gpu, small_serving("bf16", 1));
    ASSERT_TRUE(estimate.performance) << gpu->id;
    EXPECT_TRUE(estimate.feasible) << gpu->id;
    ASSERT_TRUE(estimate.performance->tpot) << gpu->id;
    // Never faster than reading every weight once at the data sheet's rate.
    const double least = 0.49e9 * 2 / gpu->memory_bandwidth->base_units();
    EXPECT_GT(estimate.performance->tpot->base_units(), least) << gpu->id;
    EXPECT_TRUE(says_roofline_alone(estimate.assumptions)) << gpu->id;
  }
}

TEST(OtherVendors, EveryOneWithRoomTrains) {
  for (const Gpu* gpu : other_vendors()) {
    NoTrace trace;
    const Precision precision = has(*gpu, "bf16") || has(*gpu, "fp16") ? Precision::bf16 : Precision::fp32;
    const auto estimate =
        estimate_training(trace, catalog(), model_of("qwen2.5-0.5b"), *gpu, small_training(precision, 1));
    ASSERT_TRUE(estimate.step) << gpu->id << (estimate.reasons.empty() ? "" : estimate.reasons.front().message.text());
    ASSERT_TRUE(estimate.step_bounds) << gpu->id;
    EXPECT_TRUE(says_roofline_alone(estimate.assumptions)) << gpu->id;
  }
}

TEST(OtherVendors, LinksOfTheCatalogCarryCollectives) {
  for (const Gpu* gpu : other_vendors()) {
    if (!gpu->link_bandwidth_one_way || gpu->link_domain_gpus.value_or(0) < 8) continue;
    NoTrace trace;
    const auto serving = estimate_serving(trace, catalog(), model_of("llama-3.2-1b"), *gpu, small_serving("bf16", 8));
    EXPECT_TRUE(serving.performance) << gpu->id;
    const auto training =
        estimate_training(trace, catalog(), model_of("qwen2.5-0.5b"), *gpu, small_training(Precision::bf16, 8));
    EXPECT_TRUE(training.step) << gpu->id;
  }
}

TEST(OtherVendors, NoIntervalIsNarrowerThanAnyOfNvidia) {
  for (const char* id : {"llama-3.1-8b", "qwen3-30b-a3b"}) {
    const TrainingRun run = small_training(Precision::bf16, 8);
    const auto width = [&](const Gpu& gpu) {
      return time_half_width(catalog().training_efficiency, training_knowledge(catalog(), model_of(id), gpu, run))
          .value_or(0);
    };
    double widest = 0;
    for (const Gpu& gpu : catalog().gpus)
      if (gpu.vendor == "NVIDIA") widest = std::max(widest, width(gpu));
    EXPECT_GT(widest, 0);
    for (const Gpu* gpu : other_vendors()) EXPECT_GE(width(*gpu), widest) << gpu->id;
  }
}

TEST(OtherVendors, ProductsReachNoMoreThanMeasuredVendorsDo) {
  for (const Gpu* gpu : other_vendors()) {
    const std::string precision = gemm_precision(*gpu, "bf16");
    ASSERT_FALSE(precision.empty()) << gpu->id;
    NoTrace trace;
    std::vector<std::string> assumptions;
    const auto rate = gemm_ceiling(trace, catalog(), *gpu, precision, assumptions);
    const auto share = reached_share_gemm(catalog(), *gpu, precision);
    ASSERT_TRUE(rate && share) << gpu->id;
    EXPECT_LE(rate->base_units(), 1.0000001 * *share * gpu->peak_dense_flops.at(precision).base_units()) << gpu->id;
    EXPECT_EQ(*share, *reached_share_gemm(catalog(), **find_gpu(catalog(), "l4"), precision)) << gpu->id;
  }
}

TEST(OtherVendors, MissingPrecisionsNameThoseThereAre) {
  for (const Gpu* gpu : other_vendors())
    for (const char* format : {"fp8", "nvfp4", "mxfp4", "int8", "int4-awq", "q4-k-m"}) {
      NoTrace trace;
      const auto estimate =
          estimate_serving(trace, catalog(), model_of("qwen2.5-0.5b"), *gpu, small_serving(format, 1));
      if (estimate.performance) continue;
      ASSERT_FALSE(estimate.reasons.empty()) << gpu->id << ' ' << format;
      EXPECT_FALSE(estimate.reasons.front().message.text().empty());
      EXPECT_FALSE(estimate.reasons.front().ways_out.empty()) << gpu->id << ' ' << format;
    }
  NoTrace trace;
  const Gpu& apple = **find_gpu(catalog(), "apple-m1-8-core-gpu");
  const auto training =
      estimate_training(trace, catalog(), model_of("qwen2.5-0.5b"), apple, small_training(Precision::bf16, 1));
  ASSERT_FALSE(training.reasons.empty());
  EXPECT_EQ(texts_of(training.reasons.back().ways_out), std::vector<std::string>{"{\"precision\":\"fp32\"}"});
}

}  // namespace
}  // namespace podwright::other_vendors_test
