#include "plan/decision_rules.h"

#include "base/number_text.h"

namespace podwright {
namespace {

using namespace decision_line;

using Fired = std::optional<DecisionFactor>;
using Rule = Fired (*)(const DecisionFacts&);

constexpr WaySet kRenting{Way::rent_on_demand, Way::rent_committed};
constexpr WaySet kAllButOwning{Way::rent_on_demand, Way::rent_committed, Way::hybrid};
constexpr WaySet kOwningInPart{Way::own, Way::hybrid};
constexpr WaySet kOwning{Way::own};
constexpr WaySet kNothing{};

std::string plain(double x) { return human_number(x, 4); }
std::string percent(double share) { return human_number(share * 100, 3) + " %"; }
std::string with_word(std::string text, std::string_view field, std::string_view word, std::string rest) {
  text += " (";
  text += field;
  text += ' ';
  text += word;
  return text + ")" + std::move(rest);
}

// Hard constraints.

Fired own_ground(const DecisionFacts& f) {
  if (f.sovereignty != "on-premises" && f.sovereignty != "air-gapped") return {};
  if (f.bound_workloads > 0 && f.bound_workloads < f.workloads)
    return DecisionFactor{"part-on-own-ground", "hybrid", true, kRenting,
                          with_word("Data of " + plain(f.bound_workloads) + " of " + plain(f.workloads) +
                                        " workloads must stay on the own ground",
                                    "sovereignty", f.sovereignty, ": renting everything is no option.")};
  return DecisionFactor{
      "own-ground", "own", true, kAllButOwning,
      with_word("Data must stay on the own ground", "sovereignty", f.sovereignty, ": renting is no option.")};
}

Fired ownership_asked(const DecisionFacts& f) {
  if (f.ownership == "any") return {};
  if (f.ownership == "cloud")
    return DecisionFactor{
        "cloud-asked", "rent", true, kOwningInPart,
        with_word("The request asks for rented machines", "ownership", f.ownership, ": owning is no option.")};
  return DecisionFactor{"machines-asked", "own", true, kRenting,
                        with_word("The request asks for machines of its own", "ownership", f.ownership,
                                  ": renting everything is no option.")};
}

Fired no_capital(const DecisionFacts& f) {
  if (!f.no_capital) return {};
  return DecisionFactor{"no-capital", "rent", true, kOwningInPart,
                        f.capex_usd ? "There is no capital to buy with, and owning takes " +
                                          dollars_text(*f.capex_usd) + " at the start: it is no option."
                                    : "There is no capital to buy with: owning is no option."};
}

Fired above_budget(const DecisionFacts& f) {
  if (!f.budget_usd || !f.capex_usd || !(*f.capex_usd > *f.budget_usd)) return {};
  const bool hybrid_too = f.hybrid_capex_usd && *f.hybrid_capex_usd > *f.budget_usd;
  std::string text =
      "Owning takes " + dollars_text(*f.capex_usd) + " at the start, the budget is " + dollars_text(*f.budget_usd);
  text += hybrid_too ? ", and a hybrid takes " + dollars_text(*f.hybrid_capex_usd) + ": both are no option."
                     : ": it is no option.";
  return DecisionFactor{"above-budget", "rent", true, hybrid_too ? kOwningInPart : kOwning, std::move(text)};
}

Fired above_site_power(const DecisionFacts& f) {
  if (!f.site_power_kw || !f.power_kw || !(*f.power_kw > *f.site_power_kw)) return {};
  const bool hybrid_too = f.hybrid_power_kw && *f.hybrid_power_kw > *f.site_power_kw;
  std::string text =
      "Owned machines need " + plain(*f.power_kw) + " kW, the site has " + plain(*f.site_power_kw) + " kW";
  text += hybrid_too ? ", and a hybrid needs " + plain(*f.hybrid_power_kw) + " kW: both are no option."
                     : ": owning everything is no option.";
  return DecisionFactor{"above-site-power", "rent", true, hybrid_too ? kOwningInPart : kOwning, std::move(text)};
}

Fired no_staff(const DecisionFacts& f) {
  if (!f.no_staff) return {};
  if (f.services == "self")
    return DecisionFactor{"no-staff", "rent", true, kOwningInPart,
                          with_word("Nobody is there to run machines, and nobody else is to do it", "services",
                                    f.services, ": owning is no option.")};
  return DecisionFactor{"staff-of-others", "rent", false, kNothing,
                        with_word("Nobody is there to run machines: owned ones would hang on those who are paid for it",
                                  "services", f.services, ".")};
}

// What leans to a side.

Fired in_country(const DecisionFacts& f) {
  if (f.sovereignty != "in-country") return {};
  return DecisionFactor{"in-country", "own", false, kNothing,
                        with_word("Data must stay in the country", "sovereignty", f.sovereignty,
                                  ": only clouds with a region there can be rented.")};
}

Fired sensitive_data(const DecisionFacts& f) {
  if (!f.sensitive_data) return {};
  return DecisionFactor{"sensitive-data", "own", false, kNothing,
                        "Data are sensitive: on machines of one's own nobody else's rules and neighbours have to be "
                        "examined."};
}

Fired use_against_break_even(const DecisionFacts& f) {
  if (!f.utilization || !f.break_even_utilization) return {};
  const std::string both = "Owned GPUs would be in use for " + percent(*f.utilization) +
                           " of the time, and owning is cheaper from " + percent(*f.break_even_utilization) + " on.";
  if (*f.utilization > *f.break_even_utilization) return DecisionFactor{"used-enough", "own", false, kNothing, both};
  return DecisionFactor{"used-too-little", "rent", false, kNothing, both};
}

Fired shape_of_demand(const DecisionFacts& f) {
  if (!f.mean_to_peak) return {};
  const std::string share = "On average " + percent(*f.mean_to_peak) + " of the peak is needed";
  if (*f.mean_to_peak < kBurstyBelow)
    return DecisionFactor{"bursty", "rent", false, kNothing,
                          share + ": such bursty work leaves owned machines idle, and rented ones can be given back."};
  if (*f.mean_to_peak < kSteadyFrom)
    return DecisionFactor{"base-and-peaks", "hybrid", false, kNothing,
                          share + ": the base can be owned and the peaks rented."};
  return DecisionFactor{"steady", "own", false, kNothing, share + ": such steady work keeps owned machines busy."};
}

Fired horizon(const DecisionFacts& f) {
  if (!f.horizon_years) return {};
  if (*f.horizon_years < kShortBelowYears)
    return DecisionFactor{"short-horizon", "rent", false, kNothing,
                          "A horizon of " + plain(*f.horizon_years) + " years is short for machines to pay back."};
  if (f.economic_life_years && *f.horizon_years > *f.economic_life_years)
    return DecisionFactor{
        "outdated", "rent", false, kNothing,
        "The horizon of " + plain(*f.horizon_years) + " years is longer than the " + plain(*f.economic_life_years) +
            " years after which newer machines do the same work for less; rented ones can be changed."};
  return {};
}

Fired start(const DecisionFacts& f) {
  if (!f.start_within_days || !(*f.start_within_days < kSoonBelowDays)) return {};
  return DecisionFactor{"soon", "rent", false, kNothing,
                        "Work starts within " + plain(*f.start_within_days) +
                            " days, and bought machines take weeks to months to arrive."};
}

Fired growth(const DecisionFacts& f) {
  if (!f.growth_per_year) return {};
  if (*f.growth_per_year < 0)
    return DecisionFactor{"shrinking", "rent", false, kNothing,
                          "Demand shrinks by " + percent(-*f.growth_per_year) +
                              " a year: rented machines can be given back, owned ones would stand idle."};
  if (*f.growth_per_year >= kFastGrowthFrom)
    return DecisionFactor{"fast-growth", "hybrid", false, kNothing,
                          "Demand grows by " + percent(*f.growth_per_year) +
                              " a year: what is needed now can be owned, and growth rented until it has come."};
  return {};
}

Fired rent_change(const DecisionFacts& f) {
  if (!f.rent_change_per_year || *f.rent_change_per_year == 0) return {};
  if (*f.rent_change_per_year > 0)
    return DecisionFactor{
        "rising-rent", "own", false, kNothing,
        "Rents are taken to rise by " + percent(*f.rent_change_per_year) + " a year; what is bought keeps its price."};
  return DecisionFactor{"falling-rent", "rent", false, kNothing,
                        "Rents are taken to fall by " + percent(-*f.rent_change_per_year) +
                            " a year, which buyers and long commitments miss."};
}

Fired egress(const DecisionFacts& f) {
  if (!f.egress_usd_per_year || !f.rent_usd_per_year ||
      !(*f.egress_usd_per_year >= kMuchEgressFrom * *f.rent_usd_per_year) || !(*f.egress_usd_per_year > 0))
    return {};
  return DecisionFactor{
      "much-egress", "own", false, kNothing,
      "Taking " + (f.egress_tb_per_month ? plain(*f.egress_tb_per_month) + " TB a month" : "the data") +
          " out of a cloud costs " + dollars_text(*f.egress_usd_per_year) + " a year beside a rent of " +
          dollars_text(*f.rent_usd_per_year) + "; on one's own ground it costs nothing."};
}

bool unsure_at(double probability) { return probability > kUnsureFrom && probability < kUnsureTo; }

Fired certainty(const DecisionFacts& f) {
  if (!f.probability_own_cheaper) return {};
  const std::string share = "Owning is the cheaper side in " + percent(*f.probability_own_cheaper) + " of the draws";
  if (unsure_at(*f.probability_own_cheaper))
    return DecisionFactor{"unsure", "rent", false, kNothing, share + ": while that is open, renting binds no capital."};
  const bool own = *f.probability_own_cheaper >= kUnsureTo;
  return DecisionFactor{own ? "surely-own" : "surely-rent", own ? "own" : "rent", false, kNothing, share + "."};
}

constexpr std::array<Rule, 16> kRules{own_ground,      ownership_asked,  no_capital,
                                      above_budget,    above_site_power, no_staff,
                                      in_country,      sensitive_data,   use_against_break_even,
                                      shape_of_demand, horizon,          start,
                                      growth,          rent_change,      egress,
                                      certainty};

constexpr std::array<std::string_view, kWays.size()> kWaySentences{"Rent on demand", "Rent with a commitment", "Own",
                                                                   "Own the base and rent the peaks"};
constexpr std::array<std::string_view, kWays.size()> kWayPhrases{"renting on demand", "renting with a commitment",
                                                                 "owning", "owning the base and renting the peaks"};

std::string_view sentence_of(Way way) { return kWaySentences.begin()[static_cast<std::size_t>(way)]; }
std::string_view phrase_of(Way way) { return kWayPhrases.begin()[static_cast<std::size_t>(way)]; }

/// Whether the probability that owning is cheaper says anything about these two.
bool owning_against_renting(Way one, Way other) {
  const auto rents = [](Way way) { return kRenting.has(way); };
  return (one == Way::own && rents(other)) || (other == Way::own && rents(one));
}

std::string chosen_text(const WayCosts& costs, const WayChoice& decision) {
  std::string text(sentence_of(*decision.way));
  if (const auto cost = costs.of(*decision.way)) text += ": " + dollars_text(*cost) + " a year";
  if (decision.next) {
    text +=
        ", " + dollars_text(*decision.margin_usd_per_year) + " (" + percent(*decision.margin_share) + ") less than ";
    text += phrase_of(*decision.next);
  }
  text += ".";
  if (!decision.next && !decision.excluded.empty() && decision.not_compared.empty())
    text += " It is the only way that is left.";
  if (decision.close) text += " It is close.";
  return text;
}

std::string none_text(const WayChoice& decision) {
  if (!decision.not_compared.empty()) return "No way that is left has a known cost.";
  std::string text = "No way is left.";
  for (const ExcludedWay& out : decision.excluded)
    if (text.find(out.reason) == std::string::npos) text += " " + out.reason;
  return text;
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

WayChoice choose_way(const WayCosts& costs, const std::vector<DecisionFactor>& rules,
                     std::optional<double> probability_own_cheaper) {
  WayChoice decision;
  std::optional<double> best;
  std::optional<double> second;
  for (const Way way : kWays) {
    const DecisionFactor* excluding = nullptr;
    for (const DecisionFactor& rule : rules)
      if (excluding == nullptr && rule.excludes.has(way)) excluding = &rule;
    const std::optional<double> cost = costs.of(way);
    if (excluding != nullptr) {
      decision.excluded.push_back({way, excluding->text});
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
    decision.margin_usd_per_year = *second - *best;
    decision.margin_share = *second > 0 ? *decision.margin_usd_per_year / *second : 0.0;
    decision.close =
        *decision.margin_share < kCloseBelow || (probability_own_cheaper && unsure_at(*probability_own_cheaper) &&
                                                 owning_against_renting(*decision.way, *decision.next));
  }
  decision.text = decision.way ? chosen_text(costs, decision) : none_text(decision);
  return decision;
}

}  // namespace podwright
