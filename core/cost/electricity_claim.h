#pragma once
/// "Electricity costs as much as the machines": a published ratio beside the one that the numbers give, and what would
/// make the published one right. docs/method/ownership.md#electricity-against-hardware.
#include "base/arithmetic.h"
#include "base/trace.h"
#include "cost/ownership_formulas.h"

namespace podwright {

/// A steady cost over years, without interest.
constexpr auto cost_of_years(Of<UsdPerSecond> auto cost, Of<double> auto count) { return cost * (count * years(1)); }

constexpr auto electricity_over_hardware(Of<Usd> auto electricity, Of<Usd> auto hardware) {
  return cited("docs/method/ownership.md#electricity-against-hardware", electricity / hardware);
}

/// A claim nearer than this share to what was found is right.
inline constexpr double kClaimTolerance = 0.1;

/// In the units of the request's keys.
struct ElectricityClaim {
  double electricity_over_hardware = 0;  ///< claimed, above 0
  double servers_usd = 0;
  double it_power_kw = 0;  ///< at full load
  double load = kMeanLoad;
  double pue = 1.3;
  double electricity_usd_per_kwh = 0;
  double years = 5;
};

template <class Tracer>
struct ElectricityCheck {
  Known<Tracer, Joules> energy_per_year{};
  Known<Tracer, UsdPerSecond> electricity_per_year{};
  Known<Tracer, Usd> electricity{};  ///< of all years
  Known<Tracer, double> ratio{};
  Known<Tracer, double> claimed_over_found{};
  Known<Tracer, UsdPerJoule> price_for_claim{};
  Known<Tracer, double> years_for_claim{};
  bool right = false;
};

template <class Tracer>
ElectricityCheck<Tracer> check_claim(Tracer& trace, const ElectricityClaim& claim) {
  ElectricityCheck<Tracer> check;
  const auto price = trace.input("/electricity_usd_per_kwh", usd_per_kwh(claim.electricity_usd_per_kwh));
  const auto span = trace.input("/years", claim.years);
  const auto power =
      named("cost.facility_power", facility_power(trace.input("/it_power_kw", kw(claim.it_power_kw)),
                                                  trace.input("/load", claim.load), trace.input("/pue", claim.pue)));
  check.energy_per_year = named("cost.energy_per_year", podwright::energy_per_year(power));
  check.electricity_per_year = named("cost.energy", energy_cost(power, price));
  check.electricity = named("cost.electricity_of_years", cost_of_years(check.electricity_per_year, span));
  check.ratio = named(
      "cost.electricity_over_hardware",
      podwright::electricity_over_hardware(check.electricity, trace.input("/servers_usd", usd(claim.servers_usd))));
  check.claimed_over_found =
      named("cost.claimed_over_found",
            trace.input("/electricity_over_hardware", claim.electricity_over_hardware) / check.ratio);
  check.price_for_claim = named("cost.price_for_claim", cited("docs/method/ownership.md#electricity-against-hardware",
                                                              price * check.claimed_over_found));
  check.years_for_claim = named("cost.years_for_claim", cited("docs/method/ownership.md#electricity-against-hardware",
                                                              span * check.claimed_over_found));
  const double times = value_of(check.claimed_over_found);
  check.right = times > 1.0 - kClaimTolerance && times < 1.0 + kClaimTolerance;
  return check;
}

}  // namespace podwright
