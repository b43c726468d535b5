#include <gtest/gtest.h>

#include <string>

#include "api/plan_example.h"

namespace podwright::plan_decision_test {
namespace {

using namespace plan_example;

constexpr std::string_view kFrance = R"({"region":"FRA"})";

/// The first message of this code in a list of them; null where there is none.
const JsonNode* said(const JsonNode* list, std::string_view code) {
  for (std::size_t i = 0; list != nullptr && i < list->items.size(); ++i)
    if (list->items[i].find("code")->text == code) return &list->items[i];
  return nullptr;
}

const JsonNode* flip(const JsonNode& answer, std::string_view code) {
  return said(answer.find("what_would_change_the_decision"), code);
}

std::string way_of(const JsonNode& answer) { return find(answer, {"plans", "0", "way"})->text; }

const JsonNode* drawn(const JsonNode& answer, std::string_view key) {
  return find(answer, {"plans", "0", "cost", "distribution", key});
}

/// The headline of a figure of the first plan.
const JsonNode* headline(const JsonNode& answer, std::string_view id) {
  const JsonNode* all = find(answer, {"plans", "0", "headlines"});
  for (const JsonNode& one : all->items)
    if (one.find("id")->text == id) return &one;
  return nullptr;
}

/// Interval of the yearly cost, totals by the end of each year, and what would change the decision.
void expect_signable(const JsonNode& answer, std::string_view fan) {
  const JsonNode* cost = headline(answer, "cost_per_year");
  ASSERT_NE(cost, nullptr);
  EXPECT_NE(cost->find("low"), nullptr);
  const JsonNode* paid = drawn(answer, "paid_by_year");
  ASSERT_NE(paid, nullptr);
  ASSERT_EQ(paid->items.size(), 5U);
  double before = -1;
  for (const JsonNode& year : paid->items) {
    ASSERT_NE(year.find(fan), nullptr) << fan;
    EXPECT_GT(number(year, {fan, "p50"}), before);
    before = number(year, {fan, "p50"});
    EXPECT_LE(number(year, {fan, "p5"}), number(year, {fan, "p95"}));
  }
  EXPECT_FALSE(answer.find("what_would_change_the_decision")->items.empty());
}

TEST(PlanDecision, OwnedOnlyHasIntervalTotalsAndFlips) {
  const JsonNode answer = answer_of(chat(R"({"sovereignty":"on-premises"})"));
  ASSERT_EQ(way_of(answer), "own");
  expect_signable(answer, "own_usd");
  EXPECT_EQ(drawn(answer, "rent_usd_per_year"), nullptr);
  EXPECT_NE(headline(answer, "purchase")->find("low"), nullptr);
}

TEST(PlanDecision, RentedOnlyHasIntervalTotalsAndFlips) {
  const JsonNode answer = answer_of(chat(R"({"ownership":"cloud"})"));
  ASSERT_EQ(way_of(answer), "rent-on-demand");
  expect_signable(answer, "rent_usd");
  EXPECT_EQ(drawn(answer, "own_usd_per_year"), nullptr);
  EXPECT_EQ(find(answer, {"plans", "0", "cost", "tornado"}), nullptr);
  // The bill compared is among the draws.
  const double bill = number(answer, {"plans", "0", "ranked_by_usd_per_year"});
  EXPECT_LT(number(answer, {"plans", "0", "cost", "distribution", "rent_usd_per_year", "p5"}), bill);
  EXPECT_GT(number(answer, {"plans", "0", "cost", "distribution", "rent_usd_per_year", "p95"}), bill);
}

std::string busy_chat(const std::string& constraints) {
  return R"({"kind":"plan","workloads":[{"name":"chat","type":"serving","model":"llama-3.1-70b","peak_requests_per_s":50,
  "mean_requests_per_s":30,"input_tokens":2048,"output_tokens":512,"ttft_s_p95_max":2,"tpot_s_p95_max":0.05}],
  "constraints":)" +
         constraints + R"(,"options":{"top":5,"draws":2000}})";
}
const std::string kThree = R"({"gpus":["h100-sxm5-80gb","h200-sxm5-141gb","b200-sxm"]})";

