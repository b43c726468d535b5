#pragma once
/// The answer about an owned cluster, from parts of which some may not be known: what is absent has a reason, and no
/// total is made without it. docs/method/ownership.md.
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arithmetic.h"
#include "cost/owning.h"

namespace podwright {

/// A part of the cost in one of three states: known; wanted but not known (`absence` says why); or no part of the
/// cluster at all, which counts nothing.
template <class Tracer, class T>
struct CostPart {
  std::optional<typename Tracer::template Known<T>> amount;
  std::string absence;
};

template <class Tracer>
struct OwningInputs {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  template <class T>
  using Part = CostPart<Tracer, T>;

  Known<double> gpu_count;
  Known<double> horizon_years;
  Known<double> discount_rate;
  std::optional<Known<double>> utilization;  ///< share of the hours in which the GPUs are used; above 0

  Part<Usd> servers;
  Part<Usd> network;
  Part<Usd> storage;
  Part<Usd> spares;
  Part<double> installation_fraction;     ///< of the servers' price
  Part<double> residual_fraction;         ///< of the servers' price
  Part<double> fabric_residual_fraction;  ///< of the price of network and storage
  Part<Usd> decommissioning;

  Part<Watts> it_power;
  Part<double> load;  ///< no part: full load
  Part<double> pue;   ///< no part: the machines alone
  Part<UsdPerJoule> electricity_price;
  Part<double> escalation;
  Part<UsdPerSecond> facility;
  Part<double> support_fraction;
  Part<UsdPerSecond> licence_per_gpu;
  Part<double> staff;
  Part<UsdPerSecond> salary;
  Part<UsdPerSecond> lines;
  Part<UsdPerSecond> outgoing_data;
};

/// One year of payments, without the purchase.
template <class Tracer>
struct OwningYear {
  int year = 0;                                           ///< from 1
  typename Tracer::template Known<UsdPerSecond> capital;  ///< level amount of the purchase
  typename Tracer::template Known<UsdPerSecond> energy;   ///< at that year's price
  typename Tracer::template Known<UsdPerSecond> operation;
  typename Tracer::template Known<UsdPerSecond> total;     ///< capital and operation
  typename Tracer::template Known<Usd> present_operation;  ///< value today
};

/// Groups are absent where a part of theirs is not known; `missing` says which.
template <class Tracer>
struct OwningCost {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  std::optional<OwnedCapital<Tracer>> capital;
  std::optional<OwnedOperation<Tracer>> operation;
  std::optional<OwnedTotal<Tracer>> total;
  std::optional<Known<UsdPerSecond>> used;                     ///< for each GPU-hour that is used
  std::optional<Known<UsdPerSecond>> straight_line_available;  ///< for each GPU without interest
  std::vector<OwningYear<Tracer>> by_year;                     ///< empty where the horizon is not whole years
  std::vector<std::string> missing;
};

namespace owning_detail {

/// Takes amounts out of parts and remembers what is missing.
template <class Tracer>
class Taker {
 public:
  Taker(Tracer& trace, std::vector<std::string>& missing) : trace_(trace), missing_(missing) {}

  template <class T>
  typename Tracer::template Known<T> take(const CostPart<Tracer, T>& part, std::string_view name, T neutral = T{}) {
    if (part.amount) return *part.amount;
    if (!part.absence.empty()) {
      complete_ = false;
      bool known = false;
      for (const std::string& reason : missing_) known = known || reason == part.absence;
      if (!known) missing_.push_back(part.absence);
    }
    return trace_.constant(name, neutral, "no part of what is asked");
  }
  bool complete() const { return complete_; }

