#pragma once
/// Greenhouse gases as members of an answer, the same wherever they stand.
#include "base/json_write.h"
#include "cost/carbon.h"

namespace podwright {

inline constexpr DisplayUnit kKgCo2e{"", "kgCO2e", 1.0};

/// Of a year and of the making, as far as they are known.
template <class Tracer>
void write_carbon_numbers(JsonWriter& out, const Carbon<Tracer>& carbon) {
  const auto write = [&](std::string_view key, const auto& kg) {
    if (kg) out.quantity_as(key, kKgCo2e, *kg);
  };
  write("kg_co2e_per_year", carbon.kg_per_year);
  write("operation_kg_per_year", carbon.operation_kg_per_year);
  write("embodied_kg", carbon.embodied_kg);
  write("embodied_kg_per_year", carbon.embodied_kg_per_year);
}

}  // namespace podwright
