#include "base/units.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace podwright::units_test {
namespace {

template <class A, class B>
concept Addable = requires(A a, B b) {
  a + b;
};
template <class A, class B>
concept Comparable = requires(A a, B b) {
  a < b;
};

static_assert(gb(450) / gb_per_s(450) == Seconds(1));
static_assert(tflops(2) * seconds(3) == Flops(6e12));
static_assert(watts(10) * seconds(5) == Joules(50));
static_assert(kwh(1) == kw(1) * hours(1));
static_assert(usd_per_kwh(3.6) * kwh(0.5) == UsdPerJoule(1e-6) * Joules(1.8e6));
static_assert(1.0 / seconds(4) == per_second(0.25));
static_assert(per_second(2) * seconds(3) == 6.0);
static_assert(gib(1) == mib(1024) && mib(1) == bytes(1024 * 1024));
static_assert(tb(1) == gb(1000) && gb(1) == mb(1000) && mb(1) == bytes(1e6));
static_assert(years(1) == days(365) && days(1) == hours(24) && hours(1) == seconds(3600));
static_assert(milliseconds(1500) == seconds(1.5));

static_assert(std::is_same_v<decltype(bytes(1) / bytes(1)), double>, "a ratio is a plain number");
static_assert(std::is_same_v<decltype(bytes(1) / seconds(1)), BytesPerSecond>);
static_assert(std::is_same_v<decltype(Flops(1) / bytes(1) * (bytes(1) / seconds(1))), FlopsPerSecond>);
static_assert(std::is_same_v<decltype(usd(1) / seconds(1)), UsdPerSecond>);
static_assert(sizeof(Bytes) == sizeof(double));

static_assert(Addable<Bytes, Bytes> && !Addable<Bytes, Seconds> && !Addable<Bytes, double>);
static_assert(Comparable<Bytes, Bytes> && !Comparable<Bytes, Flops> && !Comparable<Bytes, double>);
static_assert(!std::is_convertible_v<double, Bytes> && !std::is_convertible_v<Bytes, double>);

TEST(Quantity, OrdersSumsAndScales) {
  EXPECT_LT(gb(1), gib(1));
  EXPECT_EQ(2.0 * gb(3) - gb(1), gb(5));
  EXPECT_EQ(gb(3) * 2.0 / 3.0, gb(2));
  Bytes total;
  total += gib(1);
  total += gib(2);
  EXPECT_EQ(total, gib(3));
  EXPECT_EQ(raw(total), 3221225472.0);
  EXPECT_EQ(raw(7.5), 7.5);
}

TEST(UnitText, NamesProductsOfPowers) {
  EXPECT_EQ(unit_text({}), "1");
  EXPECT_EQ(unit_text(DimOf<double>::value), "1");
  EXPECT_EQ(unit_text(DimOf<Bytes>::value), "B");
  EXPECT_EQ(unit_text(DimOf<BytesPerSecond>::value), "B/s");
  EXPECT_EQ(unit_text(DimOf<FlopsPerSecond>::value), "FLOP/s");
  EXPECT_EQ(unit_text(DimOf<PerSecond>::value), "1/s");
  EXPECT_EQ(unit_text(DimOf<Watts>::value), "W");
  EXPECT_EQ(unit_text(DimOf<UsdPerJoule>::value), "USD/J");
  EXPECT_EQ(unit_text(DimOf<decltype(bytes(1) * bytes(1) / seconds(1))>::value), "B^2/s");
  EXPECT_EQ(unit_text(DimOf<decltype(Flops(1) * bytes(1))>::value), "B FLOP");
}

TEST(DisplayUnit, HoldsAsManyBaseUnitsAsTheMakerOfTheSameName) {
  EXPECT_EQ(unit::kGb.base_units, raw(gb(1)));
  EXPECT_EQ(unit::kGib.base_units, raw(gib(1)));
  EXPECT_EQ(unit::kDays.base_units, raw(days(1)));
  EXPECT_EQ(unit::kHours.base_units, raw(hours(1)));
  EXPECT_EQ(unit::kUsdPerHour.base_units, raw(usd_per_hour(1)));
  EXPECT_EQ(unit::kUsdPerYear.base_units, raw(usd(1) / years(1)));
  EXPECT_EQ(unit::kKw.base_units, raw(kw(1)));
  EXPECT_EQ(unit::kKwh.base_units, raw(kwh(1)));
  EXPECT_EQ(unit::kTflops.base_units, raw(tflops(1)));
  EXPECT_EQ(unit::kGbPerSecond.base_units, raw(gb_per_s(1)));
}

}  // namespace
}  // namespace podwright::units_test
