#pragma once
/// The bill of materials of a design, line by line from its counts. docs/method/bill_of_materials.md.
#include "architecture/counted.h"
#include "architecture/design_figures.h"

namespace podwright {

template <class Tracer>
class BillWriter {
 public:
  using Count = typename Tracer::template Known<double>;

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
           const Count& count, std::string note = {}) {
    if (value_of(count) == 0) return;
    bill_.lines.push_back({.category = std::string(category),
                           .item_id = std::string(item_id),
                           .name = std::move(name),
                           .use = std::string(use),
                           .count = count,
                           .unit = category == "licence" ? "licences" : "pieces",
                           .note = std::move(note)});
  }
  void add(std::string_view category, std::string_view item_id, std::string name, std::string_view use,
           const std::optional<Count>& count, std::string note = {}) {
    if (count) add(category, item_id, std::move(name), use, *count, std::move(note));
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

  /// One machine alone needs no network.
  bool has_networks() const { return parts_.band == nullptr || parts_.band->architecture_id != "single-node"; }

  void systems() { add("system", parts_.system->id, parts_.system->name, "compute", *design_.size.nodes); }

  void switches() {
    const DesignNetworks<Tracer>& n = design_.networks;
    if (n.compute) {
      const bool pair = n.compute_need->topology == FabricTopology::switch_pair;
      add_switch(n.compute_switch, pair ? "pair" : "leaf", "compute", n.compute->leaf.total);
      add_switch(n.compute_switch, "spine", "compute", n.compute->spine.total);
      add_switch(n.compute_switch, "core", "compute", n.compute->core.total);
    } else if (has_networks()) {
      bill_.not_counted.push_back("switches and cables of the compute network");
    }
    if (n.storage) {
      add_switch(n.storage_switch, "leaf of nodes", "storage", n.storage->node_leaves);
      add_switch(n.storage_switch, "leaf of storage", "storage", n.storage->storage_leaves);
      add_switch(n.storage_switch, "spine", "storage", n.storage->spines);
      if (n.storage->third) add_switch(n.storage_switch, "core", "storage", n.storage->third->cores);
    } else if (has_networks()) {
      bill_.not_counted.push_back("switches and cables of the storage network");
    }
    if (n.in_band) {
      add_switch(n.in_band_switch, "leaf", "in-band", n.in_band->leaves);
      if (n.in_band_need->third) add_switch(n.in_band_switch, "spine", "in-band", n.in_band_need->third->spines);
      add_switch(n.in_band_switch, "core", "in-band", n.in_band_need->cores);
    } else if (n.in_band_switches) {
      add_switch(n.in_band_switch, "management and storage", "in-band", *n.in_band_switches);
      bill_.not_counted.push_back("cables of the in-band network");
    } else if (has_networks()) {
      bill_.not_counted.push_back("switches and cables of the in-band network");
    }
    if (n.out_of_band)
      add_switch(n.out_of_band_switch, "management ports", "out-of-band", n.out_of_band->switches);
    else if (has_networks())
      bill_.not_counted.push_back("switches and cables of the out-of-band network");
  }

  void cables() {
    const DesignNetworks<Tracer>& n = design_.networks;
    if (n.compute) {
      const std::string twin = value_of(n.compute_need->links_per_cable) == 2 ? "each holds two links" : "";
      add("cable", "", "node to leaf", "compute", n.compute->node_leaf_cables, twin);
      add("cable", "", "leaf to spine", "compute", n.compute->leaf_spine_cables, twin);
      add("cable", "", "spine to core", "compute", n.compute->spine_core_cables, twin);
      add("cable", "", "between the two switches", "compute", n.compute->inter_switch_cables,
          "links; a copper cable of two cages holds two");
      add("cable", "", "fabric manager to leaf", "compute", n.compute_need->manager_links);
    }
    if (n.storage) {
      add("cable", "", "node to leaf", "storage", n.storage->node_ports);
      add("cable", "", "leaf to spine", "storage", n.storage->uplinks);
      if (n.storage->third) add("cable", "", "spine to core", "storage", n.storage->third->links);
      add("cable", "", "storage to leaf", "storage", n.storage_need->storage_ports,
          "the port count of the storage differs by product");
      add("cable", "", "fabric manager to leaf", "storage", n.storage_need->manager_ports);
    }
    if (n.in_band && design_.ports) {
      add("cable", "", "node to leaf", "in-band", design_.ports->in_band_nodes);
      add("cable", "", "management server to leaf", "in-band", design_.ports->in_band_servers);
      add("cable", "", "file server to leaf", "in-band", design_.ports->in_band_file_servers);
      add("cable", "", "within a pair", "in-band", n.in_band->inter_switch_cables);
      const auto& third = n.in_band_need->third;
      add("cable", "", third ? "leaf to spine" : "leaf to core", "in-band", n.in_band->uplink_cables);
      if (third) add("cable", "", "spine to core", "in-band", third->links);
    }
    if (n.out_of_band) {
      add("cable", "", "device to switch, 1G copper", "out-of-band", n.out_of_band->ports);
      if (n.in_band)
        add("cable", "", "switch to in-band network", "out-of-band", n.out_of_band->uplink_cables);
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
    if (!design_.servers.servers && has_networks()) bill_.not_counted.push_back("management servers");
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
      if (line.licences)
        add("licence", line.product->id, line.product->name, "software", *line.licences, line.product->note);
      else
        bill_.not_counted.push_back("licences of " + line.product->name);
    }
  }

  const DesignParts& parts_;
  const Design<Tracer>& design_;
  BillOfMaterials<Tracer> bill_;
};

}  // namespace podwright
