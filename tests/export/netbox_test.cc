#include "export/netbox.h"

#include <gtest/gtest.h>

#include <map>
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

Import imported(const test::H100Design& design) {
  Import import;
  for (const ExportFile& file :
       netbox_files(embedded_catalog_facts(), "Hall 1, \"north\"", design.elevations, design.networks())) {
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

/// "manufacturer / model" -> names of interfaces.
std::map<std::string, std::set<std::string>> interfaces_of(const Import& import) {
  std::map<std::string, std::set<std::string>> interfaces;
  for (const auto& [file, lines] : import.types) {
    const std::string key = test::yaml_value(lines, "manufacturer") + " / " + test::yaml_value(lines, "model");
    EXPECT_EQ(file, "netbox/device-types/" + test::yaml_value(lines, "slug") + ".yaml");
    for (const test::YamlLine& line : lines)
      if (line.key == "name") {
        EXPECT_TRUE(interfaces[key].insert(line.value).second) << key << " " << line.value;
      }
  }
  return interfaces;
}

TEST(Netbox, EveryReferenceHasItsObject) {
  const test::H100Design design;
  const Import import = imported(design);
  const CsvTable& racks = import.tables.find("netbox/4-racks.csv")->second;
  const CsvTable& devices = import.tables.find("netbox/5-devices.csv")->second;
  const CsvTable& cables = import.tables.find("netbox/6-cables.csv")->second;
  const std::set<std::string> sites = column(import.tables.find("netbox/1-sites.csv")->second, "name");
  const std::set<std::string> makers = column(import.tables.find("netbox/2-manufacturers.csv")->second, "name");
  const std::set<std::string> roles = column(import.tables.find("netbox/3-device-roles.csv")->second, "name");
  const std::set<std::string> rack_names = column(racks, "name");
  EXPECT_EQ(sites, (std::set<std::string>{"Hall 1, \"north\""}));
  EXPECT_EQ(racks.rows.size(), 38u);

  const std::map<std::string, std::set<std::string>> interfaces = interfaces_of(import);
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
  EXPECT_EQ(columns("netbox/4-racks.csv"),
            (Names{"site", "name", "status", "form_factor", "width", "u_height", "desc_units"}));
  EXPECT_EQ(columns("netbox/5-devices.csv"),
            (Names{"name", "role", "manufacturer", "device_type", "status", "site", "rack", "position", "face"}));
  EXPECT_EQ(columns("netbox/6-cables.csv"),
            (Names{"side_a_device", "side_a_type", "side_a_name", "side_b_device", "side_b_type", "side_b_name", "type",
                   "status", "label", "length", "length_unit"}));
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
    height[test::yaml_value(lines, "model")] = std::stoi(test::yaml_value(lines, "u_height"));
  const CsvTable& devices = import.tables.find("netbox/5-devices.csv")->second;
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
