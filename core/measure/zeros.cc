#include "measure/zeros.h"

#include <string_view>

namespace podwright {
namespace {

constexpr std::string_view kZeros = ".zeros";

const ProbeResult* random_partner(const HardwareProfile& profile, const ProbeResult& zeros) {
  const std::string_view probe = std::string_view(zeros.probe).substr(0, zeros.probe.size() - kZeros.size());
  for (const ProbeResult& one : profile.results)
    if (one.usable() && one.probe == probe && one.devices == zeros.devices && one.size == zeros.size &&
        one.mode == zeros.mode)
      return &one;
  return nullptr;
}

}  // namespace

std::vector<FasterZeros> faster_zeros(const HardwareProfile& profile) {
  std::vector<FasterZeros> found;
  for (const ProbeResult& zeros : profile.results) {
    if (!zeros.probe.ends_with(kZeros) || !zeros.usable() || zeros.devices.empty()) continue;
    const ProbeResult* random = random_partner(profile, zeros);
    if (random == nullptr) continue;
    const double ratio = random->time_s->median / zeros.time_s->median;
    if (ratio > kZerosFaster) found.push_back({&zeros, random, ratio});
  }
  return found;
}

}  // namespace podwright
