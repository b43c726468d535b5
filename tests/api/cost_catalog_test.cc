// What a `cost` request takes from the catalog: nothing of it can be taken away unnoticed.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cost/rent.h"
#include "support/ask.h"

namespace podwright::cost_catalog_test {
namespace {

bool says(const JsonNode* list, std::string_view part) {
  return list != nullptr && std::any_of(list->items.begin(), list->items.end(), [&](const JsonNode& item) {
           const JsonNode* message = item.is_object() ? item.find("message") : &item;
           return message != nullptr && message->text.find(part) != std::string::npos;
         });
}

JsonNode answer_with(const Catalog& catalog, const std::string& request) {
  const auto answer = parse_json(answer_request(catalog, request).text);
  EXPECT_TRUE(answer);
  return answer ? *answer : JsonNode{};
}

/// A colocation in Germany, whose price of energy is in euro.
const std::string kGermany =
    R"({"kind":"cost","gpu":"h100-sxm5-80gb","gpu_count":8,"horizon_years":3,"utilization":0.6,"uncertainty":{"draws":100},
        "on_premises":{"servers_usd":285000,"it_power_kw":10.2,"region":"DEU","facility":{"mode":"colocation"},
          "license_usd_per_gpu_year":4500},
        "cloud":{"provider":"coreweave","storage_gb":1000,"egress_gb_per_month":100},"carbon":{}})";

struct Totals {
  std::optional<double> own;
  std::optional<double> rent;
  std::optional<double> carbon;
};
std::optional<double> at(const JsonNode& answer, const char* object, const char* key) {
  const JsonNode* node = answer.find(object) == nullptr ? nullptr : answer.find(object)->find(key);
  return node == nullptr ? std::nullopt : std::optional(node->number);
}
Totals totals(const JsonNode& answer) {
  return {at(answer, "on_premises", "npv_usd"), at(answer, "cloud", "npv_usd"),
          at(answer, "carbon", "kg_co2e_per_year")};
}

/// Without a fact a total is the same, or it is absent and says why. True where it is absent.
bool absent_or_same(const JsonNode& answer, const char* object, const std::optional<double>& now,
                    const std::optional<double>& whole, const std::string& without) {
  if (now) {
    EXPECT_EQ(*now, *whole) << object << " without " << without;
    return false;
  }
  const JsonNode* missing = answer.find(object) == nullptr ? nullptr : answer.find(object)->find("missing");
  EXPECT_TRUE(missing != nullptr && !missing->items.empty()) << object << " without " << without;
  return true;
}

TEST(CostFacts, NoneCanBeTakenAwayUnnoticed) {
  Catalog catalog = embedded_catalog_facts();
  const Totals whole = totals(answer_with(catalog, kGermany));
  ASSERT_TRUE(whole.own && whole.rent && whole.carbon);
  std::set<std::string> needed;
  const auto look = [&](const std::string& without) {
    const JsonNode answer = answer_with(catalog, kGermany);
    const Totals now = totals(answer);
    const bool own = absent_or_same(answer, "on_premises", now.own, whole.own, without);
    const bool rent = absent_or_same(answer, "cloud", now.rent, whole.rent, without);
    const bool carbon =
        !own && absent_or_same(answer, "carbon", now.carbon, whole.carbon, without);  // without power there is none
    if (own || rent || carbon) needed.insert(without);
  };
  const auto each = [&](auto& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto row = rows[i];
      const auto place = rows.begin() + static_cast<std::ptrdiff_t>(i);
      rows.erase(place);
      look(row.id.empty() ? row.origin : row.id);
      rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(i), row);
    }
  };
  each(catalog.purchase_prices);
  each(catalog.operating_figures);
  for (EnergyRegion& region : catalog.energy_regions) {
    const EnergyRegion kept = region;
    region.electricity_price_kwh.reset();
    look(kept.id + " price");
    region = kept;
    region.grid_gco2_per_kwh.reset();
    look(kept.id + " carbon");
    region = kept;
  }
  const std::set<std::string> expected{"colocation-retail-cage", "usd-per-eur", "DEU price", "DEU carbon"};
  for (const std::string& fact : expected) EXPECT_EQ(needed.count(fact), 1u) << fact;
  EXPECT_EQ(needed.size(), expected.size() + 1);  // and the row of the carbon in a GPU
}

