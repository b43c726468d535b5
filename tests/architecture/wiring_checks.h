#pragma once
/// What must hold of every wiring, for tests.
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "architecture/wiring.h"

namespace podwright::test {

inline std::vector<std::string> labels(const std::string& prefix, double count) {
  std::vector<std::string> labels;
  for (int i = 1; i <= count; ++i) labels.push_back(prefix + std::to_string(i));
  return labels;
}

inline std::vector<WiredDevice> devices(const std::string& prefix, const std::string& role, double count) {
  std::vector<WiredDevice> devices;
  for (const std::string& label : labels(prefix, count)) devices.push_back({label, role, 0});
  return devices;
}

/// Every device and port once; every cable has two ends on different devices, and each end one cable.
inline void expect_sound(const NetworkWiring& wiring) {
  std::set<std::string> names;
  for (const WiredDevice& device : wiring.devices) EXPECT_TRUE(names.insert(device.label).second) << device.label;
  EXPECT_EQ(std::set<std::string>(wiring.ports.begin(), wiring.ports.end()).size(), wiring.ports.size());
  std::vector<bool> used(wiring.devices.size() * wiring.ports.size());
  for (const Wire& wire : wiring.wires) {
    ASSERT_NE(wire.from_device, wire.to_device);
    for (const auto& [device, port] : {std::pair(wire.from_device, wire.from_port), {wire.to_device, wire.to_port}}) {
      ASSERT_LT(device, wiring.devices.size());
      ASSERT_LT(port, wiring.ports.size());
      const std::size_t end = device * wiring.ports.size() + port;
      ASSERT_FALSE(used[end]) << wiring.devices[device].label << " " << wiring.ports[port] << " has two cables";
      used[end] = true;
    }
  }
}

using RoleCounts = std::map<std::pair<std::string, std::string>, double>;

inline RoleCounts links_by_role(const NetworkWiring& wiring) {
  RoleCounts counts;
  for (const Wire& wire : wiring.wires)
    ++counts[{wiring.devices[wire.from_device].role, wiring.devices[wire.to_device].role}];
  return counts;
}

inline double devices_of_role(const NetworkWiring& wiring, const std::string& role) {
  double count = 0;
  for (const WiredDevice& device : wiring.devices)
    if (device.role == role) ++count;
  return count;
}

/// "n1 st1 - st-u001-n1 1".
inline std::string ends(const NetworkWiring& wiring, const Wire& wire) {
  return wiring.devices[wire.from_device].label + " " + wiring.ports[wire.from_port] + " - " +
         wiring.devices[wire.to_device].label + " " + wiring.ports[wire.to_port];
}

/// The wires of the given devices.
inline std::set<std::string> ends_from(const NetworkWiring& wiring, const std::vector<std::string>& from) {
  const std::set<std::string> wanted(from.begin(), from.end());
  std::set<std::string> found;
  for (const Wire& wire : wiring.wires)
    if (wanted.count(wiring.devices[wire.from_device].label) > 0) found.insert(ends(wiring, wire));
  return found;
}

}  // namespace podwright::test
