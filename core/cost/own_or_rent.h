#pragma once
/// One evaluation of owning against renting, small enough to be made a hundred thousand times. Owning is assembled by
/// owning.h as in an explained answer; renting is what cloud_cost.h adds up year by year, in closed form.
/// docs/method/uncertainty.md#model.
#include <algorithm>
#include <cmath>

#include "base/bulk_math.h"
#include "cost/cloud_cost.h"
#include "cost/cost_inputs.h"
#include "cost/hybrid.h"
#include "cost/owning.h"

namespace podwright {

/// Level costs over the years in service, as money per time.
struct OwnOrRent {
  UsdPerSecond own;            ///< annuity and operation
  UsdPerSecond rent;           ///< for the work that the owned GPUs would do
  UsdPerSecond available_gpu;  ///< owning, a GPU-hour that stands ready
  UsdPerSecond used_gpu;       ///< owning, a GPU-hour in use
  Usd present_cost_of_owning;  ///< value of all payments today
};

/// The tracer of draws: plain numbers, and factors of interest made for loops.
struct Draw : NoTrace {};

inline double bulk_discount(double rate, double years) { return bulk::exp(-years * bulk::log(1.0 + rate)); }

template <>
inline Horizon<Draw> horizon_of<Draw>(const double& years, const double& rate) {
  const double discount = bulk_discount(rate, years);
  return {.years = years,
          .rate = rate,
          .discount = discount,
          .annuity = std::fabs(rate) < kNoInterest ? years : annuity_factor(rate, discount)};
}

template <>
inline UsdPerSecond level_capital<Draw>(const Usd& capex, const Usd& terminal, const Horizon<Draw>& horizon) {
  const double recovery =
      std::fabs(horizon.rate) < kNoInterest ? 1.0 / horizon.years : capital_recovery(horizon.rate, horizon.discount);
  return annuity(capex, terminal, horizon.discount, recovery);
}

/// Level rent whose price drifts all the time, or, with commitments, whenever a term begins anew. Of a term that the
/// years do not fill, the part inside counts.
inline UsdPerSecond drifting_rent(UsdPerSecond rent, double growth, const Horizon<Draw>& horizon,
                                  double commitment_years) {
  if (!changes(growth)) return rent;
  const auto& [years, rate, discount, annuity] = horizon;
  if (commitment_years == 0.0) {
    const UsdPerSecond first_year = rent * drifted_years(1.0, 1.0 + growth, bulk::log(1.0 + growth));
    return level_growing_cost(first_year, growth, horizon);
  }
  // Each term is worth its annuity at its start; from term to term prices grow and discounts shrink it.
  const double of_term = horizon_of<Draw>(commitment_years, rate).annuity;
  const double step = commitment_years * bulk::log((1.0 + growth) / (1.0 + rate));
  const double terms = years / commitment_years;
  const double sum = std::fabs(step) < kNoInterest ? terms : (1.0 - bulk::exp(terms * step)) / (1.0 - bulk::exp(step));
  return rent * of_term * sum / annuity;
}

/// What is owned. `of` gives the number of each input (CostInput -> double), here and below.
template <class NumberOf>
inline OwnedTerms<Draw, Known> drawn_terms(double gpu_count, const NumberOf& of) {
  OwnedTerms<Draw, Known> terms{.gpu_count = gpu_count};
  for_each_owned_term(
      [&](CostInput input, std::string_view, auto& term) { term = std::decay_t<decltype(term)>(of(input)); }, terms);
  return terms;
}

/// Level rent over the horizon; `grown` is the mean number of machines over that of the start.
template <class NumberOf>
inline UsdPerSecond drawn_rent(const UncertainCosts& costs, double grown, const Horizon<Draw>& horizon,
                               const NumberOf& of) {
  const auto price = UsdPerSecond(of(CostInput::rent_per_gpu));
  const UsdPerSecond other(of(CostInput::rent_other));
  const double years = costs.commitment_years;
  const double growth = of(CostInput::rent_growth);
  if (!costs.use.empty()) {
    const double gpus = at_use(costs.use, of(CostInput::utilization)).rented_gpus;
    return drifting_rent(cost_of_gpus(gpus * grown, price * costs.rent_markup), growth, horizon, years) +
           cost_of_gpus(gpus, costs.rent_with_gpu) + other;
  }
  const UsdPerSecond standing = cost_of_gpus(costs.gpu_count * grown, price);
  const UsdPerSecond billed = years > 0.0 ? standing : paid_while_used(standing, of(CostInput::utilization));
  return drifting_rent(billed, growth, horizon, years) + other;
}

/// The same of machines that draw more the more they are used.
template <class NumberOf>
inline OwnedTerms<Draw, Known> drawn_terms(const UncertainCosts& costs, const NumberOf& of) {
  OwnedTerms<Draw, Known> terms = drawn_terms(costs.gpu_count, of);
  if (costs.use.empty()) return terms;
  const auto load_at = [&](double utilization) { return at_use(costs.use, utilization).load; };
  const double more = load_at(of(CostInput::utilization)) - load_at(costs[CostInput::utilization].typical);
  terms.load = std::max(0.0, terms.load + more);
  return terms;
}

template <class NumberOf>
inline OwnOrRent own_or_rent(const UncertainCosts& costs, const NumberOf& of) {
  const Horizon<Draw> horizon = horizon_of<Draw>(of(CostInput::life_years), of(CostInput::discount_rate));
  const OwnedTerms<Draw, Known> terms = drawn_terms(costs, of);
  const OwnedTotal<Draw> owned =
      owned_total(owned_capital(terms, horizon), owned_operation(terms, horizon), costs.gpu_count, horizon);
  return {.own = owned.yearly * costs.own_growth,
          .rent = drawn_rent(costs, costs.rent_growth, horizon, of),
          .available_gpu = owned.available,
          .used_gpu = used_gpu_price(owned.available, of(CostInput::utilization)),
          .present_cost_of_owning = owned.net_present_cost * costs.own_growth};
}

/// What has been paid by the end of a year, valued today. Of owning: the purchase and operation; what the machines are
/// sold for comes at the end of their life and is not in it.
struct PaidSoFar {
  Usd own;
  Usd rent;
  Usd mixed;  ///< zero without UncertainCosts::mixed
};

template <class NumberOf>
inline PaidSoFar paid_so_far(const UncertainCosts& costs, double years, const NumberOf& of) {
  const Horizon<Draw> horizon = horizon_of<Draw>(years, of(CostInput::discount_rate));
  const OwnedTerms<Draw, Known> terms = drawn_terms(costs, of);
  const Usd purchase = owned_capital(terms, horizon).capex;
  const MixedShares part = costs.mixed.value_or(MixedShares{});
  if (years <= 0.0) return {.own = purchase, .rent = Usd(0), .mixed = purchase * part.purchase};
  const Usd operation = present_operation(owned_operation(terms, horizon).yearly, horizon.annuity);
  const Usd rent = present_operation(drawn_rent(costs, 1, horizon, of), horizon.annuity);
  return {.own = purchase + operation,
          .rent = rent,
          .mixed = purchase * part.purchase + operation * part.own + rent * part.rent};
}

/// With every input at its typical value, but `other` at `number`.
inline OwnOrRent own_or_rent_at(const UncertainCosts& costs, CostInput other, double number) {
  return own_or_rent(costs, [&](CostInput input) { return input == other ? number : costs[input].typical; });
}
/// With every input at its typical value.
inline OwnOrRent own_or_rent_typical(const UncertainCosts& costs) {
  return own_or_rent(costs, [&](CostInput input) { return costs[input].typical; });
}

}  // namespace podwright
