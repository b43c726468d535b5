#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "support/ask.h"

namespace podwright::cost_test {
namespace {

const std::string kRented =
    R"({"kind":"cost","gpu_count":8,"horizon_years":5,"discount_rate":0.08,"utilization":0.6,
        "cloud":{"usd_per_gpu_hour":3.99}})";
const std::string kCatalogued =
    R"({"kind":"cost","gpu":"h100-sxm5-80gb","gpu_count":8,"horizon_years":3,"utilization":0.5,"as_of":"2026-11-21",
        "cloud":{}})";

bool says(const JsonNode* list, std::string_view part) {
  return list != nullptr && std::any_of(list->items.begin(), list->items.end(), [&](const JsonNode& item) {
           const JsonNode* text = item.is_object() ? item.find("message") : &item;
           return text != nullptr && text->text.find(part) != std::string::npos;
         });
}

TEST(Cost, RentByTheHourIsPaidForUse) {
  const JsonNode answer = ask(kRented).answer;
  const double year = 3.99 * 8 * 8760 * 0.6;
  EXPECT_NEAR(number_at(answer, "/cloud/usd_per_year"), year, 1e-6 * year);
  EXPECT_NEAR(number_at(answer, "/cloud/usd_per_gpu_hour_used"), 3.99, 1e-9);
  EXPECT_NEAR(number_at(answer, "/cloud/total_usd"), 5 * year, 1e-6 * year);
  EXPECT_NEAR(number_at(answer, "/cloud/npv_usd"), year / 0.2504564546, 1e-6 * year);
  EXPECT_EQ(answer.find("cloud")->find("by_year")->items.size(), 5u);
  EXPECT_EQ(answer.find("market"), nullptr);
}

TEST(Cost, TheCatalogsPriceComesWithItsRowAgeAndCaution) {
  const JsonNode answer = ask(kCatalogued).answer;
  const JsonNode& cloud = *answer.find("cloud");
  for (const char* key : {"provider", "instance", "region", "as_of", "source"})
    EXPECT_NE(cloud.find(key), nullptr) << key;
  EXPECT_GT(number_at(answer, "/cloud/age_days"), 0);
  EXPECT_TRUE(says(cloud.find("cautions"), "not a transaction price"));
  // On the day of the newest row, unless another is given; what is older than stale_days counts no more.
  EXPECT_GE(number_at(ask(kCatalogued, R"({"as_of":null})").answer, "/cloud/age_days"), 0);
  EXPECT_EQ(ask(kCatalogued, R"({"as_of":""})").outcome, Outcome::wrong_input);
  EXPECT_TRUE(says(ask(kCatalogued, R"({"stale_days":1})").answer.find("reasons"), "No dated source"));
}

TEST(Cost, TheMarketRanksEveryTerm) {
  const JsonNode answer = ask(kCatalogued, R"({"top":1000})").answer;
  const JsonNode& terms = *answer.find("market")->find("terms");
  ASSERT_EQ(terms.items.size(), 5u);
  for (const JsonNode& term : terms.items) {
    SCOPED_TRACE(term.find("term")->text);
    const JsonNode& ranking = *term.find("ranking");
    ASSERT_FALSE(ranking.items.empty());
    EXPECT_EQ(static_cast<double>(ranking.items.size()), term.find("offers")->number);
    for (std::size_t i = 1; i < ranking.items.size(); ++i)
      EXPECT_LE(ranking.items[i - 1].find("usd_per_hour")->number, ranking.items[i].find("usd_per_hour")->number);
    const double lowest = term.find("lowest_usd_per_gpu_hour")->number;
    const double highest = term.find("highest_usd_per_gpu_hour")->number;
    for (const JsonNode& offer : ranking.items) {
      EXPECT_GE(offer.find("usd_per_gpu_hour")->number, lowest);
      EXPECT_LE(offer.find("usd_per_gpu_hour")->number, highest);
    }
    EXPECT_GE(term.find("median_usd_per_gpu_hour")->number, lowest);
    EXPECT_LE(term.find("median_usd_per_gpu_hour")->number, highest);
  }
  EXPECT_EQ(number_at(answer, "/cloud/usd_per_gpu_hour"), terms.items[0].find("usd_per_gpu_hour")->number);
  EXPECT_TRUE(
      ask(kCatalogued, R"({"top":0})").answer.find("market")->find("terms")->items[0].find("ranking")->items.empty());
}

TEST(Cost, ProviderAndRegionChooseTheRow) {
  const JsonNode answer =
      ask(kCatalogued, R"({"cloud":{"provider":"aws","region":"us-east-1","min_instance_gpus":8}})").answer;
  EXPECT_EQ(answer.find("cloud")->find("instance")->text, "p5.48xlarge");
  EXPECT_NEAR(number_at(answer, "/cloud/usd_per_gpu_hour"), 6.88, 1e-9);
}

