#pragma once
/// Owning, renting and paying by the token for the same work, side by side: which is cheapest, from when on owning is,
/// and what to own where demand varies. docs/method/ownership.md#decision.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arithmetic.h"
#include "base/infeasible.h"
#include "base/stable_sort.h"
#include "base/trace.h"
#include "cost/break_even.h"
#include "cost/cloud_cost.h"
#include "cost/cloud_market.h"
#include "cost/hosted.h"
#include "cost/hybrid.h"
#include "cost/owned_side.h"
#include "cost/ownership_formulas.h"
#include "cost/work.h"

namespace podwright {

// Rented machines as an answer shows them: the bill over the years, what it makes of the work, and why they may not be
// able to do it. docs/method/cloud_cost.md.

template <class Tracer>
struct RentedAsked {
  const CloudPrice* row = nullptr;  ///< of the catalog; null: the price is given, or there is none
  std::optional<Known<Tracer, double>> age_days;
  RentedTerms<Tracer> terms;
  Known<Tracer, double> price_change{};  ///< per year
  std::vector<std::string> cautions;
  std::vector<Infeasible> problems;  ///< why machines cannot be rented as asked for
};

/// The bill adds to the cautions and problems of what is asked.
template <class Tracer>
struct RentedSide {
  RentedAsked<Tracer> asked;
  CloudCost<Tracer> cost;
  std::optional<CloudYears<Tracer>> years;  ///< absent where a part of the bill is missing
  std::optional<WorkPrices<Tracer>> work;

  bool possible() const { return asked.problems.empty(); }
};

/// What interruptions make impossible; `share` of the time is left for work by machines that make progress.
std::optional<Infeasible> spot_problem(bool progress, double share, double utilization);
/// What a commitment pays for nothing: `idle` hours, and `billed_beyond` years after the horizon.
std::vector<std::string> commitment_cautions(std::optional<UsdPerSecond> idle, double billed_beyond);

template <class Tracer>
RentedSide<Tracer> rented_side(Tracer& trace, RentedAsked<Tracer> asked, const Known<Tracer, double>& horizon_years,
                               const Known<Tracer, double>& discount_rate,
                               const std::optional<WorkRates<Tracer>>& rates) {
  RentedSide<Tracer> side{.asked = std::move(asked)};
  const RentedTerms<Tracer>& terms = side.asked.terms;
  side.cost = cloud_cost(trace, terms);
  const double use = value_of(terms.utilization);
  if (side.cost.spot)
    if (auto problem = spot_problem(side.cost.spot->progress, value_of(side.cost.spot->share), use))
      side.asked.problems.push_back(std::move(*problem));
  if (side.cost.total && side.possible()) {
    side.years = cloud_years(trace, terms, side.cost, value_of(horizon_years), side.asked.price_change, discount_rate);
    if (rates) side.work = work_prices(*side.cost.total_per_used, terms.gpu_count, *rates);
  }
  if (terms.commitment_years == 0) return side;
  const bool idle = side.cost.idle && use < 1;
  for (std::string& caution : commitment_cautions(idle ? std::optional(value_of(*side.cost.idle)) : std::nullopt,
                                                  side.years ? side.years->billed_beyond : 0))
    side.asked.cautions.push_back(std::move(caution));
  return side;
}

// The ways of having the same GPUs at work, side by side in the money of today. docs/method/ownership.md#decision.

enum class CostWay { own, rent, hosted_api };
inline constexpr std::array<std::string_view, 3> kCostWayWords{"own", "rent", "hosted-api"};

/// Two ways closer than this share of the dearer one are told as equal: no price is known better.
inline constexpr double kNearlyEqual = 0.01;

template <class Tracer>
struct PricedWay {
  CostWay way{};
  Known<Tracer, Usd> present_value{};    ///< of all payments
  Known<Tracer, UsdPerSecond> yearly{};  ///< level
};

template <class Tracer>
struct Decision {
  std::vector<PricedWay<Tracer>> ways;         ///< the cheapest first
  std::optional<Known<Tracer, Usd>> saving;    ///< of the first against the second
  std::optional<Known<Tracer, double>> saved;  ///< the same as a share of the second
  bool nearly_equal = false;                   ///< the first two
};

/// `ways` in any order, equal ones stay in theirs.
template <class Tracer>
Decision<Tracer> decide(std::vector<PricedWay<Tracer>> ways) {
  Decision<Tracer> decision;
  sort_stably(ways, [](const PricedWay<Tracer>& a, const PricedWay<Tracer>& b) {
    return value_of(a.present_value) < value_of(b.present_value);
  });
  if (ways.size() > 1 && value_of(ways[1].present_value) > Usd(0)) {
    const auto& dearer = ways[1].present_value;
    decision.saving = named("cost.saving", dearer - ways[0].present_value);
    decision.saved = named("cost.saving_part", *decision.saving / dearer);
    decision.nearly_equal = value_of(*decision.saved) < kNearlyEqual;
  }
  decision.ways = std::move(ways);
  return decision;
}

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
  add_cautions(value_of(terms.horizon_years), found);
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
  if (rented && changes(value_of(rented->asked.price_change))) compared.price_change = rented->asked.price_change;
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
