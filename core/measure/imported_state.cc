#include "measure/imported_state.h"

#include <utility>

#include "base/append.h"
#include "measure/device_key.h"
#include "measure/health_check.h"

namespace podwright {

Errors choose_gpus(const Catalog& catalog, std::span<const ChosenGpu> chosen, HardwareProfile& profile) {
  Errors errors;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const std::string path = "/" + std::to_string(i);
    const auto gpu = find_gpu(catalog, chosen[i].gpu);
    if (!gpu) {
      for (Error error : gpu.error()) {
        error.path = path + "/gpu";
        errors.push_back(std::move(error));
      }
      continue;
    }
    bool found = false;
    for (ProfileDevice& device : profile.devices) {
      if (device.kind != "gpu" || (!chosen[i].device.empty() && device.id != chosen[i].device)) continue;
      device.key = (*gpu)->id;
      device.key_match = KeyMatch::chosen;
      found = true;
    }
    if (!found)
      errors.push_back({"unknown-id", path + "/device", "The files have no GPU \"" + chosen[i].device + "\".",
                        "GPUs are d0, d1 and so on, in the order of the files."});
  }
  return errors;
}

void judge_imported(const Catalog& catalog, std::span<const GpuReading> readings, HardwareProfile& profile) {
  name_devices(catalog, profile);
  if (!readings.empty()) append(profile.health_checks, health_checks(profile, readings, nullptr, &catalog));
}

}  // namespace podwright
