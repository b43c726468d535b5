#include "perf/training_interval.h"

#include <gtest/gtest.h>

#include <cmath>

namespace podwright::training_interval_test {
namespace {

/// A catalog whose fit saw 20 dense runs of Megatron-Core 0.8 on H100 in bf16 with a width of 8192.
class Intervals : public ::testing::Test {
 protected:
  void SetUp() override {
    catalog_.training_support.clear();
    TrainingSupport seen;
    seen.framework = "megatron-core";
    seen.period = "0.8";
    seen.gpu = "h100-sxm5-80gb";
    seen.precision = "bf16";
    seen.architecture = "dense";
    seen.hidden_size = 8192;
    seen.rows = 20;
    seen.sequence_least = seen.sequence_most = 8192;
    seen.gpus_least = 8;
    seen.gpus_most = 1024;
    catalog_.training_support.push_back(seen);
    auto& spreads = catalog_.training_efficiency.spreads;
    spreads.clear();
    const auto add = [&](const char* knowledge, const char* of, double half_width) {
      PredictionSpread spread;
      spread.knowledge = knowledge;
      spread.architecture = of;
      spread.half_width = half_width;
      spreads.push_back(spread);
    };
    add("run", "dense", 0.1);
    add("period", "dense", 0.15);
    add("framework", "dense", 0.2);
    add("none", "dense", 0.3);
    add("gpu-family", "any", 0.1);
    add("gpu-generation", "any", 0.2);
    add("gpu-data-sheet", "any", 0.4);
    add("other-library", "any", 0.12);
    add("shape-doubling", "any", 0.1);
    add("memory", "any", 0.05);
    add("memory", "megatron-core", 0.02);
    model_.hidden_size = 8192;
    run_.sequence_length = 8192;
    run_.framework = "megatron-core";
    run_.framework_version = "0.8";
    run_.parallelism.tensor = 8;
    run_.parallelism.data = 4;
  }
  const Gpu& gpu(const std::string& id) const { return **find_gpu(catalog_, id); }
  double width(const std::string& gpu_id) const {
    return time_half_width(catalog_.training_efficiency, training_knowledge(catalog_, model_, gpu(gpu_id), run_))
        .value_or(0);
  }

  Catalog catalog_ = embedded_catalog_facts();
  Model model_;
  TrainingRun run_;
};

TEST_F(Intervals, AreNarrowestWhereTheSameRunWasSeen) { EXPECT_NEAR(width("h100-sxm5-80gb"), 0.1, 1e-12); }

TEST_F(Intervals, WidenWithEachStepAwayFromTheSoftware) {
  model_.hidden_size = 4096;  // another width on the same GPU
  const TrainingKnowledge narrow = training_knowledge(catalog_, model_, gpu("h100-sxm5-80gb"), run_);
  EXPECT_EQ(narrow.software, SoftwareKnowledge::period);
  model_.hidden_size = 8192;
  run_.framework_version = "0.12";
  EXPECT_NEAR(width("h100-sxm5-80gb"), 0.2, 1e-12);
  run_.framework = "torchtitan";
  run_.framework_version = "";
  EXPECT_NEAR(width("h100-sxm5-80gb"), 0.3, 1e-12);
}

TEST_F(Intervals, WidenWithEachStepAwayFromTheGpu) {
  // H200 is of the same major capability: of the same version, on another GPU.
  EXPECT_NEAR(width("h200-sxm5-141gb"), std::sqrt(0.15 * 0.15 + 0.1 * 0.1), 1e-12);
  // Products of B200 are measured, but no run of its generation was seen.
  EXPECT_NEAR(width("b200-sxm"), std::sqrt(0.15 * 0.15 + 0.2 * 0.2), 1e-12);
  Gpu unknown = gpu("b200-sxm");
  unknown.id = "unknown";
  unknown.compute_capability = "13.0";
  unknown.measured_matmul_flops.clear();
  const TrainingKnowledge sheet = training_knowledge(catalog_, model_, unknown, run_);
  EXPECT_EQ(sheet.gpu, GpuKnowledge::data_sheet);
  unknown.vendor = "another vendor";
  const TrainingKnowledge other = training_knowledge(catalog_, model_, unknown, run_);
  EXPECT_EQ(other.gpu, GpuKnowledge::other_vendor);
  const TrainingEfficiency& efficiency = catalog_.training_efficiency;
  EXPECT_LT(*time_half_width(efficiency, sheet), *time_half_width(efficiency, other));
}

TEST_F(Intervals, WidenBeyondTheShapesThatWereSeen) {
  run_.sequence_length = 4 * 8192;  // two doublings
  EXPECT_NEAR(width("h100-sxm5-80gb"), std::sqrt(0.1 * 0.1 + 0.2 * 0.2), 1e-12);
  run_.parallelism.data = 1024;  // 8,192 GPUs: three more
  EXPECT_NEAR(width("h100-sxm5-80gb"), std::sqrt(0.1 * 0.1 + 0.5 * 0.5), 1e-12);
}

TEST_F(Intervals, AreAbsentWithoutSpreads) {
  model_.experts = 8;  // no spread of mixtures above
  EXPECT_FALSE(
      time_half_width(catalog_.training_efficiency, training_knowledge(catalog_, model_, gpu("h100-sxm5-80gb"), run_)));
}

TEST_F(Intervals, OfMemoryAreThoseOfTheStackElseOfAll) {
  EXPECT_NEAR(*memory_half_width(catalog_.training_efficiency, "megatron-core"), 0.02, 1e-12);
  EXPECT_NEAR(*memory_half_width(catalog_.training_efficiency, "something-else"), 0.05, 1e-12);
}

TEST_F(Intervals, SayWhichRowsTheyStandOn) {
  const auto basis =
      interval_basis(catalog_.training_efficiency, training_knowledge(catalog_, model_, gpu("h100-sxm5-80gb"), run_),
                     gpu("h100-sxm5-80gb"), run_);
  ASSERT_EQ(basis.size(), 1u);
  EXPECT_NE(basis[0].find("20 published rows"), std::string::npos) << basis[0];
  const auto other =
      interval_basis(catalog_.training_efficiency, training_knowledge(catalog_, model_, gpu("h200-sxm5-141gb"), run_),
                     gpu("h200-sxm5-141gb"), run_);
  ASSERT_EQ(other.size(), 3u);
  EXPECT_NE(other[2].find("No row of "), std::string::npos) << other[2];
}

}  // namespace
}  // namespace podwright::training_interval_test
