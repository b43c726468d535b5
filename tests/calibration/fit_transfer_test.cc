#include "calibration/fit_transfer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.h"
#include "calibration/step_half_width.h"

namespace podwright::fit_transfer_test {
namespace {

const Gpu& gpu(std::string_view id) { return **find_gpu(embedded_catalog_facts(), id); }

FitTransfer from(std::string_view measured, std::string_view planned, bool other_software = false) {
  return fit_transfer(embedded_catalog_facts(), &gpu(measured), gpu(planned), other_software);
}

TEST(FitTransfer, TakesTheCatalogsWidths) {
  const TrainingEfficiency& widths = embedded_catalog_facts().training_efficiency;
  const auto width = [&](std::string_view word) { return widths.spread(word, "any")->half_width; };
  EXPECT_EQ(*from("h100-sxm5-80gb", "h100-sxm5-80gb").half_width, 0);
  EXPECT_EQ(*from("h100-sxm5-80gb", "h100-sxm5-80gb", true).half_width, width("other-library"));
  EXPECT_EQ(*from("h100-sxm5-80gb", "h200-sxm5-141gb").half_width, width("gpu-family"));
  EXPECT_EQ(*from("h100-sxm5-80gb", "b200-sxm").half_width, width("gpu-generation"));
  EXPECT_EQ(*from("b200-sxm", "h100-sxm5-80gb").half_width, width("gpu-generation"));
  const FitTransfer both = from("h100-sxm5-80gb", "h200-sxm5-141gb", true);
  EXPECT_NEAR(*both.half_width, std::hypot(width("gpu-family"), width("other-library")), 1e-12);
  EXPECT_FALSE(both.uncalibrated());
}

TEST(FitTransfer, FartherThanAGenerationIsUncalibrated) {
  const double sheet = embedded_catalog_facts().training_efficiency.spread("gpu-data-sheet", "any")->half_width;
  const FitTransfer far = from("a100-sxm4-80gb", "b200-sxm");
  EXPECT_TRUE(far.uncalibrated());
  EXPECT_EQ(*far.half_width, sheet);
  const FitTransfer none = fit_transfer(embedded_catalog_facts(), nullptr, gpu("b200-sxm"), false);
  EXPECT_TRUE(none.uncalibrated());
  EXPECT_EQ(*none.half_width, sheet);
  for (const Gpu& other : embedded_catalog_facts().gpus) {
    if (other.vendor == gpu("b200-sxm").vendor) continue;
    EXPECT_TRUE(fit_transfer(embedded_catalog_facts(), &other, gpu("b200-sxm"), false).uncalibrated()) << other.id;
  }
}

TEST(FitTransfer, WithoutWidthsNothingIsMadeUp) {
  EXPECT_FALSE(fit_transfer(Catalog(), &gpu("h100-sxm5-80gb"), gpu("h100-sxm5-80gb"), true).half_width);
}

TEST(StepHalfWidth, FamiliesAddInSquaresAndTheirPartsInFull) {
  const std::vector<StepPart> parts = {
      {"gemm.bf16", 0.3, 0.1}, {"reads", 0.4, 0.05}, {"gemm.bf16", 0.2, 0.1}, {"collectives", 0.1, 0.2}};
  EXPECT_NEAR(step_half_width(parts), std::sqrt(0.05 * 0.05 + 0.02 * 0.02 + 0.02 * 0.02), 1e-12);
  EXPECT_EQ(step_half_width({}), 0);
}

// Over random steps: the order does not matter, splitting a part changes nothing, more error is never less width, and
// the width lies between that of independent and of fully correlated parts.
TEST(StepHalfWidth, KeepsItsProperties) {
  const random::Stream stream(11, 1);
  for (std::uint64_t round = 0; round < 200; ++round) {
    constexpr std::string_view kFamilies[] = {"a", "b", "c"};
    std::vector<StepPart> parts;
    double squares = 0;
    double sum = 0;
    for (std::uint64_t i = 0; i < 5; ++i) {
      const auto family = static_cast<std::size_t>(3 * stream.uniform(100 * round + i));
      parts.push_back({kFamilies[std::min<std::size_t>(family, 2)], 0.2 * stream.uniform(100 * round + 10 + i),
                       0.3 * stream.uniform(100 * round + 20 + i)});
      squares += std::pow(parts.back().share * parts.back().half_width, 2);
      sum += parts.back().share * parts.back().half_width;
    }
    const double width = step_half_width(parts);
    EXPECT_GE(width, std::sqrt(squares) * (1 - 1e-12));
    EXPECT_LE(width, sum * (1 + 1e-12));
    std::vector<StepPart> others(parts.rbegin(), parts.rend());
    EXPECT_NEAR(step_half_width(others), width, 1e-12);
    others.front().share /= 2;
    others.push_back(others.front());
    EXPECT_NEAR(step_half_width(others), width, 1e-12);
    others.front().half_width += 0.1;
    EXPECT_GE(step_half_width(others), width);
  }
}

}  // namespace
}  // namespace podwright::fit_transfer_test
