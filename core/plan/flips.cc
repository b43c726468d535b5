#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "base/math.h"
#include "base/number_text.h"
#include "cost/tornado.h"
#include "plan/planner.h"

namespace podwright {
namespace {

/// How far a rent is looked at, on each side and in steps of this share, and how finely.
constexpr double kRentStep = 1.1;
constexpr int kRentSteps = 14;
constexpr int kRentHalvings = 12;

/// Looks for a price at which two plans cost the same: bills follow prices in straight lines with few bends.
constexpr int kSecants = 12;
constexpr double kMeets = 1e-9;
constexpr double kLeastShare = 0.02;
constexpr double kMostShare = 50;

/// Prices of one GPU, which move by the same share.
enum class PricesOf { rent, servers };

/// That of the way in which the plan is paid for; a commitment has its own.
std::optional<PricesOf> prices_of(const Plan& plan) {
  if (plan.verdict.decision.way == Way::rent_on_demand) return PricesOf::rent;
  const bool owns = plan.verdict.decision.way == Way::own || plan.verdict.decision.way == Way::hybrid;
  return owns && plan.decision.pricing.machines.system_price != nullptr ? std::optional(PricesOf::servers)
                                                                        : std::nullopt;
}

/// A plan made again at other prices of its GPU.
class Repriced {
 public:
  Repriced(const Catalog& catalog, const PlanRequest& request, const Plan& plan, PricesOf prices)
      : catalog_(catalog), changed_(catalog), request_(request), plan_(plan), prices_(prices) {}

  std::optional<Plan> plan_at(double share) {
    const std::string& gpu = plan_.decision.gpu->id;
    if (prices_ == PricesOf::rent) {
      for (std::size_t i = 0; i < changed_.cloud_prices.size(); ++i)
        if (const auto& price = catalog_.cloud_prices[i].on_demand; price && changed_.cloud_prices[i].gpu_id == gpu)
          changed_.cloud_prices[i].on_demand = *price * share;
    } else {
      for (std::size_t i = 0; i < changed_.purchase_prices.size(); ++i) {
        const auto is_priced = [&](const ServerPrice& link) {
          return link.gpu_id == gpu && link.price_item == catalog_.purchase_prices[i].id;
        };
        if (std::none_of(catalog_.server_prices.begin(), catalog_.server_prices.end(), is_priced)) continue;
        const Price& price = catalog_.purchase_prices[i].price;
        changed_.purchase_prices[i].price = {price.low * share, price.typical * share, price.high * share};
      }
    }
    return plan_of(changed_, request_, *plan_.decision.gpu, plan_.decision.placed);
  }

  std::optional<double> usd_per_year(double share) {
    const auto plan = plan_at(share);
    return plan ? plan->verdict.usd_per_year : std::nullopt;
  }

