#pragma once
/// What an owned cluster costs: its purchase as a level yearly amount, its operation, and both per GPU-hour.
/// docs/method/ownership.md. One code for search and explanation: templates over the tracer, nothing is allocated.
#include <cmath>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "cost/owned_terms.h"
#include "cost/ownership_formulas.h"

namespace podwright {

/// Years and interest, with the factors that turn money today into level yearly amounts and back. Payments fall due at
/// the end of each year.
template <class Tracer>
struct Horizon {
  Known<Tracer, double> years;     ///< in service, above 0; need not be whole
  Known<Tracer, double> rate;      ///< discount rate per year, above -1
  Known<Tracer, double> discount;  ///< value today of 1 at the end
  Known<Tracer, double> annuity;   ///< value today of 1 at the end of every year
};

/// Interest so small that the straight line is closer to the truth than a quotient of rounding errors.
inline constexpr double kNoInterest = 1e-9;

template <class Tracer>
Horizon<Tracer> horizon_of(const Known<Tracer, double>& years, const Known<Tracer, double>& rate) {
  const auto discount = named("cost.discount", discount_factor(rate, years));
  return {.years = years,
          .rate = rate,
          .discount = discount,
          .annuity = std::fabs(value_of(rate)) < kNoInterest
                         ? years
                         : named("cost.annuity_factor", annuity_factor(rate, discount))};
}

/// Level yearly amount of a purchase that leaves `terminal` at the end.
template <class Tracer>
Known<Tracer, UsdPerSecond> level_capital(const Known<Tracer, Usd>& capex, const Known<Tracer, Usd>& terminal,
                                          const Horizon<Tracer>& horizon) {
  if (std::fabs(value_of(horizon.rate)) < kNoInterest)
    return named("cost.capital", straight_line(capex, terminal, horizon.years));
  const auto recovery = named("cost.recovery", capital_recovery(horizon.rate, horizon.discount));
  return named("cost.capital", podwright::annuity(capex, terminal, horizon.discount, recovery));
}

/// Level yearly amount of one that grows by `growth` a year from `first_year` on.
template <class Tracer>
Known<Tracer, UsdPerSecond> level_growing_cost(const Known<Tracer, UsdPerSecond>& first_year,
                                               const Known<Tracer, double>& growth, const Horizon<Tracer>& horizon) {
  if (value_of(growth) == 0) return first_year;
  const auto net = named("cost.net_rate", net_rate(horizon.rate, growth));
  const auto net_annuity = horizon_of<Tracer>(horizon.years, net).annuity;
  return named("cost.level_energy", level_cost(first_year, growth, net_annuity, horizon.annuity));
}

/// What is bought, and what is left of it.
template <class Tracer>
struct OwnedCapital {
  Known<Tracer, Usd> installation;
  Known<Tracer, Usd> capex;
  Known<Tracer, Usd> residual;         ///< of the servers
  Known<Tracer, Usd> fabric_residual;  ///< of network and storage
  Known<Tracer, Usd> terminal;         ///< both, less decommissioning
  Known<Tracer, UsdPerSecond> yearly;  ///< level, shown per year
};

template <class Tracer>
OwnedCapital<Tracer> owned_capital(const OwnedTerms<Tracer, Known>& terms, const Horizon<Tracer>& horizon) {
  OwnedCapital<Tracer> capital;
  const auto fabric = named("cost.fabric", fabric_cost(terms.network, terms.storage));
  capital.installation = named("cost.installation", installation_cost(terms.servers, terms.installation_fraction));
  capital.capex = named("cost.capex", podwright::capex(terms.servers, fabric, capital.installation, terms.spares));
  capital.residual = named("cost.residual", residual_value(terms.servers, terms.residual_fraction));
  capital.fabric_residual =
      named("cost.fabric_residual", fabric_residual_value(fabric, terms.fabric_residual_fraction));
  capital.terminal =
      named("cost.terminal", terminal_value(capital.residual, capital.fabric_residual, terms.decommissioning));
  capital.yearly = level_capital(capital.capex, capital.terminal, horizon);
  return capital;
}

/// What running it takes, a year.
template <class Tracer>
struct OwnedOperation {
  Known<Tracer, Watts> facility_power;
  Known<Tracer, Joules> energy_per_year;
  Known<Tracer, UsdPerSecond> energy_first_year;
  Known<Tracer, UsdPerSecond> energy;  ///< level over the horizon
  Known<Tracer, UsdPerSecond> facility;
  Known<Tracer, UsdPerSecond> support;
  Known<Tracer, UsdPerSecond> licences;
  Known<Tracer, UsdPerSecond> staff;
  Known<Tracer, UsdPerSecond> connection;
  Known<Tracer, UsdPerSecond> care;    ///< support, licences and staff
  Known<Tracer, UsdPerSecond> yearly;  ///< all of it, level
};

template <class Tracer>
OwnedOperation<Tracer> owned_operation(const OwnedTerms<Tracer, Known>& terms, const Horizon<Tracer>& horizon) {
  OwnedOperation<Tracer> operation;
  operation.facility_power =
      named("cost.facility_power", podwright::facility_power(terms.it_power, terms.load, terms.pue));
  operation.energy_per_year = named("cost.energy_per_year", podwright::energy_per_year(operation.facility_power));
  operation.energy_first_year = named("cost.energy", energy_cost(operation.facility_power, terms.electricity_price));
  operation.energy = level_growing_cost(operation.energy_first_year, terms.escalation, horizon);
  operation.facility = terms.facility;
  operation.support = named("cost.support", support_cost(terms.servers, terms.support_fraction));
  operation.licences = named("cost.licences", licence_cost(terms.gpu_count, terms.licence_per_gpu));
  operation.staff = named("cost.staff", staff_cost(terms.staff, terms.salary));
  operation.connection = terms.connection;
  const auto site = named("cost.site", site_cost(operation.energy, terms.facility));
  operation.care = named("cost.care", care_cost(operation.support, operation.licences, operation.staff));
  operation.yearly = named("cost.operation", operation_cost(site, operation.care, operation.connection));
  return operation;
}

/// Both together.
template <class Tracer>
struct OwnedTotal {
  Known<Tracer, UsdPerSecond> yearly;     ///< level, shown per year
  Known<Tracer, UsdPerSecond> available;  ///< for each GPU, used or not
  Known<Tracer, Usd> net_present_cost;    ///< `yearly` times the annuity factor
};

template <class Tracer>
OwnedTotal<Tracer> owned_total(const OwnedCapital<Tracer>& capital, const OwnedOperation<Tracer>& operation,
                               const Known<Tracer, double>& gpu_count, const Horizon<Tracer>& horizon) {
  const auto present = named("cost.present_operation", present_operation(operation.yearly, horizon.annuity));
  return {.yearly = named("cost.ownership", ownership_cost(capital.yearly, operation.yearly)),
          .available = named("cost.own_per_gpu", available_gpu_price(capital.yearly, operation.yearly, gpu_count)),
          .net_present_cost =
              named("cost.net_present_cost",
                    podwright::net_present_cost(capital.capex, present, capital.terminal, horizon.discount))};
}

}  // namespace podwright
