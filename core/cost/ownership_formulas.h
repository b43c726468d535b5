#pragma once
/// From a purchase to a yearly amount: discounting, annuity, straight line. Rates are per period, amounts fall due at
/// its end.
#include "architecture/racks.h"
#include "base/arithmetic.h"
#include "base/math.h"
#include "base/units.h"

namespace podwright {

using UsdPerByte = Quantity<Dim{.byte = -1, .usd = 1}>;
constexpr UsdPerByte usd_per_tb(double x) { return UsdPerByte(x / 1e12); }

/// Value today of 1 after `periods` periods.
auto discount_factor(Of<double> auto rate, Of<double> auto periods) {
  return cited("definition of present value", 1.0 / math::pow(1.0 + rate, periods));
}

/// Level payment per period and unit of money borrowed, `discount` over the whole time. The rate must be above 0.
constexpr auto capital_recovery(Of<double> auto rate, Of<double> auto discount) {
  return cited("definition of an annuity", rate / (1.0 - discount));
}

/// What the servers are expected to sell for at the end.
constexpr auto residual_value(Of<Usd> auto servers, Of<double> auto residual_fraction) {
  return cited("docs/method/prices.md#capital", servers * residual_fraction);
}

/// Level yearly cost of owning, `recovery` per year; a year has 8,760 hours.
constexpr auto annuity(Of<Usd> auto capex, Of<Usd> auto residual, Of<double> auto discount, Of<double> auto recovery) {
  return cited("docs/method/prices.md#capital", (capex - residual * discount) * recovery / years(1));
}

/// The same without interest.
constexpr auto straight_line(Of<Usd> auto capex, Of<Usd> auto residual, Of<double> auto life_years) {
  return cited("docs/method/prices.md#capital", (capex - residual) / (life_years * years(1)));
}

/// Value today of 1 at the end of each period: what a level payment is multiplied with. The rate must be above 0;
/// without interest it is the number of periods.
constexpr auto annuity_factor(Of<double> auto rate, Of<double> auto discount) {
  return cited("definition of an annuity", (1.0 - discount) / rate);
}

/// Months of a number of years.
constexpr auto month_count(Of<double> auto years) { return years * 12.0; }

/// Putting the machines up and running, as a share of their price.
constexpr auto installation_cost(Of<Usd> auto servers, Of<double> auto installation_fraction) {
  return cited("docs/method/ownership.md#capital", servers * installation_fraction);
}

/// Share of the servers' price for setting them up where an `uplift` on it covers the network too.
constexpr auto installation_share(Of<double> auto uplift, Of<Usd> auto network, Of<Usd> auto servers) {
  return cited("docs/method/ownership.md#size", max(uplift - network / servers, 0.0));
}

/// Spare parts kept in stock, as a share of the price of the machines.
constexpr auto spares_cost(Of<Usd> auto servers, Of<double> auto spares_fraction) {
  return cited("docs/method/ownership.md#capital", servers * spares_fraction);
}

/// Storage by usable capacity; `raid_overhead` is the share of the raw capacity that protects the rest, below 1.
constexpr auto storage_cost(Of<Bytes> auto usable, Of<UsdPerByte> auto price, Of<double> auto raid_overhead) {
  return cited("docs/method/ownership.md#capital", usable * price / (1.0 - raid_overhead));
}

/// Network of switches and links, each link with what stands at its ends. Network cards are part of the servers.
constexpr auto network_cost(Of<double> auto switches, Of<Usd> auto switch_price, Of<double> auto links,
                            Of<Usd> auto link_price) {
  return cited("docs/method/ownership.md#capital", switches * switch_price + links * link_price);
}

constexpr auto capex(Of<Usd> auto servers, Of<Usd> auto fabric, Of<Usd> auto installation, Of<Usd> auto spares) {
  return cited("docs/method/ownership.md#capital", servers + fabric + installation + spares);
}

/// Network and storage: what keeps a residual value of its own.
constexpr auto fabric_cost(Of<Usd> auto network, Of<Usd> auto storage) {
  return cited("docs/method/ownership.md#capital", network + storage);
}

/// What the network and the storage are expected to sell for at the end.
constexpr auto fabric_residual_value(Of<Usd> auto fabric, Of<double> auto fabric_residual_fraction) {
  return cited("docs/method/ownership.md#capital", fabric * fabric_residual_fraction);
}

/// What is left at the end: sales less taking it all down. May be below 0.
constexpr auto terminal_value(Of<Usd> auto servers_residual, Of<Usd> auto fabric_residual,
                              Of<Usd> auto decommissioning) {
  return cited("docs/method/ownership.md#capital", servers_residual + fabric_residual - decommissioning);
}

/// Share of two purchases that is left together.
constexpr auto blended_fraction(Of<Usd> auto one, Of<double> auto fraction_of_one, Of<Usd> auto other,
                                Of<double> auto fraction_of_other) {
  return (one * fraction_of_one + other * fraction_of_other) / (one + other);
}

/// What is left of a share once a part of it is lost.
constexpr auto share_after_loss(Of<double> auto share, Of<double> auto loss) {
  return cited("docs/method/ownership.md#residual-value", share * (1.0 - loss));
}

// Electricity of owned machines.

/// Mean over maximum power of machines where nothing else is known.
inline constexpr double kMeanLoad = 0.75;

/// A year has 8,760 hours.
constexpr auto energy_per_year(Of<Watts> auto power) { return power * years(1); }

constexpr auto energy_cost(Of<Watts> auto power, Of<UsdPerJoule> auto electricity_price) {
  return cited("docs/method/prices.md#energy", power * electricity_price);
}

/// A yearly amount that grows by the same share every year; `year` counts from 1.
auto escalated_cost(Of<UsdPerSecond> auto first_year, Of<double> auto growth, Of<double> auto year) {
  return cited("docs/method/ownership.md#energy", first_year * math::pow(1.0 + growth, year - 1.0));
}

/// Discount rate of amounts that grow: discounting them with it is discounting level amounts with `rate`.
constexpr auto net_rate(Of<double> auto rate, Of<double> auto growth) {
  return cited("docs/method/ownership.md#energy", (1.0 + rate) / (1.0 + growth) - 1.0);
}

/// Level amount with the same value today as one that grows. The factors are annuity factors, of the net rate and of
/// the plain one.
constexpr auto level_cost(Of<UsdPerSecond> auto first_year, Of<double> auto growth, Of<double> auto net_factor,
                          Of<double> auto factor) {
  return cited("docs/method/ownership.md#energy", first_year * net_factor / ((1.0 + growth) * factor));
}

/// Price of electricity in USD from one in another currency.
constexpr auto converted_electricity_price(Of<double> auto price_per_kwh, Of<double> auto usd_per_currency) {
  return cited("docs/method/ownership.md#energy", in<UsdPerJoule>(price_per_kwh * usd_per_currency / 3.6e6));
}

// What owned machines cost while they run, beside their electricity and the building. All are money per time, shown
// per year at 8,760 hours.

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

// Owning and renting on one scale.

/// Cost of a GPU-hour that stands ready, used or not. `capital` and `operation` are yearly costs as money per time.
constexpr auto available_gpu_price(Of<UsdPerSecond> auto capital, Of<UsdPerSecond> auto operation,
                                   Of<double> auto gpu_count) {
  return cited("docs/method/prices.md#comparison", (capital + operation) / gpu_count);
}

/// Cost of a GPU-hour that is used; `utilization` above 0.
constexpr auto used_gpu_price(Of<UsdPerSecond> auto available, Of<double> auto utilization) {
  return cited("docs/method/prices.md#comparison", available / utilization);
}

/// Operation over the whole time, its value today; `factor` is the annuity factor.
constexpr auto present_operation(Of<UsdPerSecond> auto operation, Of<double> auto factor) {
  return cited("docs/method/ownership.md#net-present-cost", operation * years(1) * factor);
}

/// Value today of everything that owning costs.
constexpr auto net_present_cost(Of<Usd> auto capex, Of<Usd> auto present_operation, Of<Usd> auto terminal,
                                Of<double> auto discount) {
  return cited("docs/method/ownership.md#net-present-cost", capex + present_operation - terminal * discount);
}

/// Value today of what falls due in a year's last moment.
constexpr auto present_value(Of<UsdPerSecond> auto yearly, Of<double> auto discount) {
  return cited("definition of present value", yearly * years(1) * discount);
}

/// Systems, or boards, times the price of one.
constexpr auto purchase_cost(Of<double> auto count, Of<Usd> auto price) {
  return cited("docs/method/prices.md#purchase", count * price);
}

/// Level yearly amount that has the same value today; `factor` is the annuity factor of the horizon.
constexpr auto level_of_value(Of<Usd> auto present_value, Of<double> auto factor) {
  return cited("docs/method/ownership.md#decision", present_value / (years(1) * factor));
}

/// Time of a year in which GPUs stand ready and nobody uses them, of all GPUs together.
constexpr auto idle_gpu_time(Of<double> auto gpu_count, Of<double> auto utilization) {
  return cited("docs/method/cloud_cost.md#idle", gpu_count * (1.0 - utilization) * years(1));
}

/// What owning costs beyond a bill that it saves whether the machines are used or not; at least nothing.
constexpr auto beyond_saved_bill(Of<UsdPerSecond> auto own, Of<UsdPerSecond> auto saved) {
  return cited("docs/method/ownership.md#break-even", max(UsdPerSecond(0), own - saved));
}

}  // namespace podwright
