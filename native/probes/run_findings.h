#pragma once
/// What shows only when a run is over and its results stand side by side.
#include <vector>

#include "measure/profile.h"

namespace podwright::probes {

/// Flags that show only between sizes and thread counts of one probe.
void add_flags_between_sizes(std::vector<ProbeResult>& results);

/// Measured rates between two devices become links of the profile; their kind stays unknown.
void add_links(HardwareProfile& profile);

/// "overlap" is a product during an all-reduce, "overlap.product" and "overlap.collective" are each alone: what is
/// hidden of the shorter one stands at the first.
void add_overlaps(HardwareProfile& profile);

/// Products of zeros toggle no bits. Where they are more than 5 % faster than random ones, the device works at its
/// limit of power, and a sentence in the profile's limits says so. docs/operator.md.
void note_power_limit(HardwareProfile& profile);

}  // namespace podwright::probes
