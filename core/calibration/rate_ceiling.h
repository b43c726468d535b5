#pragma once
/// The most that a device's hardware can give in a probe: a rate above it is a wrong figure, whatever its norm.
/// docs/method/probes.md#ceilings.
#include <optional>
#include <string_view>

#include "base/message.h"
#include "calibration/device_roofs.h"
#include "calibration/profile_verdict.h"
#include "catalog/catalog.h"

namespace podwright {

struct RateCeiling {
  double most = 0;  ///< base units of the rate, with the tolerance: what is above is impossible
  Message says;     ///< what the hardware gives, without the tolerance
};

/// Of a collective among the GPUs of one node, of copies between host and device or between devices, of memory and of
/// products. Absent where the catalog does not say, for several nodes, and for probes whose work is not counted in
/// bytes or FLOPs. `clock_ratio` is that of the clock seen to the data sheet's.
std::optional<RateCeiling> rate_ceiling(const Catalog& catalog, const DeviceRoofs& roofs, std::string_view probe,
                                        std::string_view dtype, const ProbeSize& size, double clock_ratio);

/// Do the switches between this many GPUs add up all-reduces? Then their bus bandwidth, a formula for rings, is no
/// share of what a link carries.
bool switches_add(const Gpu& gpu, double ranks);

/// The verdict `impossible` where the rate's whole interval is above the ceiling, with what may be wrong.
std::optional<Message> above_ceiling(const RateCeiling& ceiling, const ProfileVerdict& one, const Gpu& gpu);

/// The probe as people call it; its own name where it has no other.
Message probe_title(std::string_view probe);
/// Items one after the other, as one value of a sentence.
Message listed(const std::vector<Message>& items);

}  // namespace podwright
