#pragma once
/// Failures of a fleet of machines: rates, availability, parts that stand in for each other, spares.
/// docs/method/portfolio.md#reliability.
#include "base/arithmetic.h"
#include "base/units.h"

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

}  // namespace podwright
