#pragma once
/// Failures of a fleet of machines: rates, availability, parts that stand in for each other, spares.
/// docs/method/portfolio.md#reliability.
#include <cmath>

#include "base/formula.h"
#include "base/units.h"

namespace podwright {

/// Failures in a thousand million hours ("FIT"). Rates of parts that must all work add.
constexpr double failures_in_time(Seconds mean_time_between_failures) {
  return 3.6e12 / mean_time_between_failures.base_units();
}
inline constexpr Formula<failures_in_time> kFailuresInTime{.id = "reliability.failures_in_time",
                                                           .inputs = {"mean_time_between_failures"},
                                                           .equation = "3600000000000 / mean_time_between_failures",
                                                           .source = "IEC 61709, definition of FIT"};

constexpr Seconds mean_time_of_failures_in_time(double failures_in_time) { return Seconds(3.6e12 / failures_in_time); }
inline constexpr Formula<mean_time_of_failures_in_time> kMeanTimeOfFailuresInTime{
    .id = "reliability.mean_time_of_failures_in_time",
    .inputs = {"failures_in_time"},
    .equation = "3600000000000 / failures_in_time",
    .source = "IEC 61709, definition of FIT"};

/// Failures of many machines in a year of 8,760 hours.
constexpr double yearly_failures(double machines, Seconds mean_time_between_failures) {
  return machines * (years(1) / mean_time_between_failures);
}
inline constexpr Formula<yearly_failures> kYearlyFailures{
    .id = "reliability.yearly_failures",
    .inputs = {"machines", "mean_time_between_failures"},
    .equation = "machines * 31536000 / mean_time_between_failures",
    .source = "constant failure rate"};

/// Share of the time in which a machine works.
constexpr double availability(Seconds mean_time_between_failures, Seconds repair) {
  return mean_time_between_failures / (mean_time_between_failures + repair);
}
inline constexpr Formula<availability> kAvailability{
    .id = "reliability.availability",
    .inputs = {"mean_time_between_failures", "repair"},
    .equation = "mean_time_between_failures / (mean_time_between_failures + repair)",
    .source = "definition"};

/// Mean time between failures of a pair of which one suffices, each repaired on its own; for repairs much shorter than
/// the time between failures.
constexpr Seconds pair_mean_time(Seconds mean_time_between_failures, Seconds repair) {
  return mean_time_between_failures * (mean_time_between_failures / (2.0 * repair));
}
inline constexpr Formula<pair_mean_time> kPairMeanTime{
    .id = "reliability.pair_mean_time",
    .inputs = {"mean_time_between_failures", "repair"},
    .equation = "mean_time_between_failures * mean_time_between_failures / (2 * repair)",
    .source = "docs/method/portfolio.md#reliability"};

/// Machines that are under repair on average.
constexpr double machines_in_repair(double machines, double failures_per_year, Seconds repair) {
  return machines * failures_per_year * (repair / years(1));
}
inline constexpr Formula<machines_in_repair> kMachinesInRepair{
    .id = "reliability.machines_in_repair",
    .inputs = {"machines", "failures_per_year", "repair"},
    .equation = "machines * failures_per_year * repair / 31536000",
    .source = "Little 1961, doi 10.1287/opre.9.3.383"};

/// Spares for a pool whose repairs are Poisson with mean `in_repair`: `deviations` standard deviations above it.
inline double spare_machines(double in_repair, double deviations) {
  return std::ceil(in_repair + deviations * std::sqrt(in_repair));
}
inline constexpr Formula<spare_machines> kSpareMachines{.id = "reliability.spare_machines",
                                                        .inputs = {"in_repair", "deviations"},
                                                        .equation = "ceil(in_repair + deviations * sqrt(in_repair))",
                                                        .source = "docs/method/portfolio.md#reliability"};

/// Share of the wall time in which a run moved, from the time that it needed without interruptions.
constexpr double uptime(Seconds needed, Seconds took) { return needed / took; }
inline constexpr Formula<uptime> kUptime{
    .id = "reliability.uptime", .inputs = {"needed", "took"}, .equation = "needed / took", .source = "definition"};

/// Share of the time in which at least `needed` of `present` independent parts work, each with this availability.
double redundant_availability(int needed, int present, double availability);
/// Share of the time in which at most `spares` machines are under repair, where repairs are Poisson.
double spares_suffice(double in_repair, double spares);

inline constexpr const char* kReliabilityPage = "docs/method/portfolio.md#reliability";

}  // namespace podwright
