#pragma once
/// From a purchase to a yearly amount: discounting, annuity, straight line. Rates are per period, amounts fall due at
/// its end.
#include "base/formula.h"
#include "base/math.h"
#include "base/units.h"

namespace podwright {

using UsdPerByte = Quantity<Dim{.byte = -1, .usd = 1}>;
constexpr UsdPerByte usd_per_tb(double x) { return UsdPerByte(x / 1e12); }

/// Value today of 1 after `periods` periods.
inline double discount_factor(double rate, double periods) { return 1.0 / math::pow(1.0 + rate, periods); }
inline constexpr Formula<discount_factor> kDiscountFactor{.id = "cost.discount_factor",
                                                          .inputs = {"rate", "periods"},
                                                          .equation = "1 / (1 + rate) ^ periods",
                                                          .source = "definition of present value"};

/// Level payment per period and unit of money borrowed, `discount` over the whole time. The rate must be above 0.
constexpr double capital_recovery(double rate, double discount) { return rate / (1.0 - discount); }
inline constexpr Formula<capital_recovery> kCapitalRecovery{.id = "cost.capital_recovery",
                                                            .inputs = {"rate", "discount"},
                                                            .equation = "rate / (1 - discount)",
                                                            .source = "definition of an annuity"};

/// What the servers are expected to sell for at the end.
constexpr Usd residual_value(Usd servers, double residual_fraction) { return servers * residual_fraction; }
inline constexpr Formula<residual_value> kResidualValue{.id = "cost.residual_value",
                                                        .inputs = {"servers", "residual_fraction"},
                                                        .equation = "servers * residual_fraction",
                                                        .source = "docs/method/prices.md#capital"};

/// Level yearly cost of owning, `recovery` per year; a year has 8,760 hours.
constexpr UsdPerSecond annuity(Usd capex, Usd residual, double discount, double recovery) {
  return (capex - residual * discount) * recovery / years(1);
}
inline constexpr Formula<annuity> kAnnuity{.id = "cost.annuity",
                                           .inputs = {"capex", "residual", "discount", "recovery"},
                                           .equation = "(capex - residual * discount) * recovery / 31536000",
                                           .source = "docs/method/prices.md#capital"};

/// The same without interest.
constexpr UsdPerSecond straight_line(Usd capex, Usd residual, double life_years) {
  return (capex - residual) / years(life_years);
}
inline constexpr Formula<straight_line> kStraightLine{.id = "cost.straight_line",
                                                      .inputs = {"capex", "residual", "life_years"},
                                                      .equation = "(capex - residual) / (life_years * 31536000)",
                                                      .source = "docs/method/prices.md#capital"};

/// Value today of 1 at the end of each period: what a level payment is multiplied with. The rate must be above 0;
/// without interest it is the number of periods.
constexpr double annuity_factor(double rate, double discount) { return (1.0 - discount) / rate; }
inline constexpr Formula<annuity_factor> kAnnuityFactor{.id = "cost.annuity_factor",
                                                        .inputs = {"rate", "discount"},
                                                        .equation = "(1 - discount) / rate",
                                                        .source = "definition of an annuity"};

/// Rate per month that goes with a nominal rate per year.
constexpr double monthly_rate(double yearly_rate) { return yearly_rate / 12.0; }
inline constexpr Formula<monthly_rate> kMonthlyRate{.id = "cost.monthly_rate",
                                                    .inputs = {"yearly_rate"},
                                                    .equation = "yearly_rate / 12",
                                                    .source = "Datacenter as a Computer 4th ed. section 8"};

/// Months of a number of years.
constexpr double month_count(double years) { return years * 12.0; }
inline constexpr Formula<month_count> kMonthCount{
    .id = "cost.month_count", .inputs = {"years"}, .equation = "years * 12", .source = "definition"};

/// An amount in equal parts.
constexpr double per_period(double amount, double periods) { return amount / periods; }
inline constexpr Formula<per_period> kPerPeriod{
    .id = "cost.per_period", .inputs = {"amount", "periods"}, .equation = "amount / periods", .source = "definition"};

/// Level payment of each period for what is borrowed today.
constexpr Usd payment(Usd principal, double recovery) { return principal * recovery; }
inline constexpr Formula<payment> kPayment{.id = "cost.payment",
                                           .inputs = {"principal", "recovery"},
                                           .equation = "principal * recovery",
                                           .source = "definition of an annuity"};

/// Putting the machines up and running, as a share of their price.
constexpr Usd installation_cost(Usd servers, double installation_fraction) { return servers * installation_fraction; }
inline constexpr Formula<installation_cost> kInstallationCost{.id = "cost.installation_cost",
                                                              .inputs = {"servers", "installation_fraction"},
                                                              .equation = "servers * installation_fraction",
                                                              .source = "docs/method/ownership.md#capital"};

/// Storage by usable capacity; `raid_overhead` is the share of the raw capacity that protects the rest, below 1.
constexpr Usd storage_cost(Bytes usable, UsdPerByte price, double raid_overhead) {
  return usable * price / (1.0 - raid_overhead);
}
inline constexpr Formula<storage_cost> kStorageCost{.id = "cost.storage_cost",
                                                    .inputs = {"usable", "price", "raid_overhead"},
                                                    .equation = "usable * price / (1 - raid_overhead)",
                                                    .source = "docs/method/ownership.md#capital"};

/// Network of switches and links, each link with what stands at its ends. Network cards are part of the servers.
constexpr Usd network_cost(double switches, Usd switch_price, double links, Usd link_price) {
  return switches * switch_price + links * link_price;
}
inline constexpr Formula<network_cost> kNetworkCost{.id = "cost.network_cost",
                                                    .inputs = {"switches", "switch_price", "links", "link_price"},
                                                    .equation = "switches * switch_price + links * link_price",
                                                    .source = "docs/method/ownership.md#capital"};

constexpr Usd capex(Usd servers, Usd fabric, Usd installation, Usd spares) {
  return servers + fabric + installation + spares;
}
inline constexpr Formula<capex> kCapex{.id = "cost.capex",
                                       .inputs = {"servers", "fabric", "installation", "spares"},
                                       .equation = "servers + fabric + installation + spares",
                                       .source = "docs/method/ownership.md#capital"};

/// Network and storage: what keeps a residual value of its own.
constexpr Usd fabric_cost(Usd network, Usd storage) { return network + storage; }
inline constexpr Formula<fabric_cost> kFabricCost{.id = "cost.fabric_cost",
                                                  .inputs = {"network", "storage"},
                                                  .equation = "network + storage",
                                                  .source = "docs/method/ownership.md#capital"};

/// What the network and the storage are expected to sell for at the end.
constexpr Usd fabric_residual_value(Usd fabric, double fabric_residual_fraction) {
  return fabric * fabric_residual_fraction;
}
inline constexpr Formula<fabric_residual_value> kFabricResidualValue{.id = "cost.fabric_residual_value",
                                                                     .inputs = {"fabric", "fabric_residual_fraction"},
                                                                     .equation = "fabric * fabric_residual_fraction",
                                                                     .source = "docs/method/ownership.md#capital"};

/// What is left at the end: sales less taking it all down. May be below 0.
constexpr Usd terminal_value(Usd servers_residual, Usd fabric_residual, Usd decommissioning) {
  return servers_residual + fabric_residual - decommissioning;
}
inline constexpr Formula<terminal_value> kTerminalValue{
    .id = "cost.terminal_value",
    .inputs = {"servers_residual", "fabric_residual", "decommissioning"},
    .equation = "servers_residual + fabric_residual - decommissioning",
    .source = "docs/method/ownership.md#capital"};

/// Share of two purchases that is left together.
constexpr double blended_fraction(Usd one, double fraction_of_one, Usd other, double fraction_of_other) {
  return (one * fraction_of_one + other * fraction_of_other) / (one + other);
}
inline constexpr Formula<blended_fraction> kBlendedFraction{
    .id = "cost.blended_fraction",
    .inputs = {"one", "fraction_of_one", "other", "fraction_of_other"},
    .equation = "(one * fraction_of_one + other * fraction_of_other) / (one + other)",
    .source = "definition"};

/// What is left of a share once a part of it is lost.
constexpr double share_after_loss(double share, double loss) { return share * (1.0 - loss); }
inline constexpr Formula<share_after_loss> kShareAfterLoss{.id = "cost.share_after_loss",
                                                           .inputs = {"share", "loss"},
                                                           .equation = "share * (1 - loss)",
                                                           .source = "docs/method/ownership.md#residual-value"};

}  // namespace podwright
