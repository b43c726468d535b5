#pragma once
/// Failures of a fleet of machines: rates, availability, parts that stand in for each other, spares.
/// docs/method/portfolio.md#reliability.
#include <cmath>

#include "base/arithmetic.h"
#include "base/units.h"

namespace podwright {

/// Failures in a thousand million hours ("FIT"). Rates of parts that must all work add.
constexpr auto failures_in_time(Of<Seconds> auto mean_time_between_failures) {
  return cited("IEC 61709, definition of FIT", 3.6e12 / raw(mean_time_between_failures));
}

constexpr auto mean_time_of_failures_in_time(Of<double> auto failures_in_time) {
  return cited("IEC 61709, definition of FIT", in<Seconds>(3.6e12 / failures_in_time));
}

/// Failures of many machines in a year of 8,760 hours.
constexpr auto yearly_failures(Of<double> auto machines, Of<Seconds> auto mean_time_between_failures) {
  return cited("constant failure rate", machines * (years(1) / mean_time_between_failures));
}

/// Share of the time in which a machine works.
constexpr auto availability(Of<Seconds> auto mean_time_between_failures, Of<Seconds> auto repair) {
  return mean_time_between_failures / (mean_time_between_failures + repair);
}

/// Mean time between failures of a pair of which one suffices, each repaired on its own; for repairs much shorter than
/// the time between failures.
constexpr auto pair_mean_time(Of<Seconds> auto mean_time_between_failures, Of<Seconds> auto repair) {
  return cited("docs/method/portfolio.md#reliability",
               mean_time_between_failures * (mean_time_between_failures / (2.0 * repair)));
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

/// Share of the wall time in which a run moved, from the time that it needed without interruptions.
constexpr auto uptime(Of<Seconds> auto needed, Of<Seconds> auto took) { return needed / took; }

/// Share of the time in which at least `needed` of `present` independent parts work, each with this availability.
double redundant_availability(int needed, int present, double availability);
/// Share of the time in which at most `spares` machines are under repair, where repairs are Poisson.
double spares_suffice(double in_repair, double spares);

inline constexpr const char* kReliabilityPage = "docs/method/portfolio.md#reliability";

}  // namespace podwright
