#include "plan/decision_rules.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/number_text.h"
#include "base/random.h"

namespace podwright::decision_rules_test {
namespace {

std::vector<std::string> ids_of(const std::vector<DecisionFactor>& rules) {
  std::vector<std::string> ids;
  for (const DecisionFactor& rule : rules) ids.emplace_back(rule.rule());
  return ids;
}

using Ids = std::vector<std::string>;

TEST(DecisionRules, NothingKnownFiresNothing) { EXPECT_TRUE(fired_rules({}).empty()); }

TEST(DecisionRules, DataOnTheOwnGroundDecide) {
  DecisionFacts facts;
  facts.sovereignty = Sovereignty::on_premises;
  const auto rules = fired_rules(facts);
  ASSERT_EQ(rules.size(), 1U);
  EXPECT_EQ(rules[0].rule(), "own-ground");
  EXPECT_EQ(rules[0].towards, "own");
  EXPECT_TRUE(rules[0].decides());
  EXPECT_EQ(rules[0].says.text(),
            "Data must stay on your own premises (sovereignty on-premises), so renting is ruled out.");
  EXPECT_FALSE(rules[0].excludes.has(Way::own));
  for (const Way way : {Way::rent_on_demand, Way::rent_committed, Way::hybrid}) EXPECT_TRUE(rules[0].excludes.has(way));
  facts.workloads = 3;
  facts.bound_workloads = 1;
  const auto part = fired_rules(facts);
  EXPECT_EQ(part[0].rule(), "part-on-own-ground");
  EXPECT_FALSE(part[0].excludes.has(Way::hybrid));
  EXPECT_TRUE(part[0].excludes.has(Way::rent_on_demand));
  facts.bound_workloads = 3;
  EXPECT_EQ(fired_rules(facts)[0].rule(), "own-ground");
}

TEST(DecisionRules, BudgetAndPowerExcludeOnlyWhatExceedsThem) {
  DecisionFacts facts;
  facts.budget_usd = 1e6;
  facts.capex_usd = 1e6;
  facts.site_power_kw = 100;
  facts.power_kw = 100;
  EXPECT_TRUE(fired_rules(facts).empty());
  facts.capex_usd = 3e6;
  facts.hybrid_capex_usd = 5e5;
  facts.power_kw = 250;
  facts.hybrid_power_kw = 120;
  const auto rules = fired_rules(facts);
  ASSERT_EQ(ids_of(rules), (Ids{"above-budget", "above-site-power"}));
  EXPECT_FALSE(rules[0].excludes.has(Way::hybrid));
  EXPECT_TRUE(rules[1].excludes.has(Way::hybrid));
  EXPECT_EQ(rules[0].says.text(),
            "Owning takes $3 million up front and the budget is $1 million, so owning everything is ruled out.");
  EXPECT_EQ(rules[1].says.text(),
            "Owned machines need 250 kW, those for the base alone need 120 kW and the site has 100 kW, so both are "
            "ruled out.");
}

TEST(DecisionRules, StaffOfOthersLeavesOwningPossible) {
  DecisionFacts facts;
  facts.no_staff = true;
  EXPECT_TRUE(fired_rules(facts)[0].decides());
  facts.services = Services::partner;
  EXPECT_EQ(ids_of(fired_rules(facts)), (Ids{"staff-of-others"}));
  EXPECT_FALSE(fired_rules(facts)[0].decides());
  EXPECT_TRUE(fired_rules(facts)[0].excludes.empty());
}

TEST(DecisionRules, ShapeOfTheDemand) {
  const auto shape = [](double ratio) {
    DecisionFacts facts;
    facts.mean_to_peak = ratio;
    return std::string(fired_rules(facts)[0].rule());
  };
  EXPECT_EQ(shape(0.1), "bursty");
  EXPECT_EQ(shape(0.5), "base-and-peaks");
  EXPECT_EQ(shape(0.69), "base-and-peaks");
  EXPECT_EQ(shape(0.7), "steady");
  EXPECT_EQ(shape(1), "steady");
}

TEST(DecisionRules, LeaningRulesInOrder) {
  DecisionFacts facts;
  facts.sovereignty = Sovereignty::in_country;
  facts.sensitive_data = true;
  facts.utilization = 0.6;
  facts.break_even_utilization = 0.4;
  facts.mean_to_peak = 0.3;
  facts.horizon_years = 5;
  facts.economic_life_years = 4;
  facts.start_within_days = 30;
  facts.growth_per_year = -0.1;
  facts.rent_change_per_year = 0.05;
  facts.egress_tb_per_month = 50;
  facts.egress_usd_per_year = 54000;
  facts.rent_usd_per_year = 400000;
  const auto rules = fired_rules(facts);
  EXPECT_EQ(ids_of(rules), (Ids{"in-country", "sensitive-data", "used-enough", "bursty", "outdated", "soon",
                                "shrinking", "rising-rent", "much-egress"}));
  for (const DecisionFactor& rule : rules) EXPECT_FALSE(rule.decides());
  EXPECT_EQ(
      rules[8].says.text(),
      "Moving 50 TB a month out of a cloud costs $54,000 a year on top of a rent of $400,000; on your own premises "
      "it costs nothing.");
  facts.egress_usd_per_year = 39999;
  facts.horizon_years = 1.5;
  facts.utilization = 0.4;
  facts.growth_per_year = 0.3;
  facts.rent_change_per_year = -0.05;
  facts.start_within_days = 90;
  EXPECT_EQ(ids_of(fired_rules(facts)), (Ids{"in-country", "sensitive-data", "used-too-little", "bursty",
                                             "short-horizon", "fast-growth", "falling-rent"}));
}

/// Numbers in a sentence, as they are written.
std::set<std::string> numbers_in(const std::string& text) {
  std::set<std::string> numbers;
  for (std::size_t at = 0; at < text.size();) {
    if (std::isdigit(static_cast<unsigned char>(text[at])) == 0) {
      ++at;
      continue;
    }
    const std::size_t start = at;
    while (at < text.size() && (std::isdigit(static_cast<unsigned char>(text[at])) != 0 ||
                                ((text[at] == ',' || text[at] == '.') && at + 1 < text.size() &&
                                 std::isdigit(static_cast<unsigned char>(text[at + 1])) != 0)))
      ++at;
    numbers.insert(text.substr(start, at - start));
  }
  return numbers;
}

TEST(DecisionRules, SayNoNumberThatIsNotGiven) {
  const random::Stream stream(3, 0);
  std::uint64_t at = 0;
  const std::array ownership{Ownership::any, Ownership::cloud, Ownership::dgx};
  std::set<std::string> seen;
  for (int round = 0; round < 3000; ++round) {
    const auto number = [&](double scale) { return scale * stream.uniform(at++); };
    const auto coin = [&] { return stream.uniform(at++) < 0.5; };
    DecisionFacts facts;
    facts.sovereignty = static_cast<Sovereignty>(static_cast<int>(number(4)));
    facts.ownership = ownership[static_cast<std::size_t>(number(3))];
    facts.services = coin() ? Services::self : Services::partner;
    facts.workloads = 1 + std::floor(number(5));
    facts.bound_workloads = std::floor(number(facts.workloads + 1));
    facts.sensitive_data = coin();
    facts.no_capital = coin();
    facts.no_staff = coin();
    std::set<std::string> given;
    const auto maybe = [&](std::optional<double>& field, double scale) {
      if (!coin()) return;
      field = number(scale);
      for (const std::string& text :
           {human_number(std::fabs(*field), 4), human_number(std::fabs(*field) * 100, 3), dollars_text(*field)})
        given.merge(numbers_in(text));
    };
    given.merge(numbers_in(human_number(facts.workloads, 4)));
    given.merge(numbers_in(human_number(facts.bound_workloads, 4)));
    maybe(facts.mean_to_peak, 1);
    maybe(facts.utilization, 1);
    maybe(facts.break_even_utilization, 1.5);
    // What owning would have to cost less follows from it.
    if (facts.break_even_utilization)
      given.merge(numbers_in(human_number(100 * (1 - 1 / *facts.break_even_utilization))));
    maybe(facts.rent_change_per_year, coin() ? -0.3 : 0.3);
    maybe(facts.horizon_years, 8);
    maybe(facts.economic_life_years, 6);
    maybe(facts.growth_per_year, coin() ? -0.5 : 1);
    maybe(facts.start_within_days, 200);
    maybe(facts.budget_usd, 1e7);
    maybe(facts.capex_usd, 1e7);
    maybe(facts.hybrid_capex_usd, 1e7);
    maybe(facts.site_power_kw, 1000);
    maybe(facts.power_kw, 1000);
    maybe(facts.hybrid_power_kw, 1000);
    maybe(facts.egress_tb_per_month, 1000);
    maybe(facts.egress_usd_per_year, 1e5);
    maybe(facts.rent_usd_per_year, 1e6);
    std::set<std::string_view> ids;
    bool soft = false;
    for (const DecisionFactor& rule : fired_rules(facts)) {
      seen.insert(std::string(rule.rule()));
      EXPECT_TRUE(ids.insert(rule.rule()).second) << rule.rule();
      EXPECT_EQ(rule.decides(), !rule.excludes.empty());
      EXPECT_TRUE(rule.towards == "own" || rule.towards == "rent" || rule.towards == "hybrid");
      const std::string text = rule.says.text();
      EXPECT_EQ(text.back(), '.');
      for (const std::string& said : numbers_in(text)) EXPECT_EQ(given.count(said), 1U) << said << ": " << text;
      soft = soft || !rule.decides();
      EXPECT_TRUE(!rule.decides() || !soft) << "hard rules come first";
    }
  }
  // Every rule has fired.
  EXPECT_EQ(seen.size(), 24U);
}

WayCosts costs(std::optional<double> demand, std::optional<double> committed, std::optional<double> own,
               std::optional<double> hybrid = std::nullopt) {
  return {.rent_on_demand_usd = demand, .rent_committed_usd = committed, .own_usd = own, .hybrid_usd = hybrid};
}

/// By Way.
CheapestShares drawn(double demand, double committed, double own, double hybrid) {
  const std::array shares{demand, committed, own, hybrid};
  return {
      .of_way = shares,
      .ways = static_cast<double>(shares.size()) - static_cast<double>(std::count(shares.begin(), shares.end(), 0.0))};
}

TEST(Decide, TheCheapestWithItsMargin) {
  const WayChoice decision = choose_way(costs(500000, 400000, 300000, 350000), {}, drawn(0, 0, 0.9, 0.1));
  EXPECT_EQ(decision.way, Way::own);
  EXPECT_EQ(decision.next, Way::hybrid);
  EXPECT_NEAR(*decision.margin_share, 1.0 / 7, 1e-12);
  EXPECT_FALSE(decision.close);
  EXPECT_EQ(decision.says.text(),
            "Own: $300,000 a year, 14 % less than owning the base and renting the rest ($350,000).");
}

TEST(Decide, CloseByMarginOrByProbability) {
  EXPECT_TRUE(choose_way(costs(320000, {}, 300000), {}, drawn(0.1, 0, 0.9, 0)).close);
  EXPECT_TRUE(choose_way(costs(500000, {}, 300000), {}, drawn(0.4, 0, 0.6, 0)).close);
  EXPECT_FALSE(choose_way(costs(500000, {}, 300000), {}, drawn(0.25, 0, 0.75, 0)).close);
  EXPECT_FALSE(choose_way(costs(500000, 300000, {}), {}).close);
}

// The draws speak of the way that is recommended, among all that are open, and advise no other.
TEST(Decide, TheDrawsSpeakOfTheChosenWay) {
  const CheapestShares shares = drawn(0.2, 0, 0.25, 0.55);
  const WayChoice decision = choose_way(costs(850000, {}, 771000, 639000), {}, shares);
  const DecisionFactor rule = certainty_of(decision, shares);
  EXPECT_EQ(rule.towards, "hybrid");
  EXPECT_EQ(rule.rule(), "cheapest-share");
  EXPECT_FALSE(rule.decides());
  EXPECT_EQ(rule.says.text(),
            "In 55 % of the simulations, owning the base and renting the rest costs least of the 3 open options.");
}

TEST(Decide, WholeMachinesAreSaid) {
  WayCosts of = costs(850000, {}, 771000, 639000);
  of.hybrid_own_gpus = 16;
  of.hybrid_rented_gpus = 24;
  of.needed_gpus = 36;
  EXPECT_EQ(choose_way(of, {}).says.text(),
            "Own 16 GPUs and rent up to 24 more (in whole machines; 36 are needed): $639,000 a year, 17 % "
            "less than owning ($771,000).");
  of.needed_gpus = 40;
  EXPECT_EQ(choose_way(of, {}).says.text(),
            "Own 16 GPUs and rent up to 24 more: $639,000 a year, 17 % less than owning ($771,000).");
}

TEST(Decide, HardRulesExcludeWithTheirReasons) {
  DecisionFacts facts;
  facts.no_capital = true;
  const auto rules = fired_rules(facts);
  const WayChoice decision = choose_way(costs(500000, 400000, 300000, 350000), rules);
  EXPECT_EQ(decision.way, Way::rent_committed);
  EXPECT_EQ(decision.next, Way::rent_on_demand);
  ASSERT_EQ(decision.excluded.size(), 2U);
  EXPECT_EQ(decision.excluded[0].way, Way::own);
  EXPECT_EQ(decision.excluded[0].reason, rules[0].says);
}

TEST(Decide, WithoutAnOfferByTheHourACommitmentIsLeft) {
  DecisionFacts facts;
  facts.no_offer = say("no-offer/by-the-hour");
  EXPECT_EQ(choose_way(costs({}, 2, 3), fired_rules(facts)).way, Way::own);
  facts.for_terms = true;
  const WayChoice decision = choose_way(costs({}, 2, 3), fired_rules(facts));
  EXPECT_EQ(decision.way, Way::rent_committed);
  EXPECT_EQ(decision.next, Way::own);
  EXPECT_TRUE(decision.not_compared.empty());
}

TEST(Decide, TheOnlyWayLeftNeedsNoPrice) {
  DecisionFacts facts;
  facts.sovereignty = Sovereignty::air_gapped;
  const WayChoice decision = choose_way(costs(500000, 400000, {}), fired_rules(facts));
  EXPECT_EQ(decision.way, Way::own);
  EXPECT_FALSE(decision.next.has_value());
  EXPECT_FALSE(decision.margin_share.has_value());
  EXPECT_EQ(decision.excluded.size(), 3U);
  EXPECT_EQ(decision.says.text(),
            "Own; its cost is not known. For this GPU no other option remains. Data must stay on your own premises "
            "(sovereignty air-gapped), so renting is ruled out.");
}

TEST(Decide, NoWayIsLeft) {
  DecisionFacts facts;
  facts.sovereignty = Sovereignty::on_premises;
  facts.no_capital = true;
  const WayChoice decision = choose_way(costs(500000, 400000, 300000, 350000), fired_rules(facts));
  EXPECT_FALSE(decision.way.has_value());
  EXPECT_EQ(decision.excluded.size(), 4U);
  EXPECT_EQ(
      decision.says.text(),
      "No option remains. Data must stay on your own premises (sovereignty on-premises), so renting is ruled out. "
      "There is no capital to buy with, so owning is ruled out.");
}

TEST(Decide, MissingPricesAreNamed) {
  const WayChoice some = choose_way(costs(500000, {}, {}), {});
  EXPECT_EQ(some.way, Way::rent_on_demand);
  EXPECT_EQ(some.not_compared, (std::vector<Way>{Way::own}));
  const WayChoice none = choose_way(costs({}, {}, {}), {});
  EXPECT_FALSE(none.way.has_value());
  EXPECT_EQ(none.not_compared.size(), 2U);
  EXPECT_EQ(none.says.text(), "None of the remaining options has a known cost.");
}

TEST(Decide, NoOtherWayThatIsLeftIsCheaper) {
  const random::Stream stream(4, 0);
  std::uint64_t at = 0;
  for (int round = 0; round < 500; ++round) {
    const auto cost = [&]() -> std::optional<double> {
      if (stream.uniform(at++) < 0.2) return std::nullopt;
      return 1e6 * stream.uniform(at++);
    };
    const WayCosts of{cost(), cost(), cost(), cost()};
    DecisionFacts facts;
    facts.no_capital = stream.uniform(at++) < 0.3;
    if (stream.uniform(at++) < 0.3) facts.ownership = Ownership::dgx;
    const auto rules = fired_rules(facts);
    const WayChoice decision = choose_way(of, rules);
    for (const Way way : kWays) {
      const bool out =
          std::any_of(rules.begin(), rules.end(), [&](const auto& rule) { return rule.excludes.has(way); });
      EXPECT_FALSE(out && (decision.way == way || decision.next == way));
      if (out || !of.of(way) || !decision.way || !of.of(*decision.way)) continue;
      EXPECT_LE(*of.of(*decision.way), *of.of(way));
      if (way == *decision.way) continue;
      EXPECT_LE(*decision.margin_share * *of.of(*decision.next), *of.of(way) - *of.of(*decision.way) + 1e-9);
    }
  }
}

}  // namespace
}  // namespace podwright::decision_rules_test
