#pragma once
/// Electricity of owned machines.
#include "architecture/facility.h"
#include "base/formula.h"
#include "base/math.h"
#include "base/units.h"

namespace podwright {

/// A year has 8,760 hours.
constexpr Joules energy_per_year(Watts power) { return power * years(1); }
inline constexpr Formula<energy_per_year> kEnergyPerYear{
    .id = "cost.energy_per_year", .inputs = {"power"}, .equation = "power * 31536000", .source = "definition"};

constexpr UsdPerSecond energy_cost(Watts power, UsdPerJoule electricity_price) { return power * electricity_price; }
inline constexpr Formula<energy_cost> kEnergyCost{.id = "cost.energy_cost",
                                                  .inputs = {"power", "electricity_price"},
                                                  .equation = "power * electricity_price",
                                                  .source = "docs/method/prices.md#energy"};

/// A yearly amount that grows by the same share every year; `year` counts from 1.
inline UsdPerSecond escalated_cost(UsdPerSecond first_year, double growth, double year) {
  return first_year * math::pow(1.0 + growth, year - 1.0);
}
inline constexpr Formula<escalated_cost> kEscalatedCost{.id = "cost.escalated_cost",
                                                        .inputs = {"first_year", "growth", "year"},
                                                        .equation = "first_year * (1 + growth) ^ (year - 1)",
                                                        .source = "docs/method/ownership.md#energy"};

/// Discount rate of amounts that grow: discounting them with it is discounting level amounts with `rate`.
constexpr double net_rate(double rate, double growth) { return (1.0 + rate) / (1.0 + growth) - 1.0; }
inline constexpr Formula<net_rate> kNetRate{.id = "cost.net_rate",
                                            .inputs = {"rate", "growth"},
                                            .equation = "(1 + rate) / (1 + growth) - 1",
                                            .source = "docs/method/ownership.md#energy"};

/// Level amount with the same value today as one that grows. The factors are annuity factors, of the net rate and of
/// the plain one.
constexpr UsdPerSecond level_cost(UsdPerSecond first_year, double growth, double net_factor, double factor) {
  return first_year * net_factor / ((1.0 + growth) * factor);
}
inline constexpr Formula<level_cost> kLevelCost{.id = "cost.level_cost",
                                                .inputs = {"first_year", "growth", "net_factor", "factor"},
                                                .equation = "first_year * net_factor / ((1 + growth) * factor)",
                                                .source = "docs/method/ownership.md#energy"};

/// Price of electricity in USD from one in another currency.
constexpr UsdPerJoule converted_electricity_price(double price_per_kwh, double usd_per_currency) {
  return usd_per_kwh(price_per_kwh * usd_per_currency);
}
inline constexpr Formula<converted_electricity_price> kConvertedElectricityPrice{
    .id = "cost.converted_electricity_price",
    .inputs = {"price_per_kwh", "usd_per_currency"},
    .equation = "price_per_kwh * usd_per_currency / 3600000",
    .source = "docs/method/ownership.md#energy"};

}  // namespace podwright
