#include "cost/fabric_price.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "cost/purchase.h"

namespace podwright {
namespace {

struct SwitchRow {
  std::string_view item;
  std::string_view price;
};
/// Rows with a price that name a switch of the catalog.
constexpr std::array<SwitchRow, 1> kSwitchRows{{{"qm9700", "quantum-2-qm9700-64x400g-ndr-switch"}}};
constexpr double kLinkSpeed = 400;  // Gbit/s of the one row of links
constexpr std::string_view kLink = "400g-optical-link-incl-both-transceivers-and-fibre";
constexpr std::string_view kTransceiver = "osfp-400-800g-transceiver";

}  // namespace

FabricPricing fabric_pricing(const Catalog& catalog, const Switch* item) {
  FabricPricing pricing;
  if (item == nullptr) {
    pricing.absence = "The switch of the compute network is not in the catalog, so its price is not known.";
    return pricing;
  }
  for (const SwitchRow& row : kSwitchRows)
    if (row.item == item->id) pricing.switch_price = purchase_price(catalog, row.price);
  if (item->port_gbps == kLinkSpeed) pricing.link_price = purchase_price(catalog, kLink);
  pricing.transceiver_price = purchase_price(catalog, kTransceiver);
  if (pricing.switch_price == nullptr)
    pricing.absence = "No dated source for the price of the switch " + item->name + ".";
  else if (pricing.link_price == nullptr)
    pricing.absence = "No dated source for the price of a link of " + item->name + ".";
  else if (pricing.transceiver_price == nullptr)
    pricing.absence = "No dated source for the price of a transceiver of " + item->name + ".";
  return pricing;
}

bool priced_by_items(const Switch* item, double gbit_per_s) {
  return item != nullptr && gbit_per_s == kLinkSpeed &&
         std::any_of(kSwitchRows.begin(), kSwitchRows.end(),
                     [&](const SwitchRow& row) { return row.item == item->id; });
}

}  // namespace podwright
