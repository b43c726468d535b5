#include "plan/verdict.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "plan/ways_left.h"

namespace podwright {
namespace {

double usd_a_year(UsdPerSecond rate) { return rate * years(1) / usd(1); }

bool bound(const PlanRequest& request, const PlanWorkload& workload) {
  return stays_on_own_ground(sovereignty_of(request, workload));
}

/// That of the workload with the least freedom.
Sovereignty strictest_sovereignty(const PlanRequest& request) {
  Sovereignty strictest = Sovereignty::none;
  for (const PlanWorkload& workload : request.workloads)
    strictest = std::max(strictest, sovereignty_of(request, workload));
  return strictest;
}

DecisionFacts facts_of(const Catalog& catalog, const PlanRequest& request, const PlanNumbers<NoTrace>& numbers) {
  const PlanConstraints& site = request.constraints;
  const PlanEconomics& economics = request.economics;
  const PlanCost<NoTrace>& cost = numbers.cost;
  DecisionFacts facts;
  facts.sovereignty = strictest_sovereignty(request);
  facts.workloads = static_cast<double>(request.workloads.size());
  facts.bound_workloads = static_cast<double>(std::count_if(request.workloads.begin(), request.workloads.end(),
                                                            [&](const auto& w) { return bound(request, w); }));
  facts.ownership = site.ownership;
  facts.services = site.services;
  facts.sensitive_data = site.sensitive_data;
  facts.no_capital = site.no_capital;
  facts.no_staff = site.no_staff;
  const double reserve = numbers.demand.reserve.value_or(0);
  if (numbers.demand.peak_gpus > 0)
    facts.mean_to_peak = numbers.demand.mean_gpus / (numbers.demand.peak_gpus - reserve);
  facts.utilization = cost.utilization;
  if (cost.break_even) facts.break_even_utilization = cost.break_even->utilization;
  if (!cost.rent && !cost.no_offer.code.empty()) facts.no_offer = cost.no_offer;
  if (cost.rent && !cost.left_out.code.empty()) facts.left_out = cost.left_out;
  facts.for_terms = cost.committed && cost.committed->way.yearly;
  if (economics.rent_change_per_year != 0) facts.rent_change_per_year = economics.rent_change_per_year;
  facts.horizon_years = economics.horizon_years;
  // The low end is how long machines are worth running; the books keep them longer.
  if (const PurchasePrice* life = purchase_figure(catalog, "server-useful-life"))
    facts.economic_life_years = life->price.low / usd(1);
  facts.growth_per_year = economics.demand_growth_per_year;
  facts.start_within_days = site.start_within_days;
  facts.budget_usd = site.budget_usd;
  facts.site_power_kw = site.site_power_kw;
  const OwnedNeed owning = need_of_owning(request.constraints, numbers);
  if (owning.purchase) facts.capex_usd = *owning.purchase / usd(1);
  facts.capex_in_part = owning.in_part;
  if (owning.power) facts.power_kw = *owning.power / kw(1);
  if (const auto hybrid = need_of_hybrid(request.constraints, numbers)) {
    if (hybrid->purchase) facts.hybrid_capex_usd = *hybrid->purchase / usd(1);
    if (hybrid->power) facts.hybrid_power_kw = *hybrid->power / kw(1);
  }
  if (cost.on_demand && cost.on_demand->cost.egress) {
    facts.egress_tb_per_month = site.sites * economics.egress.gb_per_month / 1000;
    facts.egress_usd_per_year = site.sites * usd_a_year(*cost.on_demand->cost.egress);
  }
  if (cost.on_demand && cost.on_demand->yearly)
    facts.rent_usd_per_year = site.sites * usd_a_year(*cost.on_demand->yearly);
  return facts;
}

/// Of all sites together.
WayCosts costs_of(const PlanNumbers<NoTrace>& numbers, double sites) {
  const PlanCost<NoTrace>& cost = numbers.cost;
  WayCosts costs;
  const auto of_all = [&](UsdPerSecond rate) { return sites * usd_a_year(rate); };
  if (cost.on_demand && cost.on_demand->yearly) costs.rent_on_demand_usd = of_all(*cost.on_demand->yearly);
  if (cost.committed && cost.committed->way.yearly) costs.rent_committed_usd = of_all(*cost.committed->way.yearly);
  if (cost.owning.total) costs.own_usd = of_all(cost.owning.total->yearly);
  if (cost.on_demand && cost.on_demand->cost.at_least) costs.rent_at_least_usd = of_all(*cost.on_demand->cost.at_least);
  for (const std::string& missing : cost.owning.missing) costs.own_missing.push_back(as_written(missing));
  if (cost.owning.yearly_at_least) costs.own_at_least_usd = of_all(*cost.owning.yearly_at_least);
  if (cost.hybrid) {
    costs.hybrid_usd = of_all(cost.hybrid->total);
    costs.hybrid_own_gpus = cost.hybrid->own_gpus;
    costs.hybrid_rented_gpus = cost.hybrid->rented_gpus_peak;
    costs.needed_gpus = numbers.demand.gpu_count;
  }
  return costs;
}

}  // namespace

bool may_rent(const PlanRequest& request) {
  return std::any_of(request.workloads.begin(), request.workloads.end(),
                     [&](const auto& w) { return !bound(request, w); });
}

bool must_own(const PlanRequest& request) {
  return asks_for_machines(request.constraints.ownership) ||
         std::any_of(request.workloads.begin(), request.workloads.end(),
                     [&](const auto& w) { return bound(request, w); });
}

namespace {

/// Where the most is asked for, a way that no limit bounds would give any amount.
void add_bounds_of_goal(const PlanRequest& request, std::vector<DecisionFactor>& rules) {
  if (request.goal == PlanGoal::least_cost || request.constraints.budget_usd_per_year) return;
  rules.insert(rules.begin(),
               {"own", WaySet(Way::rent_on_demand, Way::rent_committed, Way::hybrid), say("bounded-by-site")});
}

/// Hard rules of the money of a year, which bounds every way.
void add_yearly_budget(const PlanConstraints& site, const WayCosts& costs, std::vector<DecisionFactor>& rules) {
  if (!site.budget_usd_per_year) return;
  for (const Way way : kWays)
    if (const auto least = costs.at_least(way); least && *least > *site.budget_usd_per_year)
      rules.insert(rules.begin(),
                   {way == Way::own || way == Way::hybrid ? "rent" : "own", WaySet(way),
                    say("above-yearly-budget", "budget_usd_per_year"_v = *site.budget_usd_per_year,
                        "way"_v = say_word<"way-phrase">(word_of(way, kWayWords)), "usd_per_year"_v = *least)});
}

/// Absent where one way alone is drawn.
std::optional<CheapestShares> shares_of(const PlanUncertainty& uncertainty) {
  const auto& compared = uncertainty.costs.compared;
  CheapestShares shares{.of_way = uncertainty.drawn.cheapest,
                        .ways = static_cast<double>(std::count(compared.begin(), compared.end(), true))};
  return shares.ways > 1 ? std::optional(shares) : std::nullopt;
}

/// No rule speaks for owning in part where that is ruled out, or where no split is left of the one way that is.
void drop_hybrid_that_is_out(const WayCosts& costs, std::vector<DecisionFactor>& rules) {
  const auto out = [&](Way way) {
    return std::any_of(rules.begin(), rules.end(), [&](const DecisionFactor& rule) { return rule.excludes.has(way); });
  };
  if (!out(Way::hybrid) && (costs.hybrid_usd || (!out(Way::own) && !out(Way::rent_on_demand)))) return;
  rules.erase(std::remove_if(rules.begin(), rules.end(),
                             [](const DecisionFactor& rule) { return rule.towards == "hybrid" && !rule.decides(); }),
              rules.end());
}

}  // namespace

PlanVerdict verdict_of(const Catalog& catalog, const PlanRequest& request, const PlanNumbers<NoTrace>& numbers,
                       const PlanUncertainty* uncertainty) {
  const DecisionFacts facts = facts_of(catalog, request, numbers);
  const WayCosts costs = costs_of(numbers, request.constraints.sites);
  PlanVerdict verdict;
  verdict.rules = fired_rules(facts);
  add_bounds_of_goal(request, verdict.rules);
  add_yearly_budget(request.constraints, costs, verdict.rules);
  drop_hybrid_that_is_out(costs, verdict.rules);
  const auto shares = uncertainty == nullptr ? std::nullopt : shares_of(*uncertainty);
  verdict.decision = choose_way(costs, verdict.rules, shares);
  if (verdict.decision.cheapest_share) verdict.rules.push_back(certainty_of(verdict.decision, *shares));
  const std::optional<Way>& way = verdict.decision.way;
  if (way) verdict.usd_per_year = costs.of(*way);
  if (way == Way::own)
    verdict.unchecked = unchecked_site_limits(request.constraints, need_of_owning(request.constraints, numbers));
  for (std::size_t i = 0; i < numbers.demand.workloads.size(); ++i)
    if (const auto& of = numbers.demand.workloads[i]; of.training && !of.run_time)
      verdict.unchecked.push_back({"/workloads/" + std::to_string(i) + "/deadline_days",
                                   say("unchecked-deadline", "workload"_v = request.workloads[i].name)});
  if (const auto& budget = request.constraints.budget_usd_per_year; budget && !verdict.usd_per_year)
    verdict.unchecked.push_back(
        {"/constraints/budget_usd_per_year", say("unchecked-yearly-budget", "budget_usd_per_year"_v = *budget)});
  return verdict;
}

namespace {

/// Absent where more money a year would open no way.
std::optional<Infeasible> too_dear(const PlanRequest& request, const PlanNumbers<NoTrace>& numbers,
                                   const PlanVerdict& verdict) {
  const auto& budget = request.constraints.budget_usd_per_year;
  std::vector<DecisionFactor> others;
  for (const DecisionFactor& rule : verdict.rules)
    if (rule.rule() != "above-yearly-budget") others.push_back(rule);
  const WayCosts costs = costs_of(numbers, request.constraints.sites);
  const auto way = choose_way(costs, others).way;
  const auto least = way ? costs.at_least(*way) : std::nullopt;
  if (!budget || !least) return std::nullopt;
  const auto cost = "usd_per_year"_v = *least;
  const auto given = "budget_usd_per_year"_v = *budget;
  Infeasible reason{.code = "yearly-budget",
                    .message = say("yearly-budget", cost, given),
                    .shortfall = *least - *budget,
                    .unit = "USD/year",
                    .ways_out = {{"/constraints/budget_usd_per_year", std::ceil(*least)}}};
  // More money does not help where it is not known how much.
  if (!costs.of(*way)) {
    reason.message = say("yearly-budget/part", cost, given);
    reason.ways_out.clear();
  }
  return reason;
}

bool of_the_site(const DecisionFactor& rule) {
  return rule.rule() == "above-budget" || rule.rule() == "above-site-power";
}

/// Is the way shut whatever the site has?
bool shut(const PlanVerdict& verdict, Way way) {
  return std::any_of(verdict.rules.begin(), verdict.rules.end(),
                     [&](const DecisionFactor& rule) { return !of_the_site(rule) && rule.excludes.has(way); });
}

}  // namespace

std::optional<Infeasible> no_way_left(const PlanRequest& request, const PlanNumbers<NoTrace>& numbers,
                                      const PlanVerdict& verdict) {
  if (verdict.decision.way || !verdict.decision.not_compared.empty()) return std::nullopt;
  if (auto dear = too_dear(request, numbers, verdict)) return dear;
  // Where only the site is in the way, the smallest need that is open says by how much.
  const auto hybrid = shut(verdict, Way::hybrid) ? std::nullopt : need_of_hybrid(request.constraints, numbers);
  if (hybrid || !shut(verdict, Way::own)) {
    auto broken =
        broken_site_limits(request.constraints, hybrid ? *hybrid : need_of_owning(request.constraints, numbers));
    if (!broken.empty()) return std::move(broken.front());
  }
  return Infeasible{.code = "no-way", .message = verdict.decision.says};
}

}  // namespace podwright
