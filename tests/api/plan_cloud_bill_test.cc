#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "api/plan_example.h"
#include "catalog/catalog.h"

namespace podwright::plan_cloud_bill_test {
namespace {

using namespace plan_example;

double cloud_of(const JsonNode& answer, std::string_view key) {
  return number(answer, {"plans", "0", "cost", "cloud", key});
}

/// The catalog with the cloud prices of one provider alone.
Catalog only(std::string_view provider) {
  Catalog catalog = embedded_catalog_facts();
  auto& rows = catalog.cloud_prices;
  rows.erase(std::remove_if(rows.begin(), rows.end(), [&](const CloudPrice& row) { return row.provider != provider; }),
             rows.end());
  return catalog;
}

void take_egress_away(Catalog& catalog) {
  auto& rows = catalog.cloud_data_prices;
  rows.erase(std::remove_if(rows.begin(), rows.end(), [&](const CloudDataPrice& row) { return !row.stored; }),
             rows.end());
}

bool fires(const JsonNode& answer, std::string_view rule) {
  const JsonNode* factors = find(answer, {"plans", "0", "decision_factors"});
  for (std::size_t i = 0; factors != nullptr && i < factors->items.size(); ++i)
    if (factors->items[i].find("rule")->text == rule) return true;
  return false;
}

/// Parts at the prices of the start that are there.
double sum_of_parts(const JsonNode& answer) {
  double sum = 0;
  for (const char* part : {"compute", "license", "storage", "egress", "support"})
    if (const JsonNode* value = find(answer, {"plans", "0", "cost", "cloud", std::string(part) + "_usd_per_year"}))
      sum += value->number;
  return sum;
}

TEST(PlanCloudBill, PartsAddUp) {
  const JsonNode answer = answer_of(
      chat(kH100, R"({"storage_tb":100,"storage_usd_per_gb_month":0.02,"egress_gb_per_month":50000,"egress_tiers":[
      {"up_to_gb":10000,"usd_per_gb":0.09},{"usd_per_gb":0.05}],"cloud_support_fraction":0.05,
      "cloud_support_usd_per_month":1000})"));
  EXPECT_NEAR(cloud_of(answer, "storage_usd_per_year"), 1e5 * 0.02 * 12, 1e-6);
  EXPECT_NEAR(cloud_of(answer, "egress_usd_per_year"), (10000 * 0.09 + 40000 * 0.05) * 12, 1e-6);
  EXPECT_NEAR(cloud_of(answer, "support_usd_per_year"),
              0.05 * (sum_of_parts(answer) - cloud_of(answer, "support_usd_per_year")) + 12000, 1e-6);
  EXPECT_NEAR(cloud_of(answer, "as_needed_usd_per_year"), sum_of_parts(answer), 1e-6);
}

TEST(PlanCloudBill, IsThatOfACostRequest) {
  const std::string data = R"("egress_gb_per_month":12000)";
  const Catalog aws = only("aws");
  const JsonNode plan = answer_of(aws, chat(kH100, "{" + data + "}"));
  const JsonNode cost = answer_of(
      aws, R"({"kind":"cost","gpu_count":8,"horizon_years":4,"utilization":0.5,"gpu":"h100-sxm5-80gb","cloud":{)" +
               data + "}}");
  EXPECT_GT(cloud_of(plan, "egress_usd_per_year"), 0);
  EXPECT_EQ(cloud_of(plan, "egress_usd_per_year"), number(cost, {"cloud", "egress_usd_per_year"}));
}

TEST(PlanCloudBill, APriceThatIsTakenAwayLeavesNoSum) {
  Catalog aws = only("aws");
  const std::string request = chat(kH100, R"({"egress_gb_per_month":12000})");
  const JsonNode before = answer_of(aws, request);
  EXPECT_GT(cloud_of(before, "as_needed_usd_per_year"),
            cloud_of(answer_of(aws, chat(kH100)), "as_needed_usd_per_year"));
  take_egress_away(aws);
  const JsonNode after = answer_of(aws, request);
  EXPECT_EQ(find(after, {"plans", "0", "cost", "cloud", "as_needed_usd_per_year"}), nullptr);
  EXPECT_EQ(find(after, {"plans", "0", "cost", "break_even"}), nullptr);
  ASSERT_NE(find(after, {"plans", "0", "cost", "cloud", "missing", "0"}), nullptr);
  EXPECT_NE(find(after, {"plans", "0", "cost", "cloud", "missing", "0"})->text.find("egress_usd_per_gb"),
            std::string::npos);
}

TEST(PlanCloudBill, MuchEgressIsAReason) {
  const Catalog aws = only("aws");
  EXPECT_FALSE(fires(answer_of(aws, chat(kH100)), "much-egress"));
  EXPECT_TRUE(fires(answer_of(aws, chat(kH100, R"({"egress_gb_per_month":1000000})")), "much-egress"));
}

// Nobody said how much of the data lies on which side: all of it is counted on the rented one.
TEST(PlanCloudBill, AHybridCountsAllData) {
  const std::string serving =
      R"("type":"serving","model":"llama-3.1-8b","peak_requests_per_s":60,"mean_requests_per_s":5,"input_tokens":1500,
      "output_tokens":400)";
  const auto mixed = [&](const std::string& economics) {
    return number(answer_of(R"({"kind":"plan","workloads":[{"name":"files","sovereignty":"on-premises",)" + serving +
                            R"(},{"name":"shop",)" + serving +
                            R"(}],"constraints":{"gpus":["h100-sxm5-80gb"]},"options":{"draws":0},"economics":)" +
                            economics + "}"),
                  {"plans", "0", "cost", "hybrid", "usd_per_year"});
  };
  const double bare = mixed("{}");
  EXPECT_NEAR(mixed(R"({"egress_gb_per_month":10,"egress_usd_per_gb":0.09})") - bare, 10 * 0.09 * 12, 1e-6);
  EXPECT_NEAR(mixed(R"({"cloud_support_usd_per_month":100})") - bare, 1200, 1e-6);
}

