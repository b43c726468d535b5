#pragma once
/// Failures, availability and spares of a fleet of like machines, as far as they are known.
/// docs/method/portfolio.md#reliability.
#include <optional>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "reliability/failures.h"
#include "reliability/fleet.h"

namespace podwright {

/// Standard deviations above the mean number of repairs that a pool of spares is made for: 95 % of a normal
/// distribution. Which share of the time it suffices is told beside it.
inline constexpr double kSpareDeviations = 1.645;

template <class Tracer>
struct FleetTerms {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  Known<double> machines{};
  Known<double> gpus_per_machine{};
  Known<Seconds> gpu_time_per_failure{};
  std::optional<Known<Seconds>> repair;  ///< from a failure until the machine is back; absent: not known
  /// Standard deviations of machines under repair above their mean that spares are for; absent: kSpareDeviations.
  std::optional<Known<double>> spare_deviations;
};

/// Absent numbers need the time of a repair.
template <class Tracer>
struct FleetNumbers {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  Known<Seconds> mean_time_between_failures{};  ///< of one machine
  Known<double> failures_per_year{};            ///< of all
  std::optional<Known<double>> availability;    ///< of one machine
  std::optional<Known<double>> in_repair;       ///< machines, on average
  std::optional<Known<double>> spares;
  std::optional<Known<double>> spares_suffice;  ///< share of the time
};

template <class Tracer>
FleetNumbers<Tracer> fleet_numbers(Tracer& trace, const FleetTerms<Tracer>& terms) {
  FleetNumbers<Tracer> fleet;
  fleet.mean_time_between_failures =
      named("reliability.machine_mean_time",
            podwright::mean_time_between_failures(terms.gpu_time_per_failure, terms.gpus_per_machine));
  fleet.failures_per_year =
      named("reliability.failures_per_year", yearly_failures(terms.machines, fleet.mean_time_between_failures));
  if (!terms.repair) return fleet;
  const auto each = named("reliability.failures_of_a_machine", yearly_failures(1.0, fleet.mean_time_between_failures));
  fleet.availability =
      named("reliability.availability", podwright::availability(fleet.mean_time_between_failures, *terms.repair));
  fleet.in_repair = named("reliability.in_repair", machines_in_repair(terms.machines, each, *terms.repair));
  const auto deviations = terms.spare_deviations
                              ? *terms.spare_deviations
                              : trace.constant("spare_deviations", kSpareDeviations, kReliabilityPage);
  fleet.spares = named("reliability.spares", spare_machines(*fleet.in_repair, deviations));
  fleet.spares_suffice =
      trace.method("reliability.spares_suffice", spares_suffice(value_of(*fleet.in_repair), value_of(*fleet.spares)),
                   kReliabilityPage);
  return fleet;
}

}  // namespace podwright