/// Of three providers or more: the dearer of two may be the one that goes, and one who is left has the last word.
TEST(CostFacts, WithoutARowOfTheMarketTheBillNeverGetsSmaller) {
  const std::string request =
      R"({"kind":"cost","gpu":"h100-sxm5-80gb","gpu_count":8,"top":0,"cloud":{},"utilization":0.6})";
  Catalog catalog = embedded_catalog_facts();
  std::vector<CloudPrice>& rows = catalog.cloud_prices;
  rows.erase(
      std::remove_if(rows.begin(), rows.end(), [](const CloudPrice& row) { return row.gpu_id != "h100-sxm5-80gb"; }),
      rows.end());
  const auto providers = [&] { return rent_market(rows, {.gpu_id = "h100-sxm5-80gb", .gpu_count = 8}).providers; };
  double before = number_at(answer_with(catalog, request), "/cloud/usd_per_year");
  std::size_t steps = 0;
  while (providers() > 3) {
    const JsonNode answer = answer_with(catalog, request);
    EXPECT_GE(number_at(answer, "/cloud/usd_per_year"), before);
    before = number_at(answer, "/cloud/usd_per_year");
    const std::string instance = answer.find("cloud")->find("instance")->text;
    const std::string region = answer.find("cloud")->find("region")->text;
    const auto chosen = std::find_if(rows.begin(), rows.end(), [&](const CloudPrice& row) {
      return row.instance == instance && row.region == region && row.on_demand;
    });
    ASSERT_NE(chosen, rows.end());
    rows.erase(chosen);
    ++steps;
  }
  EXPECT_GE(steps, 10u);
  rows.clear();
  const JsonNode none = answer_with(catalog, request);
  EXPECT_TRUE(says(none.find("cloud")->find("missing"), "No dated source for the on-demand price"));
  EXPECT_TRUE(says(none.find("reasons"), "No dated source for the on-demand price"));
}

TEST(CostFacts, EurosAreConvertedAtTheMeanOfTheirYearUnlessARateIsGiven) {
  const JsonNode answer = ask(kGermany).answer;
  const double kwh = number_at(answer, "/on_premises/energy_per_year_kwh");
  EXPECT_NEAR(number_at(answer, "/on_premises/energy_usd_per_year"), kwh * 0.233 * 1.08, 1e-6);
  EXPECT_TRUE(
      says(answer.find("assumptions"), "converted at 1.08 USD for 1 EUR. The rate is that of ecb-euro-usd-2024"));
  const JsonNode given = ask(kGermany, R"({"on_premises":{"usd_per_currency":1.2}})").answer;
  EXPECT_NEAR(number_at(given, "/on_premises/energy_usd_per_year"), kwh * 0.233 * 1.2, 1e-6);
  // Rates do not touch prices in dollars.
  const JsonNode dollars = ask(kGermany, R"({"on_premises":{"region":"USA","usd_per_currency":1.2}})").answer;
  EXPECT_NEAR(number_at(dollars, "/on_premises/energy_usd_per_year"), kwh * 0.083, 1e-6);
  EXPECT_FALSE(says(dollars.find("assumptions"), "converted"));
}

// 1 + change is 1: no drift, and no quotient of nothings.
TEST(CostFacts, ADriftBelowRoundingIsNone) {
  const std::string none = R"({"cloud":{"price_change_per_year":0}})";
  for (const char* change : {"1e-17", "-1e-300", "5e-324"}) {
    std::string tiny = none;
    tiny.replace(tiny.find(":0}") + 1, 1, change);
    EXPECT_EQ(number_at(ask(kGermany, tiny).answer, "/cloud/usd_per_year"),
              number_at(ask(kGermany, none).answer, "/cloud/usd_per_year"))
        << change;
  }
}

TEST(CostFacts, EveryRegionOfTheTableHasAPriceInDollars) {
  for (const EnergyRegion& region : embedded_catalog_facts().energy_regions) {
    if (!region.electricity_price_kwh) continue;
    const JsonNode answer = ask(R"({"kind":"cost","gpu_count":1,"uncertainty":{"draws":100},
        "on_premises":{"servers_usd":1,"it_power_kw":1,"region":")" +
                                region.id + "\"}}")
                                .answer;
    EXPECT_NE(answer.find("on_premises")->find("npv_usd"), nullptr) << region.id;
  }
}

TEST(CostFacts, LicencesThatComeWithTheGpuAreTold) {
  const auto cautions = [](const std::string& gpu, const std::string& license, const std::string& years) {
    return *ask(R"({"kind":"cost","gpu_count":8,"uncertainty":{"draws":100},"gpu":")" + gpu + R"(","horizon_years":)" +
                years +
                R"(,"on_premises":{"servers_usd":285000,"it_power_kw":10.2,"region":"USA","license_usd_per_gpu_year":)" +
                license + "}}")
                .answer.find("on_premises");
  };
  for (const char* gpu : {"h100-pcie-80gb", "h100-nvl-94gb", "h200-nvl-141gb"}) {
    const JsonNode bundled = cautions(gpu, "4500", "5");
    EXPECT_TRUE(says(bundled.find("cautions"), "is sold with five years of NVIDIA AI Enterprise: $36,000 a year"));
    EXPECT_EQ(number_at(bundled, "/license_usd_per_year"), 36000);  // told, not taken away
    EXPECT_EQ(cautions(gpu, "0", "5").find("cautions"), nullptr) << gpu;
    EXPECT_TRUE(says(cautions(gpu, "4500", "6").find("cautions"), "brings five years of the licence along")) << gpu;
  }
  EXPECT_TRUE(says(cautions("h100-sxm5-80gb", "0", "5").find("cautions"),
                   "Licences are not counted. NVIDIA AI Enterprise is listed at $4,500 per GPU and year"));
  EXPECT_EQ(cautions("h100-sxm5-80gb", "4500", "5").find("cautions"), nullptr);
}

}  // namespace
}  // namespace podwright::cost_catalog_test
