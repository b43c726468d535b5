#pragma once
/// What owned machines cost while they run, beside their electricity and the building. All are money per time, shown
/// per year at 8,760 hours.
#include "base/arithmetic.h"
#include "base/units.h"
#include "cost/capital.h"

namespace podwright {

/// A support contract, or a fleet's own repairs, as a share of the servers' price per year.
constexpr auto support_cost(Of<Usd> auto servers, Of<double> auto support_fraction) {
  return cited("docs/method/ownership.md#operation", servers * support_fraction / years(1));
}

constexpr auto licence_cost(Of<double> auto gpu_count, Of<UsdPerSecond> auto licence_per_gpu) {
  return cited("docs/method/ownership.md#operation", gpu_count * licence_per_gpu);
}

/// Price per time of a licence that is paid once for a term.
constexpr auto licence_rate(Of<Usd> auto price, Of<double> auto term_years) { return price / (term_years * years(1)); }

/// People as full-time equivalents: those that come with each server, and those that any cluster needs.
constexpr auto staff_count(Of<double> auto servers, Of<double> auto staff_per_server, Of<double> auto fixed_staff) {
  return cited("docs/method/ownership.md#operation", servers * staff_per_server + fixed_staff);
}

constexpr auto staff_cost(Of<double> auto staff, Of<UsdPerSecond> auto salary) {
  return cited("docs/method/ownership.md#operation", staff * salary);
}

/// Where the machines stand: electricity and building.
constexpr auto site_cost(Of<UsdPerSecond> auto energy, Of<UsdPerSecond> auto facility) {
  return cited("docs/method/ownership.md#operation", energy + facility);
}

/// What keeps the machines useful: support, software, people.
constexpr auto care_cost(Of<UsdPerSecond> auto support, Of<UsdPerSecond> auto licences, Of<UsdPerSecond> auto staff) {
  return cited("docs/method/ownership.md#operation", support + licences + staff);
}

constexpr auto operation_cost(Of<UsdPerSecond> auto site, Of<UsdPerSecond> auto care,
                              Of<UsdPerSecond> auto connection) {
  return cited("docs/method/ownership.md#operation", site + care + connection);
}

constexpr auto ownership_cost(Of<UsdPerSecond> auto capital, Of<UsdPerSecond> auto operation) {
  return cited("docs/method/ownership.md#levelised-cost", capital + operation);
}

}  // namespace podwright