TEST(PlanDecision, MixedHasIntervalTotalsAndFlips) {
  const JsonNode answer = answer_of(busy_chat(kThree));
  ASSERT_EQ(way_of(answer), "hybrid");
  expect_signable(answer, "hybrid_usd");
  // Before the first year the purchase is paid.
  const double purchase = number(answer, {"plans", "0", "cost", "hybrid", "capex_usd"});
  const auto start = [&](std::string_view share) {
    return number(answer, {"plans", "0", "cost", "distribution", "paid_by_year", "0", "hybrid_usd", share});
  };
  EXPECT_LT(start("p5"), purchase);
  EXPECT_GT(start("p95"), purchase);
  EXPECT_NEAR(start("p50"), purchase, 0.1 * purchase);
}

TEST(PlanDecision, TheDrawsSpeakOfTheRecommendedWay) {
  const JsonNode answer = answer_of(busy_chat(kThree));
  const JsonNode* factors = find(answer, {"plans", "0", "decision_factors"});
  const JsonNode& last = factors->items.back();
  EXPECT_EQ(last.find("rule")->text, "cheapest-share");
  EXPECT_EQ(last.find("towards")->text, way_of(answer));
  EXPECT_GT(number(last, {"values", "probability"}), 0.5);
  EXPECT_EQ(number(last, {"values", "ways"}), 4);
}

TEST(PlanDecision, OneWayLeftSaysWhatWasRuledOutAndWhatComesNext) {
  const JsonNode answer = answer_of(chat(R"({"sovereignty":"on-premises"})"));
  const std::string decision = find(answer, {"plans", "0", "decision", "message"})->text;
  const std::string reason = find(answer, {"plans", "0", "decision_factors", "0", "text"})->text;
  EXPECT_NE(decision.find("For this GPU no other option remains. " + reason), std::string::npos) << decision;
  EXPECT_NE(decision.find("The next plan ("), std::string::npos) << decision;
  EXPECT_NE(decision.find(find(answer, {"plans", "1", "gpu_name"})->text), std::string::npos) << decision;
}

TEST(PlanDecision, AConstraintThatRulesAWayOutSaysWhatItCosts) {
  const std::string gpu = R"("gpus":["b200-sxm"])";
  const JsonNode bound = answer_of(busy_chat("{" + gpu + R"(,"no_capital":true})"));
  const JsonNode* lifted = flip(bound, "lifted/turns");
  ASSERT_NE(lifted, nullptr);
  EXPECT_EQ(find(*lifted, {"values", "constraint"})->text, "no_capital");
  const JsonNode free = answer_of(busy_chat("{" + gpu + "}"));
  EXPECT_NEAR(number(*lifted, {"values", "usd_per_year"}), number(free, {"plans", "0", "ranked_by_usd_per_year"}),
              1e-6);
}

TEST(PlanDecision, OffersWithoutACountryAreCountedAndNamed) {
  const JsonNode answer =
      answer_of(chat(R"({"gpus":["h100-sxm5-80gb"],"sovereignty":"in-country"})", std::string(kFrance)));
  const std::string text = json_text(*find(answer, {"plans", "0", "decision_factors"}));
  EXPECT_NE(text.find("without a named country ("), std::string::npos) << text;
  EXPECT_NE(text.find("Scaleway"), std::string::npos) << text;
  // In no country there is nothing to leave out.
  EXPECT_EQ(json_text(answer_of(chat(kH100))).find("without a named country"), std::string::npos);
}

