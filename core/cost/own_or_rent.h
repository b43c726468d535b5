#pragma once
/// One evaluation of owning against renting, small enough to be made a hundred thousand times. What assembles an answer
/// with its explanation lies elsewhere; both call the same formulas. docs/method/uncertainty.md#model.
#include <cmath>

#include "architecture/facility.h"
#include "base/bulk_math.h"
#include "cost/capital.h"
#include "cost/cost_inputs.h"
#include "cost/energy.h"
#include "cost/growth.h"
#include "cost/levelised.h"

namespace podwright {

/// Level costs over the years in service, as money per time.
struct OwnOrRent {
  UsdPerSecond own;            ///< annuity and operation
  UsdPerSecond rent;           ///< for the work that the owned GPUs would do
  UsdPerSecond available_gpu;  ///< owning, a GPU-hour that stands ready
  UsdPerSecond used_gpu;       ///< owning, a GPU-hour in use
  Usd present_cost_of_owning;  ///< value of all payments today
};

/// Below this rate, or difference of rates, interest is not told from none.
inline constexpr double kNoInterest = 1e-9;

/// Present value of 1 at the end of each of `years` years, the first amount growing by `growth` a year.
inline double present_value_of_yearly(double rate, double growth, double years) {
  const double growth_discount = bulk::exp(years * bulk::log((1.0 + growth) / (1.0 + rate)));
  return std::fabs(rate - growth) < kNoInterest ? years / (1.0 + rate)
                                                : growing_present_value(rate, growth, growth_discount);
}

/// `of` gives the number of each input (CostInput -> double). Agrees with the explained model to rounding.
template <class NumberOf>
inline OwnOrRent own_or_rent(double gpu_count, bool rent_is_committed, const NumberOf& of) {
  const double years_in_service = of(CostInput::life_years);
  const double rate = of(CostInput::discount_rate);
  const double discount = bulk::exp(-years_in_service * bulk::log(1.0 + rate));
  const double recovery = rate < kNoInterest ? 1.0 / years_in_service : capital_recovery(rate, discount);

  const Usd servers(of(CostInput::servers));
  const Usd fabric_and_storage(of(CostInput::network) + of(CostInput::storage));
  const Usd capex =
      servers + fabric_and_storage + servers * of(CostInput::installation_fraction) + Usd(of(CostInput::other_capital));
  const Usd residual = residual_value(servers, of(CostInput::residual_fraction)) +
                       residual_value(fabric_and_storage, of(CostInput::other_residual_fraction));
  const UsdPerSecond capital = annuity(capex, residual, discount, recovery);

  const double growth = of(CostInput::electricity_growth);
  const double energy_level = growth == 0.0 ? 1.0 : present_value_of_yearly(rate, growth, years_in_service) * recovery;
  const UsdPerSecond energy =
      energy_cost(facility_power(Watts(of(CostInput::it_power)), of(CostInput::load), of(CostInput::pue)),
                  UsdPerJoule(of(CostInput::electricity_price))) *
      energy_level;
  const UsdPerSecond operation = energy + servers * of(CostInput::support_fraction) / years(1) +
                                 UsdPerSecond(of(CostInput::license_per_gpu)) * gpu_count +
                                 UsdPerSecond(of(CostInput::staff_pay)) * of(CostInput::staff_fte) +
                                 UsdPerSecond(of(CostInput::facility)) + UsdPerSecond(of(CostInput::other_operation));

  const double utilization = of(CostInput::utilization);
  const double rent_growth = of(CostInput::rent_growth);
  const double rent_level =
      rent_growth == 0.0 ? 1.0 : present_value_of_yearly(rate, rent_growth, years_in_service) * recovery;
  const double billed_share = rent_is_committed ? 1.0 : utilization;
  const UsdPerSecond rent = UsdPerSecond(of(CostInput::rent_per_gpu)) * gpu_count * billed_share * rent_level +
                            UsdPerSecond(of(CostInput::rent_other));

  const UsdPerSecond available = available_gpu_price(capital, operation, gpu_count);
  return {.own = capital + operation,
          .rent = rent,
          .available_gpu = available,
          .used_gpu = used_gpu_price(available, utilization),
          .present_cost_of_owning = (capital + operation) * years(1) / recovery};
}

/// With every input at its typical value, but `other` at `number`.
OwnOrRent own_or_rent_at(const UncertainCosts& costs, CostInput other, double number);
/// With every input at its typical value.
OwnOrRent own_or_rent_typical(const UncertainCosts& costs);

}  // namespace podwright
