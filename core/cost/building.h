#pragma once
/// Where owned machines stand: rented space by committed power, an own building, or one that is paid for already.
/// A month is a twelfth of 8,760 hours.

#include "base/arithmetic.h"
#include "base/trace.h"
#include "cost/ownership_formulas.h"

namespace podwright {

using UsdPerWatt = Quantity<Dim{.second = 1, .joule = -1, .usd = 1}>;
constexpr UsdPerWatt usd_per_watt(double x) { return UsdPerWatt(x); }
/// A price for each unit of power and month; in base units money per energy.
constexpr UsdPerJoule usd_per_kw_month(double x) { return UsdPerJoule(x / 2628000.0 / 1000.0); }

/// Space rented by the power that is committed, drawn or not.
constexpr auto colocation_cost(Of<Watts> auto committed, Of<UsdPerJoule> auto price) {
  return cited("docs/method/ownership.md#facility", committed * price);
}

/// Financing of an own building by the month; `monthly_recovery` over its life in months. `occupancy` is the share of
/// its power that is in use: the rest is paid for by those inside.
constexpr auto building_capital(Of<Watts> auto peak, Of<UsdPerWatt> auto price, Of<double> auto monthly_recovery,
                                Of<double> auto occupancy) {
  return cited("Datacenter as a Computer 4th ed. section 8",
               peak * price * monthly_recovery / (years(1) / 12.0) / occupancy);
}

/// Running the building, without electricity.
constexpr auto building_operation(Of<Watts> auto peak, Of<UsdPerJoule> auto price, Of<double> auto occupancy) {
  return cited("Datacenter as a Computer 4th ed. section 8", peak * price / occupancy);
}

/// Terms of an own building.
template <class Tracer>
struct BuildingTerms {
  Known<Tracer, UsdPerWatt> price;       ///< per watt of power for machines
  Known<Tracer, double> life_years;      ///< of the building
  Known<Tracer, double> interest;        ///< nominal, per year
  Known<Tracer, UsdPerJoule> operation;  ///< per watt and month, see usd_per_kw_month
  Known<Tracer, double> occupancy;       ///< above 0, at most 1
};

template <class Tracer>
struct BuildingNumbers {
  Known<Tracer, UsdPerSecond> capital;
  Known<Tracer, UsdPerSecond> operation;
  Known<Tracer, UsdPerSecond> total;
};

/// Level payment per month and unit of money borrowed; without interest one over the months.
auto monthly_recovery(Of<double> auto interest, Of<double> auto life_years) {
  const auto months = named("cost.months", month_count(life_years));
  if (value_of(interest) == 0) {
    return named("cost.monthly_recovery", 1.0 / months);
  }
  const auto rate = named("cost.monthly_rate", cited("Datacenter as a Computer 4th ed. section 8", interest / 12.0));
  const auto discount = named("cost.monthly_discount", discount_factor(rate, months));
  return named("cost.monthly_recovery", capital_recovery(rate, discount));
}

/// An own building for machines of `peak` power.
template <class Tracer>
BuildingNumbers<Tracer> building_numbers(const Known<Tracer, Watts>& peak, const BuildingTerms<Tracer>& terms) {
  const auto recovery = monthly_recovery(terms.interest, terms.life_years);
  const auto capital =
      named("cost.building_capital", podwright::building_capital(peak, terms.price, recovery, terms.occupancy));
  const auto operation =
      named("cost.building_operation", podwright::building_operation(peak, terms.operation, terms.occupancy));
  return {.capital = capital,
          .operation = operation,
          .total = named("cost.building", cited("docs/method/ownership.md#facility", capital + operation))};
}

}  // namespace podwright
