#pragma once
/// What a cloud bills over time. docs/method/cloud_cost.md.
#include "base/arithmetic.h"
#include "base/math.h"
#include "base/units.h"

namespace podwright {

/// A price after a negotiated discount, 0..1.
constexpr auto discounted_price(Of<UsdPerSecond> auto list_price, Of<double> auto discount) {
  return cited("docs/method/cloud_cost.md#terms", list_price * (1.0 - discount));
}

/// Mean over a year of what is paid only while machines are in use.
constexpr auto paid_while_used(Of<UsdPerSecond> auto rate, Of<double> auto utilization) {
  return cited("docs/method/cloud_cost.md#terms", rate * utilization);
}

/// What machines cost that are paid for all the time while no one uses them.
constexpr auto paid_while_idle(Of<UsdPerSecond> auto rate, Of<double> auto utilization) {
  return cited("docs/method/cloud_cost.md#idle", rate * (1.0 - utilization));
}

constexpr auto time_between_interruptions(Of<PerSecond> auto interruptions) {
  return cited("constant rate of interruptions", 1.0 / interruptions);
}

/// Share of the wall time in which spot machines must stand, so that work moves on for `utilization` of it; above 1 the
/// machines cannot do the work.
constexpr auto spot_share_of_time(Of<double> auto utilization, Of<double> auto goodput) {
  return cited("docs/method/cloud_cost.md#spot", utilization / goodput);
}

/// A support plan that takes a share of the bill.
constexpr auto support_on_bill(Of<UsdPerSecond> auto bill, Of<double> auto support_fraction) {
  return cited("docs/method/cloud_cost.md#support", bill * support_fraction);
}

/// A price that changes by the same share every year, over the price at the start. `change` is above -1, below 0 where
/// prices fall.
auto cloud_price_growth(Of<double> auto change, Of<double> auto years_from_start) {
  return cited("docs/method/cloud_cost.md#drift", math::pow(1.0 + change, years_from_start));
}

/// Years at the price of the start that cost as much as the time between two moments at a price that drifts all the
/// time; `log_change` is the natural logarithm of 1 + change, not 0.
constexpr auto drifted_years(Of<double> auto growth_at_start, Of<double> auto growth_at_end,
                             Of<double> auto log_change) {
  return cited("docs/method/cloud_cost.md#drift", (growth_at_end - growth_at_start) / log_change);
}

/// The same where a commitment fixes the price at the start of its term.
constexpr auto committed_years(Of<double> auto growth_at_start, Of<double> auto billed_years) {
  return cited("docs/method/cloud_cost.md#drift", growth_at_start * billed_years);
}

/// Bill of one year: `drifted_years` of the rates whose price drifts and `years_in_use` of the others.
constexpr auto cloud_bill(Of<UsdPerSecond> auto drifting, Of<double> auto drifted_years, Of<UsdPerSecond> auto steady,
                          Of<double> auto years_in_use) {
  return cited("docs/method/cloud_cost.md#drift", (drifting * drifted_years + steady * years_in_use) * years(1));
}

/// Value at the start of an amount that falls due later.
constexpr auto discounted_cloud_bill(Of<Usd> auto amount, Of<double> auto discount_factor) {
  return cited("definition of present value", amount * discount_factor);
}

/// Value today of 1 a year for the last part of a year; the annuity factors are those of its end and its start.
constexpr auto part_year_discount(Of<double> auto annuity_at_end, Of<double> auto annuity_at_start,
                                  Of<double> auto years) {
  return cited("docs/method/cloud_cost.md#drift", (annuity_at_end - annuity_at_start) / years);
}

/// Break-evens are published in months, of 720 or 730 hours.
constexpr auto time_of_months(Of<double> auto months, Of<double> auto hours_per_month) {
  return months * hours_per_month * hours(1);
}

}  // namespace podwright
