#include "probes/run_findings.h"

#include "base/number_text.h"
#include "measure/zeros.h"

namespace podwright::probes {

void add_links(HardwareProfile& profile) {
  for (const ProbeResult& result : profile.results) {
    if (result.probe != "p2p.matrix" || !result.usable() || result.devices.size() != 2) continue;
    ProfileLink link;
    link.from = result.devices.front();
    link.to = result.devices.back();
    link.bytes_per_s = result.bytes_per_s();
    profile.links.push_back(link);
  }
}

void note_power_limit(HardwareProfile& profile) {
  for (const FasterZeros& one : faster_zeros(profile))
    profile.limits.push_back(one.zeros->devices.front() + " works at its limit of power: products of zeros are " +
                             fixed_number(one.ratio, 2) + " times as fast.");
}

}  // namespace podwright::probes
