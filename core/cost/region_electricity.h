#pragma once
/// Price of electricity in a region as a part of the cost of owning. docs/method/ownership.md#energy.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/trace.h"
#include "cost/owned_cluster.h"
#include "cost/purchase.h"

namespace podwright {

/// In USD, or why it is absent. A price in another currency is converted at `given_rate` (USD for one unit of it), else
/// at the catalog's; `assumptions` gives the rate, `cautions` what the price stands on.
template <class Tracer>
CostPart<Tracer, UsdPerJoule> region_electricity(Tracer& trace, const Catalog& catalog, std::string_view region,
                                                 const std::optional<Known<Tracer, double>>& given_rate,
                                                 std::vector<std::string>& cautions,
                                                 std::vector<std::string>& assumptions) {
  using Rate = Known<Tracer, double>;
  const OperatingFigure* figure = given_rate ? nullptr : exchange_rate_figure(catalog, region);
  // A value and a flag: g++ 12 takes an optional that is filled on two ways for one that may be read empty.
  Rate rate{};
  const bool known = given_rate.has_value() || figure != nullptr;
  if (given_rate) rate = *given_rate;
  if (figure != nullptr) rate = trace.fact(*figure, "typical", figure->typical);
  const ElectricityPricing pricing =
      electricity_pricing(catalog, region, known ? std::optional<double>(value_of(rate)) : std::nullopt);
  if (!pricing.price) return {.amount = {}, .absence = pricing.absence};
  if (!pricing.caution.empty()) cautions.push_back(pricing.caution);
  const auto price = electricity_price(trace, pricing, known ? std::optional<Rate>(rate) : std::nullopt, assumptions);
  if (figure != nullptr) assumptions.back() += " The rate is that of " + figure->source_of("typical") + ".";
  return {.amount = price, .absence = {}};
}

}  // namespace podwright
