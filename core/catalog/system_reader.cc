#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "base/told_number.h"
#include "catalog/item_reader.h"

namespace podwright {
namespace {

constexpr Range kSystemCount{.min = 1, .max = 1e6};
constexpr Range kAmount{.min = 0, .max = 1e9};
constexpr double kBitsPerByte = 8;

void read_numbers(ObjectReader& reader, std::string_view key) {
  const JsonNode* node = reader.object(key);
  if (node == nullptr) return;
  ObjectReader object(*node, reader.path(key), reader.errors());
  for (const std::string& name : node->keys) object.number(name, kAmount);
}

void read_fabric_model(const JsonNode& node, std::string path, FabricModel& model, ErrorList& errors) {
  ObjectReader reader(node, std::move(path), errors);
  const auto needed = [&](const char* key, double& value, const char* meaning) {
    keep(value, reader.count(key, kSystemCount));
    if (value == 0 && !reader.has(key)) reader.missing(key, meaning);
  };
  keep(model.style, reader.word("style", {"full", "rail-group-3tier", "rail-group-3tier-merge", "switch-pair"}));
  if (model.style.empty() && !reader.has("style")) reader.missing("style", "how the switches are joined");
  needed("radix", model.radix, "ports of a switch at the speed of the links");
  keep(model.port_gbit_per_s, reader.number("port_gbit_per_s", kAmount));
  needed("planes", model.planes, "independent copies of the network");
  needed("rails", model.rails, "links of a node to one plane");
  needed("endpoints_per_su_per_plane", model.endpoints_per_unit_and_plane, "ports of nodes of a scalable unit");
  needed("nodes_per_su", model.systems_per_unit, "systems of a scalable unit");
  keep(model.leaf_down, reader.count("leaf_down", kSystemCount));
  keep(model.manager_links, reader.count("manager_links", kSystemCount));
  keep(model.links_per_cable, reader.count("links_per_cable", kSystemCount));
  reader.count("gpus_per_su", kSystemCount);
  reader.finish();
}

/// Rows that print switches east-west and north-south; others are tables of fabrics.
void read_printed_switches(const JsonNode& tables, std::vector<PrintedSwitches>& printed) {
  printed.clear();
  for (const JsonNode& table : tables.items) {
    const JsonNode* id = table.find("id");
    const JsonNode* rows = table.find("rows");
    if (id == nullptr || rows == nullptr || !rows->is_list()) continue;
    for (std::size_t i = 0; i < rows->items.size(); ++i) {
      PrintedSwitches row{.field = "compute_fabric.tables." + id->text + ".rows." + std::to_string(i)};
      const auto take = [&](const char* key, double& value) {
        const JsonNode* cell = rows->items[i].find(key);
        if (cell == nullptr || !cell->is_number()) return false;
        value = cell->number;
        return true;
      };
      if (take("racks", row.systems) && take("ew_leaf", row.east_west_leaves) &&
          take("ew_spine", row.east_west_spines) && take("ns_leaf", row.north_south_leaves) &&
          take("ns_spine", row.north_south_spines) && take("out_of_band", row.out_of_band))
        printed.push_back(std::move(row));
    }
  }
}

void read_rack_part(ObjectReader& reader, RackPart& part) {
  keep(part.role, reader.text("role"));
  keep(part.count, reader.count("count", kSystemCount));
  keep(part.rack_units, reader.count("rack_units", kSystemCount));
}

/// "4-128 (as 2-8-10-400)" and "4, 12": sizes separated by commas, each a count or a range, then perhaps a remark.
bool read_endorsed_sizes(const std::string& maker, std::string_view text, std::vector<EndorsedSize>& sizes) {
  text = text.substr(0, text.find(" ("));
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(", "), text.size());
    const std::string entry(text.substr(0, comma));
    if (entry.empty() || entry.find_first_not_of("0123456789-") != std::string::npos) return false;
    char* end = nullptr;
    EndorsedSize size{.maker = maker, .min_nodes = std::strtod(entry.c_str(), &end)};
    size.max_nodes = *end == '-' ? std::strtod(end + 1, &end) : size.min_nodes;
    if (*end != '\0' || size.min_nodes < 1 || size.max_nodes < size.min_nodes || size.max_nodes > kAmount.max)
      return false;
    sizes.push_back(std::move(size));
    text.remove_prefix(std::min(comma + 2, text.size()));
  }
  return true;
}

