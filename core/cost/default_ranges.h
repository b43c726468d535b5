#pragma once
/// How uncertain an input is where the request gives one number: the catalog's low and high around it.
/// docs/method/uncertainty.md#ranges.
#include "catalog/catalog.h"
#include "cost/cost_inputs.h"

namespace podwright {

struct DefaultRange {
  UncertainNumber number;
  const PurchasePrice* row = nullptr;  ///< whose low and high stand in; null: taken as certain
};

/// The row of shares, rates and lives gives the ends themselves, widened to hold `typical`; the row of an amount gives
/// them as multiples of its own typical value. Inside the range of the model. `typical` in base units.
DefaultRange default_range(const Catalog& catalog, CostInput input, double typical);

}  // namespace podwright
