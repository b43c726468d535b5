#pragma once
/// Electricity of owned machines.
#include "architecture/facility.h"
#include "base/arithmetic.h"
#include "base/math.h"
#include "base/units.h"

namespace podwright {

/// A year has 8,760 hours.
constexpr auto energy_per_year(Of<Watts> auto power) { return power * years(1); }

constexpr auto energy_cost(Of<Watts> auto power, Of<UsdPerJoule> auto electricity_price) {
  return cited("docs/method/prices.md#energy", power * electricity_price);
}

/// A yearly amount that grows by the same share every year; `year` counts from 1.
auto escalated_cost(Of<UsdPerSecond> auto first_year, Of<double> auto growth, Of<double> auto year) {
  return cited("docs/method/ownership.md#energy", first_year * math::pow(1.0 + growth, year - 1.0));
}

/// Discount rate of amounts that grow: discounting them with it is discounting level amounts with `rate`.
constexpr auto net_rate(Of<double> auto rate, Of<double> auto growth) {
  return cited("docs/method/ownership.md#energy", (1.0 + rate) / (1.0 + growth) - 1.0);
}

/// Level amount with the same value today as one that grows. The factors are annuity factors, of the net rate and of
/// the plain one.
constexpr auto level_cost(Of<UsdPerSecond> auto first_year, Of<double> auto growth, Of<double> auto net_factor,
                          Of<double> auto factor) {
  return cited("docs/method/ownership.md#energy", first_year * net_factor / ((1.0 + growth) * factor));
}

/// Price of electricity in USD from one in another currency.
constexpr auto converted_electricity_price(Of<double> auto price_per_kwh, Of<double> auto usd_per_currency) {
  return cited("docs/method/ownership.md#energy", in<UsdPerJoule>(price_per_kwh * usd_per_currency / 3.6e6));
}

}  // namespace podwright