TEST(Cost, ACommitmentPaysForIdleHoursAndForItsLastTerm) {
  const JsonNode answer = ask(kRented, R"({"cloud":{"term":"reserved-3y"}})").answer;
  const double year = 3.99 * 8 * 8760;
  EXPECT_NEAR(number_at(answer, "/cloud/usd_per_year"), year, 1e-6 * year);
  EXPECT_NEAR(number_at(answer, "/cloud/idle_usd_per_year"), 0.4 * year, 1e-6 * year);
  EXPECT_NEAR(number_at(answer, "/cloud/total_usd"), 6 * year, 1e-6 * year);
  EXPECT_NEAR(number_at(answer, "/cloud/usd_per_gpu_hour_used"), 3.99 / 0.6, 1e-9);
  EXPECT_TRUE(says(answer.find("cloud")->find("cautions"), "billed in full"));
}

TEST(Cost, SpotCountsItsInterruptions) {
  const JsonNode answer = ask(kRented, R"({"cloud":{"usd_per_gpu_hour":2,"term":"spot",
      "spot":{"interruptions_per_hour":0.05,"checkpoint_s":180,"restart_s":600}}})")
                              .answer;
  EXPECT_NEAR(number_at(answer, "/cloud/spot/usd_per_gpu_hour_effective"), 2.1717, 5e-5);
  EXPECT_NEAR(number_at(answer, "/cloud/spot/goodput"), 1 - 0.07904, 5e-6);
  EXPECT_NEAR(number_at(answer, "/cloud/usd_per_gpu_hour_used"), 2.1717, 5e-5);
  const JsonNode without = ask(kRented, R"({"cloud":{"term":"spot"}})").answer;
  EXPECT_EQ(without.find("cloud")->find("usd_per_year"), nullptr);
  EXPECT_TRUE(says(without.find("cloud")->find("missing"), "interruptions"));
}

TEST(Cost, SpotThatCannotKeepUpIsInfeasible) {
  const Reply asked = ask(kRented, R"({"utilization":0.95,"cloud":{"term":"spot",
      "spot":{"interruptions_per_hour":0.4,"checkpoint_s":120,"restart_s":600}}})");
  EXPECT_EQ(asked.outcome, Outcome::infeasible);
  ASSERT_NE(asked.answer.find("reasons"), nullptr);
  EXPECT_EQ(asked.answer.find("reasons")->items[0].find("code")->text, "spot-cannot-keep-up");
  EXPECT_FALSE(asked.answer.find("reasons")->items[0].find("ways_out")->items.empty());
}

TEST(Cost, WhereNobodyOffersATermTheOthersAreTheWayOut) {
  const std::string request =
      R"({"kind":"cost","gpu":"h100-sxm5-80gb","gpu_count":8,"cloud":{"term":"reserved-1y","provider":"lambda"}})";
  const Reply asked = ask(request);
  EXPECT_EQ(asked.outcome, Outcome::infeasible);
  const JsonNode& reason = asked.answer.find("reasons")->items[0];
  EXPECT_EQ(reason.find("code")->text, "no-offer");
  ASSERT_FALSE(reason.find("ways_out")->items.empty());
  for (const JsonNode& patch : reason.find("ways_out")->items)
    EXPECT_EQ(ask(request, json_text(patch)).outcome, Outcome::answer) << json_text(patch);
}

TEST(Cost, APriceThatIsMissingLeavesTheTotalAbsent) {
  const JsonNode answer = ask(kRented, R"({"cloud":{"egress_gb_per_month":100,"storage_gb":10}})").answer;
  for (const char* key : {"usd_per_year", "total_usd", "npv_usd", "by_year", "usd_per_gpu_hour_used"})
    EXPECT_EQ(answer.find("cloud")->find(key), nullptr) << key;
  EXPECT_TRUE(says(answer.find("cloud")->find("missing"), "data leaving the cloud"));
  EXPECT_TRUE(says(answer.find("cloud")->find("missing"), "storage"));
  const JsonNode priced =
      ask(kRented, R"({"cloud":{"provider":"coreweave","egress_gb_per_month":100,"storage_gb":10}})").answer;
  EXPECT_NEAR(number_at(priced, "/cloud/storage_usd_per_year"), 10 * 0.06 * 12, 1e-9);
  EXPECT_EQ(number_at(priced, "/cloud/egress_usd_per_year"), 0);
}

