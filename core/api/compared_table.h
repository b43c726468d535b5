#pragma once
/// Fields of owning against renting.
#include "api/answer_field.h"
#include "api/common_table.h"
#include "cost/break_even.h"
#include "cost/hybrid.h"

namespace podwright {

/// A month of contracts is 730 hours.
inline constexpr DisplayUnit kMonths730{"", "months of 730 h", 730.0 * 3600.0};

/// What is never reached is null, with a reason.
template <class Table, class Tracer>
void describe(Table& v, const BreakEven<Tracer>& found) {
  v.nullable({"utilization", "Utilisation"}, found.utilization);
  v.nullable({"hours", "Hours in full use", unit::kHours}, found.time);
  v.nullable({"months", "Months of 730 hours", kMonths730}, found.time);
  if (const auto part = v.when(found.time.has_value()))
    v.number({"sensitivity_to_rent", "Change in this time per 1 % of rent, %"}, found.sensitivity);
  if (const auto part = v.when(!found.time)) v.text({"reason"}, found.reason);
  describe_messages(v, {"cautions"}, found.cautions);
}

template <class Table, class Tracer>
void describe(Table& v, const Hybrid<Tracer>& hybrid) {
  v.number({"own_gpus", "Owned GPUs"}, hybrid.own_gpus);
  v.number({"rented_gpus_mean", "Rented GPUs on average"}, hybrid.rented_gpus_mean);
  v.number({"rented_gpus_peak", "Rented GPUs at most"}, hybrid.rented_gpus_peak);
  v.number({"rented_instances_mean", "Rented instances on average"}, hybrid.rented_instances_mean);
  v.number({"rented_instances_peak", "Rented instances at most"}, hybrid.rented_instances_peak);
  v.number({"own_usd_per_year", "Owning, per year", unit::kUsdPerYear}, hybrid.own_cost);
  v.number({"rent_usd_per_year", "Renting, per year", unit::kUsdPerYear}, hybrid.rent_cost);
  v.number({"usd_per_year", "Total per year", unit::kUsdPerYear}, hybrid.total);
  v.number({"all_rented_usd_per_year", "Renting everything, per year", unit::kUsdPerYear}, hybrid.all_rented);
  v.number({"all_owned_usd_per_year", "Owning everything, per year", unit::kUsdPerYear}, hybrid.all_owned);
}

}  // namespace podwright
