#include "export/netbox_modules.h"

#include <map>
#include <set>
#include <utility>

#include "base/whole.h"
#include "base/words.h"
#include "export/netbox_types.h"

namespace podwright {

std::uint32_t ports_per_cage(const Switch& item) {
  if (!item.ports || !item.cages || !(*item.cages > 0)) return 0;
  return whole(*item.ports / *item.cages);
}

namespace {

/// Cages of one network, each once.
class CageList {
 public:
  CageList(const WiredNetwork& network, const std::function<const Switch*(const std::string&)>& item_of)
      : wiring_(*network.wiring) {
    if (network.runs == nullptr) return;
    for (const WiredDevice& device : wiring_.devices) items_.push_back(item_of(device.label));
    for (std::size_t i = 0; i < wiring_.wires.size(); ++i) {
      const CableMedium medium = (*network.runs)[i].medium;
      if (medium != CableMedium::multimode && medium != CableMedium::single_mode) continue;
      const Wire& wire = wiring_.wires[i];
      const Switch* upper = items_[wire.to_device];
      if (upper == nullptr || ports_per_cage(*upper) == 0) continue;
      add(wire.from_device, wire.from_port, *upper, medium);
      add(wire.to_device, wire.to_port, *upper, medium);
    }
  }

  std::vector<NetboxModule> take() { return std::move(modules_); }

 private:
  void add(Whole device, Whole port, const Switch& upper, CableMedium medium) {
    const Switch* own = items_[device];
    // As the bill counts them: NICs of the compute network share cages as the switch's ports do, other NICs do not.
    const Whole shared = own != nullptr                 ? ports_per_cage(*own)
                         : wiring_.network == "compute" ? ports_per_cage(upper)
                                                        : 1;
    const Whole number = own != nullptr ? front_port(wiring_.ports[port]) : ++used_[device];
    if (shared == 0 || number == 0) return;
    const Whole cage = (number - 1) / shared + 1;
    if (!known_.emplace(device, cage).second) return;
    const std::string position = std::to_string(cage);
    modules_.push_back({.device = wiring_.devices[device].label,
                        .bay = (own != nullptr ? "cage-" : wiring_.network + "-cage-") + position,
                        .position = position,
                        .type = "transceiver " + (shared > 1 ? std::to_string(shared) + " x " : std::string()) +
                                netbox_interface_type(upper) + " " + std::string(word_of(medium, kCableMediumWords))});
  }

  const NetworkWiring& wiring_;
  std::vector<const Switch*> items_;
  std::map<Whole, Whole> used_;  ///< optical ports of a host so far
  std::set<std::pair<Whole, Whole>> known_;
  std::vector<NetboxModule> modules_;
};

}  // namespace

std::vector<NetboxModule> netbox_modules(const std::vector<WiredNetwork>& networks,
                                         const std::function<const Switch*(const std::string&)>& item_of) {
  std::vector<NetboxModule> modules;
  std::set<std::pair<std::string, std::string>> known;
  for (const WiredNetwork& network : networks)
    for (NetboxModule& module : CageList(network, item_of).take())
      if (known.emplace(module.device, module.bay).second) modules.push_back(std::move(module));
  return modules;
}

}  // namespace podwright
