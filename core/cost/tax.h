#pragma once
/// What the tax office gives back for the wear of owned machines: deductions by year, and their value today. Off unless
/// asked for: rent, electricity and staff are deducted too, so a total with this alone would favour owning.
#include <optional>
#include <vector>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "cost/ownership_formulas.h"

namespace podwright {

/// Later years: twice the straight line of what is left, or what is left spread over the time left where that is more.
/// The last year, `life_years` + 1, takes the rest.
auto later_year_deduction(Of<Usd> auto undeducted, Of<double> auto life_years, Of<double> auto year) {
  return cited("docs/method/ownership.md#tax",
               undeducted * min(1.0, max(2.0 / life_years, 1.0 / (life_years - year + 1.5))));
}

/// Value today of the tax that a deduction saves.
constexpr auto tax_shield(Of<Usd> auto deduction, Of<double> auto tax_rate, Of<double> auto discount) {
  return cited("docs/method/ownership.md#tax", deduction * tax_rate * discount);
}

enum class TaxSchedule { straight_line, declining_balance };

template <class Tracer>
struct TaxTerms {
  TaxSchedule schedule = TaxSchedule::declining_balance;
  Known<Tracer, double> tax_rate;
  Known<Tracer, double> life_years;                     ///< whole years of the recovery class: 5 for computers
  std::optional<Known<Tracer, double>> bonus_fraction;  ///< deducted in the first year; 0 to 1
};

template <class Tracer>
struct TaxYear {
  Known<Tracer, Usd> deduction;
  Known<Tracer, Usd> shield;
};

/// Year by year from the first; the sum of the deductions is the basis.
template <class Tracer>
struct TaxNumbers {
  std::vector<TaxYear<Tracer>> years;
  Known<Tracer, Usd> shield;  ///< value today of all of them
};

template <class Tracer>
TaxNumbers<Tracer> tax_numbers(Tracer& trace, const Known<Tracer, Usd>& basis,
                               const Known<Tracer, double>& discount_rate, const TaxTerms<Tracer>& terms) {
  using Amount = Known<Tracer, Usd>;
  TaxNumbers<Tracer> tax;
  std::vector<Amount> shields;
  const double life = value_of(terms.life_years);
  const int last = static_cast<int>(life) + (terms.schedule == TaxSchedule::declining_balance ? 1 : 0);
  Amount regular = basis;
  std::optional<Amount> bonus;
  if (terms.bonus_fraction) {
    bonus = named("cost.bonus_deduction", cited("docs/method/ownership.md#tax", basis * *terms.bonus_fraction));
    regular = named("cost.basis_after_bonus", basis - *bonus);
  }
  Amount left = regular;
  for (int index = 1; index <= last; ++index) {
    const auto year = trace.constant("year", static_cast<double>(index), "years in service");
    Amount deduction = terms.schedule == TaxSchedule::straight_line || index == 1
                           ? named("cost.deduction", cited("docs/method/ownership.md#tax", regular / terms.life_years))
                           : named("cost.deduction", later_year_deduction(left, terms.life_years, year));
    left = named("cost.undeducted", left - deduction);
    if (index == 1 && bonus) deduction = trace.sum("cost.first_deduction", std::vector<Amount>{*bonus, deduction});
    const auto discount = named("cost.discount", discount_factor(discount_rate, year));
    const Amount shield = named("cost.tax_shield", tax_shield(deduction, terms.tax_rate, discount));
    tax.years.push_back({.deduction = deduction, .shield = shield});
    shields.push_back(shield);
  }
  tax.shield = trace.sum("cost.tax_shields", shields);
  return tax;
}

}  // namespace podwright
