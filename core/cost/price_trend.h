#pragma once
/// How list prices of a GPU have moved within a year. docs/method/prices.md#trend.
#include <optional>
#include <string_view>

#include "catalog/catalog.h"

namespace podwright {

struct PriceTrend {
  const PricePoint* from = nullptr;
  const PricePoint* to = nullptr;
};

/// The series on demand that moved most in the year before `as_of`; absent where none moved by more than a quarter.
std::optional<PriceTrend> price_trend(const Catalog& catalog, std::string_view gpu_id, std::string_view as_of);

}  // namespace podwright
