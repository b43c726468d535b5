#pragma once
/// Hygiene of cloud prices: what tables read from price pages get wrong.
#include <string>
#include <vector>

#include "catalog/price_tables.h"

namespace podwright {

/// Outside them a table has been misread, or a quote mistyped, whatever the market does
/// (docs/method/prices.md#hygiene).
inline constexpr double kLeastUsdPerGpuHour = 0.05;
inline constexpr double kMostUsdPerGpuHour = 60;

/// Why a row must not be used, one sentence each; empty: none of the known faults (docs/method/prices.md#hygiene).
std::vector<std::string> price_problems(const CloudPrice& row);

}  // namespace podwright
