#include "probes/run_findings.h"

#include "base/number_text.h"
#include "measure/measure_formulas.h"
#include "measure/zeros.h"

namespace podwright::probes {
namespace {

/// The part of `both` that ran alone: `same` says whether its size is that of the part.
template <class Same>
std::optional<Seconds> alone(const HardwareProfile& profile, const ProbeResult& both, std::string_view probe,
                             Same same) {
  for (const ProbeResult& one : profile.results)
    if (one.probe == probe && one.usable() && one.devices == both.devices && same(one.size, both.size))
      return Seconds(one.time_s->median);
  return std::nullopt;
}

}  // namespace

void add_overlaps(HardwareProfile& profile) {
  for (ProbeResult& both : profile.results) {
    if (both.probe != "overlap" || !both.usable()) continue;
    const auto product = alone(profile, both, "overlap.product", [](const ProbeSize& a, const ProbeSize& b) {
      return a.m == b.m && a.n == b.n && a.k == b.k;
    });
    const auto collective = alone(profile, both, "overlap.collective",
                                  [](const ProbeSize& a, const ProbeSize& b) { return a.bytes == b.bytes; });
    if (product && collective)
      both.overlap_efficiency = overlap_efficiency(*product, *collective, Seconds(both.time_s->median));
  }
}

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
