#pragma once
/// What an owned cluster costs: its purchase as a level yearly amount, its operation, and both per GPU-hour.
/// docs/method/ownership.md. One code for search and explanation: templates over the tracer, nothing is allocated.
#include <cmath>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "cost/capital.h"
#include "cost/energy.h"
#include "cost/levelised.h"
#include "cost/operation.h"

namespace podwright {

/// Years and interest, with the factors that turn money today into level yearly amounts and back. Payments fall due at
/// the end of each year.
template <class Tracer>
struct Horizon {
  typename Tracer::template Known<double> years;     ///< in service, above 0; need not be whole
  typename Tracer::template Known<double> rate;      ///< discount rate per year, above -1
  typename Tracer::template Known<double> discount;  ///< value today of 1 at the end
  typename Tracer::template Known<double> annuity;   ///< value today of 1 at the end of every year
};

/// Interest so small that the straight line is closer to the truth than a quotient of rounding errors.
inline constexpr double kNoInterest = 1e-9;

template <class Tracer>
Horizon<Tracer> horizon_of(const typename Tracer::template Known<double>& years,
                           const typename Tracer::template Known<double>& rate) {
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
typename Tracer::template Known<UsdPerSecond> level_capital(const typename Tracer::template Known<Usd>& capex,
                                                            const typename Tracer::template Known<Usd>& terminal,
                                                            const Horizon<Tracer>& horizon) {
  if (std::fabs(value_of(horizon.rate)) < kNoInterest)
    return named("cost.capital", straight_line(capex, terminal, horizon.years));
  const auto recovery = named("cost.recovery", capital_recovery(horizon.rate, horizon.discount));
  return named("cost.capital", podwright::annuity(capex, terminal, horizon.discount, recovery));
}

/// Level yearly amount of one that grows by `growth` a year from `first_year` on.
template <class Tracer>
typename Tracer::template Known<UsdPerSecond> level_growing_cost(
    const typename Tracer::template Known<UsdPerSecond>& first_year,
    const typename Tracer::template Known<double>& growth, const Horizon<Tracer>& horizon) {
  if (value_of(growth) == 0) return first_year;
  const auto net = named("cost.net_rate", net_rate(horizon.rate, growth));
  const auto net_annuity = horizon_of<Tracer>(horizon.years, net).annuity;
  return named("cost.level_energy", level_cost(first_year, growth, net_annuity, horizon.annuity));
}

/// What is bought, and what is left of it.
template <class Tracer>
struct OwnedCapitalTerms {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  Known<Usd> servers;
  Known<Usd> network;
  Known<Usd> storage;
  Known<Usd> spares;
  Known<double> installation_fraction;     ///< of the servers' price
  Known<double> residual_fraction;         ///< of the servers' price, at the end
  Known<double> fabric_residual_fraction;  ///< of the price of network and storage, at the end
  Known<Usd> decommissioning;              ///< paid at the end
};

template <class Tracer>
struct OwnedCapital {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  Known<Usd> installation;
  Known<Usd> capex;
  Known<Usd> residual;         ///< of the servers
  Known<Usd> fabric_residual;  ///< of network and storage
  Known<Usd> terminal;         ///< both, less decommissioning
  Known<UsdPerSecond> yearly;  ///< level, shown per year
};

template <class Tracer>
OwnedCapital<Tracer> owned_capital(const OwnedCapitalTerms<Tracer>& terms, const Horizon<Tracer>& horizon) {
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

/// What running it takes. Amounts per time are those of the first year; only electricity grows.
template <class Tracer>
struct OwnedOperationTerms {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  Known<double> gpu_count;
  Known<Usd> servers;
  Known<Watts> it_power;  ///< most that the machines draw
  Known<double> load;     ///< mean over most
  Known<double> pue;
  Known<UsdPerJoule> electricity_price;
  Known<double> escalation;  ///< of the price of electricity, per year
  Known<UsdPerSecond> facility;
  Known<double> support_fraction;  ///< of the servers' price, per year
  Known<UsdPerSecond> licence_per_gpu;
  Known<double> staff;         ///< full-time equivalents
  Known<UsdPerSecond> salary;  ///< of one
  Known<UsdPerSecond> lines;
  Known<UsdPerSecond> outgoing_data;
};

template <class Tracer>
struct OwnedOperation {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  Known<Watts> facility_power;
  Known<Joules> energy_per_year;
  Known<UsdPerSecond> energy_first_year;
  Known<UsdPerSecond> energy;  ///< level over the horizon
  Known<UsdPerSecond> facility;
  Known<UsdPerSecond> support;
  Known<UsdPerSecond> licences;
  Known<UsdPerSecond> staff;
  Known<UsdPerSecond> connection;  ///< lines and data that leaves
  Known<UsdPerSecond> care;        ///< support, licences and staff
  Known<UsdPerSecond> yearly;      ///< all of it, level
};

template <class Tracer>
OwnedOperation<Tracer> owned_operation(const OwnedOperationTerms<Tracer>& terms, const Horizon<Tracer>& horizon) {
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
  operation.connection = named("cost.connection", connection_cost(terms.lines, terms.outgoing_data));
  const auto site = named("cost.site", site_cost(operation.energy, terms.facility));
  operation.care = named("cost.care", care_cost(operation.support, operation.licences, operation.staff));
  operation.yearly = named("cost.operation", operation_cost(site, operation.care, operation.connection));
  return operation;
}

/// Both together.
template <class Tracer>
struct OwnedTotal {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  Known<UsdPerSecond> yearly;     ///< level, shown per year
  Known<UsdPerSecond> available;  ///< for each GPU, used or not
  Known<Usd> net_present_cost;    ///< `yearly` times the annuity factor
};

template <class Tracer>
OwnedTotal<Tracer> owned_total(const OwnedCapital<Tracer>& capital, const OwnedOperation<Tracer>& operation,
                               const typename Tracer::template Known<double>& gpu_count,
                               const Horizon<Tracer>& horizon) {
  const auto present = named("cost.present_operation", present_operation(operation.yearly, horizon.annuity));
  return {.yearly = named("cost.ownership", ownership_cost(capital.yearly, operation.yearly)),
          .available = named("cost.own_per_gpu", available_gpu_price(capital.yearly, operation.yearly, gpu_count)),
          .net_present_cost =
              named("cost.net_present_cost",
                    podwright::net_present_cost(capital.capex, present, capital.terminal, horizon.discount))};
}

}  // namespace podwright
