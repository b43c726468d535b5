#pragma once
/// Owning and renting on one scale.
#include "base/formula.h"
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

/// Systems, or boards, times the price of one.
constexpr Usd purchase_cost(double count, Usd price) { return count * price; }
inline constexpr Formula<purchase_cost> kPurchaseCost{.id = "cost.purchase_cost",
                                                      .inputs = {"count", "price"},
                                                      .equation = "count * price",
                                                      .source = "docs/method/prices.md#purchase"};

}  // namespace podwright
