#pragma once
/// One evaluation of owning against renting, small enough to be made a hundred thousand times. What assembles an answer
/// with its explanation is owning.h and cloud_cost.h; both sides call the same formulas, and a test compares them.
/// docs/method/uncertainty.md#model.
#include <cmath>

#include "base/bulk_math.h"
#include "cost/cloud_formulas.h"
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

/// discount_factor() and annuity_factor(), made for loops.
inline double bulk_discount(double rate, double years) { return bulk::exp(-years * bulk::log(1.0 + rate)); }
inline double bulk_annuity_factor(double rate, double discount, double years) {
  return std::fabs(rate) < kNoInterest ? years : annuity_factor(rate, discount);
}

/// Level amount of one that grows by `growth` a year, falling due at each year's end.
inline UsdPerSecond bulk_level_cost(UsdPerSecond first_year, double growth, double rate, double years, double factor) {
  if (growth == 0.0) return first_year;
  const double net = net_rate(rate, growth);
  return level_cost(first_year, growth, bulk_annuity_factor(net, bulk_discount(net, years), years), factor);
}

/// Level rent whose price drifts all the time, or, with commitments, whenever a term begins anew. Of a term that the
/// years do not fill, the part inside counts.
inline UsdPerSecond bulk_level_rent(UsdPerSecond rent, double growth, double rate, double years, double factor,
                                    double commitment_years) {
  if (growth == 0.0) return rent;
  if (commitment_years == 0.0) {
    const UsdPerSecond first_year = rent * drifted_years(1.0, 1.0 + growth, bulk::log(1.0 + growth));
    return bulk_level_cost(first_year, growth, rate, years, factor);
  }
  // Each term is worth its annuity at its start; from term to term prices grow and discounts shrink it.
  const double of_term = bulk_annuity_factor(rate, bulk_discount(rate, commitment_years), commitment_years);
  const double step = commitment_years * bulk::log((1.0 + growth) / (1.0 + rate));
  const double terms = years / commitment_years;
  const double sum = std::fabs(step) < kNoInterest ? terms : (1.0 - bulk::exp(terms * step)) / (1.0 - bulk::exp(step));
  return rent * of_term * sum / factor;
}

/// What is bought. `of` gives the number of each input (CostInput -> double), here and below.
template <class NumberOf>
inline Usd drawn_purchase(const NumberOf& of) {
  const Usd servers(of(CostInput::servers));
  return capex(servers, fabric_cost(Usd(of(CostInput::network)), Usd(of(CostInput::storage))),
               installation_cost(servers, of(CostInput::installation_fraction)), Usd(of(CostInput::spares)));
}

/// Level cost of operation over `years`, whose annuity factor is `factor`.
template <class NumberOf>
inline UsdPerSecond drawn_operation(double gpu_count, double years, double factor, const NumberOf& of) {
  const Watts power = facility_power(Watts(of(CostInput::it_power)), of(CostInput::load), of(CostInput::pue));
  const UsdPerSecond energy =
      bulk_level_cost(energy_cost(power, UsdPerJoule(of(CostInput::electricity_price))),
                      of(CostInput::electricity_growth), of(CostInput::discount_rate), years, factor);
  const UsdPerSecond care = care_cost(support_cost(Usd(of(CostInput::servers)), of(CostInput::support_fraction)),
                                      licence_cost(gpu_count, UsdPerSecond(of(CostInput::license_per_gpu))),
                                      staff_cost(of(CostInput::staff_fte), UsdPerSecond(of(CostInput::staff_pay))));
  return operation_cost(site_cost(energy, UsdPerSecond(of(CostInput::facility))), care,
                        UsdPerSecond(of(CostInput::connection)));
}

/// Level rent over `years`, whose annuity factor is `factor`.
template <class NumberOf>
inline UsdPerSecond drawn_rent(double gpu_count, double commitment_years, double years, double factor,
                               const NumberOf& of) {
  const UsdPerSecond standing = cost_of_gpus(gpu_count, UsdPerSecond(of(CostInput::rent_per_gpu)));
  const UsdPerSecond billed = commitment_years > 0.0 ? standing : paid_while_used(standing, of(CostInput::utilization));
  return bulk_level_rent(billed, of(CostInput::rent_growth), of(CostInput::discount_rate), years, factor,
                         commitment_years) +
         UsdPerSecond(of(CostInput::rent_other));
}

template <class NumberOf>
inline OwnOrRent own_or_rent(double gpu_count, double commitment_years, const NumberOf& of) {
  const double life = of(CostInput::life_years);
  const double rate = of(CostInput::discount_rate);
  const double discount = bulk_discount(rate, life);
  const double factor = bulk_annuity_factor(rate, discount, life);
  const double recovery = std::fabs(rate) < kNoInterest ? 1.0 / life : capital_recovery(rate, discount);

  const Usd servers(of(CostInput::servers));
  const Usd fabric = fabric_cost(Usd(of(CostInput::network)), Usd(of(CostInput::storage)));
  const Usd bought = drawn_purchase(of);
  const Usd terminal = terminal_value(residual_value(servers, of(CostInput::residual_fraction)),
                                      fabric_residual_value(fabric, of(CostInput::fabric_residual_fraction)),
                                      Usd(of(CostInput::decommissioning)));
  const UsdPerSecond capital = annuity(bought, terminal, discount, recovery);

  const UsdPerSecond operation = drawn_operation(gpu_count, life, factor, of);
  const UsdPerSecond available = available_gpu_price(capital, operation, gpu_count);
  const double utilization = of(CostInput::utilization);
  return {.own = ownership_cost(capital, operation),
          .rent = drawn_rent(gpu_count, commitment_years, life, factor, of),
          .available_gpu = available,
          .used_gpu = used_gpu_price(available, utilization),
          .present_cost_of_owning = net_present_cost(bought, present_operation(operation, factor), terminal, discount)};
}

/// What has been paid by the end of a year, valued today. Of owning: the purchase and operation; what the machines are
/// sold for comes at the end of their life and is not in it.
struct PaidSoFar {
  Usd own;
  Usd rent;
};

template <class NumberOf>
inline PaidSoFar paid_so_far(double gpu_count, double commitment_years, double years, const NumberOf& of) {
  if (years <= 0.0) return {.own = drawn_purchase(of), .rent = Usd(0)};
  const double rate = of(CostInput::discount_rate);
  const double factor = bulk_annuity_factor(rate, bulk_discount(rate, years), years);
  return {.own = drawn_purchase(of) + present_operation(drawn_operation(gpu_count, years, factor, of), factor),
          .rent = present_operation(drawn_rent(gpu_count, commitment_years, years, factor, of), factor)};
}

/// With every input at its typical value, but `other` at `number`.
OwnOrRent own_or_rent_at(const UncertainCosts& costs, CostInput other, double number);
/// With every input at its typical value.
OwnOrRent own_or_rent_typical(const UncertainCosts& costs);

}  // namespace podwright
