#pragma once
/// "Electricity costs as much as the machines": a published ratio beside the one that the numbers give, and what would
/// make the published one right. docs/method/ownership.md#electricity-against-hardware.
#include "base/trace.h"
#include "cost/energy.h"
#include "cost/levelised.h"

namespace podwright {

/// A steady cost over years, without interest.
constexpr Usd cost_of_years(UsdPerSecond cost, double count) { return cost * years(count); }
inline constexpr Formula<cost_of_years> kCostOfYears{.id = "cost.cost_of_years",
                                                     .inputs = {"cost", "count"},
                                                     .equation = "cost * count * 31536000",
                                                     .source = "definition"};

constexpr double electricity_over_hardware(Usd electricity, Usd hardware) { return electricity / hardware; }
inline constexpr Formula<electricity_over_hardware> kElectricityOverHardware{
    .id = "cost.electricity_over_hardware",
    .inputs = {"electricity", "hardware"},
    .equation = "electricity / hardware",
    .source = "docs/method/ownership.md#electricity-against-hardware"};

/// How many times what was found a claim says.
constexpr double claimed_over_found(double claimed, double found) { return claimed / found; }
inline constexpr Formula<claimed_over_found> kClaimedOverFound{.id = "cost.claimed_over_found",
                                                               .inputs = {"claimed", "found"},
                                                               .equation = "claimed / found",
                                                               .source = "definition"};

/// Price of electricity, or years, at which the claim would hold: the ratio is proportional to both.
constexpr UsdPerJoule price_for_claim(UsdPerJoule price, double times) { return price * times; }
inline constexpr Formula<price_for_claim> kPriceForClaim{
    .id = "cost.price_for_claim",
    .inputs = {"price", "times"},
    .equation = "price * times",
    .source = "docs/method/ownership.md#electricity-against-hardware"};
constexpr double years_for_claim(double count, double times) { return count * times; }
inline constexpr Formula<years_for_claim> kYearsForClaim{
    .id = "cost.years_for_claim",
    .inputs = {"count", "times"},
    .equation = "count * times",
    .source = "docs/method/ownership.md#electricity-against-hardware"};

/// A claim nearer than this share to what was found is right.
inline constexpr double kClaimTolerance = 0.1;

/// In the units of the request's keys.
struct ElectricityClaim {
  double electricity_over_hardware = 0;  ///< claimed, above 0
  double servers_usd = 0;
  double it_power_kw = 0;  ///< at full load
  double load = 0.75;
  double pue = 1.3;
  double electricity_usd_per_kwh = 0;
  double years = 5;
};

template <class Tracer>
struct ElectricityCheck {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  Known<Joules> energy_per_year{};
  Known<UsdPerSecond> electricity_per_year{};
  Known<Usd> electricity{};  ///< of all years
  Known<double> ratio{};
  Known<double> claimed_over_found{};
  Known<UsdPerJoule> price_for_claim{};
  Known<double> years_for_claim{};
  bool right = false;
};

template <class Tracer>
ElectricityCheck<Tracer> check_claim(Tracer& trace, const ElectricityClaim& claim) {
  ElectricityCheck<Tracer> check;
  const auto price = trace.input("/electricity_usd_per_kwh", usd_per_kwh(claim.electricity_usd_per_kwh));
  const auto span = trace.input("/years", claim.years);
  const auto power =
      trace.step("cost.facility_power", kFacilityPower, trace.input("/it_power_kw", kw(claim.it_power_kw)),
                 trace.input("/load", claim.load), trace.input("/pue", claim.pue));
  check.energy_per_year = trace.step("cost.energy_per_year", kEnergyPerYear, power);
  check.electricity_per_year = trace.step("cost.energy", kEnergyCost, power, price);
  check.electricity = trace.step("cost.electricity_of_years", kCostOfYears, check.electricity_per_year, span);
  check.ratio = trace.step("cost.electricity_over_hardware", kElectricityOverHardware, check.electricity,
                           trace.input("/servers_usd", usd(claim.servers_usd)));
  check.claimed_over_found =
      trace.step("cost.claimed_over_found", kClaimedOverFound,
                 trace.input("/electricity_over_hardware", claim.electricity_over_hardware), check.ratio);
  check.price_for_claim = trace.step("cost.price_for_claim", kPriceForClaim, price, check.claimed_over_found);
  check.years_for_claim = trace.step("cost.years_for_claim", kYearsForClaim, span, check.claimed_over_found);
  const double times = value_of(check.claimed_over_found);
  check.right = times > 1.0 - kClaimTolerance && times < 1.0 + kClaimTolerance;
  return check;
}

}  // namespace podwright
