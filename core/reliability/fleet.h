#pragma once
/// Failures of a fleet of machines: rates, availability, parts that stand in for each other, spares.
/// docs/method/portfolio.md#reliability.
#include <optional>

#include "base/arithmetic.h"
#include "base/trace.h"
#include "base/units.h"
#include "reliability/failures.h"

namespace podwright {

/// Failures of many machines in a year of 8,760 hours.
constexpr auto yearly_failures(Of<double> auto machines, Of<Seconds> auto mean_time_between_failures) {
  return cited("constant failure rate", machines * (years(1) / mean_time_between_failures));
}

/// Share of the time in which a machine works.
constexpr auto availability(Of<Seconds> auto mean_time_between_failures, Of<Seconds> auto repair) {
  return mean_time_between_failures / (mean_time_between_failures + repair);
}

/// Machines that are under repair on average.
constexpr auto machines_in_repair(Of<double> auto machines, Of<double> auto failures_per_year,
                                  Of<Seconds> auto repair) {
  return cited("Little 1961, doi 10.1287/opre.9.3.383", machines * failures_per_year * (repair / years(1)));
}

/// Spares for a pool whose repairs are Poisson with mean `in_repair`: `deviations` standard deviations above it.
auto spare_machines(Of<double> auto in_repair, Of<double> auto deviations) {
  return cited("docs/method/portfolio.md#reliability", ceil(in_repair + deviations * sqrt(in_repair)));
}

/// Share of the time in which at least `needed` of `present` independent parts work, each with this availability.
double redundant_availability(int needed, int present, double availability);
/// Share of the time in which at most `spares` machines are under repair, where repairs are Poisson.
double spares_suffice(double in_repair, double spares);

inline constexpr const char* kReliabilityPage = "docs/method/portfolio.md#reliability";

/// Standard deviations above the mean number of repairs that a pool of spares is made for: 95 % of a normal
/// distribution. Which share of the time it suffices is told beside it.
inline constexpr double kSpareDeviations = 1.645;

template <class Tracer>
struct FleetTerms {
  Known<Tracer, double> machines{};
  Known<Tracer, double> gpus_per_machine{};
  Known<Tracer, Seconds> gpu_time_per_failure{};
  std::optional<Known<Tracer, Seconds>> repair;  ///< from a failure until the machine is back; absent: not known
  /// Standard deviations of machines under repair above their mean that spares are for; absent: kSpareDeviations.
  std::optional<Known<Tracer, double>> spare_deviations;
};

/// Absent numbers need the time of a repair.
template <class Tracer>
struct FleetNumbers {
  Known<Tracer, Seconds> mean_time_between_failures{};  ///< of one machine
  Known<Tracer, double> failures_per_year{};            ///< of all
  std::optional<Known<Tracer, double>> availability;    ///< of one machine
  std::optional<Known<Tracer, double>> in_repair;       ///< machines, on average
  std::optional<Known<Tracer, double>> spares;
  std::optional<Known<Tracer, double>> spares_suffice;  ///< share of the time
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