// Exponents of the demand grow without end as the mean falls.
TEST(PlanDecision, AMeanNextToNothingIsPlannedOrRefused) {
  const auto with_mean = [](const char* mean) {
    std::string request = chat(kH100, "{}", R"({"draws":0})");
    request.replace(request.find("\"mean_requests_per_s\":25") + 22, 2, mean);
    return request;
  };
  for (const char* mean : {"0", "1e-6"}) EXPECT_FALSE(find(answer_of(with_mean(mean)), {"plans"})->items.empty());
  for (const char* mean : {"9e-7", "1e-9", "1e-300", "5e-324"})
    EXPECT_EQ(answer_request(embedded_catalog_facts(), with_mean(mean)).outcome, Outcome::wrong_input) << mean;
}

TEST(PlanDecision, DataMayStayInAUnion) {
  const std::string rented = R"({"gpus":["h100-sxm5-80gb"],"sovereignty":"in-country","ownership":"cloud"})";
  const JsonNode answer = answer_of(chat(rented, R"({"region":"EU27"})"));
  const JsonNode* country = find(answer, {"plans", "0", "cost", "cloud", "country"});
  ASSERT_NE(country, nullptr);
  const auto union_row =
      std::find_if(embedded_catalog_facts().energy_regions.begin(), embedded_catalog_facts().energy_regions.end(),
                   [](const EnergyRegion& row) { return row.id == "EU27"; });
  EXPECT_NE(union_row->members.find(country->text), std::string::npos) << country->text;
}

/// The catalog with the prices on demand of a GPU times `share`.
Catalog repriced(std::string_view gpu, double share) {
  Catalog catalog = embedded_catalog_facts();
  for (CloudPrice& row : catalog.cloud_prices)
    if (row.gpu_id == gpu && row.on_demand) row.on_demand = *row.on_demand * share;
  return catalog;
}

// Asked at the price that is named, the winner is another.
TEST(PlanDecision, ThePriceOfAnotherGpuTurnsTheChoiceWhereItSays) {
  const std::string request = chat(R"({"gpus":["h100-sxm5-80gb","b200-sxm"],"ownership":"cloud"})");
  const JsonNode answer = answer_of(request);
  const auto winner = [](const JsonNode& of) { return find(of, {"plans", "0", "gpu"})->text; };
  for (const char* code : {"price-below", "price-above"}) {
    const JsonNode* found = flip(answer, code);
    ASSERT_NE(found, nullptr) << code;
    const bool below = std::string_view(code) == "price-below";
    const double share = number(*found, {"values", "at_usd"}) / number(*found, {"values", "now_usd"});
    const std::string first = winner(answer);
    const std::string moved = below == (first == "h100-sxm5-80gb") ? "b200-sxm" : "h100-sxm5-80gb";
    EXPECT_EQ(winner(answer_of(repriced(moved, share * (below ? 1.001 : 0.999)), request)), first) << code;
    EXPECT_NE(winner(answer_of(repriced(moved, share * (below ? 0.999 : 1.001)), request)), first) << code;
  }
}

TEST(PlanDecision, PaidGpuHoursAreSaidOfAll) {
  const JsonNode answer = answer_of(chat(R"({"gpus":["h100-sxm5-80gb"],"ownership":"cloud"})"));
  const JsonNode* paid = said(find(answer, {"plans", "0", "reasons"}), "follows-load");
  ASSERT_NE(paid, nullptr);
  const auto cloud = [&](std::string_view key) { return number(answer, {"plans", "0", "cost", "cloud", key}); };
  EXPECT_NEAR(number(*paid, {"values", "paid_gpu_hours"}) * cloud("usd_per_gpu_hour"), cloud("compute_usd_per_year"),
              1);
  EXPECT_NEAR(number(*paid, {"values", "all_gpu_hours"}) * cloud("usd_per_gpu_hour"), cloud("always_on_usd_per_year"),
              1);
  EXPECT_NEAR(cloud("rented_gpus_mean"), number(*paid, {"values", "mean_gpus"}), 1e-9);
}

}  // namespace
}  // namespace podwright::plan_decision_test
