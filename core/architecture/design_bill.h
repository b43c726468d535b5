#pragma once
/// The bill of materials of a design, line by line from its counts. docs/method/bill_of_materials.md.
#include "architecture/counted.h"
#include "architecture/design_figures.h"
#include "architecture/design_networks.h"

namespace podwright {

template <class Tracer>
class BillWriter {
 public:
  using Count = Known<Tracer, double>;

  BillWriter(const DesignParts& parts, const Design<Tracer>& design) : parts_(parts), design_(design) {}

  BillOfMaterials<Tracer> write() {
    systems();
    switches();
    cables();
    transceivers();
    servers();
    racks();
    licences();
    return std::move(bill_);
  }

 private:
  void add(std::string_view category, std::string_view item_id, std::string name, std::string_view use,
           const std::optional<Count>& count, std::string note = {}) {
    if (!count || value_of(*count) == 0) return;
    bill_.lines.push_back({.category = std::string(category),
                           .item_id = std::string(item_id),
                           .name = std::move(name),
                           .use = std::string(use),
                           .count = *count,
                           .unit = category == "licence" ? "licences" : "pieces",
                           .note = std::move(note)});
  }
  /// "switch of 128 x 400 Gb/s ports, not named by the document".
  std::string unnamed_switch(std::string_view use) const {
    if (use != "compute" || !design_.networks.compute_need) return "switch";
    const FabricNeed<Tracer>& need = *design_.networks.compute_need;
    std::string text = "switch of " + grouped(value_of(need.switch_ports));
    if (need.link) text += " x " + grouped(value_of(*need.link) / gb_per_s(1) * 8) + " Gb/s";
    return text + " ports, not named by the document";
  }
  void add_switch(const Switch* item, std::string_view role, std::string_view use, const Count& count) {
    const std::string name = item == nullptr ? unnamed_switch(use) : item->name;
    add("switch", item == nullptr ? "" : item->id, name + ", " + std::string(role), use, count);
  }

  void systems() { add("system", parts_.system->id, parts_.system->name, "compute", *design_.size.nodes); }

  void switches() {
    const DesignNetworks<Tracer>& n = design_.networks;
    for (const SwitchLayer<Tracer>& layer : layers_of(n))
      add_switch(layer.item, layer.name, layer.network, layer.count);
    const std::pair<const char*, bool> counted[] = {{"compute", n.compute.has_value()},
                                                    {"storage", n.storage.has_value()},
                                                    {"in-band", n.in_band_switches.has_value()},
                                                    {"out-of-band", n.out_of_band.has_value()}};
    for (const auto& [network, known] : counted)
      if (!known && !is_single_node(parts_))
        bill_.not_counted.push_back("switches and cables of the " + std::string(network) + " network");
      else if (known && std::string_view(network) == "in-band" && !n.in_band)
        bill_.not_counted.push_back("cables of the in-band network");
  }

  void cable(std::string name, std::string_view use, const std::optional<Count>& count, std::string note = {}) {
    add("cable", "", std::move(name), use, count, std::move(note));
  }

  void cables() {
    const DesignNetworks<Tracer>& n = design_.networks;
    if (n.compute) {
      const std::string twin = value_of(n.compute_need->links_per_cable) == 2 ? "each holds two links" : "";
      cable("node to leaf", "compute", n.compute->node_leaf_cables, twin);
      cable("leaf to spine", "compute", n.compute->leaf_spine_cables, twin);
      cable("spine to core", "compute", n.compute->spine_core_cables, twin);
      cable("between the two switches", "compute", n.compute->inter_switch_cables,
            "links; a copper cable of two cages holds two");
      cable("fabric manager to leaf", "compute", n.compute_need->manager_links);
    }
    if (n.storage) {
      cable("node to leaf", "storage", n.storage->node_ports);
      cable("leaf to spine", "storage", n.storage->uplinks);
      if (n.storage->third) cable("spine to core", "storage", n.storage->third->links);
      cable("storage to leaf", "storage", n.storage_need->storage_ports,
            "the port count of the storage differs by product");
      cable("fabric manager to leaf", "storage", n.storage_need->manager_ports);
    }
    if (n.in_band && design_.ports) {
      cable("node to leaf", "in-band", design_.ports->in_band_nodes);
      cable("management server to leaf", "in-band", design_.ports->in_band_servers);
      cable("file server to leaf", "in-band", design_.ports->in_band_file_servers);
      cable("within a pair", "in-band", n.in_band->inter_switch_cables);
      const auto& third = n.in_band_need->third;
      cable(third ? "leaf to spine" : "leaf to core", "in-band", n.in_band->uplink_cables);
      if (third) cable("spine to core", "in-band", third->links);
    }
    if (n.out_of_band) {
      cable("device to switch, 1G copper", "out-of-band", n.out_of_band->ports);
      if (n.in_band)
        cable("switch to in-band network", "out-of-band", n.out_of_band->uplink_cables);
      else
        bill_.not_counted.push_back(
            "uplinks of the out-of-band switches: the network that they lead to is not counted");
    }
  }

  void transceivers() {
    const DesignNetworks<Tracer>& n = design_.networks;
    if (n.compute && n.compute->node_transceivers) {
      add("transceiver", "", "at the nodes", "compute", *n.compute->node_transceivers);
      add("transceiver", "", "at the switches", "compute", *n.compute->switch_transceivers,
          "for every downward port of the full shell");
    } else if (n.compute) {
      bill_.not_counted.push_back("transceivers of the compute network: ports per cage are not known");
    }
    if (n.storage) {
      add("transceiver", "", "at the nodes", "storage", n.storage->node_ports);
      add("transceiver", "", "at the switches", "storage", n.storage->switch_transceivers);
    }
    if (n.in_band_switches) bill_.not_counted.push_back("transceivers of the in-band network");
  }

  void servers() {
    add("server", "", "management server", "management", design_.servers.servers);
    add("server", "", "fabric manager appliance", "management", design_.servers.fabric_managers);
    if (!design_.servers.servers && !is_single_node(parts_)) bill_.not_counted.push_back("management servers");
    bill_.not_counted.push_back("storage systems: their number and racks depend on the product");
  }

  void racks() {
    if (!design_.racks) {
      bill_.not_counted.push_back("racks and PDUs");
      return;
    }
    const RackPlan<Tracer>& plan = *design_.racks;
    if (!is_rack(*parts_.system)) add("rack", "", "rack of systems", "site", plan.compute_racks);
    add("rack", "", "rack of networks and management", "site", plan.other_racks);
    if (!is_rack(*parts_.system)) add("pdu", "", "rack PDU of systems", "site", plan.compute_pdus);
    add("pdu", "", "rack PDU of networks and management", "site", plan.other_pdus);
  }

  void licences() {
    for (const SoftwareLine<Tracer>& line : design_.software) {
      add("licence", line.product->id, line.product->name, "software", line.licences, line.product->note);
      if (!line.licences) bill_.not_counted.push_back("licences of " + line.product->name);
    }
  }

  const DesignParts& parts_;
  const Design<Tracer>& design_;
  BillOfMaterials<Tracer> bill_;
};

}  // namespace podwright
