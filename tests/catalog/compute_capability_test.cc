#include "catalog/compute_capability.h"

#include <gtest/gtest.h>

#include "catalog/catalog.h"

namespace podwright::compute_capability_test {
namespace {

TEST(CapabilityNumber, OrdersGenerations) {
  EXPECT_EQ(capability_number("9.0"), 9);
  EXPECT_NEAR(capability_number("8.6"), 8.6, 1e-12);
  EXPECT_EQ(capability_number("12"), 12);
  EXPECT_LT(capability_number("9.0"), capability_number("10.0"));
}

TEST(CapabilityNumber, OtherVendorsHaveNone) {
  for (const char* text : {"", "gfx942", "gfx90a", "Metal"}) EXPECT_EQ(capability_number(text), 0) << text;
  for (const Gpu& gpu : embedded_catalog_facts().gpus)
    EXPECT_EQ(capability_number(gpu.compute_capability) > 0, gpu.vendor == "NVIDIA" && !gpu.compute_capability.empty())
        << gpu.id;
}

}  // namespace
}  // namespace podwright::compute_capability_test
