#pragma once
/// Yearly amounts that grow. Amounts fall due at the end of each year. docs/method/uncertainty.md#model.
#include "base/formula.h"

namespace podwright {

/// Present value of 1 in the first year and `growth` more in each that follows. `growth_discount` is ((1 + growth) /
/// (1 + rate)) ^ years; rate and growth differ.
constexpr double growing_present_value(double rate, double growth, double growth_discount) {
  return (1.0 - growth_discount) / (rate - growth);
}
inline constexpr Formula<growing_present_value> kGrowingPresentValue{
    .id = "cost.growing_present_value",
    .inputs = {"rate", "growth", "growth_discount"},
    .equation = "(1 - growth_discount) / (rate - growth)",
    .source = "definition of a growing annuity"};

}  // namespace podwright
