#include "base/number_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

namespace podwright {
namespace {

TEST(ShortestNumber, IsPlainForWholeNumbersAndShortElsewhere) {
  EXPECT_EQ(shortest_number(0), "0");
  EXPECT_EQ(shortest_number(-0.0), "0");
  EXPECT_EQ(shortest_number(999999999999999), "999999999999999");
  EXPECT_EQ(shortest_number(-42), "-42");
  EXPECT_EQ(shortest_number(0.1), "0.1");
  EXPECT_EQ(shortest_number(1e21), "1e+21");
  EXPECT_EQ(shortest_number(5e-324), "5e-324");
  EXPECT_EQ(shortest_number(0.1 + 0.2), "0.30000000000000004");
}

TEST(ShortestNumber, ReadsBackAsTheSameDouble) {
  std::uint64_t bits = 88172645463325252ULL;
  for (int i = 0; i < 20000; ++i) {
    bits ^= bits << 13U;  // xorshift (Marsaglia 2003)
    bits ^= bits >> 7U;
    bits ^= bits << 17U;
    double x = 0;
    std::memcpy(&x, &bits, sizeof x);
    if (x - x != 0) continue;
    ASSERT_EQ(std::strtod(shortest_number(x).c_str(), nullptr), x);
  }
}

TEST(HumanNumber, RoundsToSignificantDigitsWithCommas) {
  EXPECT_EQ(human_number(12345.6), "12,300");
  EXPECT_EQ(human_number(999.96), "1,000");
  EXPECT_EQ(human_number(-1234567), "-1,230,000");
  EXPECT_EQ(human_number(0.00012345), "0.000123");
  EXPECT_EQ(human_number(2.5), "2.5");
  EXPECT_EQ(human_number(100), "100");
  EXPECT_EQ(human_number(99.96), "100");
  EXPECT_EQ(human_number(3.14159, 5), "3.1416");
  EXPECT_EQ(human_number(0), "0");
  EXPECT_EQ(human_number(123456789012345), "123,000,000,000,000");
  EXPECT_EQ(human_number(1.2345e20), "1.23e+20");
  EXPECT_EQ(human_number(1.2345e-9), "1.23e-09");
}

TEST(FixedNumber, KeepsItsDecimals) {
  EXPECT_EQ(fixed_number(1234.5, 2), "1,234.50");
  EXPECT_EQ(fixed_number(999.995, 0), "1,000");
  EXPECT_EQ(fixed_number(-1234567.891, 1), "-1,234,567.9");
  EXPECT_EQ(fixed_number(-0.001, 2), "0.00");
  EXPECT_EQ(fixed_number(123, 0), "123");
}

TEST(RoundedForDisplay, IsTheTextOfFifteenDigitsReadAgain) {
  std::mt19937_64 generator(15);
  for (int i = 0; i < 40000; ++i) {
    const double share = static_cast<double>(generator() >> 11U) * 0x1p-53;
    const double x = (i % 2 == 0 ? share : std::round(share * 1e16) / 1e16) * std::pow(10.0, i % 26 - 10);
    char text[40];
    std::snprintf(text, sizeof text, "%.15g", x);
    ASSERT_EQ(rounded_for_display(x), std::strtod(text, nullptr)) << text;
    ASSERT_EQ(rounded_for_display(-x), -rounded_for_display(x)) << text;
  }
}

}  // namespace
}  // namespace podwright
