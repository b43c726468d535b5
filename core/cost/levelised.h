#pragma once
/// Owning and renting on one scale.
#include "base/arithmetic.h"
#include "base/math.h"
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

/// Share of the time above which owning is cheaper than renting by the hour; above 1: never.
constexpr auto break_even_utilization(Of<UsdPerSecond> auto own, Of<UsdPerSecond> auto rent) {
  return cited("docs/method/prices.md#comparison", own / rent);
}

/// Time until the purchase is earned back, without residual value. Only where renting costs more than operating.
constexpr auto break_even_time(Of<Usd> auto capex, Of<UsdPerSecond> auto rent, Of<UsdPerSecond> auto operation) {
  return cited("docs/method/prices.md#comparison", capex / (rent - operation));
}

/// Rent at which a purchase is earned back after a known time: reads the price of a commitment out of a published
/// break-even.
constexpr auto implied_rent(Of<Usd> auto capex, Of<Seconds> auto time, Of<UsdPerSecond> auto operation) {
  return cited("docs/method/ownership.md#break-even", capex / time + operation);
}

/// Relative change of the break-even time for a relative change of the rent: the smaller the gap, the larger.
constexpr auto break_even_sensitivity(Of<UsdPerSecond> auto rent, Of<UsdPerSecond> auto operation) {
  return cited("docs/method/ownership.md#break-even", rent / (rent - operation));
}

/// Continuous fall per second of a price that changes by a share per year; below 0 where it rises. `yearly_change`
/// above -1. The logarithm is why it has no equation in powers: exp(-decay * 31536000) = 1 + yearly_change.
inline PerSecond price_decay(double yearly_change) { return -math::log(1.0 + yearly_change) / years(1); }

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
