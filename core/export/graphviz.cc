#include "export/graphviz.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "architecture/counted.h"
#include "base/characters.h"

namespace podwright {
namespace {

constexpr std::size_t kMostDevicesOneByOne = 150;

/// A box of the drawing.
struct Box {
  std::string label;  ///< of the first device
  std::string role;
  std::uint32_t unit = 0;
  std::uint32_t devices = 0;
};

/// In double quotes, as a label shows it: of DOT's own signs in labels, a backslash and an entity would become another
/// text.
std::string dot_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : whole_characters(text)) {
    if (c == '&')
      quoted += "&amp;";
    else if (c == '\n')
      quoted += "\\n";
    else
      quoted.append(c == '"' || c == '\\' ? "\\" : "").append(1, c);
  }
  return quoted + "\"";
}

std::string group_of(const std::string& label) {
  const std::size_t end = label.rfind('-');
  return end == std::string::npos ? std::string() : label.substr(0, end);
}

/// Boxes in the order of their first devices, and the box of every device.
struct Boxes {
  std::vector<Box> boxes;
  std::vector<std::uint32_t> of_device;
};

Boxes boxes_of(const NetworkWiring& wiring, bool by_unit) {
  Boxes result;
  std::map<std::tuple<std::string, std::uint32_t, std::string>, std::uint32_t> known;
  for (const WiredDevice& device : wiring.devices) {
    const auto next = static_cast<std::uint32_t>(result.boxes.size());
    const std::string group = !by_unit ? device.label : device.unit == 0 ? group_of(device.label) : std::string();
    const auto [at, added] = known.emplace(std::tuple(device.role, device.unit, group), next);
    if (added) result.boxes.push_back({device.label, device.role, device.unit, 0});
    ++result.boxes[at->second].devices;
    result.of_device.push_back(at->second);
  }
  return result;
}

std::string text_of(const Box& box) {
  if (box.devices == 1) return box.label;
  const std::string place = box.unit > 0 ? numbered_label("su", box.unit, 3) : group_of(box.label);
  return place + (place.empty() ? "" : " ") + box.role + " x " + std::to_string(box.devices);
}

}  // namespace

std::string graphviz_dot(const NetworkWiring& wiring) {
  const Boxes boxes = boxes_of(wiring, wiring.devices.size() > kMostDevicesOneByOne);
  std::string text = "graph " + dot_text(wiring.network) +
                     " {\n  rankdir=BT;\n  ranksep=1.5;\n  node [shape=box, fontname=\"sans-serif\"];\n";
  std::vector<std::string> roles;
  for (const Box& box : boxes.boxes)
    if (std::find(roles.begin(), roles.end(), box.role) == roles.end()) roles.push_back(box.role);
  for (const std::string& role : roles) {
    text += "  { rank=same;\n";
    for (std::size_t i = 0; i < boxes.boxes.size(); ++i)
      if (boxes.boxes[i].role == role)
        text += "    b" + std::to_string(i + 1) + " [label=" + dot_text(text_of(boxes.boxes[i])) + "];\n";
    text += "  }\n";
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> links;
  for (const Wire& wire : wiring.wires) ++links[{boxes.of_device[wire.from_device], boxes.of_device[wire.to_device]}];
  for (const auto& [ends, count] : links) {
    text += "  b" + std::to_string(ends.first + 1) + " -- b" + std::to_string(ends.second + 1);
    if (count > 1) text += " [label=" + dot_text(std::to_string(count)) + "]";
    text += ";\n";
  }
  return text + "}\n";
}

}  // namespace podwright
