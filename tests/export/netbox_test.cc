#include "export/netbox.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>

#include "base/csv_read.h"
#include "export/h100_design.h"
#include "export/yaml_subset.h"

namespace podwright::netbox_test {
namespace {

struct Import {
  std::map<std::string, CsvTable> tables;
  std::map<std::string, std::vector<test::YamlLine>> types;  ///< by file
};

NetboxSite site_of_hall() {
  return {.name = "Hall 1, \"north\"",
          .gpu = "H100 SXM5 80GB",
          .gpu_role = "system",
          .gpus_of_device = 8,
          .feeds = NetboxFeeds{.per_rack = 3, .line_voltage = 415, .current = 60, .derating = 0.8}};
}

Import imported(const test::H100Design& design, const NetboxSite& site = site_of_hall()) {
  Import import;
  for (const ExportFile& file : netbox_files(embedded_catalog_facts(), site, design.elevations, design.networks())) {
    if (file.media_type == "text/csv") {
      const Result<CsvTable> table = parse_csv(file.text);
      EXPECT_TRUE(table) << file.name;
      if (table) import.tables[file.name] = *table;
    } else {
      import.types[file.name] = test::yaml_lines(file.text);
    }
  }
  return import;
}

std::set<std::string> column(const CsvTable& table, std::string_view name) {
  std::set<std::string> cells;
  for (const CsvTable::Row& row : table.rows) cells.insert(table.cell(row, name));
  return cells;
}

/// "manufacturer / model" -> names of what a device of this type has, in one list of it: interfaces, module-bays ...
std::map<std::string, std::set<std::string>> parts_of(const Import& import, const std::string& list) {
  std::map<std::string, std::set<std::string>> parts;
  for (const auto& [file, lines] : import.types) {
    if (file.rfind("netbox/device-types/", 0) != 0) continue;
    const std::string key = test::yaml_value(lines, "manufacturer") + " / " + test::yaml_value(lines, "model");
    EXPECT_EQ(file, "netbox/device-types/" + test::yaml_value(lines, "slug") + ".yaml");
    parts[key];
    std::string here;
    for (const test::YamlLine& line : lines) {
      if (line.indent == 0) here = line.key;
      if (line.key == "name" && here == list) {
        EXPECT_TRUE(parts[key].insert(line.value).second) << key << " " << line.value;
      }
    }
  }
  return parts;
}

/// Names of parts of every device, by its type.
std::map<std::string, std::set<std::string>> parts_of_devices(const Import& import, const std::string& list) {
  const std::map<std::string, std::set<std::string>> of_type = parts_of(import, list);
  const CsvTable& devices = import.tables.find("netbox/05-devices.csv")->second;
  std::map<std::string, std::set<std::string>> parts;
  for (const CsvTable::Row& row : devices.rows)
    parts[devices.cell(row, "name")] =
        of_type.find(devices.cell(row, "manufacturer") + " / " + devices.cell(row, "device_type"))->second;
  return parts;
}

/// Keys of schema/devicetype.json, moduletype.json and components.json of github.com/netbox-community/
/// devicetype-library (2026), as far as they are written: of the type, and of the parts in each of its lists.
const std::map<std::string, std::set<std::string>> kDeviceTypeKeys{
    {"",
     {"manufacturer", "model", "slug", "u_height", "is_full_depth", "weight", "weight_unit", "interfaces",
      "power-ports", "module-bays", "inventory-items"}},
    {"interfaces", {"name", "label", "type", "enabled", "mgmt_only", "description"}},
    {"power-ports", {"name", "label", "type", "maximum_draw", "allocated_draw", "description"}},
    {"module-bays", {"name", "label", "position", "description"}},
    {"inventory-items", {"name", "label", "manufacturer", "part_id", "description"}}};
const std::map<std::string, std::set<std::string>> kModuleTypeKeys{{"", {"manufacturer", "model", "description"}}};
/// That each has to have, and the most characters of texts.
const std::map<std::string, std::set<std::string>> kNeeded{{"interfaces", {"name", "type"}},
                                                           {"power-ports", {"name", "type"}},
                                                           {"module-bays", {"name", "position"}},
                                                           {"inventory-items", {"name"}}};
const std::map<std::string, std::size_t> kMost{{"manufacturer", 100}, {"model", 100},   {"slug", 100},
                                               {"name", 64},          {"position", 30}, {"part_id", 50}};

void expect_type_file(const std::string& file, const std::vector<test::YamlLine>& lines) {
  const bool device = file.rfind("netbox/device-types/", 0) == 0;
  EXPECT_TRUE(device || file.rfind("netbox/module-types/", 0) == 0) << file;
  const auto& keys = device ? kDeviceTypeKeys : kModuleTypeKeys;
  std::string list;
  std::set<std::string> top, of_part;
  const auto end_part = [&] {
    if (!list.empty() && !of_part.empty()) {
      for (const std::string& needed : kNeeded.find(list)->second) EXPECT_EQ(of_part.count(needed), 1u) << needed;
    }
    of_part.clear();
  };
  for (const test::YamlLine& line : lines) {
    if (line.indent == 0 || line.item) end_part();
    if (line.indent == 0) {
      EXPECT_TRUE(top.insert(line.key).second) << file << " " << line.key;
      list = line.value.empty() ? line.key : "";
    }
    const auto allowed = keys.find(line.indent == 0 ? "" : list);
    ASSERT_TRUE(allowed != keys.end()) << file << " " << line.key;
    EXPECT_EQ(allowed->second.count(line.key), 1u) << file << " " << line.key;
    if (line.indent > 0) of_part.insert(line.key);
    const auto most = kMost.find(line.key);
    EXPECT_TRUE(most == kMost.end() || line.value.size() <= most->second) << line.value;
  }
  end_part();
  for (const char* needed : {"manufacturer", "model"}) EXPECT_EQ(top.count(needed), 1u);
  if (!device) return;
  for (const char* needed : {"slug", "u_height", "is_full_depth"}) EXPECT_EQ(top.count(needed), 1u);
  EXPECT_EQ(top.count("weight"), top.count("weight_unit"));
}

/// Columns of the import forms of NetBox 4.2 (netbox/dcim/forms/bulk_import.py); those of power cables are of 4.6.
const std::map<std::string, std::set<std::string>> kFormColumns{
    {"01-sites", {"name", "slug", "status"}},
    {"02-manufacturers", {"name", "slug"}},
    {"03-device-roles", {"name", "slug", "color", "vm_role"}},
    {"04-racks", {"site", "name", "status", "form_factor", "width", "u_height", "desc_units"}},
    {"05-devices", {"name", "role", "manufacturer", "device_type", "status", "site", "rack", "position", "face"}},
    {"06-modules",
     {"device", "module_bay", "module_type", "serial", "asset_tag", "status", "description", "replicate_components",
      "adopt_components"}},
    {"07-cables",
     {"side_a_device", "side_a_type", "side_a_name", "side_b_device", "side_b_type", "side_b_name", "type", "status",
      "label", "length", "length_unit"}},
    {"08-power-panels", {"site", "location", "name", "description"}},
    {"09-power-feeds",
     {"site", "power_panel", "location", "rack", "name", "status", "type", "mark_connected", "supply", "phase",
      "voltage", "amperage", "max_utilization"}},
    {"10-power-cables",
     {"side_a_power_panel", "side_a_type", "side_a_name", "side_b_device", "side_b_type", "side_b_name", "type",
      "status", "label"}}};

/// All that a module, a cable or a feed refers to is imported before it.
void expect_references(const Import& import, const std::string& site) {
  const auto table = [&](const char* name) -> const CsvTable& {
    static const CsvTable kNone;
    const auto found = import.tables.find(std::string("netbox/") + name + ".csv");
    return found == import.tables.end() ? kNone : found->second;
  };
  const auto bays = parts_of_devices(import, "module-bays");
  const auto inputs = parts_of_devices(import, "power-ports");
  std::set<std::string> module_types;
  for (const auto& [file, lines] : import.types)
    if (file.rfind("netbox/module-types/", 0) == 0) {
      EXPECT_EQ(column(table("02-manufacturers"), "name").count(test::yaml_value(lines, "manufacturer")), 1u);
      EXPECT_TRUE(module_types.insert(test::yaml_value(lines, "model")).second);
    }
  std::set<std::pair<std::string, std::string>> filled, feeds, ends;
  const CsvTable& modules = table("06-modules");
  for (const CsvTable::Row& row : modules.rows) {
    const std::string device = modules.cell(row, "device"), bay = modules.cell(row, "module_bay");
    ASSERT_TRUE(bays.count(device) == 1) << device;
    EXPECT_EQ(bays.find(device)->second.count(bay), 1u) << device << " " << bay;
    EXPECT_TRUE(filled.emplace(device, bay).second) << device << " " << bay;
    EXPECT_EQ(module_types.count(modules.cell(row, "module_type")), 1u);
  }
  const std::set<std::string> panels = column(table("08-power-panels"), "name"),
                              racks = column(table("04-racks"), "name");
  const CsvTable& rows = table("09-power-feeds");
  for (const CsvTable::Row& row : rows.rows) {
    EXPECT_EQ(rows.cell(row, "site"), site);
    EXPECT_EQ(panels.count(rows.cell(row, "power_panel")), 1u);
    EXPECT_EQ(racks.count(rows.cell(row, "rack")), 1u);
    EXPECT_TRUE(feeds.emplace(rows.cell(row, "power_panel"), rows.cell(row, "name")).second);
    for (const char* number : {"voltage", "amperage", "max_utilization"})
      EXPECT_EQ(rows.cell(row, number).find_first_not_of("0123456789"), std::string::npos);
  }
  const CsvTable& cables = table("10-power-cables");
  for (const CsvTable::Row& row : cables.rows) {
    EXPECT_EQ(feeds.count({cables.cell(row, "side_a_power_panel"), cables.cell(row, "side_a_name")}), 1u);
    const std::string device = cables.cell(row, "side_b_device");
    ASSERT_TRUE(inputs.count(device) == 1) << device;
    EXPECT_EQ(inputs.find(device)->second.count(cables.cell(row, "side_b_name")), 1u);
    EXPECT_TRUE(ends.emplace(device, cables.cell(row, "side_b_name")).second);
  }
}

void expect_valid(const Import& import, const std::string& site) {
  for (const auto& [file, lines] : import.types) expect_type_file(file, lines);
  for (const auto& [file, table] : import.tables) {
    const auto form = kFormColumns.find(file.substr(7, file.size() - 7 - 4));
    ASSERT_TRUE(form != kFormColumns.end()) << file;
    for (const std::string& name : table.columns) EXPECT_EQ(form->second.count(name), 1u) << file << " " << name;
    EXPECT_FALSE(table.rows.empty()) << file;
  }
  expect_references(import, site);
}

TEST(Netbox, EveryReferenceHasItsObject) {
  const test::H100Design design;
  const Import import = imported(design);
  const CsvTable& racks = import.tables.find("netbox/04-racks.csv")->second;
  const CsvTable& devices = import.tables.find("netbox/05-devices.csv")->second;
  const CsvTable& cables = import.tables.find("netbox/07-cables.csv")->second;
  const std::set<std::string> sites = column(import.tables.find("netbox/01-sites.csv")->second, "name");
  const std::set<std::string> makers = column(import.tables.find("netbox/02-manufacturers.csv")->second, "name");
  const std::set<std::string> roles = column(import.tables.find("netbox/03-device-roles.csv")->second, "name");
  const std::set<std::string> rack_names = column(racks, "name");
  EXPECT_EQ(sites, (std::set<std::string>{"Hall 1, \"north\""}));
  EXPECT_EQ(racks.rows.size(), 38u);

  const std::map<std::string, std::set<std::string>> interfaces = parts_of(import, "interfaces");
  std::map<std::string, const std::set<std::string>*> of_device;
  for (const CsvTable::Row& row : devices.rows) {
    const std::string type = devices.cell(row, "manufacturer") + " / " + devices.cell(row, "device_type");
    EXPECT_EQ(makers.count(devices.cell(row, "manufacturer")), 1u);
    EXPECT_EQ(roles.count(devices.cell(row, "role")), 1u);
    EXPECT_EQ(sites.count(devices.cell(row, "site")), 1u);
    ASSERT_TRUE(interfaces.count(type) == 1) << type;
    const bool in_rack = !devices.cell(row, "rack").empty();
    EXPECT_EQ(in_rack, devices.cell(row, "role") != "storage");
    EXPECT_EQ(!devices.cell(row, "position").empty(), in_rack && devices.cell(row, "role") != "pdu");
    if (in_rack) {
      EXPECT_EQ(rack_names.count(devices.cell(row, "rack")), 1u);
    }
    EXPECT_TRUE(of_device.emplace(devices.cell(row, "name"), &interfaces.find(type)->second).second);
  }
  std::set<std::string> ends;
  for (const CsvTable::Row& row : cables.rows)
    for (const std::string side : {"side_a_", "side_b_"}) {
      const std::string device = cables.cell(row, side + "device"), name = cables.cell(row, side + "name");
      ASSERT_TRUE(of_device.count(device) == 1) << device;
      EXPECT_EQ(of_device[device]->count(name), 1u) << device << " " << name;
      EXPECT_TRUE(ends.insert(device + " " + name).second);
      EXPECT_EQ(cables.cell(row, side + "type"), "dcim.interface");
    }
  std::size_t wires = 0;
  for (const NetworkWiring& wiring : design.wirings) wires += wiring.wires.size();
  EXPECT_EQ(cables.rows.size(), wires);
}

TEST(Netbox, ColumnsAreThoseOfTheImportForms) {
  const test::H100Design design;
  const Import import = imported(design);
  const auto columns = [&](const std::string& file) { return import.tables.find(file)->second.columns; };
  using Names = std::vector<std::string>;
  EXPECT_EQ(columns("netbox/04-racks.csv"),
            (Names{"site", "name", "status", "form_factor", "width", "u_height", "desc_units"}));
  EXPECT_EQ(columns("netbox/05-devices.csv"),
            (Names{"name", "role", "manufacturer", "device_type", "status", "site", "rack", "position", "face"}));
  EXPECT_EQ(columns("netbox/07-cables.csv"),
            (Names{"side_a_device", "side_a_type", "side_a_name", "side_b_device", "side_b_type", "side_b_name", "type",
                   "status", "label", "length", "length_unit"}));
}

TEST(Netbox, CagesHoldTransceivers) {
  const test::H100Design design;
  const Import import = imported(design);
  expect_valid(import, "Hall 1, \"north\"");
  const CsvTable& modules = import.tables.find("netbox/06-modules.csv")->second;
  std::map<std::string, std::size_t> of_node, of_leaf;
  for (const CsvTable::Row& row : modules.rows) {
    const std::string device = modules.cell(row, "device");
    if (device == "n00001") ++of_node[modules.cell(row, "module_type") + " " + modules.cell(row, "module_bay")];
    if (device == "p1-u001-r1-l1") ++of_leaf[modules.cell(row, "module_type")];
  }
  // Eight NICs in four cages for two; two storage ports with one each.
  EXPECT_EQ(of_node, (std::map<std::string, std::size_t>{{"transceiver 2 x infiniband-ndr multimode compute-cage-1", 1},
                                                         {"transceiver 2 x infiniband-ndr multimode compute-cage-2", 1},
                                                         {"transceiver 2 x infiniband-ndr multimode compute-cage-3", 1},
                                                         {"transceiver 2 x infiniband-ndr multimode compute-cage-4", 1},
                                                         {"transceiver infiniband-ndr multimode storage-cage-1", 1},
                                                         {"transceiver infiniband-ndr multimode storage-cage-2", 1}}));
  // 32 links to nodes and 32 to spines.
  EXPECT_EQ(of_leaf, (std::map<std::string, std::size_t>{{"transceiver 2 x infiniband-ndr multimode", 32}}));
}

TEST(Netbox, SystemsListTheirGpusAndPower) {
  const test::H100Design design;
  const Import import = imported(design);
  EXPECT_EQ(parts_of_devices(import, "inventory-items")["n00127"].size(), 8u);
  EXPECT_TRUE(parts_of_devices(import, "inventory-items")["p1-u001-r1-l1"].empty());
  const CsvTable& feeds = import.tables.find("netbox/09-power-feeds.csv")->second;
  EXPECT_EQ(feeds.rows.size(), 3u * 32);  // of racks with systems
  EXPECT_EQ(feeds.cell(feeds.rows[2], "type"), "redundant");
  EXPECT_EQ(feeds.cell(feeds.rows[2], "max_utilization"), "80");
  const CsvTable& cables = import.tables.find("netbox/10-power-cables.csv")->second;
  EXPECT_EQ(cables.rows.size(), 31u);  // one PDU stands in each of 31 racks
}

TEST(Netbox, WhatIsNotKnownHasNoFile) {
  const test::H100Design design;
  for (const ExportFile& file :
       netbox_files(embedded_catalog_facts(), {.name = "hall"}, design.elevations, {{&design.wirings[0], nullptr}}))
    for (const char* absent : {"module-types", "06-modules", "08-", "09-", "10-"})
      EXPECT_EQ(file.name.find(absent), std::string::npos) << file.name;
}

/// Names that mean something to YAML, to tables, to spreadsheets or to a shell.
constexpr const char* kHostile[] = {"quote\"d", "comma,",  "line\nbreak", "tab\t",  "back\\slash",
                                    "${x}",     "{{ x }}", "---",         "- item", "# no",
                                    "key: v",   "'",       "=1+1",        "yes",    "\xe5\xae\xb9\xe5\x99\xa8",
                                    "!!str",    "*a",      "&a",          "%"};

std::string hostile_name(std::mt19937_64& random) {
  std::string name;
  for (std::uint64_t parts = 1 + random() % 3; parts > 0; --parts) name += kHostile[random() % std::size(kHostile)];
  return random() % 20 == 0 ? name + std::string(300, 'x') : name;
}

TEST(Netbox, RandomDesignsWithHostileNamesAreImported) {
  std::mt19937_64 random(29);
  for (int round = 0; round < 200 && !testing::Test::HasFailure(); ++round) {
    const double nodes = 5 + static_cast<double>(random() % 92);
    test::H100Design design(nodes, std::ceil(nodes / 32));
    const std::string site = hostile_name(random);
    const std::string mark = hostile_name(random);
    // Every name of a device in every place where it stands; a suffix keeps them apart.
    for (NetworkWiring& wiring : design.wirings)
      for (WiredDevice& device : wiring.devices) device.label += mark;
    for (RackElevation& rack : design.elevations.racks)
      for (RackedDevice& device : rack.devices) device.label += mark;
    const NetboxSite facts{
        .name = site,
        .gpu = hostile_name(random).substr(0, 40),
        .gpu_role = "system",
        .gpus_of_device = 1 + static_cast<double>(random() % 8),
        .feeds = NetboxFeeds{
            .per_rack = 1 + static_cast<double>(random() % 4), .line_voltage = 415, .current = 60, .derating = 0.8}};
    Import import = imported(design, facts);
    expect_valid(import, site);
    EXPECT_EQ(column(import.tables["netbox/01-sites.csv"], "name"), std::set<std::string>{site});
    std::set<std::string> labels;
    for (const NetworkWiring& wiring : design.wirings)
      for (const WiredDevice& device : wiring.devices) labels.insert(device.label);
    for (const RackElevation& rack : design.elevations.racks)
      for (const RackedDevice& device : rack.devices) labels.insert(device.label);
    EXPECT_EQ(column(import.tables["netbox/05-devices.csv"], "name"), labels);
  }
}

TEST(Netbox, TypesHavePortsOfTheirKind) {
  const test::H100Design design;
  const Import import = imported(design);
  const auto kind = [&](const std::string& file, const std::string& port) {
    const std::vector<test::YamlLine>& lines = import.types.find("netbox/device-types/" + file + ".yaml")->second;
    for (std::size_t i = 0; i + 1 < lines.size(); ++i)
      if (lines[i].key == "name" && lines[i].value == port) return lines[i + 1].value;
    return std::string("none");
  };
  EXPECT_EQ(kind("nvidia-quantum-2-qm9700", "64"), "infiniband-ndr");
  EXPECT_EQ(kind("nvidia-quantum-2-qm9700", "mgmt"), "1000base-t");
  EXPECT_EQ(kind("nvidia-dgx-h100", "nic8-1"), "infiniband-ndr");
  EXPECT_EQ(kind("nvidia-dgx-h100", "in2"), "100gbase-x-qsfp28");
  EXPECT_EQ(kind("nvidia-spectrum-sn2201", "48"), "1000base-t");
  EXPECT_EQ(kind("nvidia-spectrum-sn2201", "49"), "100gbase-x-qsfp28");
  EXPECT_EQ(kind("generic-storage", "1"), "infiniband-ndr");
}

TEST(Netbox, DevicesDoNotOverlapInTheirRacks) {
  const test::H100Design design;
  const Import import = imported(design);
  std::map<std::string, int> height;
  for (const auto& [file, lines] : import.types)
    if (file.rfind("netbox/device-types/", 0) == 0)
      height[test::yaml_value(lines, "model")] = std::stoi(test::yaml_value(lines, "u_height"));
  const CsvTable& devices = import.tables.find("netbox/05-devices.csv")->second;
  std::set<std::pair<std::string, int>> taken;
  for (const CsvTable::Row& row : devices.rows) {
    if (devices.cell(row, "position").empty()) continue;
    for (int i = 0; i < height[devices.cell(row, "device_type")]; ++i) {
      const int unit = std::stoi(devices.cell(row, "position")) + i;
      EXPECT_TRUE(taken.emplace(devices.cell(row, "rack"), unit).second);
      EXPECT_LE(unit, 48);
    }
  }
}

}  // namespace
}  // namespace podwright::netbox_test