/// Without one price of the catalog the answer has no total.
TEST(Cost, WithoutItsRowOfTheCatalogThereIsNoTotal) {
  const std::string request = R"({"kind":"cost","gpu":"h100-sxm5-80gb","gpu_count":8,
      "cloud":{"provider":"coreweave","egress_gb_per_month":100,"storage_gb":10}})";
  Catalog catalog = embedded_catalog_facts();
  const auto total = [&] {
    const auto answer = parse_json(answer_request(catalog, request).text);
    return answer->find("cloud") != nullptr && answer->find("cloud")->find("usd_per_year") != nullptr;
  };
  EXPECT_TRUE(total());
  for (const bool stored : {false, true}) {
    catalog = embedded_catalog_facts();
    auto& rows = catalog.cloud_data_prices;
    rows.erase(
        std::remove_if(rows.begin(), rows.end(), [&](const CloudDataPrice& row) { return row.stored == stored; }),
        rows.end());
    EXPECT_FALSE(total());
  }
  catalog = embedded_catalog_facts();
  for (CloudPrice& row : catalog.cloud_prices)
    if (row.provider == "coreweave") row.on_demand.reset();
  EXPECT_FALSE(total());
}

TEST(Cost, AHostedInterfaceIsPricedByTheToken) {
  const JsonNode answer = ask(kRented, R"({"hosted_api":{"input_usd_per_million_tokens":1.32,
      "cached_input_usd_per_million_tokens":0.044,"output_usd_per_million_tokens":3.96,"output_share":0.25,
      "cached_share":0.25,"tokens_per_month":115.2e6}})")
                              .answer;
  EXPECT_NEAR(number_at(answer, "/hosted_api/usd_per_million_tokens"), 1.740750, 1e-6);
  EXPECT_NEAR(number_at(answer, "/hosted_api/usd_per_month"), 115.2 * 1.74075, 1e-6);
  const JsonNode requests = ask(kRented, R"({"hosted_api":{"input_usd_per_million_tokens":1.5,
      "output_usd_per_million_tokens":2,"output_share":0.3,"input_tokens_per_request":500,
      "output_tokens_per_request":200}})")
                                .answer;
  EXPECT_NEAR(number_at(requests, "/hosted_api/usd_per_1000_requests"), 1.15, 1e-12);
}

TEST(Cost, TheWorkloadsRatesMakePricesOfWork) {
  const JsonNode answer = ask(kRented, R"({"gpu_count":1,"cloud":{"usd_per_gpu_hour":2.69},
      "workload":{"input_tokens_per_s":14539.52687496298,"output_tokens_per_s":3017.6797771705747,
                  "requests_per_s":129.23401451464562,"training_gpu_hours":100,"goodput":0.8},
      "hosted_api":{"input_usd_per_million_tokens":1,"output_usd_per_million_tokens":4}})")
                              .answer;
  EXPECT_NEAR(number_at(answer, "/cloud/usd_per_million_input_tokens"), 0.05139247, 6e-8);
  EXPECT_NEAR(number_at(answer, "/cloud/usd_per_million_output_tokens"), 0.24761482, 3e-7);
  EXPECT_NEAR(number_at(answer, "/cloud/usd_per_1000_requests"), 0.00578193, 1e-8);
  EXPECT_NEAR(number_at(answer, "/cloud/usd_per_training_run"), 269 / 0.8, 1e-9);
  const double flow = (14539.52687496298 + 3017.6797771705747) * 0.6;
  const double share = 3017.6797771705747 / (14539.52687496298 + 3017.6797771705747);
  EXPECT_NEAR(number_at(answer, "/hosted_api/usd_per_year"), (1 + 3 * share) * flow * 31.536, 1e-3);
}

TEST(Cost, PublishedBreakEvensTellTheirPrice) {
  const JsonNode answer = ask(kRented, R"({"published_break_evens":[
      {"capex_usd":250141.8,"operation_usd_per_hour":6.37,"break_even_months":6},
      {"capex_usd":250141.8,"operation_usd_per_hour":6.37,"break_even_months":9.3},
      {"capex_usd":250141.8,"operation_usd_per_hour":6.37,"break_even_months":10.4}]})")
                              .answer;
  EXPECT_NEAR(number_at(answer, "/published_break_evens/0/implied_usd_per_hour"), 63.48, 0.6348);
  EXPECT_NEAR(number_at(answer, "/published_break_evens/1/implied_usd_per_hour"), 43.22, 0.4322);
  EXPECT_NEAR(number_at(answer, "/published_break_evens/2/implied_usd_per_hour"), 39.32, 0.3932);
}

TEST(Cost, DefaultsAreListedWithTheirSource) {
  const JsonNode answer =
      ask(R"({"kind":"cost","gpu_count":8,"on_premises":{"servers_usd":285000},"cloud":{"usd_per_gpu_hour":3}})")
          .answer;
  std::vector<std::string> paths;
  for (const JsonNode& assumption : answer.find("assumptions")->items) {
    if (assumption.find("path") == nullptr) continue;
    paths.push_back(assumption.find("path")->text);
    EXPECT_FALSE(assumption.find("source")->text.empty());
  }
  for (const char* path : {"/horizon_years", "/discount_rate", "/utilization", "/on_premises/network_usd",
                           "/on_premises/facility/mode", "/cloud/term", "/uncertainty/seed"})
    EXPECT_EQ(std::count(paths.begin(), paths.end(), path), 1) << path;
}

}  // namespace
}  // namespace podwright::cost_test
