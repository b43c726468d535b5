#pragma once
/// Where owned machines stand: rented space by committed power, an own building, or one that is paid for already.
/// A month is a twelfth of 8,760 hours.
#include <string_view>

#include "base/trace.h"
#include "cost/capital.h"

namespace podwright {

using UsdPerWatt = Quantity<Dim{.second = 1, .joule = -1, .usd = 1}>;
constexpr UsdPerWatt usd_per_watt(double x) { return UsdPerWatt(x); }
/// A price for each unit of power and month; in base units money per energy.
constexpr UsdPerJoule usd_per_kw_month(double x) { return UsdPerJoule(x / 2628000.0 / 1000.0); }

/// Space rented by the power that is committed, drawn or not.
constexpr UsdPerSecond colocation_cost(Watts committed, UsdPerJoule price) { return committed * price; }
inline constexpr Formula<colocation_cost> kColocationCost{.id = "cost.colocation_cost",
                                                          .inputs = {"committed", "price"},
                                                          .equation = "committed * price",
                                                          .source = "docs/method/ownership.md#facility"};

/// Financing of an own building by the month; `monthly_recovery` over its life in months. `occupancy` is the share of
/// its power that is in use: the rest is paid for by those inside.
constexpr UsdPerSecond building_capital(Watts peak, UsdPerWatt price, double monthly_recovery, double occupancy) {
  return peak * price * monthly_recovery / (years(1) / 12.0) / occupancy;
}
inline constexpr Formula<building_capital> kBuildingCapital{
    .id = "cost.building_capital",
    .inputs = {"peak", "price", "monthly_recovery", "occupancy"},
    .equation = "peak * price * monthly_recovery / 2628000 / occupancy",
    .source = "Datacenter as a Computer 4th ed. section 8"};

/// Running the building, without electricity.
constexpr UsdPerSecond building_operation(Watts peak, UsdPerJoule price, double occupancy) {
  return peak * price / occupancy;
}
inline constexpr Formula<building_operation> kBuildingOperation{.id = "cost.building_operation",
                                                                .inputs = {"peak", "price", "occupancy"},
                                                                .equation = "peak * price / occupancy",
                                                                .source = "Datacenter as a Computer 4th ed. section 8"};

constexpr UsdPerSecond building_cost(UsdPerSecond building_capital, UsdPerSecond building_operation) {
  return building_capital + building_operation;
}
inline constexpr Formula<building_cost> kBuildingCost{.id = "cost.building_cost",
                                                      .inputs = {"building_capital", "building_operation"},
                                                      .equation = "building_capital + building_operation",
                                                      .source = "docs/method/ownership.md#facility"};

/// Terms of an own building.
template <class Tracer>
struct BuildingTerms {
  typename Tracer::template Known<UsdPerWatt> price;       ///< per watt of power for machines
  typename Tracer::template Known<double> life_years;      ///< of the building
  typename Tracer::template Known<double> interest;        ///< nominal, per year
  typename Tracer::template Known<UsdPerJoule> operation;  ///< per watt and month, see usd_per_kw_month
  typename Tracer::template Known<double> occupancy;       ///< above 0, at most 1
};

template <class Tracer>
struct BuildingNumbers {
  typename Tracer::template Known<UsdPerSecond> capital;
  typename Tracer::template Known<UsdPerSecond> operation;
  typename Tracer::template Known<UsdPerSecond> total;
};

/// Level payment per month and unit of money borrowed; without interest one over the months.
template <class Tracer>
typename Tracer::template Known<double> monthly_recovery(Tracer& trace,
                                                         const typename Tracer::template Known<double>& interest,
                                                         const typename Tracer::template Known<double>& life_years) {
  const auto months = trace.step("cost.months", kMonthCount, life_years);
  if (value_of(interest) == 0) {
    const auto one = trace.constant("one_payment", 1.0, "a purchase paid back in equal parts");
    return trace.step("cost.monthly_recovery", kPerPeriod, one, months);
  }
  const auto rate = trace.step("cost.monthly_rate", kMonthlyRate, interest);
  const auto discount = trace.step("cost.monthly_discount", kDiscountFactor, rate, months);
  return trace.step("cost.monthly_recovery", kCapitalRecovery, rate, discount);
}

/// An own building for machines of `peak` power.
template <class Tracer>
BuildingNumbers<Tracer> building_numbers(Tracer& trace, const typename Tracer::template Known<Watts>& peak,
                                         const BuildingTerms<Tracer>& terms) {
  const auto recovery = monthly_recovery(trace, terms.interest, terms.life_years);
  const auto capital =
      trace.step("cost.building_capital", kBuildingCapital, peak, terms.price, recovery, terms.occupancy);
  const auto operation =
      trace.step("cost.building_operation", kBuildingOperation, peak, terms.operation, terms.occupancy);
  return {.capital = capital,
          .operation = operation,
          .total = trace.step("cost.building", kBuildingCost, capital, operation)};
}

}  // namespace podwright
