#pragma once
/// Constants of a time model, fitted on published runs.
#include <string>

#include "catalog/item.h"

namespace podwright {

/// A constant: `value` is fitted; `prior` and `spread` (of its logarithm) are what was known before.
struct EfficiencyConstant : CatalogItem {
  double value = 0;
  double prior = 0;
  double spread = 0;
};

}  // namespace podwright