 private:
  Tracer& trace_;
  std::vector<std::string>& missing_;
  bool complete_ = true;
};

template <class Tracer>
std::vector<OwningYear<Tracer>> by_year(Tracer& trace, const OwningCost<Tracer>& cost,
                                        const OwningInputs<Tracer>& inputs,
                                        const typename Tracer::template Known<double>& escalation) {
  std::vector<OwningYear<Tracer>> years;
  const double count = value_of(inputs.horizon_years);
  if (std::floor(count) != count) return years;
  const OwnedOperation<Tracer>& operation = *cost.operation;
  for (int index = 1; index <= static_cast<int>(count); ++index) {
    OwningYear<Tracer> of;
    of.year = index;
    const auto year = trace.constant("year", static_cast<double>(index), "years in service");
    of.capital = cost.capital->yearly;
    of.energy = named("cost.energy_of_year", escalated_cost(operation.energy_first_year, escalation, year));
    const auto site = named("cost.site_of_year", site_cost(of.energy, operation.facility));
    of.operation = named("cost.operation_of_year", operation_cost(site, operation.care, operation.connection));
    of.total = named("cost.ownership_of_year", ownership_cost(of.capital, of.operation));
    const auto discount = named("cost.discount", discount_factor(inputs.discount_rate, year));
    of.present_operation = named("cost.present_operation_of_year", present_value(of.operation, discount));
    years.push_back(std::move(of));
  }
  return years;
}

}  // namespace owning_detail

template <class Tracer>
OwningCost<Tracer> owning_cost(Tracer& trace, const OwningInputs<Tracer>& inputs) {
  OwningCost<Tracer> cost;
  const Horizon<Tracer> horizon = horizon_of<Tracer>(inputs.horizon_years, inputs.discount_rate);

  owning_detail::Taker<Tracer> of_capital(trace, cost.missing);
  const OwnedCapitalTerms<Tracer> capital{
      .servers = of_capital.take(inputs.servers, "no_servers"),
      .network = of_capital.take(inputs.network, "no_network"),
      .storage = of_capital.take(inputs.storage, "no_storage"),
      .spares = of_capital.take(inputs.spares, "no_spares"),
      .installation_fraction = of_capital.take(inputs.installation_fraction, "no_installation"),
      .residual_fraction = of_capital.take(inputs.residual_fraction, "no_residual"),
      .fabric_residual_fraction = of_capital.take(inputs.fabric_residual_fraction, "no_fabric_residual"),
      .decommissioning = of_capital.take(inputs.decommissioning, "no_decommissioning")};
  if (of_capital.complete()) cost.capital = owned_capital(capital, horizon);

  // Support is a share of the servers' price: without the one the other is not known either.
  owning_detail::Taker<Tracer> of_operation(trace, cost.missing);
  const auto servers =
      inputs.support_fraction.amount ? of_operation.take(inputs.servers, "no_servers") : capital.servers;
  const OwnedOperationTerms<Tracer> operation{
      .gpu_count = inputs.gpu_count,
      .servers = servers,
      .it_power = of_operation.take(inputs.it_power, "no_power"),
      .load = of_operation.take(inputs.load, "full_load", 1.0),
      .pue = of_operation.take(inputs.pue, "no_overhead_of_the_facility", 1.0),
      .electricity_price = of_operation.take(inputs.electricity_price, "no_electricity"),
      .escalation = of_operation.take(inputs.escalation, "no_escalation"),
      .facility = of_operation.take(inputs.facility, "no_facility"),
      .support_fraction = of_operation.take(inputs.support_fraction, "no_support"),
      .licence_per_gpu = of_operation.take(inputs.licence_per_gpu, "no_licences"),
      .staff = of_operation.take(inputs.staff, "no_staff"),
      .salary = of_operation.take(inputs.salary, "no_salary"),
      .lines = of_operation.take(inputs.lines, "no_lines"),
      .outgoing_data = of_operation.take(inputs.outgoing_data, "no_outgoing_data")};
  if (of_operation.complete()) cost.operation = owned_operation(operation, horizon);

  if (!cost.capital || !cost.operation) return cost;
  cost.total = owned_total(*cost.capital, *cost.operation, inputs.gpu_count, horizon);
  if (inputs.utilization)
    cost.used = named("cost.own_per_used_gpu", used_gpu_price(cost.total->available, *inputs.utilization));
  const auto straight = named("cost.straight_line_capital",
                              straight_line(cost.capital->capex, cost.capital->terminal, inputs.horizon_years));
  cost.straight_line_available =
      named("cost.straight_line_per_gpu", available_gpu_price(straight, cost.operation->yearly, inputs.gpu_count));
  cost.by_year = owning_detail::by_year(trace, cost, inputs, operation.escalation);
  return cost;
}

}  // namespace podwright
