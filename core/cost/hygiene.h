#pragma once
/// Money that may be counted: dated, in one currency, without the faults of price tables.
/// docs/method/prices.md#hygiene.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/price_tables.h"

namespace podwright {

/// What one unit of another currency is worth; it comes from the request and stands among the assumptions.
struct ExchangeRate {
  std::string currency;  ///< three capital letters (ISO 4217)
  double usd_per_unit = 0;
};

/// An amount in USD; absent where it is in another currency that no rate is given for. An amount without a currency is
/// no money and absent too.
std::optional<Usd> in_usd(double amount, std::string_view currency, std::span<const ExchangeRate> rates);

/// Why an offer read from elsewhere, its prices in `currency`, must not be used; empty: no known fault. Beyond what
/// price_problems finds: another currency than USD, no date.
std::vector<std::string> offer_problems(const CloudPrice& row, std::string_view currency);
/// The same of something one buys.
std::vector<std::string> purchase_problems(const PurchasePrice& row);
/// The same of a region's electricity.
std::vector<std::string> energy_problems(const EnergyRegion& row);

}  // namespace podwright
