#pragma once
/// Constants of a time model, fitted on published runs, and their tables.
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "catalog/item.h"

namespace podwright {

/// A constant: `value` is fitted; `prior` and `spread` (of its logarithm) are what was known before.
struct EfficiencyConstant : CatalogItem {
  double value = 0;
  double prior = 0;
  double spread = 0;
  std::string note;
};

/// Reads id, value, prior, spread, source, note of a table that holds every word of `ids` once, into the places of the
/// words. `model` is its name in messages ("step model").
void read_efficiency_constants(const std::string& path, std::string_view text, std::string_view model,
                               std::span<const std::string_view> ids, std::span<EfficiencyConstant> constants,
                               Errors& errors);

}  // namespace podwright
