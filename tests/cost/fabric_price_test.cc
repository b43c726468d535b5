#include "cost/fabric_price.h"

#include <gtest/gtest.h>

namespace podwright::fabric_price_test {
namespace {

const Switch* switch_named(std::string_view id) {
  for (const Switch& item : embedded_catalog_facts().switches)
    if (item.id == id) return &item;
  return nullptr;
}

/// 32 nodes with eight rails: 8 leaves, 4 spines, a link from each GPU and one upward for each of them.
DesignNetworks<NoTrace> one_unit(const Switch* item) {
  DesignNetworks<NoTrace> networks;
  networks.compute.emplace();
  networks.compute->leaf.total = 8;
  networks.compute->spine.total = 4;
  networks.compute->node_leaf_links = 256;
  networks.compute->leaf_spine_links = 256;
  networks.compute_switch = item;
  return networks;
}

TEST(ComputeNetworkCost, IsSwitchesAndLinks) {
  NoTrace trace;
  const auto cost = compute_network_cost(trace, embedded_catalog_facts(), one_unit(switch_named("qm9700")));
  ASSERT_TRUE(cost.amount.has_value()) << cost.absence;
  EXPECT_EQ(*cost.amount, usd(12 * 36000 + 512 * 1300));
  // The all-in band per GPU of the same table.
  EXPECT_GT(*cost.amount, usd(256 * 3000));
  EXPECT_LT(*cost.amount, usd(256 * 5000));
}

// 24 of 32 nodes are there: 192 of 256 downward ports have a link, so that 32 twin transceivers see no light.
TEST(ComputeNetworkCost, HoldsDarkPortsAndTheManager) {
  DesignNetworks<NoTrace> networks = one_unit(switch_named("qm9700"));
  networks.compute_need.emplace();
  networks.compute_need->ports_per_cage = 2;
  networks.compute->node_leaf_links = 192;
  networks.compute->switch_transceivers = (256 + 2 * 256) / 2;
  NoTrace trace;
  const auto cost = [&] { return compute_network_cost(trace, embedded_catalog_facts(), networks); };
  EXPECT_EQ(*cost().amount, usd(12 * 36000 + 448 * 1300 + 32 * 750));
  networks.compute_need->manager_links = 4;
  EXPECT_EQ(*cost().amount, usd(12 * 36000 + 452 * 1300 + 30 * 750));
}

TEST(ComputeNetworkCost, OnlyPricedSwitchesAndSpeedsGoByItems) {
  EXPECT_TRUE(priced_by_items(switch_named("qm9700"), 400));
  EXPECT_FALSE(priced_by_items(switch_named("qm9700"), 200));
  EXPECT_FALSE(priced_by_items(switch_named("sn5600"), 800));
  EXPECT_FALSE(priced_by_items(nullptr, 400));
}

TEST(ComputeNetworkCost, IsAbsentWithoutAPriceOfEither) {
  NoTrace trace;
  Catalog catalog = embedded_catalog_facts();
  const auto absence = [&](const Switch* item) {
    const auto cost = compute_network_cost(trace, catalog, one_unit(item));
    EXPECT_FALSE(cost.amount.has_value());
    return cost.absence;
  };
  EXPECT_NE(absence(nullptr), "");
  EXPECT_EQ(absence(switch_named("q3400")),
            "No dated source for the price of the switch " + switch_named("q3400")->name + ".");
  std::erase_if(catalog.purchase_prices, [](const PurchasePrice& row) {
    return row.id == "400g-optical-link-incl-both-transceivers-and-fibre";
  });
  EXPECT_EQ(absence(switch_named("qm9700")),
            "No dated source for the price of a link of " + switch_named("qm9700")->name + ".");
}

TEST(ComputeNetworkCost, ASingleNodeHasNone) {
  NoTrace trace;
  const auto cost = compute_network_cost(trace, embedded_catalog_facts(), DesignNetworks<NoTrace>());
  EXPECT_FALSE(cost.amount.has_value());
  EXPECT_TRUE(cost.absence.empty());
}

}  // namespace
}  // namespace podwright::fabric_price_test
