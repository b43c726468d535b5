#pragma once
/// Which results of a device a norm is about, and the rate that they give together.
#include <optional>
#include <string>
#include <vector>

#include "calibration/device_roofs.h"
#include "measure/verdict.h"

namespace podwright {

struct JudgedRate {
  MeasuredRate rate;
  RateUnit unit = RateUnit::bytes_per_s;
  std::string judged;                       ///< "1 GiB", "median of 9 of the nine shapes"
  std::vector<const ProbeResult*> results;  ///< behind it; none for memory and imported links
};

/// Of the largest operation that the norm is about, or of its set of products; absent where nothing usable was
/// measured. Collectives give the bandwidth of their bus, `mem.capacity` the memory that one process could allocate.
/// An imported profile without results of a link gives the link's own rate.
std::optional<JudgedRate> judged_rate(const HardwareProfile& profile, const ProfileDevice& device,
                                      const ProbeNorm& norm);

/// The rate of one result in the unit of its norm; absent where it has none.
std::optional<MeasuredRate> rate_for(const ProbeNorm& norm, const ProbeResult& result);

/// Bandwidth of the bus of a collective; absent for other probes, and where the number of ranks is not told.
std::optional<MeasuredRate> collective_rate(const ProbeResult& result);

/// The probe that measures what a link of this device tells: pcie.h2d, pcie.d2h, p2p.matrix. Empty for links of others,
/// of networks and without a rate.
std::string probe_of(const ProfileLink& link, std::string_view device);

bool is_large_product(const ProbeSize& size);
/// "8192 x 8192 x 8192".
std::string shape_text(const ProbeSize& size);

/// The norm's floors on this device; absent where their denominator is not known, or the link's generation another.
std::optional<GenericFloors> floors_on(const ProbeNorm& norm, const DeviceRoofs& roofs);

}  // namespace podwright
