#pragma once
/// What a kilowatt of rented space costs by the power that is committed, and whether electricity is in that price.
/// docs/method/ownership.md#facility.
#include <string>

#include "catalog/catalog.h"

namespace podwright {

/// Where the electricity of rented space is billed.
enum class ColocationPower { extra, included, not_told };

/// The row of a band; null with a reason where there is none.
struct ColocationPricing {
  const PurchasePrice* price = nullptr;  ///< USD per kilowatt and month
  ColocationPower power = ColocationPower::extra;
  std::string caution;  ///< what to know before using the price; may be empty
  std::string absence;
};

/// `power_included` wants a price that holds the electricity; else electricity is counted beside what is found.
ColocationPricing colocation_pricing(const Catalog& catalog, Watts committed, bool power_included);

}  // namespace podwright
