#pragma once
/// Circuits into a rack, power distribution units (PDUs), and the uninterruptible supply (UPS) behind them.
/// docs/method/racks_and_power.md#feeds.
#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Apparent power (volt-amperes) of a three-phase circuit. `derating` is the share of the breaker's rating that may
/// flow all the time.
auto feed_apparent_power(Of<double> auto line_voltage, Of<double> auto current, Of<double> auto derating) {
  return cited("three-phase power", in<Watts>(sqrt(3.0) * line_voltage * current * derating));
}

/// Feeds of a rack that may lose one of them (N+1).
auto feeds_per_rack(Of<Watts> auto rack_power, Of<Watts> auto feed_power) {
  return cited("docs/method/racks_and_power.md#feeds", 1.0 + max(1.0, ceil(rack_power / feed_power)));
}

/// What each of the others carries when one feed is lost; at least two feeds.
constexpr auto feed_load_after_loss(Of<Watts> auto rack_power, Of<double> auto feeds) {
  return rack_power / (feeds - 1.0);
}

/// UPS modules that carry a load when one of them is out (N+1).
auto ups_modules(Of<Watts> auto load, Of<Watts> auto module_power) {
  return cited("docs/method/racks_and_power.md#ups", 1.0 + ceil(load / module_power));
}

/// Share of one of `count` things, at least one, in a power.
constexpr auto power_of_each(Of<Watts> auto power, Of<double> auto count) { return power / max(1.0, count); }

}  // namespace podwright
