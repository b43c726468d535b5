#pragma once
/// Machines for a demand that grows over the horizon: bought year by year, as they are needed, or all at the start.
/// docs/method/decision.md#growth.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "architecture/sizes.h"
#include "base/formula.h"
#include "base/math.h"
#include "base/trace.h"
#include "base/units.h"
#include "cost/capital.h"
#include "cost/cloud_formulas.h"
#include "cost/levelised.h"
#include "plan/plan_formulas.h"

namespace podwright {

/// A demand that grows by more than this over the horizon is a mistyped growth.
inline constexpr double kMostGrowth = 1000;

/// Growth over the whole years of the horizon, as a factor.
inline double growth_of_horizon(double growth_per_year, double horizon_years) {
  return math::pow(1.0 + growth_per_year, std::floor(horizon_years));
}

/// Machines to buy when `needed` are needed and `owned` are there.
constexpr double nodes_to_buy(double needed, double owned) { return std::max(0.0, needed - owned); }
inline constexpr Formula<nodes_to_buy> kNodesToBuy{.id = "plan.nodes_to_buy",
                                                   .inputs = {"needed", "owned"},
                                                   .equation = "max(0, needed - owned)",
                                                   .source = "definition"};

/// Price of a machine after `years` whole years of the same change.
inline Usd later_price(Usd price, double change_per_year, double years) {
  return price * math::pow(1.0 + change_per_year, years);
}
inline constexpr Formula<later_price> kLaterPrice{.id = "plan.later_price",
                                                  .inputs = {"price", "change_per_year", "years"},
                                                  .equation = "price * (1 + change_per_year) ^ years",
                                                  .source = "docs/method/decision.md#growth"};

/// What buying later costs less; below 0 where prices rise faster than money is discounted.
constexpr Usd saved_by_steps(Usd at_once, Usd in_steps) { return at_once - in_steps; }
inline constexpr Formula<saved_by_steps> kSavedBySteps{.id = "plan.saved_by_steps",
                                                       .inputs = {"at_once", "in_steps"},
                                                       .equation = "at_once - in_steps",
                                                       .source = "definition"};

/// Counts and the price above 0, growth and price change per year above -1, the discount rate 0 or more.
template <class Tracer>
struct GrowthTerms {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  Known<double> gpu_count{};  ///< needed now
  Known<double> growth_per_year{};
  double horizon_years = 0;  ///< only whole years count
  Known<double> gpus_per_node{};
  Known<double> first_nodes{};  ///< bought at the start, at least those needed then
  std::optional<Known<Usd>> node_price;
  Known<double> discount_rate{};
  std::optional<Known<double>> price_change_per_year;  ///< absent: prices stay
};

template <class Tracer>
struct GrowthYear {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  int year = 0;  ///< 0 is the start
  Known<double> gpus_needed{};
  Known<double> nodes_needed{};
  Known<double> nodes_bought{};
  Known<double> nodes{};               ///< there after buying
  std::optional<Known<Usd>> purchase;  ///< absent without a price
  std::optional<Known<Usd>> present_value;
};

template <class Tracer>
struct Growth {
  template <class T>
  using Known = typename Tracer::template Known<T>;
  std::vector<GrowthYear<Tracer>> years;  ///< the start and every whole year of the horizon
  std::optional<Known<Usd>> in_steps;     ///< present value; absent without a price
  std::optional<Known<Usd>> at_once;      ///< the machines of the last year, bought at the start
  std::optional<Known<Usd>> saved;
};

/// Purchases of each year. A demand that shrinks buys nothing after the start, and nothing is sold.
template <class Tracer>
Growth<Tracer> growth_purchases(Tracer& trace, const GrowthTerms<Tracer>& terms) {
  using Count = typename Tracer::template Known<double>;
  using Money = typename Tracer::template Known<Usd>;
  Growth<Tracer> growth;
  std::vector<Count> bought;
  std::vector<Money> present;
  const int last = static_cast<int>(std::floor(terms.horizon_years));
  for (int index = 0; index <= last; ++index) {
    GrowthYear<Tracer> year;
    year.year = index;
    const Count periods = trace.constant("years_from_now", static_cast<double>(index), "the year of the purchase");
    year.gpus_needed =
        trace.step("plan.growth.gpus_needed", kGrownGpuCount, terms.gpu_count, terms.growth_per_year, periods);
    year.nodes_needed = trace.step("plan.growth.nodes_needed", kNodeCount, year.gpus_needed, terms.gpus_per_node);
    year.nodes_bought =
        index == 0 ? terms.first_nodes
                   : trace.step("plan.growth.nodes_bought", kNodesToBuy, year.nodes_needed, growth.years.back().nodes);
    bought.push_back(year.nodes_bought);
    year.nodes = trace.sum("plan.growth.nodes", bought);
    if (terms.node_price) {
      const Money price = terms.price_change_per_year
                              ? trace.step("plan.growth.node_price", kLaterPrice, *terms.node_price,
                                           *terms.price_change_per_year, periods)
                              : *terms.node_price;
      year.purchase = trace.step("plan.growth.purchase", kPurchaseCost, year.nodes_bought, price);
      const Count discount = trace.step("plan.growth.discount", kDiscountFactor, terms.discount_rate, periods);
      year.present_value = trace.step("plan.growth.present_value", kDiscountedCloudBill, *year.purchase, discount);
      present.push_back(*year.present_value);
    }
    growth.years.push_back(year);
  }
  if (!terms.node_price) return growth;
  growth.in_steps = trace.sum("plan.growth.in_steps", present);
  growth.at_once = trace.step("plan.growth.at_once", kPurchaseCost, growth.years.back().nodes, *terms.node_price);
  growth.saved = trace.step("plan.growth.saved", kSavedBySteps, *growth.at_once, *growth.in_steps);
  return growth;
}

}  // namespace podwright
