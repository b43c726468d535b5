#include <gtest/gtest.h>

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

}  // namespace
}  // namespace podwright::probes::cuda::attention_test
