#pragma once
/// Owning and renting on one scale.
#include "base/formula.h"
#include "base/math.h"
#include "base/units.h"

namespace podwright {

/// Cost of a GPU-hour that stands ready, used or not. `capital` and `operation` are yearly costs as money per time.
constexpr UsdPerSecond available_gpu_price(UsdPerSecond capital, UsdPerSecond operation, double gpu_count) {
  return (capital + operation) / gpu_count;
}
inline constexpr Formula<available_gpu_price> kAvailableGpuPrice{.id = "cost.available_gpu_price",
                                                                 .inputs = {"capital", "operation", "gpu_count"},
                                                                 .equation = "(capital + operation) / gpu_count",
                                                                 .source = "docs/method/prices.md#comparison"};

/// Cost of a GPU-hour that is used; `utilization` above 0.
constexpr UsdPerSecond used_gpu_price(UsdPerSecond available, double utilization) { return available / utilization; }
inline constexpr Formula<used_gpu_price> kUsedGpuPrice{.id = "cost.used_gpu_price",
                                                       .inputs = {"available", "utilization"},
                                                       .equation = "available / utilization",
                                                       .source = "docs/method/prices.md#comparison"};

/// Share of the time above which owning is cheaper than renting by the hour; above 1: never.
constexpr double break_even_utilization(UsdPerSecond own, UsdPerSecond rent) { return own / rent; }
inline constexpr Formula<break_even_utilization> kBreakEvenUtilization{.id = "cost.break_even_utilization",
                                                                       .inputs = {"own", "rent"},
                                                                       .equation = "own / rent",
                                                                       .source = "docs/method/prices.md#comparison"};

/// Time until the purchase is earned back, without residual value. Only where renting costs more than operating.
constexpr Seconds break_even_time(Usd capex, UsdPerSecond rent, UsdPerSecond operation) {
  return capex / (rent - operation);
}
inline constexpr Formula<break_even_time> kBreakEvenTime{.id = "cost.break_even_time",
                                                         .inputs = {"capex", "rent", "operation"},
                                                         .equation = "capex / (rent - operation)",
                                                         .source = "docs/method/prices.md#comparison"};

/// Rent at which a purchase is earned back after a known time: reads the price of a commitment out of a published
/// break-even.
constexpr UsdPerSecond implied_rent(Usd capex, Seconds time, UsdPerSecond operation) {
  return capex / time + operation;
}
inline constexpr Formula<implied_rent> kImpliedRent{.id = "cost.implied_rent",
                                                    .inputs = {"capex", "time", "operation"},
                                                    .equation = "capex / time + operation",
                                                    .source = "docs/method/ownership.md#break-even"};

/// Relative change of the break-even time for a relative change of the rent: the smaller the gap, the larger.
constexpr double break_even_sensitivity(UsdPerSecond rent, UsdPerSecond operation) { return rent / (rent - operation); }
inline constexpr Formula<break_even_sensitivity> kBreakEvenSensitivity{.id = "cost.break_even_sensitivity",
                                                                       .inputs = {"rent", "operation"},
                                                                       .equation = "rent / (rent - operation)",
                                                                       .source = "docs/method/ownership.md#break-even"};

/// Continuous fall per second of a price that changes by a share per year; below 0 where it rises. `yearly_change`
/// above -1. The logarithm is why it has no equation in powers: exp(-decay * 31536000) = 1 + yearly_change.
inline PerSecond price_decay(double yearly_change) { return -math::log(1.0 + yearly_change) / years(1); }

/// Operation over the whole time, its value today; `factor` is the annuity factor.
constexpr Usd present_operation(UsdPerSecond operation, double factor) { return operation * years(1) * factor; }
inline constexpr Formula<present_operation> kPresentOperation{.id = "cost.present_operation",
                                                              .inputs = {"operation", "factor"},
                                                              .equation = "operation * 31536000 * factor",
                                                              .source = "docs/method/ownership.md#net-present-cost"};

/// Value today of everything that owning costs.
constexpr Usd net_present_cost(Usd capex, Usd present_operation, Usd terminal, double discount) {
  return capex + present_operation - terminal * discount;
}
inline constexpr Formula<net_present_cost> kNetPresentCost{
    .id = "cost.net_present_cost",
    .inputs = {"capex", "present_operation", "terminal", "discount"},
    .equation = "capex + present_operation - terminal * discount",
    .source = "docs/method/ownership.md#net-present-cost"};

/// Value today of what falls due in a year's last moment.
constexpr Usd present_value(UsdPerSecond yearly, double discount) { return yearly * years(1) * discount; }
inline constexpr Formula<present_value> kPresentValue{.id = "cost.present_value",
                                                      .inputs = {"yearly", "discount"},
                                                      .equation = "yearly * 31536000 * discount",
                                                      .source = "definition of present value"};

/// Systems, or boards, times the price of one.
constexpr Usd purchase_cost(double count, Usd price) { return count * price; }
inline constexpr Formula<purchase_cost> kPurchaseCost{.id = "cost.purchase_cost",
                                                      .inputs = {"count", "price"},
                                                      .equation = "count * price",
                                                      .source = "docs/method/prices.md#purchase"};

}  // namespace podwright
