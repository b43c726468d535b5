/// The fabrics that the catalog's designs get, beside the tables that stand in the same files.
#include "architecture/design_networks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "architecture/cable_schedule.h"
#include "architecture/fabric.h"
#include "base/json_read.h"

namespace podwright::design_networks_test {
namespace {

const ReferenceArchitecture& architecture(std::string_view id) {
  const auto& all = embedded_catalog_facts().architectures;
  return *std::find_if(all.begin(), all.end(), [&](const auto& item) { return item.id == id; });
}

const Switch* switch_of(const ReferenceArchitecture& design) {
  for (const Switch& item : embedded_catalog_facts().switches)
    if (item.id == design.fabric_switch) return &item;
  return nullptr;
}

FabricNeed<NoTrace> need_of(const ReferenceArchitecture& design, double systems, bool with_manager = false) {
  NoTrace trace;
  return design_fabric_need(trace, design, switch_of(design), systems, with_manager);
}

Fabric<NoTrace> built(const FabricNeed<NoTrace>& need) {
  NoTrace trace;
  return build_fabric(trace, need);
}

void expect_cell(const JsonNode& row, const char* key, double computed) {
  const JsonNode* printed = row.find(key);
  if (printed != nullptr && printed->is_number()) {
    EXPECT_EQ(printed->number, computed) << key;
  }
}

/// Compares the switches of every row; returns how many rows there were.
int compare_tables(const ReferenceArchitecture& design) {
  int rows = 0;
  const auto document = parse_json(design.json);
  const JsonNode* tables = document->find("compute_fabric")->find("tables");
  if (tables == nullptr) return 0;
  for (const JsonNode& table : tables->items)
    for (const JsonNode& row : table.find("rows")->items) {
      const JsonNode* units = row.find("su");
      if (units == nullptr) continue;
      SCOPED_TRACE(design.id + ", " + std::to_string(units->number) + " units");
      const bool manager = table.find("ufm_reserved") != nullptr;
      const JsonNode* nodes = row.find("nodes");
      const double systems = nodes != nullptr ? nodes->number : units->number * design.fabric->systems_per_unit;
      const FabricNeed<NoTrace> need = need_of(design, systems, manager);
      const Fabric<NoTrace> fabric = built(need);
      EXPECT_TRUE(fabric_refusals(need, fabric).empty());
      expect_cell(row, "leaf", fabric.leaf.total);
      expect_cell(row, "spine", fabric.spine.total);
      expect_cell(row, "core", fabric.core.total);
      expect_cell(row, "node_leaf", fabric.node_leaf_cables + need.manager_links);
      expect_cell(row, "leaf_spine", fabric.leaf_spine_cables);
      ++rows;
    }
  return rows;
}

TEST(DesignFabric, ReproducesTheTablesOfItsDocument) {
  int rows = 0;
  for (const ReferenceArchitecture& design : embedded_catalog_facts().architectures)
    if (design.fabric) rows += compare_tables(design);
  EXPECT_EQ(rows, 45);
}

TEST(DesignFabric, OfBasePodIsAPairOfSwitches) {
  for (const double systems : {4.0, 8.0}) {
    const FabricNeed<NoTrace> need = need_of(architecture("dgx-basepod-ndr400"), systems);
    const Fabric<NoTrace> fabric = built(need);
    EXPECT_TRUE(fabric_refusals(need, fabric).empty());
    EXPECT_EQ(fabric.leaf.total, 2);
    EXPECT_EQ(*fabric.node_transceivers, 4 * systems);
    EXPECT_EQ(*fabric.switch_transceivers, 4 * systems);
    // The document counts copper cables of two links.
    EXPECT_EQ(fabric.inter_switch_links / 2, 2 * systems);
    EXPECT_EQ(raw(*need.link), 50e9);
  }
  EXPECT_EQ(built(need_of(architecture("dgx-basepod-ndr400"), 8)).max_nodes_two_tiers, 8);
  const FabricNeed<NoTrace> earlier = need_of(architecture("dgx-basepod-ndr200"), 16);
  EXPECT_TRUE(fabric_refusals(earlier, built(earlier)).empty());
  EXPECT_EQ(raw(*earlier.link), 25e9);
}

TEST(DesignFabric, OfEnterprisePairsHasTheWireMapsLinks) {
  const Fabric<NoTrace> hgx = built(need_of(architecture("era-2-8-9-400"), 12));
  EXPECT_EQ(hgx.inter_switch_links, 48);
  EXPECT_EQ(hgx.node_leaf_links / 2, 48);
  const Fabric<NoTrace> pcie = built(need_of(architecture("era-2-8-5-200"), 20));
  EXPECT_EQ(pcie.inter_switch_links, 40);
  EXPECT_EQ(pcie.node_leaf_links / 2, 40);
}

// Two switches for each of two planes to four units, as the document prints; the pair is then full.
TEST(DesignFabric, OfB300ServersIsAPairForEachPlane) {
  for (const double nodes : {4.0, 16.0}) {
    const FabricNeed<NoTrace> need = need_of(architecture("era-2-8-9-800"), nodes);
    const Fabric<NoTrace> fabric = built(need);
    EXPECT_TRUE(fabric_refusals(need, fabric).empty());
    EXPECT_EQ(fabric.leaf.per_plane, 2);
    EXPECT_EQ(fabric.leaf.total, 4);
    EXPECT_EQ(fabric.spine.total, 0);
    EXPECT_EQ(fabric.node_leaf_links, nodes * 16);
    EXPECT_EQ(raw(*need.link), 50e9);
  }
  EXPECT_EQ(built(need_of(architecture("era-2-8-9-800"), 16)).max_nodes_two_tiers, 16);
}

TEST(DesignFabric, CountsTraysOfRacks) {
  const FabricNeed<NoTrace> need = need_of(architecture("dgx-superpod-gb200"), 9);
  EXPECT_EQ(need.nodes, 162);
  EXPECT_EQ(need.nodes_per_unit, 144);
  const Fabric<NoTrace> fabric = built(need);
  EXPECT_EQ(fabric.scalable_units, 2);
  EXPECT_EQ(cable_schedule(need, fabric).links.size(),
            static_cast<std::size_t>(fabric.node_leaf_links + fabric.leaf_spine_links + fabric.spine_core_links));
}

TEST(DesignFabric, TellsTheSourceOfItsFacts) {
  Trace trace;
  const ReferenceArchitecture& design = architecture("dgx-superpod-h100");
  const auto need = design_fabric_need(trace, design, switch_of(design), trace.input("/systems", 31.0), true);
  const TraceNode& ports = trace.nodes()[static_cast<std::size_t>(need.switch_ports.node)];
  EXPECT_EQ(ports.value, 64);
  EXPECT_NE(ports.source.find("ra-01"), std::string::npos) << ports.source;
}

}  // namespace
}  // namespace podwright::design_networks_test
