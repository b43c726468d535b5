#pragma once
/// Owned machines as an answer shows them: the cost by the method that is asked for, what idle hours and the work take
/// of it, and the tax that their wear saves. docs/method/ownership.md.
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arithmetic.h"
#include "cost/owned_cluster.h"
#include "cost/ownership_formulas.h"
#include "cost/tax.h"
#include "cost/work.h"

namespace podwright {

/// How the purchase is spread over the years.
enum class CapitalMethod { annuity, straight_line };
inline constexpr std::array<std::string_view, 2> kCapitalMethodWords{"annuity", "straight-line"};

/// What is asked of owned machines. `terms.utilization` must be there.
template <class Tracer>
struct OwnedAsked {
  OwnedTerms<Tracer> terms;
  CapitalMethod capital = CapitalMethod::annuity;
  std::optional<TaxTerms<Tracer>> tax;
  std::vector<std::string> cautions;
  std::vector<std::string> assumed;
};

/// What is paid by the method that is asked for.
template <class Tracer>
struct OwnedBill {
  using Rate = Known<Tracer, UsdPerSecond>;
  Rate capital{};
  Rate yearly{};     ///< capital and operation
  Rate available{};  ///< for each GPU, used or not
  Rate used{};       ///< for each GPU-hour that is used
  std::vector<OwningYear<Tracer>> by_year;
  Rate idle{};                         ///< part of `yearly` that pays for hours that nobody uses
  Known<Tracer, Seconds> idle_time{};  ///< of a year, of all GPUs
};

/// Work of the machines while they are in use.
template <class Tracer>
struct OwnedWork {
  WorkPrices<Tracer> prices;
  std::optional<Known<Tracer, Joules>> energy_per_token;
  std::optional<Known<Tracer, double>> tokens_per_s_per_megawatt;
};

template <class Tracer>
struct OwnedSide {
  OwnedAsked<Tracer> asked;
  OwningCost<Tracer> cost;
  std::optional<TaxNumbers<Tracer>> tax;
  std::optional<OwnedBill<Tracer>> bill;  ///< absent where a part of the cost is missing
  std::optional<OwnedWork<Tracer>> work;
};

namespace owned_side_detail {

template <class Tracer>
OwnedBill<Tracer> bill_of(const OwnedTerms<Tracer>& terms, const OwningCost<Tracer>& cost, CapitalMethod method) {
  OwnedBill<Tracer> bill{.capital = cost.capital->yearly,
                         .yearly = cost.total->yearly,
                         .available = cost.total->available,
                         .used = *cost.used,
                         .by_year = cost.by_year};
  if (method == CapitalMethod::straight_line) {
    bill.capital = *cost.straight_line_capital;
    bill.yearly = named("cost.straight_line_ownership", ownership_cost(bill.capital, cost.operation->yearly));
    bill.available = *cost.straight_line_available;
    bill.used = named("cost.own_per_used_gpu", used_gpu_price(bill.available, *terms.utilization));
    for (OwningYear<Tracer>& year : bill.by_year) {
      year.capital = bill.capital;
      year.total = named("cost.ownership_of_year", ownership_cost(year.capital, year.operation));
    }
  }
  bill.idle = named("cost.own_idle", paid_while_idle(bill.yearly, *terms.utilization));
  bill.idle_time = named("cost.idle_gpu_time", idle_gpu_time(terms.gpu_count, *terms.utilization));
  return bill;
}

template <class Tracer>
OwnedWork<Tracer> work_of(const OwnedSide<Tracer>& side, const WorkRates<Tracer>& rates) {
  OwnedWork<Tracer> work{.prices = work_prices(side.bill->used, side.asked.terms.gpu_count, rates)};
  if (!rates.input_tokens || !rates.output_tokens || !side.asked.terms.it_power.amount) return work;
  const auto tokens = named("cost.tokens_per_s", *rates.input_tokens + *rates.output_tokens);
  const auto& power = side.cost.operation->facility_power;
  work.energy_per_token = named("cost.energy_per_token", power / tokens);
  work.tokens_per_s_per_megawatt = named("cost.tokens_per_s_per_megawatt", tokens_per_s_per_megawatt(tokens, power));
  return work;
}

}  // namespace owned_side_detail

template <class Tracer>
OwnedSide<Tracer> owned_side(Tracer& trace, OwnedAsked<Tracer> asked, const std::optional<WorkRates<Tracer>>& rates) {
  OwnedSide<Tracer> side{.asked = std::move(asked)};
  const OwnedTerms<Tracer>& terms = side.asked.terms;
  side.cost = owning_cost(trace, terms);
  if (side.asked.tax && side.cost.capital)
    side.tax = tax_numbers(trace, side.cost.capital->capex, terms.discount_rate, *side.asked.tax);
  if (!side.cost.total) return side;
  side.bill = owned_side_detail::bill_of(terms, side.cost, side.asked.capital);
  if (rates) side.work = owned_side_detail::work_of(side, *rates);
  return side;
}

}  // namespace podwright
