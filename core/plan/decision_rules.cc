#include "plan/decision_rules.h"

#include <algorithm>

#include "base/words.h"

namespace podwright {
namespace {

using namespace decision_line;

using Fired = std::optional<DecisionFactor>;
using Rule = Fired (*)(const DecisionFacts&);

constexpr WaySet kRenting{Way::rent_on_demand, Way::rent_committed};
constexpr WaySet kAllButOwning{Way::rent_on_demand, Way::rent_committed, Way::hybrid};
constexpr WaySet kByTheHour{Way::rent_on_demand, Way::hybrid};
constexpr WaySet kOwningInPart{Way::own, Way::hybrid};
constexpr WaySet kOwning{Way::own};
constexpr WaySet kNothing{};

// Hard constraints.

Fired own_ground(const DecisionFacts& f) {
  if (!stays_on_own_ground(f.sovereignty)) return {};
  if (f.bound_workloads > 0 && f.bound_workloads < f.workloads)
    return DecisionFactor{"hybrid", kRenting,
                          say("part-on-own-ground", "bound_workloads"_v = f.bound_workloads,
                              "workloads"_v = f.workloads, "sovereignty"_v = word_of(f.sovereignty))};
  return DecisionFactor{"own", kAllButOwning, say("own-ground", "sovereignty"_v = word_of(f.sovereignty))};
}

Fired ownership_asked(const DecisionFacts& f) {
  if (f.ownership == Ownership::any) return {};
  if (f.ownership == Ownership::cloud)
    return DecisionFactor{"rent", kOwningInPart, say("cloud-asked", "ownership"_v = word_of(f.ownership))};
  return DecisionFactor{"own", kRenting, say("machines-asked", "ownership"_v = word_of(f.ownership))};
}

Fired no_capital(const DecisionFacts& f) {
  if (!f.no_capital) return {};
  return DecisionFactor{
      "rent", kOwningInPart,
      f.capex_usd && !f.capex_in_part ? say("no-capital/priced", "capex_usd"_v = *f.capex_usd) : say("no-capital")};
}

Fired above_budget(const DecisionFacts& f) {
  if (!f.budget_usd || !f.capex_usd || !(*f.capex_usd > *f.budget_usd)) return {};
  if (f.hybrid_capex_usd && *f.hybrid_capex_usd > *f.budget_usd)
    return DecisionFactor{"rent", kOwningInPart,
                          say("above-budget/hybrid-too", "capex_usd"_v = *f.capex_usd,
                              "hybrid_capex_usd"_v = *f.hybrid_capex_usd, "budget_usd"_v = *f.budget_usd)};
  return DecisionFactor{"rent", kOwning,
                        say("above-budget", "capex_usd"_v = *f.capex_usd, "budget_usd"_v = *f.budget_usd)};
}

Fired above_site_power(const DecisionFacts& f) {
  if (!f.site_power_kw || !f.power_kw || !(*f.power_kw > *f.site_power_kw)) return {};
  if (f.hybrid_power_kw && *f.hybrid_power_kw > *f.site_power_kw)
    return DecisionFactor{"rent", kOwningInPart,
                          say("above-site-power/hybrid-too", "power_kw"_v = *f.power_kw,
                              "hybrid_power_kw"_v = *f.hybrid_power_kw, "site_power_kw"_v = *f.site_power_kw)};
  return DecisionFactor{"rent", kOwning,
                        say("above-site-power", "power_kw"_v = *f.power_kw, "site_power_kw"_v = *f.site_power_kw)};
}

Fired no_offer(const DecisionFacts& f) {
  if (!f.no_offer) return {};
  if (f.for_terms) return DecisionFactor{"rent", kByTheHour, say("no-offer/by-the-hour")};
  return DecisionFactor{"own", kAllButOwning, *f.no_offer};
}

Fired no_staff(const DecisionFacts& f) {
  if (!f.no_staff) return {};
  if (f.services == Services::self)
    return DecisionFactor{"rent", kOwningInPart, say("no-staff", "services"_v = word_of(f.services))};
  return DecisionFactor{"rent", kNothing, say("staff-of-others", "services"_v = word_of(f.services))};
}

// What leans to a side.

Fired in_country(const DecisionFacts& f) {
  if (f.sovereignty != Sovereignty::in_country) return {};
  const auto sovereignty = "sovereignty"_v = word_of(f.sovereignty);
  return DecisionFactor{"own", kNothing,
                        f.left_out ? say("in-country/left-out", sovereignty, "left_out"_v = *f.left_out)
                                   : say("in-country", sovereignty)};
}

Fired sensitive_data(const DecisionFacts& f) {
  if (!f.sensitive_data) return {};
  return DecisionFactor{"own", kNothing, say("sensitive-data")};
}

Fired use_against_break_even(const DecisionFacts& f) {
  if (!f.utilization || !f.break_even_utilization) return {};
  const auto used = "utilization"_v = *f.utilization;
  const auto from = "break_even_utilization"_v = *f.break_even_utilization;
  if (*f.utilization > *f.break_even_utilization)
    return DecisionFactor{
        "own", kNothing, *f.break_even_utilization > 0 ? say("used-enough", used, from) : say("used-enough/any", used)};
  if (*f.break_even_utilization > 1)
    return DecisionFactor{"rent", kNothing,
                          say("used-too-little/never-enough", used, "saving"_v = 1 - 1 / *f.break_even_utilization)};
  return DecisionFactor{"rent", kNothing, say("used-too-little", used, from)};
}

Fired shape_of_demand(const DecisionFacts& f) {
  if (!f.mean_to_peak) return {};
  const auto share = "mean_to_peak"_v = *f.mean_to_peak;
  if (*f.mean_to_peak < kBurstyBelow) return DecisionFactor{"rent", kNothing, say("bursty", share)};
  if (*f.mean_to_peak < kSteadyFrom) return DecisionFactor{"hybrid", kNothing, say("base-and-peaks", share)};
  return DecisionFactor{"own", kNothing, say("steady", share)};
}

Fired horizon(const DecisionFacts& f) {
  if (!f.horizon_years) return {};
  const auto years = "horizon_years"_v = *f.horizon_years;
  if (*f.horizon_years < kShortBelowYears) return DecisionFactor{"rent", kNothing, say("short-horizon", years)};
  if (f.economic_life_years && *f.horizon_years > *f.economic_life_years)
    return DecisionFactor{"rent", kNothing, say("outdated", years, "economic_life_years"_v = *f.economic_life_years)};
  return {};
}

Fired start(const DecisionFacts& f) {
  if (!f.start_within_days || !(*f.start_within_days < kSoonBelowDays)) return {};
  return DecisionFactor{"rent", kNothing, say("soon", "start_within_days"_v = *f.start_within_days)};
}

Fired growth(const DecisionFacts& f) {
  if (!f.growth_per_year) return {};
  if (*f.growth_per_year < 0)
    return DecisionFactor{"rent", kNothing, say("shrinking", "shrinking_per_year"_v = -*f.growth_per_year)};
  if (*f.growth_per_year >= kFastGrowthFrom)
    return DecisionFactor{"hybrid", kNothing, say("fast-growth", "growth_per_year"_v = *f.growth_per_year)};
  return {};
}

Fired rent_change(const DecisionFacts& f) {
  if (!f.rent_change_per_year || *f.rent_change_per_year == 0) return {};
  if (*f.rent_change_per_year > 0)
    return DecisionFactor{"own", kNothing, say("rising-rent", "rise_per_year"_v = *f.rent_change_per_year)};
  return DecisionFactor{"rent", kNothing, say("falling-rent", "fall_per_year"_v = -*f.rent_change_per_year)};
}

Fired egress(const DecisionFacts& f) {
  if (!f.egress_usd_per_year || !f.rent_usd_per_year ||
      !(*f.egress_usd_per_year >= kMuchEgressFrom * *f.rent_usd_per_year) || !(*f.egress_usd_per_year > 0))
    return {};
  const auto cost = "egress_usd_per_year"_v = *f.egress_usd_per_year;
  const auto rent = "rent_usd_per_year"_v = *f.rent_usd_per_year;
  if (!f.egress_tb_per_month) return DecisionFactor{"own", kNothing, say("much-egress", cost, rent)};
  return DecisionFactor{"own", kNothing,
                        say("much-egress/amount", "egress_tb_per_month"_v = *f.egress_tb_per_month, cost, rent)};
}

constexpr std::array<Rule, 16> kRules{
    own_ground,      ownership_asked, no_capital, above_budget,   above_site_power,
    no_offer,        no_staff,        in_country, sensitive_data, use_against_break_even,
    shape_of_demand, horizon,         start,      growth,         rent_change,
    egress};

/// Each reason once.
std::vector<Message> reasons_of_excluded(const WayChoice& decision) {
  std::vector<Message> reasons;
  for (const ExcludedWay& out : decision.excluded)
    if (std::find(reasons.begin(), reasons.end(), out.reason) == reasons.end()) reasons.push_back(out.reason);
  return reasons;
}

/// A hybrid with its split; of whole machines, which may have more GPUs than are needed.
Message named_way(const WayCosts& costs, Way way) {
  if (way != Way::hybrid || !(costs.hybrid_own_gpus > 0)) return say_word<"way">(word_of(way, kWayWords));
  const auto own = "own_gpus"_v = costs.hybrid_own_gpus;
  const auto rented = "rented_gpus"_v = costs.hybrid_rented_gpus;
  if (costs.hybrid_own_gpus + costs.hybrid_rented_gpus > costs.needed_gpus && costs.needed_gpus > 0)
    return say("way/hybrid-split/whole", own, rented, "needed_gpus"_v = costs.needed_gpus);
  return say("way/hybrid-split", own, rented);
}

Message chosen_message(const WayCosts& costs, const WayChoice& decision) {
  const auto way = "way"_v = named_way(costs, *decision.way);
  const auto cost = costs.of(*decision.way);
  std::vector<Message> sentences;
  if (cost && decision.next)
    sentences.push_back(say("chosen/compared", way, "usd_per_year"_v = *cost, "margin"_v = *decision.margin_share,
                            "next"_v = say_word<"way-phrase">(word_of(*decision.next, kWayWords)),
                            "next_usd_per_year"_v = *costs.of(*decision.next)));
  else
    sentences.push_back(cost ? say("chosen/priced", way, "usd_per_year"_v = *cost) : say("chosen", way));
  if (!decision.next && !decision.excluded.empty() && decision.not_compared.empty())
    sentences.push_back(say("only-way", "reasons"_v = reasons_of_excluded(decision)));
  if (decision.close) sentences.push_back(say("close-call"));
  for (const Way missing : decision.not_compared) {
    const auto named = "way"_v = say_word<"way-phrase">(word_of(missing, kWayWords));
    const auto least = costs.at_least(missing);
    sentences.push_back(least ? say("not-compared/at-least", named, "usd_per_year"_v = *least)
                              : say("not-compared", named));
    if (missing == Way::own) sentences.insert(sentences.end(), costs.own_missing.begin(), costs.own_missing.end());
  }
  return say("sentences", "sentences"_v = std::move(sentences));
}

Message none_message(const WayChoice& decision) {
  if (!decision.not_compared.empty()) return say("no-known-cost");
  return say("no-way", "reasons"_v = reasons_of_excluded(decision));
}

}  // namespace

std::vector<DecisionFactor> fired_rules(const DecisionFacts& facts) {
  std::vector<DecisionFactor> fired;
  for (const Rule rule : kRules)
    if (Fired one = rule(facts)) fired.push_back(std::move(*one));
  return fired;
}

std::optional<double> WayCosts::of(Way way) const {
  switch (way) {
    case Way::rent_on_demand:
      return rent_on_demand_usd;
    case Way::rent_committed:
      return rent_committed_usd;
    case Way::own:
      return own_usd;
    case Way::hybrid:
      break;
  }
  return hybrid_usd;
}

std::optional<double> WayCosts::at_least(Way way) const {
  if (const auto cost = of(way)) return cost;
  if (way == Way::own) return own_at_least_usd;
  return way == Way::rent_on_demand ? rent_at_least_usd : std::nullopt;
}

WayChoice choose_way(const WayCosts& costs, const std::vector<DecisionFactor>& rules,
                     const std::optional<CheapestShares>& drawn) {
  WayChoice decision;
  std::optional<double> best;
  std::optional<double> second;
  for (const Way way : kWays) {
    const DecisionFactor* excluding = nullptr;
    for (const DecisionFactor& rule : rules)
      if (excluding == nullptr && rule.excludes.has(way)) excluding = &rule;
    const std::optional<double> cost = costs.of(way);
    if (excluding != nullptr) {
      decision.excluded.push_back({way, excluding->says});
    } else if (!cost) {
      if (way == Way::own || way == Way::rent_on_demand) decision.not_compared.push_back(way);
    } else if (!best || *cost < *best) {
      second = best;
      decision.next = decision.way;
      best = cost;
      decision.way = way;
    } else if (!second || *cost < *second) {
      second = cost;
      decision.next = way;
    }
  }
  if (!decision.way && decision.not_compared.size() == 1) {
    decision.way = decision.not_compared.front();
    decision.not_compared.clear();
  }
  if (decision.next) {
    decision.margin_share = *second > 0 ? (*second - *best) / *second : 0.0;
    if (drawn) decision.cheapest_share = drawn->of_way[static_cast<std::size_t>(*decision.way)];
    decision.close = *decision.margin_share < kCloseBelow || decision.cheapest_share.value_or(1) < kSureFrom;
  }
  decision.says = decision.way ? chosen_message(costs, decision) : none_message(decision);
  return decision;
}

DecisionFactor certainty_of(const WayChoice& choice, const CheapestShares& drawn) {
  return {*choice.way == Way::own || *choice.way == Way::hybrid ? word_of(*choice.way, kWayWords) : "rent", kNothing,
          say("cheapest-share", "probability"_v = *choice.cheapest_share,
              "way"_v = say_word<"way-phrase">(word_of(*choice.way, kWayWords)), "ways"_v = drawn.ways)};
}

}  // namespace podwright
