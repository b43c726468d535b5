#include "base/number_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

#include "base/ecmascript_number.h"

namespace podwright::number_text_test {
namespace {

// The samples of RFC 8785, appendix B.
TEST(EcmascriptNumber, IsThatOfTheStandardsSamples) {
  const struct {
    std::uint64_t bits;
    const char* text;
  } rows[] = {{0x0000000000000000, "0"},
              {0x8000000000000000, "0"},
              {0x0000000000000001, "5e-324"},
              {0x8000000000000001, "-5e-324"},
              {0x7fefffffffffffff, "1.7976931348623157e+308"},
              {0xffefffffffffffff, "-1.7976931348623157e+308"},
              {0x4340000000000000, "9007199254740992"},
              {0xc340000000000000, "-9007199254740992"},
              {0x4430000000000000, "295147905179352830000"},
              {0x44b52d02c7e14af5, "9.999999999999997e+22"},
              {0x44b52d02c7e14af6, "1e+23"},
              {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
              {0x444b1ae4d6e2ef4e, "999999999999999700000"},
              {0x444b1ae4d6e2ef4f, "999999999999999900000"},
              {0x444b1ae4d6e2ef50, "1e+21"},
              {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
              {0x3eb0c6f7a0b5ed8d, "0.000001"},
              {0x41b3de4355555553, "333333333.3333332"},
              {0x41b3de4355555554, "333333333.33333325"},
              {0x41b3de4355555555, "333333333.3333333"},
              {0x41b3de4355555556, "333333333.3333334"},
              {0x41b3de4355555557, "333333333.33333343"},
              {0xbecbf647612f3696, "-0.0000033333333333333333"},
              {0x43143ff3c1cb0959, "1424953923781206.2"}};
  for (const auto& row : rows) EXPECT_EQ(ecmascript_number(__builtin_bit_cast(double, row.bits)), row.text);
}

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

TEST(HumanNumber, HasTheDigitsOfPrintf) {
  std::mt19937_64 generator(3);
  for (int i = 0; i < 60000; ++i) {
    const int digits = 1 + i % 15;
    const double share = static_cast<double>(generator() >> 11U) * 0x1p-53;
    // Every other number lies on or beside the middle between two numbers of so many digits.
    const double number =
        i % 2 == 0 ? share : (std::floor(share * std::pow(10.0, digits)) + 0.5) / std::pow(10.0, digits);
    const double x = number * std::pow(10.0, i % 29 - 7);
    if (x < 1e-6) continue;
    char text[60];
    std::snprintf(text, sizeof text, "%.*e", digits - 1, x);
    const double rounded = std::strtod(text, nullptr);
    std::string shown = human_number(x, digits);
    std::erase(shown, ',');
    ASSERT_EQ(std::strtod(shown.c_str(), nullptr), rounded) << text;
    if (rounded >= 1e15) continue;
    const auto of_whole = shown.find('.') == std::string::npos ? std::size_t{0} : shown.size() - shown.find('.') - 1;
    std::snprintf(text, sizeof text, "%.*f", static_cast<int>(of_whole), rounded);
    ASSERT_EQ(shown, text);
    ASSERT_TRUE(of_whole == 0 || shown.back() != '0') << shown;
    shown.insert(0, "-");
    std::string negative = human_number(-x, digits);
    std::erase(negative, ',');
    ASSERT_EQ(negative, shown);
  }
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
}  // namespace podwright::number_text_test
