#pragma once
/// Rented machines as an answer shows them: the bill over the years, what it makes of the work, and why they may not be
/// able to do it. docs/method/cloud_cost.md.
#include <optional>
#include <string>
#include <vector>

#include "base/arithmetic.h"
#include "base/infeasible.h"
#include "cost/cloud_cost.h"
#include "cost/cloud_market.h"
#include "cost/cloud_work.h"

namespace podwright {

template <class Tracer>
struct RentedAsked {
  const CloudPrice* row = nullptr;      ///< of the catalog; null: the price is given, or there is none
  std::optional<PriceAge<Tracer>> age;  ///< of the row
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

}  // namespace podwright
