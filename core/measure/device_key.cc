#include "measure/device_key.h"

#include "catalog/gpu_named.h"

namespace podwright {
namespace {

template <typename Unit>
std::optional<Unit> in_units(const std::optional<double>& figure) {
  return figure && *figure > 0 ? std::optional<Unit>(Unit(*figure)) : std::nullopt;
}

}  // namespace

void name_device(const Catalog& catalog, ProfileDevice& device) {
  DeviceLook look{.name = device.name,
                  .sm_count = device.sm_count,
                  .bandwidth = in_units<BytesPerSecond>(device.driver_bytes_per_s),
                  .power_limit = in_units<Watts>(device.power_limit_default_w)};
  if (device.memory_total_gib && *device.memory_total_gib > 0) look.memory = gib(*device.memory_total_gib);
  const NamedGpu found = gpu_named(catalog, look);
  device.key = found.gpu == nullptr ? "" : found.gpu->id;
  device.key_match = found.gpu == nullptr ? KeyMatch::none : found.certain ? KeyMatch::exact : KeyMatch::name;
}

void name_devices(const Catalog& catalog, HardwareProfile& profile) {
  for (ProfileDevice& device : profile.devices)
    if (device.kind == "gpu" && device.key.empty() && !device.name.empty()) name_device(catalog, device);
}

}  // namespace podwright
