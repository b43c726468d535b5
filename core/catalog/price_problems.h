#pragma once
/// Hygiene of cloud prices: what tables read from price pages get wrong.
#include <string>
#include <vector>

#include "catalog/price_tables.h"

namespace podwright {

/// Why a row must not be used, one sentence each; empty: none of the known faults (docs/method/prices.md#hygiene).
std::vector<std::string> price_problems(const CloudPrice& row);

}  // namespace podwright
