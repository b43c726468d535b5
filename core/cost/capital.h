#pragma once
/// From a purchase to a yearly amount: discounting, annuity, straight line. Rates are per period, amounts fall due at
/// its end.
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

}  // namespace podwright