void read_endorsed_sizes(ObjectReader& reader, std::vector<EndorsedSize>& sizes) {
  const JsonNode* makers = reader.object("endorsed_sizes");
  if (makers == nullptr) return;
  sizes.clear();
  for (std::size_t i = 0; i < makers->keys.size(); ++i)
    if (!makers->items[i].is_text() || !read_endorsed_sizes(makers->keys[i], makers->items[i].text, sizes))
      reader.error("endorsed_sizes", "wrong-type", "The sizes of \"" + makers->keys[i] + "\" are not a list of nodes.",
                   "Write \"4, 12\" or \"4-32\", then perhaps a remark in brackets.");
}

/// Names of fields, each of which a whole object has.
void read_unsure_fields(const JsonNode& node, ObjectReader& reader, bool whole, std::vector<std::string>& fields) {
  if (!reader.has("unsure")) return;
  fields = read_texts(reader, "unsure");
  for (const std::string& field : fields)
    if (whole && field_of(node, field) == nullptr)
      reader.error("unsure", "unknown-key", "The item has no field \"" + field.substr(0, 60) + "\".",
                   "Name a field of the item.");
}

}  // namespace

void read_system(const JsonNode& node, const ItemPlace& place, System& system, ErrorList& errors) {
  ObjectReader reader(node, place.path, errors);
  read_item_head(node, reader, place, system);
  if (reader.has("gpu_ids") || place.complete) system.gpus = read_texts(reader, "gpu_ids");
  keep(system.gpu_count, reader.count("gpu_count", kSystemCount));
  if (place.complete && !reader.has("gpu_count")) reader.missing("gpu_count", "how many GPUs the system holds");
  for (const char* key : {"cpu_count", "nvswitch_count", "compute_nic_cages"}) reader.count(key, kSystemCount);
  keep(system.trays, reader.count("tray_count", kSystemCount));
  keep(system.nvswitch_trays, reader.count("nvswitch_tray_count", kSystemCount));
  keep(system.power_shelves, reader.count("power_shelf_count", kSystemCount));
  if (reader.has("rack_parts")) system.rack_parts.clear();
  read_list(reader, "rack_parts", system.rack_parts, read_rack_part);
  keep(system.liquid_heat_fraction, reader.number("liquid_heat_fraction", {.min = 0, .max = 1}));
  keep(system.cache_drives, reader.count("cache_drive_count", kSystemCount));
  if (const auto x = reader.number("cache_drive_tb", kAmount)) system.cache_drive = tb(*x);
  for (const char* key : {"gpu_memory_gb", "system_memory_tb", "nvlink_gb_per_s_per_gpu", "nvlink_total_gb_per_s",
                          "power_shelf_kw", "power_kw_low", "power_kw_from_rack"})
    reader.number(key, kAmount);
  reader.list("gpu_memory_gb_options");
  for (const char* key : {"peak_dense_pflops", "peak_sparse_pflops", "headline_pflops"}) read_numbers(reader, key);
  if (const auto x = reader.number("power_kw_max", kAmount)) system.power_max = kw(*x);
  if (const auto x = reader.number("power_kw_typical", kAmount)) system.power_typical = kw(*x);
  keep(system.rack_units, reader.number("rack_units", kAmount));
  keep(system.weight_kg, reader.number("weight_kg", kAmount));
  keep(system.cooling, reader.text("cooling"));
  keep(system.compute_nics, reader.text("compute_nics"));
  keep(system.compute_nic_count, reader.count("compute_nic_count", kSystemCount));
  if (const auto x = reader.number("compute_nic_gbit_per_s", kAmount))
    system.compute_nic_bandwidth = gb_per_s(*x / kBitsPerByte);
  keep(system.confidence, reader.word("confidence", {"primary", "secondary", "mixed", "unsure"}));
  for (const char* key : {"power_supplies", "other_nics", "local_storage", "notes"}) reader.text(key);
  reader.finish();
}

