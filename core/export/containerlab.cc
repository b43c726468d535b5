#include "export/containerlab.h"

#include "export/plain_name.h"
#include "export/yaml_text.h"

namespace podwright {
namespace {

/// 0 where the label is not a number.
std::uint32_t front_port(const std::string& label) {
  std::uint32_t number = 0;
  for (const char c : label) {
    if (c < '0' || c > '9' || label.size() > 6) return 0;
    number = number * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return number;
}

}  // namespace

Result<std::string> containerlab_topology(const NetworkWiring& wiring, const ContainerlabOptions& options) {
  if (wiring.devices.size() > kMostLabNodes)
    return failure({"out-of-range", "",
                    "A lab of " + std::to_string(wiring.devices.size()) + " containers is more than the " +
                        std::to_string(kMostLabNodes) + " that are written.",
                    "Ask for the same architecture with fewer nodes: one unit shows the same wiring."});
  const bool cumulus = options.switch_kind == "cumulus_cvx" || options.switch_kind == "cvx";
  std::vector<bool> front(wiring.devices.size());
  for (std::size_t i = 0; i < front.size(); ++i) {
    const std::string& role = wiring.devices[i].role;
    front[i] = role == "out-of-band" || role.find("-leaf") != std::string::npos ||
               role.find("-spine") != std::string::npos || role.find("-core") != std::string::npos;
  }
  // eth0 is the lab's own network.
  std::vector<std::uint32_t> used(wiring.devices.size());
  const auto interface = [&](std::uint32_t device, std::uint32_t port) {
    if (!front[device]) return "eth" + std::to_string(++used[device]);
    const std::uint32_t number = front_port(wiring.ports[port]);
    return number > 0 ? (cumulus ? "swp" : "eth") + std::to_string(number) : plain_name(wiring.ports[port]);
  };
  std::string text = "name: " + yaml_text(slug_of(options.name)) + "\ntopology:\n  nodes:\n";
  for (std::size_t i = 0; i < front.size(); ++i)
    text += "    " + yaml_text(plain_name(wiring.devices[i].label)) +
            ":\n      kind: " + yaml_text(front[i] ? options.switch_kind : "linux") +
            "\n      image: " + yaml_text(front[i] ? options.switch_image : options.host_image) +
            "\n      group: " + yaml_text(wiring.devices[i].role) + "\n";
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
