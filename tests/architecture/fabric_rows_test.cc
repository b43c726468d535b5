/// The compute fabrics that NVIDIA's documents print, row by row (data/fabric_rows.csv with the source of each), and
/// the cells where the document contradicts its own numbers (data/fabric_differences.csv). "none": the row prints no
/// such switches or cables. Empty: the table has no such column.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>

#include "architecture/fabric.h"
#include "architecture/fabric_needs.h"
#include "base/csv_read.h"
#include "base/number_text.h"
#include "support/test_data.h"

namespace podwright::fabric_rows_test {
namespace {

using test::built;

struct Row {
  const CsvTable& table;
  const CsvTable::Row& row;
  const std::string& operator[](std::string_view column) const { return table.cell(row, column); }
  double number(std::string_view column) const { return std::strtod(table.cell(row, column).c_str(), nullptr); }
};

CsvTable table_of(std::string_view path) {
  auto table = parse_csv(podwright_test_data("tests/architecture/data/" + std::string(path)));
  EXPECT_TRUE(table.has_value());
  return *table;
}

FabricNeed<NoTrace> need_of(const Row& row) {
  const double nodes = row["nodes"].empty() ? row.number("units") * row.number("nodes_per_unit") : row.number("nodes");
  FabricNeed<NoTrace> need =
      test::need(nodes, row.number("rails"), row.number("switch_ports"), row.number("nodes_per_unit"));
  need.topology = row["topology"] == "rail-groups" ? FabricTopology::rail_groups : FabricTopology::fat_tree;
  need.planes = row.number("planes");
  need.leaf_ports_down = row.number("leaf_ports_down");
  need.units_per_group = row.number("units_per_group");
  need.links_per_cable = row.number("links_per_cable");
  need.manager_links = row.number("manager_links");
  return need;
}

using Cells = std::map<std::string, double>;

Cells identities(const Row& row, const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric) {
  return {{"printed_units", fabric.scalable_units},
          {"nodes", need.nodes},
          {"gpus", need.nodes * row.number("gpus_per_node")},
          {"node_leaf", fabric.node_leaf_cables + need.manager_links}};
}

Cells predictions(const Fabric<NoTrace>& fabric) {
  return {{"leaf", fabric.leaf.total},
          {"spine", fabric.spine.total},
          {"core", fabric.core.total},
          {"leaf_spine", fabric.leaf_spine_cables},
          {"spine_core", fabric.spine_core_cables}};
}

struct Agreement {
  int cells = 0;
  int agree = 0;
};

void count(const Row& row, const Cells& computed, Agreement& agreement) {
  static const CsvTable differences = table_of("fabric_differences.csv");
  for (const auto& [column, value] : computed) {
    const std::string& printed = row[column];
    if (printed.empty()) continue;
    ++agreement.cells;
    const double expected = printed == "none" ? 0 : std::strtod(printed.c_str(), nullptr);
    if (value == expected) {
      ++agreement.agree;
      continue;
    }
    bool known = false;
    for (const CsvTable::Row& difference : differences.rows) {
      const Row listed{differences, difference};
      known = known || (listed["architecture"] == row["architecture"] && listed["table"] == row["table"] &&
                        listed["units"] == row["units"] && listed["column"] == column &&
                        listed.number("printed") == expected && listed.number("computed") == value);
    }
    EXPECT_TRUE(known) << row["architecture"] << " " << row["table"] << " " << row["units"] << " units: " << column
                       << " is " << printed << ", computed " << shortest_number(value);
  }
}

TEST(FabricRows, AgreeWithThePublishedTables) {
  const CsvTable rows = table_of("fabric_rows.csv");
  Agreement identity;
  Agreement prediction;
  Agreement recalled;
  for (const CsvTable::Row& line : rows.rows) {
    const Row row{rows, line};
    const FabricNeed<NoTrace> need = need_of(row);
    const Fabric<NoTrace> fabric = built(need);
    EXPECT_TRUE(fabric_refusals(need, fabric).empty());
    const bool counted = row["architecture"] != "dgx-superpod-a100";
    count(row, identities(row, need, fabric), counted ? identity : recalled);
    count(row, predictions(fabric), counted ? prediction : recalled);
  }
  EXPECT_EQ(identity.cells, 156);
  EXPECT_EQ(identity.agree, 154);
  EXPECT_EQ(prediction.cells, 155);
  EXPECT_EQ(prediction.agree, 151);
  EXPECT_EQ(recalled.cells, 9);
  EXPECT_EQ(recalled.agree, 9);
}

TEST(FabricRows, EndpointsOfALeafNeedNotBeGivenButForOneLeafPerRack) {
  const CsvTable rows = table_of("fabric_rows.csv");
  for (const CsvTable::Row& line : rows.rows) {
    const Row row{rows, line};
    FabricNeed<NoTrace> need = need_of(row);
    const Fabric<NoTrace> given = built(need);
    need.leaf_ports_down.reset();
    const Fabric<NoTrace> derived = built(need);
    const double per_unit = derived.leaf.total / derived.scalable_units;
    if (row["architecture"] == "dgx-superpod-gb200") {
      EXPECT_EQ(per_unit, 20);
      continue;
    }
    EXPECT_EQ(derived.leaf.total, given.leaf.total);
    EXPECT_EQ(derived.spine.total, given.spine.total);
    EXPECT_EQ(derived.core.total, given.core.total);
  }
}

TEST(FabricRows, EveryDifferenceIsStillOne) {
  const CsvTable rows = table_of("fabric_rows.csv");
  const CsvTable differences = table_of("fabric_differences.csv");
  EXPECT_EQ(differences.rows.size(), 6u);
  for (const CsvTable::Row& difference : differences.rows) {
    const Row listed{differences, difference};
    int found = 0;
    for (const CsvTable::Row& line : rows.rows) {
      const Row row{rows, line};
      if (row["architecture"] == listed["architecture"] && row["table"] == listed["table"] &&
          row["units"] == listed["units"] && row[listed["column"]] == listed["printed"])
        ++found;
    }
    EXPECT_EQ(found, 1) << listed["reading"];
  }
}

}  // namespace
}  // namespace podwright::fabric_rows_test
