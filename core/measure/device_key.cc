#include "measure/device_key.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/lower_case.h"

namespace podwright {
namespace {

/// Words of a name in small letters, split at everything that is neither letter nor digit.
std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> found(1);
  for (const char c : lower_case(text)) {
    const bool inside = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (inside) {
      found.back() += c;
    } else if (!found.back().empty()) {
      found.emplace_back();
    }
  }
  if (found.back().empty()) found.pop_back();
  return found;
}

bool holds(const std::vector<std::string>& list, const std::string& begins) {
  return std::any_of(list.begin(), list.end(), [&](const std::string& one) { return one.rfind(begins, 0) == 0; });
}

}  // namespace

DeviceKey device_key(const Catalog& catalog, const std::string& driver_name, double memory_bytes) {
  const std::vector<std::string> name = words(driver_name);
  std::vector<const Gpu*> fitting;
  double nearest = 1e300;
  for (const Gpu& gpu : catalog.gpus) {
    const std::vector<std::string> id = words(gpu.id);
    if (id.empty() || std::find(name.begin(), name.end(), id.front()) == name.end()) continue;
    if (holds(id, "pcie") != holds(name, "pcie") && holds(name, "pcie")) continue;
    if (holds(id, "nvl") != holds(name, "nvl")) continue;  // drivers name the bridged boards so
    const double nominal = gpu.memory ? raw(*gpu.memory) : 0;
    const double apart = nominal > 0 && memory_bytes > 0 ? std::fabs(memory_bytes / nominal - 1) : 0.05;
    if (apart > 0.12) continue;
    if (apart < nearest - 1e-3) fitting.clear();
    if (apart > nearest + 1e-3) continue;
    nearest = std::min(nearest, apart);
    fitting.push_back(&gpu);
  }
  if (fitting.empty()) return {};
  return {fitting.front()->id, fitting.size() == 1 ? KeyMatch::exact : KeyMatch::name};
}

void match_devices(const Catalog& catalog, HardwareProfile& profile) {
  for (ProfileDevice& device : profile.devices) {
    if (device.kind != "gpu" || !device.key.empty() || device.name.empty()) continue;
    const DeviceKey found = device_key(catalog, device.name, raw(gib(device.memory_total_gib.value_or(0))));
    device.key = found.key;
    device.key_match = found.match;
  }
}

}  // namespace podwright
