#include "export/containerlab.h"

#include "base/slug.h"
#include "base/yaml_text.h"
#include "export/tables.h"

namespace podwright {
namespace {

constexpr std::string_view kImage = "ghcr.io/srl-labs/network-multitool";

}  // namespace

Result<std::string> containerlab_topology(const NetworkWiring& wiring) {
  if (wiring.devices.size() > kMostLabNodes)
    return failure({"out-of-range", "",
                    "A lab of " + std::to_string(wiring.devices.size()) + " containers is more than the " +
                        std::to_string(kMostLabNodes) + " that are written.",
                    "Ask for the same architecture with fewer nodes: one unit shows the same wiring."});
  // eth0 is the lab's own network.
  std::vector<std::uint32_t> used(wiring.devices.size());
  const auto interface = [&](std::uint32_t device, std::uint32_t port) {
    if (!is_switch(wiring.devices[device].role)) return "eth" + std::to_string(++used[device]);
    const std::uint32_t number = front_port(wiring.ports[port]);
    return number > 0 ? "eth" + std::to_string(number) : plain_name(wiring.ports[port]);
  };
  std::string text = "name: \"podwright\"\ntopology:\n  nodes:\n";
  for (const WiredDevice& device : wiring.devices)
    text += "    " + yaml_text(plain_name(device.label)) +
            ":\n      kind: \"linux\"\n      image: " + yaml_text(kImage) + "\n      group: " + yaml_text(device.role) +
            "\n";
  text += "  links:\n";
  for (const Wire& wire : wiring.wires) {
    const auto end = [&](std::uint32_t device, std::uint32_t port) {
      return yaml_text(plain_name(wiring.devices[device].label) + ":" + interface(device, port));
    };
    const std::string from = end(wire.from_device, wire.from_port);
    const std::string to = end(wire.to_device, wire.to_port);
    text += "    - endpoints: [" + from + ", " + to + "]\n";
  }
  return text;
}

}  // namespace podwright
