#pragma once
/// Circuits into a rack, power distribution units (PDUs), and the uninterruptible supply (UPS) behind them.
/// docs/method/racks_and_power.md#feeds.
#include <algorithm>
#include <cmath>

#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Apparent power (volt-amperes) of a three-phase circuit. `derating` is the share of the breaker's rating that may
/// flow all the time.
inline Watts feed_apparent_power(double line_voltage, double current, double derating) {
  return Watts(std::sqrt(3.0) * line_voltage * current * derating);
}
inline constexpr Formula<feed_apparent_power> kFeedApparentPower{
    .id = "architecture.feed_apparent_power",
    .inputs = {"line_voltage", "current", "derating"},
    .equation = "sqrt(3) * line_voltage * current * derating",
    .source = "three-phase power"};

constexpr Watts feed_power(Watts apparent_power, double power_factor) { return apparent_power * power_factor; }
inline constexpr Formula<feed_power> kFeedPower{.id = "architecture.feed_power",
                                                .inputs = {"apparent_power", "power_factor"},
                                                .equation = "apparent_power * power_factor",
                                                .source = "definition"};

/// Feeds of a rack that may lose one of them (N+1).
inline double feeds_per_rack(Watts rack_power, Watts feed_power) {
  return 1.0 + std::max(1.0, std::ceil(rack_power / feed_power));
}
inline constexpr Formula<feeds_per_rack> kFeedsPerRack{.id = "architecture.feeds_per_rack",
                                                       .inputs = {"rack_power", "feed_power"},
                                                       .equation = "1 + max(1, ceil(rack_power / feed_power))",
                                                       .source = "docs/method/racks_and_power.md#feeds"};

/// What each of the others carries when one feed is lost; at least two feeds.
constexpr Watts feed_load_after_loss(Watts rack_power, double feeds) { return rack_power / (feeds - 1.0); }
inline constexpr Formula<feed_load_after_loss> kFeedLoadAfterLoss{.id = "architecture.feed_load_after_loss",
                                                                  .inputs = {"rack_power", "feeds"},
                                                                  .equation = "rack_power / (feeds - 1)",
                                                                  .source = "definition"};

constexpr double rack_pdus(double racks, double pdus_per_rack) { return racks * pdus_per_rack; }
inline constexpr Formula<rack_pdus> kRackPdus{.id = "architecture.rack_pdus",
                                              .inputs = {"racks", "pdus_per_rack"},
                                              .equation = "racks * pdus_per_rack",
                                              .source = "definition"};

/// PDUs of one rack of a drawing.
constexpr double drawn_pdus_per_rack(double pdus, double racks) { return pdus / racks; }
inline constexpr Formula<drawn_pdus_per_rack> kDrawnPdusPerRack{.id = "architecture.drawn_pdus_per_rack",
                                                                .inputs = {"pdus", "racks"},
                                                                .equation = "pdus / racks",
                                                                .source = "definition"};

/// UPS modules that carry a load when one of them is out (N+1).
inline double ups_modules(Watts load, Watts module_power) { return 1.0 + std::ceil(load / module_power); }
inline constexpr Formula<ups_modules> kUpsModules{.id = "architecture.ups_modules",
                                                  .inputs = {"load", "module_power"},
                                                  .equation = "1 + ceil(load / module_power)",
                                                  .source = "docs/method/racks_and_power.md#ups"};

/// Energy that the batteries deliver to the load; their own losses come on top.
constexpr Joules ups_energy(Watts load, Seconds ride_through) { return load * ride_through; }
inline constexpr Formula<ups_energy> kUpsEnergy{.id = "architecture.ups_energy",
                                                .inputs = {"load", "ride_through"},
                                                .equation = "load * ride_through",
                                                .source = "definition"};

/// Draw of several equal devices.
constexpr Watts devices_power(double devices, Watts device_power) { return devices * device_power; }
inline constexpr Formula<devices_power> kDevicesPower{.id = "architecture.devices_power",
                                                      .inputs = {"devices", "device_power"},
                                                      .equation = "devices * device_power",
                                                      .source = "definition"};

/// Share of one of `count` things, at least one, in a power.
constexpr Watts power_of_each(Watts power, double count) { return power / std::max(1.0, count); }
inline constexpr Formula<power_of_each> kPowerOfEach{.id = "architecture.power_of_each",
                                                     .inputs = {"power", "count"},
                                                     .equation = "power / max(1, count)",
                                                     .source = "definition"};

}  // namespace podwright
