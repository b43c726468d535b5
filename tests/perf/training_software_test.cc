#include "perf/training_software.h"

#include <gtest/gtest.h>

#include <cmath>

#include "perf/training_rates.h"

namespace podwright::training_software_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }
const Gpu& gpu(std::string_view id) { return **find_gpu(facts(), id); }
const Model& model(std::string_view id) { return **find_model(facts(), id); }

SoftwareTraits traits_of(const std::string& framework, const std::string& version = "", const std::string& date = "",
                         std::string_view of = "llama-3-8b") {
  TrainingRun run;
  run.framework = framework;
  run.framework_version = version;
  run.framework_date = date;
  return software_traits(facts(), facts().training_efficiency, model(of), run);
}

TEST(SoftwarePeriod, IsTheVersionWithoutItsThirdNumberElseTheYear) {
  const TrainingFramework& bridge = *find_training_framework(facts().training_frameworks, "megatron-bridge");
  const auto period = [&](const std::string& version, const std::string& date) {
    TrainingRun run;
    run.framework_version = version;
    run.framework_date = date;
    return software_period(facts().training_efficiency, bridge, run);
  };
  EXPECT_EQ(period("26.02.01", ""), "26.02");
  EXPECT_EQ(period("26.02", "2024"), "26.02");
  EXPECT_EQ(period("", "2025-11"), "2025");
  // Without either it is the newest that a dozen published runs speak for.
  for (const SoftwareFactor& factor : facts().training_efficiency.software)
    if (factor.level == SoftwareFactor::Level::period && factor.software == "megatron-bridge" && factor.rows >= 12) {
      EXPECT_GE(period("", ""), factor.period);
    }
  const TrainingFramework& core = *find_training_framework(facts().training_frameworks, "megatron-core");
  EXPECT_EQ(software_period(facts().training_efficiency, core, TrainingRun{}), "");
}

TEST(SoftwareTraits, FallBackFromThePeriodToTheFrameworkToItsFamily) {
  const SoftwareTraits known = traits_of("megatron-bridge", "26.02");
  EXPECT_EQ(known.kernels, KernelSet::fused);
  ASSERT_TRUE(known.family && known.software && known.period);
  const SoftwareTraits unseen = traits_of("megatron-bridge", "99.01");
  EXPECT_EQ(unseen.period, nullptr);
  EXPECT_EQ(unseen.software, known.software);
  const SoftwareTraits strange = traits_of("no-such-framework");
  EXPECT_EQ(strange.framework, nullptr);
  EXPECT_EQ(strange.family, nullptr);
  EXPECT_EQ(strange.kernels, KernelSet::compiled);
}

TEST(SoftwareTraits, FactorsOfTheLevelsMultiply) {
  NoTrace none;
  const TrainingConstants<NoTrace> constants(none, facts().training_efficiency);
  const SoftwareTraits known = traits_of("megatron-bridge", "26.02");
  EXPECT_NEAR(constants.compute_factor(known),
              std::exp(known.family->compute) * std::exp(known.software->compute) * std::exp(known.period->compute),
              1e-12);
  EXPECT_NEAR(constants.experts_factor(known), std::exp(known.period->experts), 1e-12);
  EXPECT_EQ(constants.compute_factor(traits_of("no-such-framework")), 1);
  EXPECT_EQ(constants.experts_factor(traits_of("no-such-framework")), 1);
}

TEST(SoftwareTraits, AttentionWithSinksIsFusedFromItsDateOn) {
  const auto fused = [](const std::string& version, const std::string& date) {
    return traits_of("megatron-bridge", version, date, "gpt-oss-120b").fused_attention;
  };
  EXPECT_FALSE(fused("26.04", ""));
  EXPECT_TRUE(fused("26.06", ""));
  EXPECT_TRUE(fused("", ""));
  EXPECT_FALSE(fused("", "2025-12"));
  EXPECT_FALSE(traits_of("nemo", "", "", "gpt-oss-120b").fused_attention);
  EXPECT_TRUE(traits_of("nemo").fused_attention);
  EXPECT_FALSE(traits_of("megatron-deepspeed").fused_attention);
}

TEST(PowerRatio, IsOneWhereTheGpuItselfWasMeasured) {
  for (const char* id : {"a100-sxm4-80gb", "h100-sxm5-80gb", "b200-sxm"}) EXPECT_EQ(power_ratio(facts(), gpu(id)), 1);
  for (const Gpu& each : facts().gpus) {
    EXPECT_GT(power_ratio(facts(), each), 0) << each.id;
    EXPECT_LE(power_ratio(facts(), each), 1) << each.id;
  }
}

TEST(PowerRatio, FollowsTheBoardPowerOfTheSameArchitecture) {
  // The same arithmetic on half the power.
  Gpu unmeasured = gpu("h100-sxm5-80gb");
  unmeasured.id = "h100-that-nobody-measured";
  unmeasured.measured_matmul_flops.clear();
  const double whole = power_ratio(facts(), unmeasured);
  unmeasured.board_power = *unmeasured.board_power / 2.0;
  EXPECT_NEAR(power_ratio(facts(), unmeasured) / whole, 0.5, 1e-12);
}

TEST(GemmPrecision, OfTrainingPrecisions) {
  EXPECT_EQ(training_gemm_precision(Precision::tf32), "tf32");
  EXPECT_EQ(training_gemm_precision(Precision::mxfp8), "fp8");
  EXPECT_EQ(training_gemm_precision(Precision::nvfp4), "fp4");
}

}  // namespace
}  // namespace podwright::training_software_test
