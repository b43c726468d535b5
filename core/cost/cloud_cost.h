#pragma once
/// One way of renting, with everything that is billed beside the machines. docs/method/cloud_cost.md.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/arithmetic.h"
#include "base/math.h"
#include "base/trace.h"
#include "base/units.h"
#include "cost/hybrid.h"
#include "cost/ownership_formulas.h"
#include "cost/owning.h"
#include "cost/rent.h"
#include "reliability/goodput.h"

namespace podwright {

// What a cloud bills over time. docs/method/cloud_cost.md.

/// A price after a negotiated discount, 0..1.
constexpr auto discounted_price(Of<UsdPerSecond> auto list_price, Of<double> auto discount) {
  return cited("docs/method/cloud_cost.md#terms", list_price * (1.0 - discount));
}

/// Mean over a year of what is paid only while machines are in use.
constexpr auto paid_while_used(Of<UsdPerSecond> auto rate, Of<double> auto utilization) {
  return cited("docs/method/cloud_cost.md#terms", rate * utilization);
}

/// What machines cost that are paid for all the time while no one uses them.
constexpr auto paid_while_idle(Of<UsdPerSecond> auto rate, Of<double> auto utilization) {
  return cited("docs/method/cloud_cost.md#idle", rate * (1.0 - utilization));
}

constexpr auto time_between_interruptions(Of<PerSecond> auto interruptions) {
  return cited("constant rate of interruptions", 1.0 / interruptions);
}

/// Share of the wall time in which spot machines must stand, so that work moves on for `utilization` of it; above 1 the
/// machines cannot do the work.
constexpr auto spot_share_of_time(Of<double> auto utilization, Of<double> auto goodput) {
  return cited("docs/method/cloud_cost.md#spot", utilization / goodput);
}

/// A support plan that takes a share of the bill.
constexpr auto support_on_bill(Of<UsdPerSecond> auto bill, Of<double> auto support_fraction) {
  return cited("docs/method/cloud_cost.md#support", bill * support_fraction);
}

/// A yearly change that moves anything: a smaller one leaves 1 + change at 1.
constexpr bool changes(double yearly_change) { return 1.0 + yearly_change != 1.0; }

/// A price or a demand that changes by the same share every year, over that of the start. `change` is above -1, below 0
/// where it falls.
auto yearly_growth(Of<double> auto change, Of<double> auto years_from_start) {
  return cited("docs/method/cloud_cost.md#drift", math::pow(1.0 + change, years_from_start));
}

/// Years at the price of the start that cost as much as the time between two moments at a price that drifts all the
/// time; `log_change` is the natural logarithm of 1 + change, not 0.
constexpr auto drifted_years(Of<double> auto growth_at_start, Of<double> auto growth_at_end,
                             Of<double> auto log_change) {
  return cited("docs/method/cloud_cost.md#drift", (growth_at_end - growth_at_start) / log_change);
}

/// The same where a commitment fixes the price at the start of its term.
constexpr auto committed_years(Of<double> auto growth_at_start, Of<double> auto billed_years) {
  return cited("docs/method/cloud_cost.md#drift", growth_at_start * billed_years);
}

/// Bill of one year: `drifted_years` of the rates whose price drifts and `years_in_use` of the others.
constexpr auto cloud_bill(Of<UsdPerSecond> auto drifting, Of<double> auto drifted_years, Of<UsdPerSecond> auto steady,
                          Of<double> auto years_in_use) {
  return cited("docs/method/cloud_cost.md#drift", (drifting * drifted_years + steady * years_in_use) * years(1));
}

/// Value at the start of an amount that falls due later.
constexpr auto discounted_cloud_bill(Of<Usd> auto amount, Of<double> auto discount_factor) {
  return cited("definition of present value", amount * discount_factor);
}

/// Value today of 1 a year for the last part of a year; the annuity factors are those of its end and its start.
constexpr auto part_year_discount(Of<double> auto annuity_at_end, Of<double> auto annuity_at_start,
                                  Of<double> auto years) {
  return cited("docs/method/cloud_cost.md#drift", (annuity_at_end - annuity_at_start) / years);
}

/// Break-evens are published in months, of 720 or 730 hours.
constexpr auto time_of_months(Of<double> auto months, Of<double> auto hours_per_month) {
  return months * hours_per_month * hours(1);
}

inline constexpr const char* kCloudPage = "docs/method/cloud_cost.md";

/// What is rented and what is billed beside it. A part that is asked for but has no price is a reason in `missing`, and
/// no sum is made.
template <class Tracer>
struct RentedTerms {
  template <class T>
  using Maybe = std::optional<Known<Tracer, T>>;
  RentTerm term = RentTerm::on_demand;
  double commitment_years = 0;          ///< whole years that are billed whatever is used; 0: by the hour
  Known<Tracer, double> gpu_count{};    ///< GPUs that are needed
  Known<Tracer, double> billed_gpus{};  ///< with those of whole instances
  Known<Tracer, double> utilization{};  ///< share of the time in which they work
  Maybe<UsdPerSecond> price_per_gpu;
  Maybe<double> discount;
  std::optional<Interruptions<Tracer>> interruptions;  ///< of spot machines
  Maybe<UsdPerSecond> license_per_gpu;                 ///< while the machines stand
  Maybe<UsdPerSecond> storage;
  Maybe<UsdPerSecond> egress;
  Maybe<UsdPerSecond> support_fixed;
  Maybe<double> support_fraction;  ///< of the bill without support
  std::vector<std::string> missing;
  std::vector<std::string> cautions;  ///< prices that stand in for one that is not known
};

/// Means over the first year at the prices of the start.
template <class Tracer>
struct CloudCost {
  template <class T>
  using Maybe = std::optional<Known<Tracer, T>>;
  Maybe<UsdPerSecond> price_per_gpu;            ///< after discount, while it stands
  Maybe<UsdPerSecond> effective_price_per_gpu;  ///< of spot: for an hour in which work moves on
  std::optional<Goodput<Tracer>> spot;
  Maybe<double> spot_share_of_time;  ///< in which spot machines must stand
  Maybe<UsdPerSecond> compute;
  Maybe<UsdPerSecond> idle;  ///< part of `compute` and licences that a commitment pays for nothing
  Maybe<UsdPerSecond> license;
  Maybe<UsdPerSecond> storage;
  Maybe<UsdPerSecond> egress;
  Maybe<UsdPerSecond> support;
  Maybe<UsdPerSecond> total;           ///< absent where a part is missing
  Maybe<UsdPerSecond> at_least;        ///< the parts that are known, where one is missing
  Maybe<UsdPerSecond> total_per_used;  ///< per GPU, for an hour of use; absent without any
  Maybe<UsdPerSecond> drifting;        ///< part of `total` that follows the price of the machines
  Maybe<UsdPerSecond> steady;          ///< the rest; absent: nothing
  std::vector<std::string> missing;
};

/// Billed all the time, or only while the machines work?
template <class Tracer>
Known<Tracer, UsdPerSecond> billed(std::string_view id, const RentedTerms<Tracer>& in, const CloudCost<Tracer>& cost,
                                   const Known<Tracer, UsdPerSecond>& standing) {
  if (in.commitment_years > 0) return standing;
  return named(id, paid_while_used(standing, cost.spot_share_of_time ? *cost.spot_share_of_time : in.utilization));
}

/// The machines themselves, and what interruptions make of spot prices.
template <class Tracer>
void cost_of_machines(Tracer& trace, const RentedTerms<Tracer>& in, CloudCost<Tracer>& cost) {
  if (!in.price_per_gpu) return;
  cost.price_per_gpu =
      in.discount ? named("cost.cloud_price", discounted_price(*in.price_per_gpu, *in.discount)) : *in.price_per_gpu;
  if (in.interruptions) {
    cost.spot = run_goodput(trace, *in.interruptions);
    if (!(value_of(cost.spot->share) > 0)) return;
    const auto lost = named("cost.spot_lost_share", 1.0 - cost.spot->share);
    cost.effective_price_per_gpu = named("cost.spot_price", effective_spot_price(*cost.price_per_gpu, lost));
    cost.spot_share_of_time =
        named("cost.spot_share_of_time", podwright::spot_share_of_time(in.utilization, cost.spot->share));
  }
  const auto standing = named("cost.cloud_standing", in.billed_gpus * *cost.price_per_gpu);
  cost.compute = billed("cost.cloud_compute", in, cost, standing);
  if (in.license_per_gpu)
    cost.license = billed("cost.cloud_license", in, cost,
                          named("cost.cloud_license_standing", in.billed_gpus * *in.license_per_gpu));
  if (in.commitment_years > 0) {
    const auto paid =
        cost.license ? trace.sum("cost.cloud_paid_always", std::vector{*cost.compute, *cost.license}) : *cost.compute;
    cost.idle = named("cost.cloud_idle", paid_while_idle(paid, in.utilization));
  }
}

/// Support on `bill` and its fixed part.
template <class Tracer>
std::optional<Known<Tracer, UsdPerSecond>> support_on(std::string_view id, const RentedTerms<Tracer>& in,
                                                      const Known<Tracer, UsdPerSecond>& bill) {
  if (!in.support_fraction) return std::nullopt;
  return named(id, support_on_bill(bill, *in.support_fraction));
}

template <class Tracer>
CloudCost<Tracer> cloud_cost(Tracer& trace, const RentedTerms<Tracer>& in) {
  using Rate = Known<Tracer, UsdPerSecond>;
  CloudCost<Tracer> cost;
  cost.missing = in.missing;
  cost_of_machines(trace, in, cost);
  cost.storage = in.storage;
  cost.egress = in.egress;
  if (!cost.compute) return cost;
  if (!cost.missing.empty()) {
    std::vector<Rate> known{*cost.compute};
    for (const auto* part : {&cost.license, &cost.storage, &cost.egress})
      if (*part) known.push_back(**part);
    cost.at_least = trace.sum("cost.cloud_at_least", known);
    return cost;
  }
  std::vector<Rate> rest;
  for (const auto* part : {&cost.license, &cost.storage, &cost.egress})
    if (*part) rest.push_back(**part);
  std::vector<Rate> support;
  std::vector<Rate> moving{*cost.compute};
  std::vector<Rate> steady = rest;
  if (const auto share = support_on("cost.cloud_support_compute", in, *cost.compute)) {
    support.push_back(*share);
    moving.push_back(*share);
  }
  if (!rest.empty())
    if (const auto share = support_on("cost.cloud_support_rest", in, trace.sum("cost.cloud_rest", rest))) {
      support.push_back(*share);
      steady.push_back(*share);
    }
  if (in.support_fixed) {
    support.push_back(*in.support_fixed);
    steady.push_back(*in.support_fixed);
  }
  const auto sum = [&](std::string_view id, const std::vector<Rate>& parts) {
    return parts.size() == 1 ? parts.front() : trace.sum(id, parts);
  };
  if (!support.empty()) cost.support = sum("cost.cloud_support", support);
  cost.drifting = sum("cost.cloud_drifting", moving);
  if (!steady.empty()) cost.steady = sum("cost.cloud_steady", steady);
  cost.total = cost.steady ? trace.sum("cost.cloud", std::vector{*cost.drifting, *cost.steady}) : *cost.drifting;
  if (value_of(in.utilization) > 0)
    cost.total_per_used =
        named("cost.cloud_per_used_gpu",
              used_gpu_price(named("cost.cloud_per_gpu", *cost.total / in.gpu_count), in.utilization));
  return cost;
}

/// One year, or the part of it that lies before the horizon.
template <class Tracer>
struct CloudYear {
  Known<Tracer, Usd> bill{};
  Known<Tracer, Usd> discounted{};
};

template <class Tracer>
struct CloudYears {
  std::vector<CloudYear<Tracer>> years;
  Known<Tracer, Usd> total{};
  Known<Tracer, Usd> present_value{};
  double billed_beyond = 0;  ///< years of the last commitment behind the horizon, billed in the last year
};

/// Value at the start of what is paid for the time between two moments, at most a year apart.
template <class Tracer>
Known<Tracer, double> discount_of_bill(Tracer& trace, double start, double end, const Known<Tracer, double>& rate) {
  const auto moment = [&](double year) { return trace.constant("years_from_start", year, "position in the horizon"); };
  const bool whole_year = end == start + 1;
  if (whole_year) return named("cost.discount", discount_factor(rate, moment(end)));
  return named("cost.part_year_discount",
               part_year_discount(horizon_of<Tracer>(moment(end), rate).annuity,
                                  horizon_of<Tracer>(moment(start), rate).annuity, moment(end - start)));
}

/// `cost` over time. `cost.total` must be there; `horizon_years` is above 0, bills are paid at a year's end; that of a
/// last part of a year is worth what the annuity of owning makes of it, so that a level bill is its own level.
/// `price_change` per year moves what follows the price of the machines: all the time, or of a commitment whenever its
/// term begins anew. `demand_growth` moves the number of machines at whole years; those of a commitment never fall
/// inside its term.
template <class Tracer>
CloudYears<Tracer> cloud_years(Tracer& trace, const RentedTerms<Tracer>& in, const CloudCost<Tracer>& cost,
                               double horizon_years, const Known<Tracer, double>& price_change,
                               const Known<Tracer, double>& discount_rate,
                               const std::optional<Known<Tracer, double>>& demand_growth = std::nullopt) {
  using Number = Known<Tracer, double>;
  const auto moment = [&](double year) { return trace.constant("years_from_start", year, "position in the horizon"); };
  const auto growth = [&](double year) {
    return named("cost.price_growth", yearly_growth(price_change, moment(year)));
  };
  const bool drifts = changes(value_of(price_change));
  const double term = in.commitment_years;
  const double billed_until = term > 0 ? std::ceil(horizon_years / term) * term : horizon_years;
  const auto none = trace.constant("nothing_else", UsdPerSecond(0), "no other rates are billed");
  const auto machines = [&](double year) {
    if (!demand_growth) return *cost.drifting;
    const double bought = term > 0 && value_of(*demand_growth) < 0 ? std::floor(year / term) * term : year;
    return named("cost.cloud_grown",
                 *cost.drifting * named("cost.demand_growth", yearly_growth(*demand_growth, moment(bought))));
  };
  CloudYears<Tracer> result;
  result.billed_beyond = billed_until - horizon_years;
  std::vector<Known<Tracer, Usd>> bills;
  std::vector<Known<Tracer, Usd>> values;
  for (double start = 0; start < horizon_years; ++start) {
    const double end = std::min(start + 1, horizon_years);
    const double billed_end = start + 1 >= horizon_years ? billed_until : end;
    const Number in_use = moment(end - start);
    Number drifted = moment(billed_end - start);
    if (drifts && term > 0)
      drifted = named("cost.committed_years", committed_years(growth(std::floor(start / term) * term), drifted));
    else if (drifts)
      drifted = named(
          "cost.drifted_years",
          drifted_years(growth(start), growth(end),
                        trace.method("cost.log_price_change", math::log(1.0 + value_of(price_change)), kCloudPage)));
    const auto bill =
        named("cost.cloud_bill", cloud_bill(machines(start), drifted, cost.steady ? *cost.steady : none, in_use));
    const auto value =
        named("cost.cloud_bill_value", discounted_cloud_bill(bill, discount_of_bill(trace, start, end, discount_rate)));
    result.years.push_back({.bill = bill, .discounted = value});
    bills.push_back(bill);
    values.push_back(value);
  }
  result.total = trace.sum("cost.cloud_total", bills);
  result.present_value = trace.sum("cost.cloud_present_value", values);
  return result;
}

// Renting over the years as one level yearly amount, on the scale of owning: the value today of all bills, through the
// annuity of the horizon. docs/method/cloud_cost.md#level-rent.

/// Level amount of bills over the horizon.
template <class Tracer>
Known<Tracer, UsdPerSecond> level_of_bills(const CloudYears<Tracer>& bills, const Horizon<Tracer>& horizon) {
  return named("cost.level_rent", level_of_value(bills.present_value, horizon.annuity));
}

/// Level amount of `cost`, whose total must be there. `price_change` per year is that of the price of the machines,
/// `demand_growth` that of their number; commitments are billed in full terms, also behind the horizon.
template <class Tracer>
Known<Tracer, UsdPerSecond> level_rent(Tracer& trace, const RentedTerms<Tracer>& in, const CloudCost<Tracer>& cost,
                                       const Horizon<Tracer>& horizon, const Known<Tracer, double>& price_change,
                                       const std::optional<Known<Tracer, double>>& demand_growth = std::nullopt) {
  const double years = value_of(horizon.years);
  const double term = in.commitment_years;
  const bool ends_with_horizon = term == 0 || std::ceil(years / term) * term == years;
  // Every year has the same bill: it is its own level amount.
  if (!changes(value_of(price_change)) && ends_with_horizon && !demand_growth) return *cost.total;
  return level_of_bills(cloud_years(trace, in, cost, years, price_change, horizon.rate, demand_growth), horizon);
}

}  // namespace podwright
