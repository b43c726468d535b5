#pragma once
/// Quantities with units in their types: byte, FLOP, second, joule, USD and every product of their powers.
/// Counts (tokens, layers, GPUs) and ratios are plain doubles. The wrapper costs nothing: one double inside.
/// What types cannot catch, names must: per GPU or per node, one direction or both, dense or sparse.
#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>

namespace podwright {

/// Exponents of the five base units.
struct Dim {
  int byte = 0;
  int flop = 0;
  int second = 0;
  int joule = 0;
  int usd = 0;
  friend constexpr bool operator==(const Dim&, const Dim&) = default;
};
constexpr Dim operator+(Dim a, Dim b) {
  return {a.byte + b.byte, a.flop + b.flop, a.second + b.second, a.joule + b.joule, a.usd + b.usd};
}
constexpr Dim operator-(Dim a, Dim b) {
  return {a.byte - b.byte, a.flop - b.flop, a.second - b.second, a.joule - b.joule, a.usd - b.usd};
}

template <Dim D>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double base_units) : base_units_(base_units) {}
  /// The number in base units (B, FLOP, s, J, USD and their products).
  constexpr double base_units() const { return base_units_; }

  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.base_units_ + b.base_units_); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.base_units_ - b.base_units_); }
  friend constexpr Quantity operator*(Quantity a, double b) { return Quantity(a.base_units_ * b); }
  friend constexpr Quantity operator*(double a, Quantity b) { return Quantity(a * b.base_units_); }
  friend constexpr Quantity operator/(Quantity a, double b) { return Quantity(a.base_units_ / b); }
  constexpr Quantity& operator+=(Quantity b) {
    base_units_ += b.base_units_;
    return *this;
  }
  friend constexpr auto operator<=>(Quantity, Quantity) = default;

 private:
  double base_units_ = 0.0;
};

/// A quantity without dimension is a plain double.
template <Dim D>
using QuantityOf = std::conditional_t<D == Dim{}, double, Quantity<D>>;

// The results are `auto` because gcc 12 cannot mangle the sum of two exponents in a function's type.
template <Dim A, Dim B>
constexpr auto operator*(Quantity<A> a, Quantity<B> b) {
  return QuantityOf<A + B>(a.base_units() * b.base_units());
}
template <Dim A, Dim B>
constexpr auto operator/(Quantity<A> a, Quantity<B> b) {
  return QuantityOf<A - B>(a.base_units() / b.base_units());
}
template <Dim B>
constexpr auto operator/(double a, Quantity<B> b) {
  return QuantityOf<Dim{} - B>(a / b.base_units());
}

using Bytes = Quantity<Dim{.byte = 1}>;
using Flops = Quantity<Dim{.flop = 1}>;  ///< an amount of work; one multiply-add is 2
using Seconds = Quantity<Dim{.second = 1}>;
using Joules = Quantity<Dim{.joule = 1}>;
using Usd = Quantity<Dim{.usd = 1}>;
using BytesPerSecond = Quantity<Dim{.byte = 1, .second = -1}>;
using FlopsPerSecond = Quantity<Dim{.flop = 1, .second = -1}>;
using PerSecond = Quantity<Dim{.second = -1}>;
using Watts = Quantity<Dim{.second = -1, .joule = 1}>;
using UsdPerSecond = Quantity<Dim{.second = -1, .usd = 1}>;
using UsdPerJoule = Quantity<Dim{.joule = -1, .usd = 1}>;

constexpr Bytes bytes(double x) { return Bytes(x); }
constexpr Bytes mb(double x) { return Bytes(x * 1e6); }
constexpr Bytes gb(double x) { return Bytes(x * 1e9); }
constexpr Bytes tb(double x) { return Bytes(x * 1e12); }
constexpr Bytes mib(double x) { return Bytes(x * 1048576.0); }
constexpr Bytes gib(double x) { return Bytes(x * 1073741824.0); }
constexpr Seconds seconds(double x) { return Seconds(x); }
constexpr Seconds milliseconds(double x) { return Seconds(x * 1e-3); }
constexpr Seconds microseconds(double x) { return Seconds(x * 1e-6); }
constexpr Seconds hours(double x) { return Seconds(x * 3600.0); }
constexpr Seconds days(double x) { return Seconds(x * 86400.0); }
/// 8,760 hours.
constexpr Seconds years(double x) { return Seconds(x * 31536000.0); }
constexpr BytesPerSecond gb_per_s(double x) { return BytesPerSecond(x * 1e9); }
constexpr FlopsPerSecond tflops(double x) { return FlopsPerSecond(x * 1e12); }
constexpr PerSecond per_second(double x) { return PerSecond(x); }
constexpr Watts watts(double x) { return Watts(x); }
constexpr Watts kw(double x) { return Watts(x * 1e3); }
constexpr Joules kwh(double x) { return Joules(x * 3.6e6); }
constexpr Usd usd(double x) { return Usd(x); }
constexpr UsdPerSecond usd_per_hour(double x) { return UsdPerSecond(x / 3600.0); }
constexpr UsdPerJoule usd_per_kwh(double x) { return UsdPerJoule(x / 3.6e6); }

