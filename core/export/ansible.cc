#include "export/ansible.h"

#include <map>
#include <set>
#include <utility>

#include "architecture/counted.h"
#include "base/slug.h"
#include "base/yaml_text.h"

namespace podwright {
namespace {

/// Letters, digits and "_", which Ansible takes in names of groups.
std::string group_name(std::string_view kind, std::string_view of) {
  std::string name = std::string(kind) + "_" + plain_name(of);
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

/// Groups and hosts in the order in which they come, each once.
class Inventory {
 public:
  void add(const std::string& group, const std::string& label) {
    const auto [at, added] = index_.emplace(group, groups_.size());
    if (added) groups_.push_back({group, {}});
    const std::string host = plain_name(label);
    if (known_.emplace(at->second, host).second) groups_[at->second].second.push_back(host);
  }

  std::string text() const {
    if (groups_.empty()) return {};
    std::string yaml = "---\nall:\n  children:\n";
    for (const auto& [group, hosts] : groups_) {
      yaml += "    " + group + ":\n      hosts:\n";
      for (const std::string& host : hosts) yaml += "        " + yaml_text(host) + ":\n";
    }
    return yaml;
  }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> groups_;
  std::map<std::string, std::size_t> index_;
  std::set<std::pair<std::size_t, std::string>> known_;
};

}  // namespace

std::string ansible_inventory(const std::vector<WiredNetwork>& networks, const Elevations* elevations) {
  Inventory inventory;
  std::set<std::string> wired;
  for (const WiredNetwork& network : networks)
    for (const WiredDevice& device : network.wiring->devices) {
      if (wired.insert(device.label).second) inventory.add(group_name("role", device.role), device.label);
      if (device.unit > 0) inventory.add(numbered_label("unit_", device.unit, 3), device.label);
    }
  if (elevations == nullptr) return inventory.text();
  for (const RackElevation& rack : elevations->racks)
    for (const RackedDevice& device : rack.devices) {
      // A tray of a rack is a system to the networks, and only its place knows it as a part.
      if (wired.count(device.label) == 0)
        inventory.add(group_name("role", elevations->kinds[device.kind].role), device.label);
      inventory.add(group_name("rack", rack.label), device.label);
    }
  return inventory.text();
}

}  // namespace podwright