const std::string kLicensed = R"({"license":"nvidia-ai-enterprise"})";

TEST(PlanLicence, IsCountedOnBothSidesOrOnNone) {
  const JsonNode with = answer_of(chat(kH100, kLicensed));
  const JsonNode without = answer_of(chat(kH100));
  const double gpus = number(with, {"plans", "0", "architecture", "gpus"});
  EXPECT_NEAR(number(with, {"plans", "0", "cost", "on_premises", "license_usd_per_year"}), 4500 * gpus, 1e-6);
  EXPECT_EQ(number(without, {"plans", "0", "cost", "on_premises", "license_usd_per_year"}), 0);
  // 1 USD for every GPU-hour of the market, while the instances stand.
  const double price = cloud_of(with, "usd_per_gpu_hour");
  EXPECT_NEAR(cloud_of(with, "license_usd_per_year"), cloud_of(with, "compute_usd_per_year") / price, 1e-6);
  EXPECT_EQ(find(without, {"plans", "0", "cost", "cloud", "license_usd_per_year"}), nullptr);
  EXPECT_NEAR(cloud_of(with, "as_needed_usd_per_year") - cloud_of(without, "as_needed_usd_per_year"),
              cloud_of(with, "license_usd_per_year"), 1e-6);
  EXPECT_NEAR(number(with, {"plans", "0", "cost", "on_premises", "annual_usd"}) -
                  number(without, {"plans", "0", "cost", "on_premises", "annual_usd"}),
              4500 * gpus, 1e-6);
}

TEST(PlanLicence, OfCommittedMachinesIsPaidAllTheTime) {
  const JsonNode answer = answer_of(chat(kH100, kLicensed));
  const auto committed = [&](std::string_view key) { return number(answer, {"plans", "0", "cost", "committed", key}); };
  EXPECT_NEAR(committed("license_usd_per_year"), committed("compute_usd_per_year") / committed("usd_per_gpu_hour"),
              1e-6);
}

// Of every price that a plan may take: without it the sum of renting is the same or absent, never smaller.
TEST(PlanCloudBill, APriceThatIsTakenAwayNeverMakesRentingCheaper) {
  const Catalog whole = only("aws");
  // Rented on the same layout, whatever owning another costs.
  const std::string request = chat(R"({"gpus":["h100-sxm5-80gb"],"ownership":"cloud"})",
                                   R"({"egress_gb_per_month":12000,"storage_tb":10,
      "storage_usd_per_gb_month":0.02,"license":"nvidia-ai-enterprise"})",
                                   R"({"top":1,"draws":0})");
  const double before = cloud_of(answer_of(whole, request), "as_needed_usd_per_year");
  std::size_t absent = 0;
  Catalog catalog = whole;
  for (std::size_t i = 0; i < whole.purchase_prices.size(); ++i) {
    catalog.purchase_prices.erase(catalog.purchase_prices.begin() + static_cast<std::ptrdiff_t>(i));
    const JsonNode answer = answer_of(catalog, request);
    const JsonNode* total = find(answer, {"plans", "0", "cost", "cloud", "as_needed_usd_per_year"});
    if (total == nullptr) {
      ++absent;
      EXPECT_NE(find(answer, {"plans", "0", "cost", "cloud", "missing", "0"}), nullptr) << whole.purchase_prices[i].id;
    } else {
      EXPECT_EQ(total->number, before) << whole.purchase_prices[i].id;
    }
    catalog.purchase_prices = whole.purchase_prices;
  }
  EXPECT_EQ(absent, 1u) << "licences";
}

}  // namespace
}  // namespace podwright::plan_cloud_bill_test