/// The number inside: base units of a quantity, a plain number as it is.
constexpr double raw(double x) { return x; }
template <Dim D>
constexpr double raw(Quantity<D> q) {
  return q.base_units();
}

/// "B/s", "FLOP", "W", "1" for a plain number.
std::string unit_text(Dim dim);
template <class T>
struct DimOf {
  static constexpr Dim value{};
};
template <Dim D>
struct DimOf<Quantity<D>> {
  static constexpr Dim value = D;
};

/// A unit at the border: the key suffix that names it, its sign, and how many base units it holds.
struct DisplayUnit {
  const char* suffix;
  const char* sign;
  double base_units;
};
namespace unit {
inline constexpr DisplayUnit kNone{"", "1", 1.0};
inline constexpr DisplayUnit kBytes{"_bytes", "B", 1.0};
inline constexpr DisplayUnit kGb{"_gb", "GB", 1e9};
inline constexpr DisplayUnit kTb{"_tb", "TB", 1e12};
inline constexpr DisplayUnit kGib{"_gib", "GiB", 1073741824.0};
inline constexpr DisplayUnit kSeconds{"_s", "s", 1.0};
inline constexpr DisplayUnit kPerSecond{"_per_s", "1/s", 1.0};
inline constexpr DisplayUnit kHours{"_hours", "h", 3600.0};
inline constexpr DisplayUnit kDays{"_days", "d", 86400.0};
inline constexpr DisplayUnit kYears{"_years", "y", 1.0};
inline constexpr DisplayUnit kUsd{"_usd", "USD", 1.0};
inline constexpr DisplayUnit kUsdPerHour{"_usd_per_hour", "USD/h", 1.0 / 3600.0};
inline constexpr DisplayUnit kUsdPerYear{"_usd_per_year", "USD/y", 1.0 / 31536000.0};
inline constexpr DisplayUnit kUsdPerKwh{"_usd_per_kwh", "USD/kWh", 1.0 / 3.6e6};
inline constexpr DisplayUnit kJoules{"_j", "J", 1.0};
inline constexpr DisplayUnit kWatts{"_w", "W", 1.0};
inline constexpr DisplayUnit kKw{"_kw", "kW", 1e3};
inline constexpr DisplayUnit kKwh{"_kwh", "kWh", 3.6e6};
inline constexpr DisplayUnit kTflop{"_tflop", "TFLOP", 1e12};
inline constexpr DisplayUnit kTflops{"_tflops", "TFLOP/s", 1e12};
inline constexpr DisplayUnit kFlopPerByte{"_flop_per_byte", "FLOP/B", 1.0};
inline constexpr DisplayUnit kGbPerSecond{"_gb_per_s", "GB/s", 1e9};
inline constexpr DisplayUnit kTbPerSecond{"_tb_per_s", "TB/s", 1e12};
inline constexpr DisplayUnit kKg{"_kg", "kg", 1.0};
inline constexpr DisplayUnit kMetres{"_m", "m", 1.0};
inline constexpr DisplayUnit kSquareMetres{"_m2", "m2", 1.0};
inline constexpr DisplayUnit kBtuPerHour{"_btu_per_h", "BTU/h", 1.0};
inline constexpr DisplayUnit kLitresPerMinute{"_l_per_min", "L/min", 1.0};
inline constexpr DisplayUnit kCubicMetresPerHour{"_m3_per_h", "m3/h", 1.0};
inline constexpr DisplayUnit kCfm{"_cfm", "CFM", 1.0};

/// Every suffix once; one that another ends in comes after it.
inline constexpr DisplayUnit kSuffixed[] = {
    kUsdPerHour, kUsdPerYear, kUsdPerKwh,    kUsd,    kGbPerSecond, kTbPerSecond, kPerSecond,       kSeconds,
    kBytes,      kGib,        kGb,           kTb,     kHours,       kDays,        kYears,           kJoules,
    kWatts,      kKwh,        kKw,           kTflops, kTflop,       kFlopPerByte, kLitresPerMinute, kCubicMetresPerHour,
    kBtuPerHour, kKg,         kSquareMetres, kMetres, kCfm,
};

/// The unit that ends the key; null where none does.
constexpr const DisplayUnit* of_key(std::string_view key) {
  for (const DisplayUnit& one : kSuffixed)
    if (key.ends_with(one.suffix)) return &one;
  return nullptr;
}
}  // namespace unit

}  // namespace podwright