 private:
  const Catalog& catalog_;
  Catalog changed_;
  const PlanRequest& request_;
  const Plan& plan_;
  PricesOf prices_;
};

/// The share of its prices at which a plan costs `usd` a year; absent where none near is known to do.
std::optional<double> share_at_cost(Repriced& plan, double usd_now, double usd) {
  double before = 1;
  double cost_before = usd_now;
  double share = usd / usd_now;
  for (int step = 0; step < kSecants; ++step) {
    if (!(share > kLeastShare && share < kMostShare)) return std::nullopt;
    const auto cost = plan.usd_per_year(share);
    if (!cost) return std::nullopt;
    if (std::fabs(*cost - usd) <= kMeets * usd) return share;
    if (*cost == cost_before) return std::nullopt;
    const double next = share + (usd - *cost) * (share - before) / (*cost - cost_before);
    before = share;
    cost_before = *cost;
    share = next;
  }
  return std::nullopt;
}

double hourly_usd(UsdPerSecond rate) { return raw(rate * hours(1)); }

/// The price of a plan and where it makes the plan of another GPU, `target`, as cheap as this one.
void add_price_flip(const Catalog& catalog, const PlanRequest& request, const Plan& plan, const Plan& target,
                    const Plan& winner, std::vector<Message>& flips) {
  const auto prices = prices_of(plan);
  const double now_usd = *plan.verdict.usd_per_year;
  const double then_usd = *target.verdict.usd_per_year;
  if (!prices || !(now_usd > 0 && then_usd > 0) || now_usd == then_usd) return;
  Repriced repriced(catalog, request, plan, *prices);
  const auto share = share_at_cost(repriced, now_usd, then_usd);
  if (!share) return;
  const PlanPricing& pricing = plan.decision.pricing;
  const bool rents = *prices == PricesOf::rent;
  const double price =
      rents ? hourly_usd(*pricing.market.chosen_per_gpu) : pricing.machines.system_price->price.typical / usd(1);
  const auto gpu = "gpu"_v = winner.decision.gpu->name;
  const auto what = "price"_v =
      rents ? say("price/rent", "gpu"_v = plan.decision.gpu->name)
            : say("price/server", "system"_v = plan.decision.system()->name, "gpu"_v = plan.decision.gpu->name);
  const auto at = "at_usd"_v = price * *share;
  const auto now = "now_usd"_v = price;
  flips.push_back(*share < 1 ? say("price-below", gpu, what, at, now) : say("price-above", gpu, what, at, now));
}

/// At which price the first plan of another GPU would come before the first one.
void add_next_gpu(const Catalog& catalog, const PlanRequest& request, const std::vector<Plan>& plans,
                  std::vector<Message>& flips) {
  const Plan& first = plans.front();
  const auto other = std::find_if(plans.begin(), plans.end(),
                                  [&](const Plan& plan) { return plan.decision.gpu->id != first.decision.gpu->id; });
  if (other == plans.end() || !first.verdict.usd_per_year || !other->verdict.usd_per_year) return;
  add_price_flip(catalog, request, *other, first, *other, flips);
  add_price_flip(catalog, request, first, *other, *other, flips);
}

/// Where the way of a plan changes as all of its GPU's prices on demand move by the same share, planned again: nearest
/// first, in steps on both sides, and then halved in between.
void add_rent_flip(const Catalog& catalog, const PlanRequest& request, const Plan& first, std::vector<Message>& flips) {
  const std::optional<UsdPerSecond>& rent = first.decision.pricing.market.chosen_per_gpu;
  if (!first.uncertainty || !rent) return;
  Repriced repriced(catalog, request, first, PricesOf::rent);
  const auto way_at = [&](double share) {
    const auto plan = repriced.plan_at(share);
    return plan ? plan->verdict.decision.way : std::nullopt;
  };
  const auto turns = [&](double share) { return way_at(share) != first.verdict.decision.way; };
  double same = 1;
  double other = 1;
  for (int step = 1; step <= kRentSteps && other == 1; ++step)
    for (const double share : {math::pow(kRentStep, -step), math::pow(kRentStep, step)})
      if (other == 1 && turns(share)) {
        other = share;
        same = share < 1 ? share * kRentStep : share / kRentStep;
      }
  if (other == 1) return;
  for (int halved = 0; halved < kRentHalvings; ++halved) {
    const double middle = 0.5 * (same + other);
    (turns(middle) ? other : same) = middle;
  }
  if (const auto way = way_at(other))
    flips.push_back(say("rent-flip", "at"_v = hourly_usd(*rent * other), "now"_v = hourly_usd(*rent),
                        "way"_v = say_word<"way-phrase">(word_of(*way, kWayWords))));
}

/// "$2.34", "$0.08/kWh", "12 kW", "9 %".
std::string amount_text(CostInput input, double number) {
  constexpr std::string_view kUsd = "USD";
  const DisplayUnit& unit = kCostInputWords[index_of(input)].unit;
  const double shown = number / unit.base_units;
  const std::string sign(input == CostInput::rent_per_gpu                  ? kUsd
                         : unit.sign == std::string_view(unit::kNone.sign) ? ""
                                                                           : unit.sign);
  if (sign.empty() && input != CostInput::pue && input != CostInput::staff_fte) return percent_text(shown);
  if (sign.rfind(kUsd, 0) != 0) return human_number(shown, 3) + (sign.empty() ? "" : " " + sign);
  return (std::fabs(shown) < 1000 ? dollars_text(shown) : "$" + human_number(shown, 3)) + sign.substr(kUsd.size());
}

/// Inputs within whose range owning and renting cost the same.
void add_input_flips(const Plan& first, std::vector<Message>& flips) {
  const WayChoice& choice = first.verdict.decision;
  // Where a third way is among the two cheapest, owning and renting at the same cost turn nothing.
  const auto among = [&](Way way) { return choice.way == way || choice.next == way; };
  if (!first.uncertainty || !among(Way::own) || !among(Way::rent_on_demand)) return;
  for (const DecisionFlip& flip : decision_flips(first.uncertainty->costs))
    if (flip.inside_range && flip.input != CostInput::rent_per_gpu)
      flips.push_back(say("cost-flip", "at"_v = amount_text(flip.input, *flip.value),
                          "input"_v = say_word<"cost-input">(kCostInputWords[index_of(flip.input)].name),
                          "now"_v = amount_text(flip.input, flip.typical)));
}

/// What rules a way out, and the request without it.
struct Lift {
  std::string_view rule;
  std::string_view constraint;
  void (*from)(PlanRequest&);
};

void free_data(PlanRequest& request) {
  request.constraints.sovereignty = Sovereignty::none;
  for (PlanWorkload& workload : request.workloads) workload.sovereignty.reset();
}
void any_ownership(PlanRequest& request) { request.constraints.ownership = Ownership::any; }

constexpr Lift kLifts[] = {
    {"own-ground", "sovereignty", free_data},
    {"part-on-own-ground", "sovereignty", free_data},
    {"no-offer", "sovereignty", free_data},
    {"cloud-asked", "ownership", any_ownership},
    {"machines-asked", "ownership", any_ownership},
    {"no-capital", "no_capital", [](PlanRequest& request) { request.constraints.no_capital = false; }},
    {"above-budget", "budget_usd", [](PlanRequest& request) { request.constraints.budget_usd.reset(); }},
    {"above-site-power", "site_power_kw", [](PlanRequest& request) { request.constraints.site_power_kw.reset(); }},
    {"no-staff", "no_staff", [](PlanRequest& request) { request.constraints.no_staff = false; }}};

/// What each constraint that rules a way out costs, or that it decides nothing. The GPU is planned anew without it: the
/// other way may want another deployment.
void add_lifted(const Catalog& catalog, const PlanRequest& request, const Plan& first, std::vector<Message>& flips) {
  const WayChoice& choice = first.verdict.decision;
  for (const DecisionFactor& rule : first.verdict.rules) {
    const auto* lift =
        std::find_if(std::begin(kLifts), std::end(kLifts), [&](const Lift& one) { return one.rule == rule.rule(); });
    if (!rule.decides() || lift == std::end(kLifts)) continue;
    PlanRequest changed = request;
    lift->from(changed);
    const auto plan = plan_of(catalog, changed, *first.decision.gpu);
    if (!plan || !plan->verdict.usd_per_year || !plan->verdict.decision.way) continue;
    const auto constraint = "constraint"_v = lift->constraint;
    const auto named = [](Way way) { return say_word<"way-phrase">(word_of(way, kWayWords)); };
    const WayChoice& free = plan->verdict.decision;
    if (free.way != choice.way)
      flips.push_back(
          say("lifted/turns", constraint, "way"_v = named(*free.way), "usd_per_year"_v = *plan->verdict.usd_per_year));
    else if (free.next && free.next != choice.next)
      flips.push_back(say("lifted/stays", constraint, "next"_v = named(*free.next),
                          "next_usd_per_year"_v = *plan->verdict.usd_per_year / (1 - *free.margin_share)));
  }
}

}  // namespace

std::vector<Message> flips_of(const Catalog& catalog, const PlanRequest& request, const std::vector<Plan>& plans) {
  std::vector<Message> flips;
  if (plans.empty()) return flips;
  const Plan& first = plans.front();
  add_next_gpu(catalog, request, plans, flips);
  add_rent_flip(catalog, request, first, flips);
  add_input_flips(first, flips);
  add_lifted(catalog, request, first, flips);
  return flips;
}

}  // namespace podwright
