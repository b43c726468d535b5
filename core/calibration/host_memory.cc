#include "calibration/host_memory.h"

#include "measure/verdict.h"

namespace podwright {

std::string host_memory_note(const HardwareProfile& profile, const ProfileDevice& device) {
  const ProbeResult* largest = nullptr;
  for (const ProbeResult& result : profile.results) {
    const bool here = !result.devices.empty() && result.devices.front() == device.id;
    if (!here || result.probe != "cpu.stream.triad" || !result.usable() || !result.bytes_per_s()) continue;
    if (largest == nullptr || result.counted.bytes > largest->counted.bytes) largest = &result;
  }
  if (largest == nullptr) return "";
  return "Host memory of " + device.id + ": " + rate_text(RateUnit::bytes_per_s, *largest->bytes_per_s()) +
         " (cpu.stream.triad). It has no norm: the most that it can do is channels x transfer rate x 8 bytes, which "
         "the "
         "firmware shows to root alone (dmidecode -t memory).";
}

}  // namespace podwright
