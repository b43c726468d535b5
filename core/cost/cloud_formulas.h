#pragma once
/// What a cloud bills over time. docs/method/cloud_cost.md.
#include "base/formula.h"
#include "base/math.h"
#include "base/units.h"

namespace podwright {

/// A price after a negotiated discount, 0..1.
constexpr UsdPerSecond discounted_price(UsdPerSecond list_price, double discount) {
  return list_price * (1.0 - discount);
}
inline constexpr Formula<discounted_price> kDiscountedPrice{.id = "cost.discounted_price",
                                                            .inputs = {"list_price", "discount"},
                                                            .equation = "list_price * (1 - discount)",
                                                            .source = "docs/method/cloud_cost.md#terms"};

/// Mean over a year of what is paid only while machines are in use.
constexpr UsdPerSecond paid_while_used(UsdPerSecond rate, double utilization) { return rate * utilization; }
inline constexpr Formula<paid_while_used> kPaidWhileUsed{.id = "cost.paid_while_used",
                                                         .inputs = {"rate", "utilization"},
                                                         .equation = "rate * utilization",
                                                         .source = "docs/method/cloud_cost.md#terms"};

/// What machines cost that are paid for all the time while nobody uses them.
constexpr UsdPerSecond paid_while_idle(UsdPerSecond rate, double utilization) { return rate * (1.0 - utilization); }
inline constexpr Formula<paid_while_idle> kPaidWhileIdle{.id = "cost.paid_while_idle",
                                                         .inputs = {"rate", "utilization"},
                                                         .equation = "rate * (1 - utilization)",
                                                         .source = "docs/method/cloud_cost.md#idle"};

constexpr Seconds time_between_interruptions(PerSecond interruptions) { return 1.0 / interruptions; }
inline constexpr Formula<time_between_interruptions> kTimeBetweenInterruptions{
    .id = "cost.time_between_interruptions",
    .inputs = {"interruptions"},
    .equation = "1 / interruptions",
    .source = "constant rate of interruptions"};

/// Share of the wall time in which spot machines must stand, so that work moves on for `utilization` of it; above 1 the
/// machines cannot do the work.
constexpr double spot_share_of_time(double utilization, double goodput) { return utilization / goodput; }
inline constexpr Formula<spot_share_of_time> kSpotShareOfTime{.id = "cost.spot_share_of_time",
                                                              .inputs = {"utilization", "goodput"},
                                                              .equation = "utilization / goodput",
                                                              .source = "docs/method/cloud_cost.md#spot"};

/// A support plan that takes a share of the bill.
constexpr UsdPerSecond support_on_bill(UsdPerSecond bill, double support_fraction) { return bill * support_fraction; }
inline constexpr Formula<support_on_bill> kSupportOnBill{.id = "cost.support_on_bill",
                                                         .inputs = {"bill", "support_fraction"},
                                                         .equation = "bill * support_fraction",
                                                         .source = "docs/method/cloud_cost.md#support"};

/// A rate for all GPUs as one for each.
constexpr UsdPerSecond rented_rate_per_gpu(UsdPerSecond rate, double gpu_count) { return rate / gpu_count; }
inline constexpr Formula<rented_rate_per_gpu> kRentedRatePerGpu{.id = "cost.rented_rate_per_gpu",
                                                                .inputs = {"rate", "gpu_count"},
                                                                .equation = "rate / gpu_count",
                                                                .source = "definition"};

/// A price that changes by the same share every year, over the price at the start. `change` is above -1, below 0 where
/// prices fall.
inline double cloud_price_growth(double change, double years_from_start) {
  return math::pow(1.0 + change, years_from_start);
}
inline constexpr Formula<cloud_price_growth> kCloudPriceGrowth{.id = "cost.cloud_price_growth",
                                                               .inputs = {"change", "years_from_start"},
                                                               .equation = "(1 + change) ^ years_from_start",
                                                               .source = "docs/method/cloud_cost.md#drift"};

/// Years at the price of the start that cost as much as the time between two moments at a price that drifts all the
/// time; `log_change` is the natural logarithm of 1 + change, not 0.
constexpr double drifted_years(double growth_at_start, double growth_at_end, double log_change) {
  return (growth_at_end - growth_at_start) / log_change;
}
inline constexpr Formula<drifted_years> kDriftedYears{.id = "cost.drifted_years",
                                                      .inputs = {"growth_at_start", "growth_at_end", "log_change"},
                                                      .equation = "(growth_at_end - growth_at_start) / log_change",
                                                      .source = "docs/method/cloud_cost.md#drift"};

/// The same where a commitment fixes the price at the start of its term.
constexpr double committed_years(double growth_at_start, double billed_years) { return growth_at_start * billed_years; }
inline constexpr Formula<committed_years> kCommittedYears{.id = "cost.committed_years",
                                                          .inputs = {"growth_at_start", "billed_years"},
                                                          .equation = "growth_at_start * billed_years",
                                                          .source = "docs/method/cloud_cost.md#drift"};

/// Bill of one year: `drifted_years` of the rates whose price drifts and `years_in_use` of the others.
constexpr Usd cloud_bill(UsdPerSecond drifting, double drifted_years, UsdPerSecond steady, double years_in_use) {
  return (drifting * drifted_years + steady * years_in_use) * years(1);
}
inline constexpr Formula<cloud_bill> kCloudBill{
    .id = "cost.cloud_bill",
    .inputs = {"drifting", "drifted_years", "steady", "years_in_use"},
    .equation = "(drifting * drifted_years + steady * years_in_use) * 31536000",
    .source = "docs/method/cloud_cost.md#drift"};

/// Value at the start of an amount that falls due later.
constexpr Usd discounted_cloud_bill(Usd amount, double discount_factor) { return amount * discount_factor; }
inline constexpr Formula<discounted_cloud_bill> kDiscountedCloudBill{.id = "cost.discounted_cloud_bill",
                                                                     .inputs = {"amount", "discount_factor"},
                                                                     .equation = "amount * discount_factor",
                                                                     .source = "definition of present value"};

/// Value today of 1 a year for the last part of a year; the annuity factors are those of its end and its start.
constexpr double part_year_discount(double annuity_at_end, double annuity_at_start, double years) {
  return (annuity_at_end - annuity_at_start) / years;
}
inline constexpr Formula<part_year_discount> kPartYearDiscount{
    .id = "cost.part_year_discount",
    .inputs = {"annuity_at_end", "annuity_at_start", "years"},
    .equation = "(annuity_at_end - annuity_at_start) / years",
    .source = "docs/method/cloud_cost.md#drift"};

/// Break-evens are published in months, of 720 or 730 hours.
constexpr Seconds time_of_months(double months, double hours_per_month) { return hours(months * hours_per_month); }
inline constexpr Formula<time_of_months> kTimeOfMonths{.id = "cost.time_of_months",
                                                       .inputs = {"months", "hours_per_month"},
                                                       .equation = "months * hours_per_month * 3600",
                                                       .source = "definition"};

}  // namespace podwright
