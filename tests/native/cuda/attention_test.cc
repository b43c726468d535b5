#include <gtest/gtest.h>

#include <cmath>

#include "probes/cuda/attention.h"
#include "probes/cuda/cudnn.h"

namespace podwright::probes::cuda::attention_test {
namespace {

/// The library looks at sizes, distances and types when it closes a description, before any device is asked.
TEST(FusedAttention, IsDescribedWithoutADevice) {
  if (!Cudnn::instance().there()) GTEST_SKIP() << Cudnn::instance().missing;
  FusedAttention prompt;
  EXPECT_EQ(prompt.describe({.heads = 32, .groups = 8, .queries = 4096, .context = 4096}), Cudnn::kSuccess);
  FusedAttention pages;
  EXPECT_EQ(pages.describe({.batch = 16, .heads = 32, .groups = 8, .context = 8192, .page = 64, .pages = 2048}),
            Cudnn::kSuccess);
}

TEST(FusedAttention, ImpossibleSizesAreRefused) {
  if (!Cudnn::instance().there()) GTEST_SKIP() << Cudnn::instance().missing;
  FusedAttention attention;
  EXPECT_NE(attention.describe({.heads = 32, .groups = -1, .queries = 1, .context = 64}), Cudnn::kSuccess);
}

/// Outputs deviate by 1 / sqrt(keys): zeros in their place must not pass.
TEST(AttentionTolerance, StaysBelowAnOutputsDeviation) {
  for (const int context : {64, 1024, 8192, 131072})
    EXPECT_LT(attention_tolerance(context, false), 0.2 / std::sqrt(context)) << context;
  EXPECT_DOUBLE_EQ(attention_tolerance(16, false), 2e-2);
  EXPECT_DOUBLE_EQ(attention_tolerance(8192, true), 2e-2);
}

}  // namespace
}  // namespace podwright::probes::cuda::attention_test
