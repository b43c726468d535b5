#include "catalog/architecture_site.h"

#include <string_view>

namespace podwright {
namespace {

/// Absent where it is 0, too: none.
std::optional<double> number_of(const JsonNode& object, std::string_view key) {
  const JsonNode* node = object.find(key);
  if (node == nullptr || !node->is_number() || node->number == 0) return {};
  return node->number;
}

void take(const JsonNode& object, std::string_view key, std::optional<double>& field) {
  if (const std::optional<double> value = number_of(object, key)) field = value;
}

void take(const JsonNode& object, std::string_view key, std::optional<BytesPerSecond>& field) {
  if (const std::optional<double> value = number_of(object, key)) field = gb_per_s(*value);
}

void take(const JsonNode& object, std::string_view key, std::string& field) {
  if (const JsonNode* node = object.find(key); node != nullptr && node->is_text()) field = node->text;
}

void read_racks(const JsonNode& racks, ArchitectureSite& site) {
  if (const JsonNode* allowed = racks.find("nodes_per_rack"); allowed != nullptr && allowed->is_list())
    if (allowed->items.size() == 1 && allowed->items[0].is_number()) site.nodes_per_rack = allowed->items[0].number;
  take(racks, "reference_nodes_per_rack", site.nodes_per_rack);
  take(racks, "rack_pdus_per_rack", site.rack_pdus_per_rack);
  take(racks, "drawn_units", site.drawn.units);
  take(racks, "drawn_nodes", site.drawn.nodes);
  take(racks, "total_racks_4su", site.drawn.racks);
}

void read_storage_network(const JsonNode& model, ArchitectureSite& site) {
  StorageNetworkModel& network = site.storage_network.emplace();
  network.ports_per_node = number_of(model, "ports_per_node").value_or(0);
  network.storage_ports_per_unit = number_of(model, "storage_ports_per_su").value_or(0);
  network.leaf_ports_down = number_of(model, "leaf_down").value_or(0);
  network.node_oversubscription = number_of(model, "node_oversubscription").value_or(1);
  network.manager_ports = number_of(model, "manager_ports").value_or(0);
}

void read_in_band_model(const JsonNode& model, ArchitectureSite& site) {
  InBandModel& in_band = site.in_band.emplace();
  in_band.links_per_pair = number_of(model, "links_per_pair").value_or(0);
  in_band.uplinks_per_leaf = number_of(model, "uplinks_per_leaf").value_or(0);
  in_band.cores = number_of(model, "cores").value_or(0);
}

void read_in_band(const JsonNode& in_band, ArchitectureSite& site) {
  take(in_band, "switch", site.in_band_switch);
  take(in_band, "links_per_node", site.in_band_links_per_node);
  take(in_band, "switches_4su", site.drawn.in_band_switches);
  take(in_band, "switches", site.in_band_switches);
  if (const JsonNode* model = in_band.find("model")) read_in_band_model(*model, site);
  if (const JsonNode* cables = in_band.find("cables_4su")) {
    take(*cables, "management", site.drawn.in_band_management_links);
    take(*cables, "nfs", site.drawn.in_band_nfs_links);
  }
}

struct LevelColumn {
  std::string_view key;
  std::optional<BytesPerSecond> StorageLevel::*field;
};
constexpr LevelColumn kLevelColumns[] = {
    {"single_node_read", &StorageLevel::node_read},   {"single_node_write", &StorageLevel::node_write},
    {"one_su_read", &StorageLevel::unit_read},        {"one_su_write", &StorageLevel::unit_write},
    {"four_su_read", &StorageLevel::four_units_read}, {"four_su_write", &StorageLevel::four_units_write},
};

/// One list of names and, beside it, lists of the same length with GB/s.
void read_levels(ObjectReader& reader, const JsonNode& table, ArchitectureSite& site) {
  const JsonNode* names = table.find("levels");
  if (names == nullptr || !names->is_list()) return;
  site.storage_levels.clear();
  for (const JsonNode& name : names->items) site.storage_levels.push_back({.name = name.text});
  for (const LevelColumn& column : kLevelColumns) {
    const JsonNode* values = table.find(column.key);
    if (values == nullptr) continue;
    if (!values->is_list() || values->items.size() != names->items.size()) {
      reader.error("storage_performance", "wrong-type",
                   "\"" + std::string(column.key) + "\" must be a list with one number for each level.", "");
      continue;
    }
    for (std::size_t i = 0; i < values->items.size(); ++i)
      if (values->items[i].is_number()) site.storage_levels[i].*column.field = gb_per_s(values->items[i].number);
  }
  take(table, "gds_read_gb_per_s_per_node", site.gds_read);
  take(table, "node_maximum_gb_per_s", site.node_maximum);
}

}  // namespace

void read_architecture_site(ObjectReader& reader, ArchitectureSite& site) {
  if (const auto like = reader.text("site_like")) site.like = *like;
  if (const JsonNode* racks = reader.object("racks")) read_racks(*racks, site);
  if (const JsonNode* pdus = reader.object("pdus_4su")) {
    take(*pdus, "compute", site.drawn.compute_rack_pdus);
    take(*pdus, "other", site.drawn.other_rack_pdus);
  }
  if (const JsonNode* storage = reader.object("storage_fabric")) {
    take(*storage, "switch", site.storage_switch);
    take(*storage, "switches_4su", site.drawn.storage_switches);
    if (const JsonNode* model = storage->find("model")) read_storage_network(*model, site);
  }
  if (const JsonNode* in_band = reader.object("in_band")) read_in_band(*in_band, site);
  if (const JsonNode* oob = reader.object("out_of_band")) {
    take(*oob, "switch", site.out_of_band_switch);
    take(*oob, "switches_4su", site.drawn.out_of_band_switches);
    take(*oob, "uplinks_per_switch", site.out_of_band_uplinks_per_switch);
    if (const JsonNode* rows = oob->find("switches_by_su"); rows != nullptr && rows->is_list()) {
      site.out_of_band_switches.clear();
      for (const JsonNode& row : rows->items)
        site.out_of_band_switches.push_back({number_of(row, "su").value_or(0), number_of(row, "switches").value_or(0)});
    }
    if (const JsonNode* ports = oob->find("ports_4su")) take(*ports, "ufm_back_to_back", site.drawn.manager_pair_links);
  }
  if (const JsonNode* management = reader.object("management")) {
    take(*management, "servers", site.management_servers);
    take(*management, "bcm_servers_4su", site.drawn.management_servers);
    take(*management, "ufm_4su", site.drawn.fabric_managers);
  }
  if (const JsonNode* storage = reader.object("storage_performance")) read_levels(reader, *storage, site);
  if (const JsonNode* software = reader.list("software")) {
    site.software.clear();
    for (const JsonNode& item : software->items)
      if (item.is_text()) site.software.push_back(item.text);
  }
}

}  // namespace podwright
