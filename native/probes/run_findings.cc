#include "probes/run_findings.h"

#include "base/number_text.h"

namespace podwright::probes {
namespace {

constexpr double kFaster = 1.05;
constexpr std::string_view kZeros = ".zeros";

/// The same product of random values.
const ProbeResult* random_partner(const HardwareProfile& profile, const ProbeResult& zeros) {
  const std::string probe = zeros.probe.substr(0, zeros.probe.size() - kZeros.size());
  for (const ProbeResult& one : profile.results)
    if (one.usable() && one.probe == probe && one.devices == zeros.devices && one.size == zeros.size &&
        one.mode == zeros.mode)
      return &one;
  return nullptr;
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

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
  std::vector<std::string> notes;
  for (const ProbeResult& zeros : profile.results) {
    if (!ends_with(zeros.probe, kZeros) || !zeros.usable()) continue;
    const ProbeResult* random = random_partner(profile, zeros);
    if (random == nullptr || random->time_s->median <= kFaster * zeros.time_s->median) continue;
    notes.push_back(zeros.devices.front() + " works at its limit of power: products of zeros are " +
                    fixed_number(random->time_s->median / zeros.time_s->median, 2) + " times as fast.");
  }
  profile.limits.insert(profile.limits.end(), notes.begin(), notes.end());
}

}  // namespace podwright::probes
