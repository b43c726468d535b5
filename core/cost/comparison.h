#pragma once
/// Owning, renting and paying by the token for the same work, side by side: which is cheapest, from when on owning is,
/// and what to own where demand varies. docs/method/ownership.md#decision.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/arithmetic.h"
#include "cost/hosted.h"
#include "cost/level_rent.h"
#include "cost/load_duration.h"
#include "cost/owned_side.h"
#include "cost/rent_compared.h"
#include "cost/rented_side.h"
#include "cost/shared_demand.h"

namespace podwright {

/// How demand varies: its parts, or a curve where there are none.
template <class Tracer>
struct DemandTerms {
  std::vector<Demand<Tracer>> workloads;
  LoadDuration curve;
  Known<Tracer, UsdPerSecond> friction{};  ///< see HybridPrices
};

/// What is compared. Ways that are absent are not asked for.
template <class Tracer>
struct CostTerms {
  Known<Tracer, double> horizon_years{};
  Known<Tracer, double> discount_rate{};
  Known<Tracer, double> utilization{};
  std::optional<WorkRates<Tracer>> work;
  std::optional<OwnedAsked<Tracer>> owned;
  std::optional<RentedAsked<Tracer>> rented;
  std::optional<HostedInputs<Tracer>> hosted;
  std::optional<DemandTerms<Tracer>> demand;
};

template <class Tracer>
struct CostComparison {
  std::optional<OwnedSide<Tracer>> owned;
  std::optional<RentedSide<Tracer>> rented;
  std::optional<HostedCost<Tracer>> hosted;
  Decision<Tracer> decision;
  std::optional<BreakEven<Tracer>> break_even;  ///< of owning against renting, else against a hosted interface
  std::optional<Hybrid<Tracer>> hybrid;
};

namespace comparison_detail {

template <class Tracer>
using Rate = Known<Tracer, UsdPerSecond>;

/// Rent of all GPUs all the time, with licences and the support that is billed on them; absent where no price is known.
template <class Tracer>
std::optional<Rate<Tracer>> rent_of_all(Tracer& trace, const std::optional<RentedSide<Tracer>>& rented) {
  if (!rented || !rented->asked.problems.empty()) return std::nullopt;
  const RentedTerms<Tracer>& in = rented->asked.terms;
  const CloudCost<Tracer>& cost = rented->cost;
  const auto& each = cost.effective_price_per_gpu ? cost.effective_price_per_gpu : cost.price_per_gpu;
  if (!each) return std::nullopt;
  auto all = named("cost.rent_of_all", in.billed_gpus * *each);
  if (in.license_per_gpu) {
    const auto licences = named("cost.rent_of_licences", in.billed_gpus * *in.license_per_gpu);
    all = trace.sum("cost.rent_with_licences", std::vector{all, licences});
  }
  if (const auto support = support_on("cost.support_of_rent", in, all))
    all = trace.sum("cost.rent_with_support", std::vector{all, *support});
  return all;
}

template <class Tracer>
Decision<Tracer> decision_of(const CostTerms<Tracer>& terms, const CostComparison<Tracer>& sides) {
  const auto horizon = horizon_of<Tracer>(terms.horizon_years, terms.discount_rate);
  std::vector<PricedWay<Tracer>> ways;
  if (sides.owned && sides.owned->cost.total)
    ways.push_back({.way = CostWay::own,
                    .present_value = sides.owned->cost.total->net_present_cost,
                    .yearly = sides.owned->cost.total->yearly});
  if (sides.rented && sides.rented->years)
    ways.push_back({.way = CostWay::rent,
                    .present_value = sides.rented->years->present_value,
                    .yearly = level_of_bills(*sides.rented->years, horizon)});
  if (sides.hosted && sides.hosted->rate)
    ways.push_back(
        {.way = CostWay::hosted_api,
         .present_value = named("cost.present_hosted", present_operation(*sides.hosted->rate, horizon.annuity)),
         .yearly = *sides.hosted->rate});
  return decide(std::move(ways));
}

/// The bill of a hosted interface is that of the use asked for; in full use it is larger.
template <class Tracer>
void against_hosted(const CostTerms<Tracer>& terms, const Rate<Tracer>& own, const Rate<Tracer>& bill,
                    BreakEven<Tracer>& found) {
  const auto full = named("cost.hosted_in_full_use", used_gpu_price(bill, terms.utilization));
  found.utilization = named("cost.break_even_utilization", break_even_utilization(own, full));
  found.cautions = break_even_cautions(
      value_of(*found.utilization), found.time ? std::optional(value_of(*found.time)) : std::nullopt,
      found.sensitivity ? value_of(*found.sensitivity) : 0.0, value_of(terms.horizon_years));
  found.cautions.push_back(say("hosted-time"));
}

template <class Tracer>
std::optional<BreakEven<Tracer>> break_even_of(Tracer& trace, const CostTerms<Tracer>& terms,
                                               const CostComparison<Tracer>& sides,
                                               const std::optional<Rate<Tracer>>& rent) {
  const auto& rented = sides.rented;
  if (!sides.owned || (!rented && !sides.hosted)) return std::nullopt;
  const OwningCost<Tracer>& owning = sides.owned->cost;
  const auto unknown = [](const std::string& reason) { return BreakEven<Tracer>{.reason = reason, .priced = false}; };
  if (!owning.total) return unknown("The cost of owning is not whole: " + owning.missing.front());
  if (rented && rented->asked.problems.empty() && !rented->cost.missing.empty())
    return unknown("The cost of renting is not whole: " + rented->cost.missing.front());
  const bool hosted = !rented && sides.hosted->rate;
  if (!rent && !hosted) return unknown("No price of renting is known.");
  RentCompared<Tracer> compared{.all = hosted ? *sides.hosted->rate : *rent};
  if (rented && rented->cost.total) compared.beside = rent_beside(trace, rented->asked.terms);
  if (rented && value_of(rented->asked.price_change) != 0) compared.price_change = rented->asked.price_change;
  BreakEven<Tracer> found = break_even_with(trace, owning, compared, value_of(terms.horizon_years));
  if (hosted) against_hosted(terms, owning.total->yearly, compared.all, found);
  if (rented && rented->asked.terms.commitment_years > 0) found.cautions.push_back(say("commitment-break-even"));
  return found;
}

template <class Tracer>
std::optional<Hybrid<Tracer>> hybrid_of(Tracer& trace, const CostTerms<Tracer>& terms,
                                        const CostComparison<Tracer>& sides, const std::optional<Rate<Tracer>>& rent) {
  if (!terms.demand || !sides.owned || !sides.owned->bill || !rent || !sides.rented->cost.missing.empty())
    return std::nullopt;
  const HybridPrices<Tracer> prices{
      .own = sides.owned->bill->available,
      .rent = named("cost.rent_per_gpu_needed", *rent / sides.rented->asked.terms.gpu_count),
      .friction = terms.demand->friction};
  if (!terms.demand->workloads.empty()) return best_hybrid_of_demands(trace, terms.demand->workloads, prices);
  if (terms.demand->curve.empty()) return std::nullopt;
  return best_hybrid(trace, terms.demand->curve, prices);
}

}  // namespace comparison_detail

template <class Tracer>
CostComparison<Tracer> compare_costs(Tracer& trace, const CostTerms<Tracer>& terms) {
  CostComparison<Tracer> sides;
  if (terms.owned) sides.owned = owned_side(trace, *terms.owned, terms.work);
  if (terms.rented)
    sides.rented = rented_side(trace, *terms.rented, terms.horizon_years, terms.discount_rate, terms.work);
  if (terms.hosted) sides.hosted = hosted_cost(*terms.hosted);
  const auto rent = comparison_detail::rent_of_all(trace, sides.rented);
  sides.decision = comparison_detail::decision_of(terms, sides);
  sides.break_even = comparison_detail::break_even_of(trace, terms, sides, rent);
  sides.hybrid = comparison_detail::hybrid_of(trace, terms, sides, rent);
  return sides;
}

}  // namespace podwright
