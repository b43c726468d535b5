#pragma once
/// What the tax office gives back for the wear of owned machines: deductions by year, and their value today. Off unless
/// asked for: rent, electricity and staff are deducted too, so a total with this alone would favour owning.
#include <algorithm>
#include <optional>
#include <vector>

#include "base/trace.h"
#include "cost/capital.h"

namespace podwright {

/// An even part of the basis. The accelerated schedule begins with it too: twice as much, of which half a year counts.
constexpr Usd even_deduction(Usd basis, double life_years) { return basis / life_years; }
inline constexpr Formula<even_deduction> kEvenDeduction{.id = "cost.even_deduction",
                                                        .inputs = {"basis", "life_years"},
                                                        .equation = "basis / life_years",
                                                        .source = "docs/method/ownership.md#tax"};

/// Later years: twice the straight line of what is left, or what is left spread over the time left where that is more.
/// The last year, `life_years` + 1, takes the rest.
inline Usd later_year_deduction(Usd undeducted, double life_years, double year) {
  return undeducted * std::min(1.0, std::max(2.0 / life_years, 1.0 / (life_years - year + 1.5)));
}
inline constexpr Formula<later_year_deduction> kLaterYearDeduction{
    .id = "cost.later_year_deduction",
    .inputs = {"undeducted", "life_years", "year"},
    .equation = "undeducted * min(1, max(2 / life_years, 1 / (life_years - year + 1.5)))",
    .source = "docs/method/ownership.md#tax"};

constexpr Usd undeducted_basis(Usd before, Usd deduction) { return before - deduction; }
inline constexpr Formula<undeducted_basis> kUndeductedBasis{.id = "cost.undeducted_basis",
                                                            .inputs = {"before", "deduction"},
                                                            .equation = "before - deduction",
                                                            .source = "definition"};

/// Deducted at once in the first year.
constexpr Usd bonus_deduction(Usd basis, double bonus_fraction) { return basis * bonus_fraction; }
inline constexpr Formula<bonus_deduction> kBonusDeduction{.id = "cost.bonus_deduction",
                                                          .inputs = {"basis", "bonus_fraction"},
                                                          .equation = "basis * bonus_fraction",
                                                          .source = "docs/method/ownership.md#tax"};

/// Value today of the tax that a deduction saves.
constexpr Usd tax_shield(Usd deduction, double tax_rate, double discount) { return deduction * tax_rate * discount; }
inline constexpr Formula<tax_shield> kTaxShield{.id = "cost.tax_shield",
                                                .inputs = {"deduction", "tax_rate", "discount"},
                                                .equation = "deduction * tax_rate * discount",
                                                .source = "docs/method/ownership.md#tax"};

enum class TaxSchedule { straight_line, declining_balance };

template <class Tracer>
struct TaxTerms {
  TaxSchedule schedule = TaxSchedule::declining_balance;
  typename Tracer::template Known<double> tax_rate;
  typename Tracer::template Known<double> life_years;  ///< whole years of the recovery class: 5 for computers
  std::optional<typename Tracer::template Known<double>> bonus_fraction;  ///< deducted in the first year; 0 to 1
};

template <class Tracer>
struct TaxYear {
  typename Tracer::template Known<Usd> deduction;
  typename Tracer::template Known<Usd> shield;
};

/// Year by year from the first; the sum of the deductions is the basis.
template <class Tracer>
struct TaxNumbers {
  std::vector<TaxYear<Tracer>> years;
  typename Tracer::template Known<Usd> shield;  ///< value today of all of them
};

template <class Tracer>
TaxNumbers<Tracer> tax_numbers(Tracer& trace, const typename Tracer::template Known<Usd>& basis,
                               const typename Tracer::template Known<double>& discount_rate,
                               const TaxTerms<Tracer>& terms) {
  using Amount = typename Tracer::template Known<Usd>;
  TaxNumbers<Tracer> tax;
  std::vector<Amount> shields;
  const double life = value_of(terms.life_years);
  const int last = static_cast<int>(life) + (terms.schedule == TaxSchedule::declining_balance ? 1 : 0);
  Amount regular = basis;
  std::optional<Amount> bonus;
  if (terms.bonus_fraction) {
    bonus = trace.step("cost.bonus_deduction", kBonusDeduction, basis, *terms.bonus_fraction);
    regular = trace.step("cost.basis_after_bonus", kUndeductedBasis, basis, *bonus);
  }
  Amount left = regular;
  for (int index = 1; index <= last; ++index) {
    const auto year = trace.constant("year", static_cast<double>(index), "years in service");
    Amount deduction = terms.schedule == TaxSchedule::straight_line || index == 1
                           ? trace.step("cost.deduction", kEvenDeduction, regular, terms.life_years)
                           : trace.step("cost.deduction", kLaterYearDeduction, left, terms.life_years, year);
    left = trace.step("cost.undeducted", kUndeductedBasis, left, deduction);
    if (index == 1 && bonus) deduction = trace.sum("cost.first_deduction", std::vector<Amount>{*bonus, deduction});
    const auto discount = trace.step("cost.discount", kDiscountFactor, discount_rate, year);
    const Amount shield = trace.step("cost.tax_shield", kTaxShield, deduction, terms.tax_rate, discount);
    tax.years.push_back({.deduction = deduction, .shield = shield});
    shields.push_back(shield);
  }
  tax.shield = trace.sum("cost.tax_shields", shields);
  return tax;
}

}  // namespace podwright
