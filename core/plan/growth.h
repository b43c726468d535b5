#pragma once
/// Machines for a demand that grows over the horizon: bought year by year, as they are needed, or all at the start.
/// docs/method/decision.md#growth.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "architecture/design_size.h"
#include "base/arithmetic.h"
#include "base/math.h"
#include "base/trace.h"
#include "base/units.h"
#include "cost/cloud_cost.h"
#include "cost/ownership_formulas.h"

namespace podwright {

/// GPUs that the same plan needs when demand has grown for `periods` whole years.
auto grown_gpu_count(Of<double> auto gpu_count, Of<double> auto growth_per_year, Of<double> auto periods) {
  return ceil(gpu_count * yearly_growth(growth_per_year, periods));
}

/// A demand that grows by more than this over the horizon is a mistyped growth.
inline constexpr double kMostGrowth = 1000;

/// Growth over the whole years of the horizon, as a factor.
inline double growth_of_horizon(double growth_per_year, double horizon_years) {
  return yearly_growth(growth_per_year, std::floor(horizon_years));
}

/// Price of a machine after `years` whole years of the same change.
auto later_price(Of<Usd> auto price, Of<double> auto change_per_year, Of<double> auto years) {
  return cited("docs/method/decision.md#growth", price * math::pow(1.0 + change_per_year, years));
}

/// Mean over the horizon of what is 1 in its first year, each year worth its discount: a level cost is the cost of the
/// start times this. `in_year` gives the year's number.
template <class Tracer, class InYear>
Known<Tracer, double> level_over(Tracer& trace, std::string_view id, const Horizon<Tracer>& horizon,
                                 const InYear& in_year) {
  std::vector<Known<Tracer, double>> values;
  for (double start = 0; start < value_of(horizon.years); ++start) {
    const double end = std::min(start + 1, value_of(horizon.years));
    const auto years = trace.constant("years_from_start", end - start, "position in the horizon");
    values.push_back(named("plan.growth.value_of_year", years * discount_of_bill(trace, start, end, horizon.rate) *
                                                            in_year(static_cast<std::size_t>(start))));
  }
  return named(id, trace.sum("plan.growth.value", values) / horizon.annuity);
}

/// Mean demand over the horizon, over that of the start.
template <class Tracer>
Known<Tracer, double> level_demand(Tracer& trace, const Horizon<Tracer>& horizon,
                                   const Known<Tracer, double>& growth_per_year) {
  return level_over(trace, "plan.growth.level_demand", horizon, [&](std::size_t year) {
    const auto whole_years = trace.constant("years_from_now", static_cast<double>(year), "the year of the demand");
    return named("cost.demand_growth", yearly_growth(growth_per_year, whole_years));
  });
}

/// Counts and the price above 0, growth and price change per year above -1, the discount rate 0 or more.
template <class Tracer>
struct GrowthTerms {
  Known<Tracer, double> gpu_count{};  ///< needed now
  Known<Tracer, double> growth_per_year{};
  Horizon<Tracer> horizon;  ///< machines are bought at whole years
  Known<Tracer, double> gpus_per_node{};
  Known<Tracer, double> first_nodes{};  ///< bought at the start, at least those needed then
  std::optional<Known<Tracer, Usd>> node_price;
  std::optional<Known<Tracer, double>> price_change_per_year;  ///< absent: prices stay
};

template <class Tracer>
struct GrowthYear {
  int year = 0;  ///< 0 is the start
  Known<Tracer, double> gpus_needed{};
  Known<Tracer, double> nodes_needed{};
  Known<Tracer, double> nodes_bought{};
  Known<Tracer, double> nodes{};               ///< there after buying
  std::optional<Known<Tracer, Usd>> purchase;  ///< absent without a price
  std::optional<Known<Tracer, Usd>> present_value;
};

template <class Tracer>
struct Growth {
  std::vector<GrowthYear<Tracer>> years;       ///< the start and every whole year of the horizon
  Known<Tracer, double> level_machines{};      ///< owned, over those of the start
  std::optional<Known<Tracer, Usd>> in_steps;  ///< present value; absent without a price
  std::optional<Known<Tracer, Usd>> at_once;   ///< the machines of the last year, bought at the start
  std::optional<Known<Tracer, Usd>> saved;
};

/// Purchases of each year. A demand that shrinks buys nothing after the start, and nothing is sold.
template <class Tracer>
Growth<Tracer> growth_purchases(Tracer& trace, const GrowthTerms<Tracer>& terms) {
  using Count = Known<Tracer, double>;
  using Money = Known<Tracer, Usd>;
  Growth<Tracer> growth;
  std::vector<Count> bought;
  std::vector<Money> present;
  const int last = static_cast<int>(std::floor(value_of(terms.horizon.years)));
  for (int index = 0; index <= last; ++index) {
    GrowthYear<Tracer> year;
    year.year = index;
    const Count periods = trace.constant("years_from_now", static_cast<double>(index), "the year of the purchase");
    year.gpus_needed =
        named("plan.growth.gpus_needed", grown_gpu_count(terms.gpu_count, terms.growth_per_year, periods));
    year.nodes_needed = named("plan.growth.nodes_needed", node_count(year.gpus_needed, terms.gpus_per_node));
    year.nodes_bought =
        index == 0 ? terms.first_nodes
                   : named("plan.growth.nodes_bought", max(0.0, year.nodes_needed - growth.years.back().nodes));
    bought.push_back(year.nodes_bought);
    year.nodes = trace.sum("plan.growth.nodes", bought);
    if (terms.node_price) {
      const Money price =
          terms.price_change_per_year
              ? named("plan.growth.node_price", later_price(*terms.node_price, *terms.price_change_per_year, periods))
              : *terms.node_price;
      year.purchase = named("plan.growth.purchase", purchase_cost(year.nodes_bought, price));
      const Count discount = named("plan.growth.discount", discount_factor(terms.horizon.rate, periods));
      year.present_value = named("plan.growth.present_value", discounted_cloud_bill(*year.purchase, discount));
      present.push_back(*year.present_value);
    }
    growth.years.push_back(year);
  }
  growth.level_machines = level_over(trace, "plan.growth.level_machines", terms.horizon, [&](std::size_t year) {
    return named("plan.growth.machines", growth.years[year].nodes / growth.years.front().nodes);
  });
  if (!terms.node_price) return growth;
  growth.in_steps = trace.sum("plan.growth.in_steps", present);
  growth.at_once = named("plan.growth.at_once", purchase_cost(growth.years.back().nodes, *terms.node_price));
  growth.saved = named("plan.growth.saved", *growth.at_once - *growth.in_steps);
  return growth;
}

}  // namespace podwright
