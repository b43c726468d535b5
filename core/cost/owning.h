#pragma once
/// What an owned cluster costs: its purchase as a level yearly amount, its operation, and both per GPU-hour.
/// docs/method/ownership.md. One code for search and explanation: templates over the tracer, nothing is allocated.
#include <cmath>

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
Horizon<Tracer> horizon_of(Tracer& trace, const typename Tracer::template Known<double>& years,
                           const typename Tracer::template Known<double>& rate) {
  const auto discount = trace.step("cost.discount", kDiscountFactor, rate, years);
  return {.years = years,
          .rate = rate,
          .discount = discount,
          .annuity = std::fabs(value_of(rate)) < kNoInterest
                         ? years
                         : trace.step("cost.annuity_factor", kAnnuityFactor, rate, discount)};
}

/// Level yearly amount of a purchase that leaves `terminal` at the end.
template <class Tracer>
typename Tracer::template Known<UsdPerSecond> level_capital(Tracer& trace,
                                                            const typename Tracer::template Known<Usd>& capex,
                                                            const typename Tracer::template Known<Usd>& terminal,
                                                            const Horizon<Tracer>& horizon) {
  if (std::fabs(value_of(horizon.rate)) < kNoInterest)
    return trace.step("cost.capital", kStraightLine, capex, terminal, horizon.years);
  const auto recovery = trace.step("cost.recovery", kCapitalRecovery, horizon.rate, horizon.discount);
  return trace.step("cost.capital", kAnnuity, capex, terminal, horizon.discount, recovery);
}

/// Level yearly amount of one that grows by `growth` a year from `first_year` on.
template <class Tracer>
typename Tracer::template Known<UsdPerSecond> level_growing_cost(
    Tracer& trace, const typename Tracer::template Known<UsdPerSecond>& first_year,
    const typename Tracer::template Known<double>& growth, const Horizon<Tracer>& horizon) {
  if (value_of(growth) == 0) return first_year;
  const auto net = trace.step("cost.net_rate", kNetRate, horizon.rate, growth);
  const auto net_annuity = horizon_of(trace, horizon.years, net).annuity;
  return trace.step("cost.level_energy", kLevelCost, first_year, growth, net_annuity, horizon.annuity);
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
OwnedCapital<Tracer> owned_capital(Tracer& trace, const OwnedCapitalTerms<Tracer>& terms,
                                   const Horizon<Tracer>& horizon) {
  OwnedCapital<Tracer> capital;
  const auto fabric = trace.step("cost.fabric", kFabricCost, terms.network, terms.storage);
  capital.installation = trace.step("cost.installation", kInstallationCost, terms.servers, terms.installation_fraction);
  capital.capex = trace.step("cost.capex", kCapex, terms.servers, fabric, capital.installation, terms.spares);
  capital.residual = trace.step("cost.residual", kResidualValue, terms.servers, terms.residual_fraction);
  capital.fabric_residual =
      trace.step("cost.fabric_residual", kFabricResidualValue, fabric, terms.fabric_residual_fraction);
  capital.terminal =
      trace.step("cost.terminal", kTerminalValue, capital.residual, capital.fabric_residual, terms.decommissioning);
  capital.yearly = level_capital(trace, capital.capex, capital.terminal, horizon);
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
OwnedOperation<Tracer> owned_operation(Tracer& trace, const OwnedOperationTerms<Tracer>& terms,
                                       const Horizon<Tracer>& horizon) {
  OwnedOperation<Tracer> operation;
  operation.facility_power = trace.step("cost.facility_power", kFacilityPower, terms.it_power, terms.load, terms.pue);
  operation.energy_per_year = trace.step("cost.energy_per_year", kEnergyPerYear, operation.facility_power);
  operation.energy_first_year =
      trace.step("cost.energy", kEnergyCost, operation.facility_power, terms.electricity_price);
  operation.energy = level_growing_cost(trace, operation.energy_first_year, terms.escalation, horizon);
  operation.facility = terms.facility;
  operation.support = trace.step("cost.support", kSupportCost, terms.servers, terms.support_fraction);
  operation.licences = trace.step("cost.licences", kLicenceCost, terms.gpu_count, terms.licence_per_gpu);
  operation.staff = trace.step("cost.staff", kStaffCost, terms.staff, terms.salary);
  operation.connection = trace.step("cost.connection", kConnectionCost, terms.lines, terms.outgoing_data);
  const auto site = trace.step("cost.site", kSiteCost, operation.energy, terms.facility);
  operation.care = trace.step("cost.care", kCareCost, operation.support, operation.licences, operation.staff);
  operation.yearly = trace.step("cost.operation", kOperationCost, site, operation.care, operation.connection);
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
OwnedTotal<Tracer> owned_total(Tracer& trace, const OwnedCapital<Tracer>& capital,
                               const OwnedOperation<Tracer>& operation,
                               const typename Tracer::template Known<double>& gpu_count,
                               const Horizon<Tracer>& horizon) {
  const auto present = trace.step("cost.present_operation", kPresentOperation, operation.yearly, horizon.annuity);
  return {.yearly = trace.step("cost.ownership", kOwnershipCost, capital.yearly, operation.yearly),
          .available = trace.step("cost.own_per_gpu", kAvailableGpuPrice, capital.yearly, operation.yearly, gpu_count),
          .net_present_cost = trace.step("cost.net_present_cost", kNetPresentCost, capital.capex, present,
                                         capital.terminal, horizon.discount)};
}

}  // namespace podwright
