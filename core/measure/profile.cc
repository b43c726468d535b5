#include "measure/profile.h"

#include <algorithm>

namespace podwright {

bool is_scripted(const HardwareProfile& profile) {
  const ProfileEnvironment& environment = profile.environment;
  return profile.run.backend.find("fake") != std::string::npos || environment.driver.starts_with("scripted") ||
         environment.cublaslt.starts_with("scripted");
}

const ProfileDevice* find_device(const HardwareProfile& profile, std::string_view id) {
  for (const ProfileDevice& device : profile.devices)
    if (device.id == id) return &device;
  return nullptr;
}

std::vector<const ProbeResult*> usable_results(const HardwareProfile& profile, const ResultQuery& query) {
  std::vector<const ProbeResult*> found;
  for (const ProbeResult& result : profile.results) {
    const bool here = query.device.empty() ||
                      std::find(result.devices.begin(), result.devices.end(), query.device) != result.devices.end();
    const bool asked = result.probe == query.probe && here && (query.dtype.empty() || result.dtype == query.dtype) &&
                       (!query.mode || result.mode == *query.mode);
    if (asked && result.usable()) found.push_back(&result);
  }
  return found;
}

}  // namespace podwright
