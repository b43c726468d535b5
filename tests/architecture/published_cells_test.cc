/// Every number that the research of NVIDIA's documents brought (data/published_cells.csv: systems, switches and
/// architectures) stands in the catalog, and the cells of fabric tables are those that fabric_rows_test.cc computes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>
#include <string>

#include "base/csv_read.h"
#include "base/json_read.h"
#include "catalog/catalog.h"
#include "support/test_data.h"

namespace podwright::published_cells_test {
namespace {

CsvTable table_of(std::string_view path) {
  auto table = parse_csv(podwright_test_data("tests/architecture/data/" + std::string(path)));
  EXPECT_TRUE(table.has_value());
  return *table;
}

double number_of(const std::string& cell) { return std::strtod(cell.c_str(), nullptr); }

template <class Item>
std::string json_of(const std::vector<Item>& items, const std::string& id) {
  for (const Item& item : items)
    if (item.id == id) return item.json;
  ADD_FAILURE() << "no item " << id;
  return "{}";
}

const JsonNode& item_of(const std::string& table, const std::string& id) {
  static std::map<std::string, JsonNode> items;
  const Catalog& catalog = embedded_catalog_facts();
  const auto known = items.find(table + "/" + id);
  if (known != items.end()) return known->second;
  const auto node = parse_json(table == "systems"    ? json_of(catalog.systems, id)
                               : table == "switches" ? json_of(catalog.switches, id)
                                                     : json_of(catalog.architectures, id));
  EXPECT_TRUE(node.has_value()) << id;
  return items.emplace(table + "/" + id, *node).first->second;
}

/// Parts of lists are named by their "id", or by their place.
const JsonNode* part_of(const JsonNode& node, const std::string& step) {
  if (!node.is_list()) return node.find(step);
  for (const JsonNode& item : node.items)
    if (const JsonNode* id = item.find("id"); id != nullptr && id->text == step) return &item;
  const auto place = static_cast<std::size_t>(std::strtoul(step.c_str(), nullptr, 10));
  return place < node.items.size() ? &node.items[place] : nullptr;
}

const JsonNode* node_at(const JsonNode& item, const std::string& field) {
  const JsonNode* here = &item;
  for (std::size_t begin = 0; here != nullptr && begin < field.size();) {
    const std::size_t end = std::min(field.find('.', begin), field.size());
    here = part_of(*here, field.substr(begin, end - begin));
    begin = end + 1;
  }
  return here;
}

TEST(PublishedCells, StandInTheCatalog) {
  const CsvTable cells = table_of("published_cells.csv");
  EXPECT_EQ(cells.rows.size(), 709u);
  std::set<std::string> items;
  for (const CsvTable::Row& row : cells.rows) {
    const std::string& id = cells.cell(row, "item");
    const std::string& field = cells.cell(row, "field");
    items.insert(cells.cell(row, "table") + "/" + id);
    const JsonNode* node = node_at(item_of(cells.cell(row, "table"), id), field);
    ASSERT_NE(node, nullptr) << id << " " << field;
    EXPECT_TRUE(node->is_number()) << id << " " << field;
    EXPECT_EQ(node->number, number_of(cells.cell(row, "value"))) << id << " " << field;
  }
  EXPECT_EQ(items.size(), 34u);  // 18 architectures, 8 systems, 8 switches
}

/// "compute_fabric.tables.<table>.rows.<row>.<column>"
struct TableCell {
  std::string table;
  std::string column;
  std::string row_field;
};

std::optional<TableCell> table_cell(const std::string& field) {
  const std::string prefix = "compute_fabric.tables.";
  if (field.rfind(prefix, 0) != 0) return std::nullopt;
  const std::size_t rows = field.find(".rows.");
  const std::size_t column = field.rfind('.');
  return TableCell{field.substr(prefix.size(), rows - prefix.size()), field.substr(column + 1),
                   field.substr(0, column)};
}

TEST(PublishedCells, OfFabricTablesAreThoseThatAreComputed) {
  const CsvTable cells = table_of("published_cells.csv");
  const CsvTable rows = table_of("fabric_rows.csv");
  std::set<std::string> with_rows;
  for (const CsvTable::Row& row : rows.rows)
    with_rows.insert(rows.cell(row, "architecture") + "/" + rows.cell(row, "table"));
  std::set<std::string> facts_only;
  int computed = 0;
  for (const CsvTable::Row& line : cells.rows) {
    const std::string& id = cells.cell(line, "item");
    const auto cell = table_cell(cells.cell(line, "field"));
    if (!cell || cell->column == "ufm_ports") continue;
    if (with_rows.count(id + "/" + cell->table) == 0) {
      facts_only.insert(id + "/" + cell->table);
      continue;
    }
    const double units = node_at(item_of("architectures", id), cell->row_field + ".su")->number;
    const std::string column = cell->column == "su"           ? "units"
                               : cell->column == "printed_su" ? "printed_units"
                                                              : cell->column;
    int found = 0;
    for (const CsvTable::Row& row : rows.rows) {
      if (rows.cell(row, "architecture") != id || rows.cell(row, "table") != cell->table ||
          number_of(rows.cell(row, "units")) != units)
        continue;
      ++found;
      EXPECT_EQ(number_of(rows.cell(row, column)), number_of(cells.cell(line, "value")))
          << id << " " << cells.cell(line, "field");
    }
    EXPECT_EQ(found, 1) << id << " " << cells.cell(line, "field");
    ++computed;
  }
  EXPECT_GT(computed, 250);
  // Of these no formula of a fat tree speaks: what a switch pair needs, and an example of four racks.
  EXPECT_EQ(facts_only,
            (std::set<std::string>{"dgx-basepod-ndr400/switches-cables", "era-2-4-5-800-nvl72/example-4-racks"}));
}

TEST(PublishedCells, EighteenArchitecturesSayWhoSaysSo) {
  const Catalog& catalog = embedded_catalog_facts();
  EXPECT_EQ(catalog.architectures.size(), 18u);
  for (const ReferenceArchitecture& item : catalog.architectures) {
    EXPECT_FALSE(item.name.empty()) << item.id;
    EXPECT_FALSE(item.document.empty()) << item.id;
    EXPECT_FALSE(item.confidence.empty()) << item.id;
    EXPECT_FALSE(item.source.empty()) << item.id;
    // What a whole document is unsure of is told field by field.
    EXPECT_TRUE(item.confidence != "unsure" || !item.unsure_fields.empty()) << item.id;
    for (const std::string& field : item.unsure_fields)
      EXPECT_NE(node_at(item_of("architectures", item.id), field), nullptr) << item.id << " " << field;
  }
}

// Numbers whose only sources are unsure are among the unsure fields, and marks inside the item as well.
TEST(PublishedCells, UnsureTablesAreMarked) {
  const Catalog& catalog = embedded_catalog_facts();
  for (const ReferenceArchitecture& item : catalog.architectures) {
    const JsonNode& node = item_of("architectures", item.id);
    const JsonNode* tables = node_at(node, "compute_fabric.tables");
    if (tables == nullptr) continue;
    for (const JsonNode& table : tables->items) {
      const JsonNode* confidence = table.find("confidence");
      if (confidence == nullptr || confidence->text != "unsure") continue;
      const std::string field = "compute_fabric.tables." + table.find("id")->text;
      EXPECT_NE(std::find(item.unsure_fields.begin(), item.unsure_fields.end(), field), item.unsure_fields.end())
          << item.id << " " << field;
    }
  }
  for (const ReferenceArchitecture& item : catalog.architectures) {
    if (item.id == "dgx-superpod-h200") {
      EXPECT_EQ(item.unsure_fields, (std::vector<std::string>{"document", "scalable_unit", "compute_fabric"}));
    }
    if (item.id.rfind("era-", 0) == 0) {
      EXPECT_EQ(item.site.out_of_band_switch, "sn2201") << item.id;
    }
  }
}

TEST(PublishedCells, EndorsedSizesAreRead) {
  for (const ReferenceArchitecture& item : embedded_catalog_facts().architectures) {
    if (item.id != "era-2-8-9-400") continue;
    ASSERT_EQ(item.endorsed_sizes.size(), 5u);
    EXPECT_EQ(item.endorsed_sizes[0].maker, "cisco");
    EXPECT_EQ(item.endorsed_sizes[0].min_nodes, 4);
    EXPECT_EQ(item.endorsed_sizes[0].max_nodes, 128);
    EXPECT_EQ(item.endorsed_sizes[2].maker, "dell");
    EXPECT_EQ(item.endorsed_sizes[2].min_nodes, 12);
    EXPECT_EQ(item.endorsed_sizes[2].max_nodes, 12);
  }
}

}  // namespace
}  // namespace podwright::published_cells_test
