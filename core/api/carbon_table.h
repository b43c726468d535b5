#pragma once
/// Fields of greenhouse gases, the same wherever they stand.
#include "api/answer_field.h"
#include "cost/carbon.h"

namespace podwright {

inline constexpr DisplayUnit kKgCo2e{"", "kgCO2e", 1.0};

/// Of a year and of the making, as far as they are known.
template <class Table, class Tracer>
void describe(Table& v, const Carbon<Tracer>& carbon) {
  v.number({"kg_co2e_per_year", "CO2 equivalent per year", kKgCo2e}, carbon.kg_per_year);
  v.number({"operation_kg_per_year", "Of which from electricity, per year", kKgCo2e}, carbon.operation_kg_per_year);
  v.number({"embodied_kg", "In making the machines", kKgCo2e}, carbon.embodied_kg);
  v.number({"embodied_kg_per_year", "Of which per year", kKgCo2e}, carbon.embodied_kg_per_year);
}

}  // namespace podwright
