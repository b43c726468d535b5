#include "cost/ownership_prices.h"

#include <algorithm>

namespace podwright {

const PurchasePrice* purchase_figure(const Catalog& catalog, std::string_view id) {
  const auto found = std::find_if(catalog.purchase_prices.begin(), catalog.purchase_prices.end(),
                                  [&](const PurchasePrice& row) { return row.id == id; });
  return found == catalog.purchase_prices.end() ? nullptr : &*found;
}

const PurchasePrice* purchase_price(const Catalog& catalog, std::string_view id) {
  const PurchasePrice* row = purchase_figure(catalog, id);
  return row == nullptr || row->currency != "USD" ? nullptr : row;
}

}  // namespace podwright