void read_switch(const JsonNode& node, const ItemPlace& place, Switch& item, ErrorList& errors) {
  ObjectReader reader(node, place.path, errors);
  read_item_head(node, reader, place, item);
  keep(item.kind, reader.text("kind"));
  keep(item.ports, reader.count("ports", kSystemCount));
  keep(item.port_gbps, reader.number("port_gbit_per_s", kAmount));
  keep(item.rack_units, reader.number("rack_units", kAmount));
  if (const auto x = reader.number("power_w_max", kAmount)) item.power_max = watts(*x);
  if (const auto x = reader.number("power_w_passive_cables", kAmount)) item.power_passive = watts(*x);
  keep(item.cages, reader.count("cages", kSystemCount));
  keep(item.weight_kg, reader.number("weight_kg", kAmount));
  reader.count("uplink_ports", kSystemCount);
  for (const char* key : {"uplink_gbit_per_s", "capacity_tbit_per_s_one_way", "capacity_tbit_per_s_both_ways"})
    reader.number(key, kAmount);
  for (const char* key : {"managed", "fnm_port"}) reader.flag(key);
  reader.text("breakout");
  reader.text("notes");
  reader.finish();
}

void read_architecture(const JsonNode& node, const ItemPlace& place, ReferenceArchitecture& architecture,
                       ErrorList& errors) {
  ObjectReader reader(node, place.path, errors);
  check_told_numbers(node, place.path, errors, kAmount);
  read_item_head(node, reader, place, architecture);
  keep(architecture.document, reader.text("document"));
  keep(architecture.confidence, reader.word("confidence", {"primary", "secondary", "mixed", "unsure"}));
  if (reader.has("systems") || place.complete) architecture.systems = read_texts(reader, "systems");
  if (const JsonNode* range = reader.object("node_range")) {
    ObjectReader object(*range, reader.path("node_range"), errors);
    keep(architecture.min_nodes, object.count("min", kSystemCount));
    keep(architecture.tested_max_nodes, object.count("tested_max", kSystemCount));
    keep(architecture.described_max_nodes, object.count("max", kSystemCount));
    keep(architecture.described_max_nodes, object.count("described_max", kSystemCount));
    for (const char* key : {"focus", "figure", "tested_pods"}) object.count(key, kSystemCount);
    object.text("unit");
    object.finish();
  }
  if (const JsonNode* unit = reader.object("scalable_unit")) {
    ObjectReader object(*unit, reader.path("scalable_unit"), errors);
    keep(architecture.nodes_per_scalable_unit, object.count("racks", kSystemCount));
    keep(architecture.nodes_per_scalable_unit, object.count("nodes", kSystemCount));
    keep(architecture.gpus_per_scalable_unit, object.count("gpus", kSystemCount));
    keep(architecture.usable_nodes_with_manager, object.count("usable_nodes_with_ufm", kSystemCount));
    for (const char* key : {"trays", "grace_cpus"}) object.count(key, kSystemCount);
    object.number("tdp_mw", kAmount);
    object.finish();
  }
  if (const JsonNode* fabric = reader.object("compute_fabric")) {
    ObjectReader object(*fabric, reader.path("compute_fabric"), errors);
    keep(architecture.fabric_technology, object.text("technology"));
    keep(architecture.fabric_switch, object.text("switch"));
    object.text("topology");
    object.count("links_per_node", kSystemCount);
    if (const JsonNode* model = object.object("model")) {
      if (!architecture.fabric) architecture.fabric.emplace();
      read_fabric_model(*model, object.path("model"), *architecture.fabric, errors);
    }
    if (const JsonNode* tables = object.list("tables")) read_printed_switches(*tables, architecture.printed_switches);
    object.finish();
  }
  if (const JsonNode* switches = reader.object("switches"))
    if (const JsonNode* id = switches->find("switch"); id != nullptr && id->is_text())
      architecture.fabric_switch = id->text;
  reader.count("max_tested_su", kSystemCount);
  reader.count("max_su", kSystemCount);
  read_architecture_site(reader, architecture.site);
  read_endorsed_sizes(reader, architecture.endorsed_sizes);
  read_unsure_fields(node, reader, place.complete, architecture.unsure_fields);
  for (const char* key : {"cables_4su", "wiremap", "tray_gb200"}) reader.object(key);
  for (const char* key : {"storage_notes", "variants"}) reader.list(key);
  for (const char* key : {"naming", "node_nics", "data_centre", "notes"}) reader.text(key);
  reader.finish();
}

}  // namespace podwright
