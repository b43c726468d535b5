#pragma once
/// From a purchase to a yearly amount: discounting, annuity, straight line. Rates are per period, amounts fall due at
/// its end.
#include "base/formula.h"
#include "base/math.h"
#include "base/units.h"

namespace podwright {

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

}  // namespace podwright
