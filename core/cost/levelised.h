#pragma once
/// Owning and renting on one scale.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Cost of a GPU-hour that stands ready, used or not. `capital` and `operation` are yearly costs as money per time.
constexpr auto available_gpu_price(Of<UsdPerSecond> auto capital, Of<UsdPerSecond> auto operation,
                                   Of<double> auto gpu_count) {
  return cited("docs/method/prices.md#comparison", (capital + operation) / gpu_count);
}

/// Cost of a GPU-hour that is used; `utilization` above 0.
constexpr auto used_gpu_price(Of<UsdPerSecond> auto available, Of<double> auto utilization) {
  return cited("docs/method/prices.md#comparison", available / utilization);
}

/// Operation over the whole time, its value today; `factor` is the annuity factor.
constexpr auto present_operation(Of<UsdPerSecond> auto operation, Of<double> auto factor) {
  return cited("docs/method/ownership.md#net-present-cost", operation * years(1) * factor);
}

/// Value today of everything that owning costs.
constexpr auto net_present_cost(Of<Usd> auto capex, Of<Usd> auto present_operation, Of<Usd> auto terminal,
                                Of<double> auto discount) {
  return cited("docs/method/ownership.md#net-present-cost", capex + present_operation - terminal * discount);
}

/// Value today of what falls due in a year's last moment.
constexpr auto present_value(Of<UsdPerSecond> auto yearly, Of<double> auto discount) {
  return cited("definition of present value", yearly * years(1) * discount);
}

/// Systems, or boards, times the price of one.
constexpr auto purchase_cost(Of<double> auto count, Of<Usd> auto price) {
  return cited("docs/method/prices.md#purchase", count * price);
}

}  // namespace podwright
