#pragma once
/// Greenhouse gases as members of an answer, the same wherever they stand.
#include "base/json_write.h"
#include "cost/carbon.h"

namespace podwright {

inline constexpr DisplayUnit kKgCo2e{"", "kgCO2e", 1.0};

/// Of a year and of the making, as far as they are known.
void write_carbon_numbers(JsonWriter& out, const Carbon<Trace>& carbon);

}  // namespace podwright
