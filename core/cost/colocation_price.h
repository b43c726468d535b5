#pragma once
/// What a kilowatt of rented space costs by the power that is committed, and whether electricity is in that price.
/// docs/method/ownership.md#facility.
#include <optional>
#include <string>
#include <vector>

#include "base/arithmetic.h"
#include "catalog/catalog.h"
#include "cost/building.h"
#include "cost/owned_terms.h"

namespace podwright {

/// Where the electricity of rented space is billed.
enum class ColocationPower { extra, included, not_told };

/// The row of a band; null with a reason where there is none.
struct ColocationPricing {
  const PurchasePrice* price = nullptr;  ///< USD per kilowatt and month
  ColocationPower power = ColocationPower::extra;
  std::string caution;  ///< what to know before using the price; may be empty
  std::string absence;
};

/// `power_included` wants a price that holds the electricity; else electricity is counted besides what is found.
ColocationPricing colocation_pricing(const Catalog& catalog, Watts committed, bool power_included);

/// Space rented by its committed power at the price `given`, else at the catalog's.
template <class Tracer>
CostPart<Tracer, UsdPerSecond> colocation_part(Tracer& trace, const Catalog& catalog,
                                               const Known<Tracer, Watts>& committed,
                                               const std::optional<Known<Tracer, UsdPerJoule>>& given,
                                               bool power_included, std::vector<std::string>& cautions) {
  Known<Tracer, UsdPerJoule> price{};
  if (given) {
    price = *given;
  } else {
    const ColocationPricing pricing = colocation_pricing(catalog, value_of(committed), power_included);
    if (pricing.price == nullptr) return {.amount = {}, .absence = pricing.absence};
    if (!pricing.caution.empty()) cautions.push_back(pricing.caution);
    price = trace.fact(*pricing.price, "typical", usd_per_kw_month(pricing.price->price.typical / usd(1)));
  }
  return {.amount = named("cost.colocation", colocation_cost(committed, price)), .absence = {}};
}

}  // namespace podwright
