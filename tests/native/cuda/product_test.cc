#include "probes/cuda/product.h"

#include <gtest/gtest.h>

namespace podwright::probes::cuda::product_test {
namespace {

TEST(ProductTolerance, GrowsLikeARandomWalk) {
  EXPECT_NEAR(product_tolerance("bf16", 4096), 8 * 64 * 0x1p-20, 1e-12);
  EXPECT_NEAR(product_tolerance("fp32", 4096), 8 * 64 * 0x1p-24, 1e-12);
  EXPECT_NEAR(product_tolerance("fp8", 4096), 8 * 64 * 0x1p-13, 1e-12);
  EXPECT_EQ(product_tolerance("fp8-block", 4096), product_tolerance("fp8", 4096));
  EXPECT_EQ(product_tolerance("int8", 4096), 0);
}

/// A wrong value is off by about 1 in this measure.
TEST(ProductTolerance, OfTf32IsThatOfItsInputs) {
  EXPECT_LT(product_tolerance("tf32", 8192), 0.009);
  EXPECT_GT(product_tolerance("tf32", 128), 16 * 0x1p-11);
}

TEST(ProductRows, NarrowFormatsArePadded) {
  EXPECT_EQ(Product::padded("bf16", 1), 1);
  EXPECT_EQ(Product::padded("fp8", 1), 16);
  EXPECT_EQ(Product::padded("fp8-block", 17), 32);
  EXPECT_EQ(Product::padded("int8", 8), 16);
  EXPECT_EQ(Product::padded("nvfp4", 1), 128);
}

}  // namespace
}  // namespace podwright::probes::cuda::product_test
