#include "catalog/check.h"

#include <gtest/gtest.h>

#include "catalog/files.h"

namespace podwright::check_test {
namespace {

using test::kGpu;
using test::kSources;
using test::read;
using test::text_of;

std::vector<std::string> problems_of(const std::vector<EmbeddedText>& files) {
  const Result<Catalog> catalog = read(files);
  EXPECT_TRUE(catalog) << (catalog ? "" : text_of(catalog.error()));
  return catalog ? check_catalog(*catalog, "2026-11-20", 1e9).problems : std::vector<std::string>{};
}

constexpr std::string_view kCloudHead =
    "provider,instance,gpu,gpu_id,gpu_count,gpu_memory_gb,region,country,segment,on_demand_usd_per_hour,"
    "spot_usd_per_hour,reserved_1y_usd_per_hour,reserved_3y_usd_per_hour,contract_usd_per_hour,contract,"
    "contract_days_least,contract_days_most,machine_gpus,network,min_gpus,stock,as_of,as_of_printed,source,note\n";

/// Problems of one made-up price row: memory, then the four prices.
std::vector<std::string> price_row_problems(std::string_view memory_and_prices,
                                            std::string_view gpu_id = "example-gpu") {
  const std::string_view cells = memory_and_prices;
  const std::size_t comma = cells.find(',');
  std::string row(kCloudHead);
  row += "cloud,big,Example," + std::string(gpu_id) + ",8," + std::string(cells.substr(0, comma)) + ",here,,neocloud," +
         std::string(cells.substr(comma + 1)) + ",,,,,8,,,,2026-06,,list,\n";
  return problems_of({{"gpus/example-gpu.json", kGpu}, {"sources.json", kSources}, {"prices_cloud.csv", row}});
}

TEST(PriceHygiene, AcceptsAnOrdinaryRow) { EXPECT_TRUE(price_row_problems("80,80,30,60,40").empty()); }

// What docs/method/prices.md refuses, one row for each reason.
TEST(PriceHygiene, RefusesEachOfItsReasons) {
  EXPECT_EQ(price_row_problems("80,0,,,").size(), 1u);     // a price of 0
  EXPECT_EQ(price_row_problems("80,40,41,,").size(), 1u);  // on demand below spot
  EXPECT_EQ(price_row_problems("80,40,40,,").size(), 1u);  // on demand equal to spot
  EXPECT_EQ(price_row_problems("80,40,,41,").size(), 1u);  // one year above on demand
  EXPECT_EQ(price_row_problems("80,40,,,41").size(), 1u);  // three years above on demand
  EXPECT_GE(price_row_problems("80,700,,,").size(), 1u);   // a sentinel (and 87.5 per GPU)
  EXPECT_EQ(price_row_problems("0,40,,,").size(), 1u);     // no memory
  EXPECT_EQ(price_row_problems("80,0.3,,,").size(), 1u);   // 0.0375 USD per GPU-hour
  EXPECT_EQ(price_row_problems("80,488,,,").size(), 1u);   // 61 USD per GPU-hour
  EXPECT_TRUE(price_row_problems("80,480,,,").empty());    // 60 is legal
}

TEST(CatalogCheck, FindsAReferenceToNothing) {
  const std::vector<std::string> problems = price_row_problems("80,80,,,", "no-such-gpu");
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("no-such-gpu"), std::string::npos);
}

TEST(CatalogCheck, FindsADanglingSource) {
  const std::vector<std::string> problems = problems_of(
      {{"gpus/example-gpu.json", kGpu}, {"sources.json", R"([{"id": "other", "title": "Another", "kind": "paper"}])"}});
  ASSERT_EQ(problems.size(), 4u);
  EXPECT_EQ(problems[0].find("catalog/gpus/example-gpu: "), 0u);
  EXPECT_NE(problems[0].find("\"sheet\""), std::string::npos);
}

TEST(CatalogCheck, FindsAnAliasOfNothing) {
  EXPECT_EQ(problems_of({{"sources.json", kSources}, {"aliases.json", R"({"gpus": {"x": "y"}})"}}).size(), 1u);
}

TEST(CatalogCheck, FindsASlipOfAUnit) {
  const auto with = [](std::string_view old_piece, std::string_view new_piece) {
    std::string text(kGpu);
    text.replace(text.find(old_piece), old_piece.size(), new_piece);
    return problems_of({{"gpus/example-gpu.json", text}, {"sources.json", kSources}});
  };
  EXPECT_EQ(with("\"memory_bandwidth_gb_per_s\": 3000", "\"memory_bandwidth_gb_per_s\": 3").size(), 1u);
  EXPECT_EQ(with("\"fp8\": 1800", "\"fp8\": 180").size(), 1u);
  EXPECT_EQ(with("\"memory_gb\": 80", "\"memory_gb\": 81920").size(), 1u);
}

TEST(CatalogCheck, ListsWhatHasAgedByTableAndDate) {
  std::string table(kCloudHead);
  for (const char* as_of : {"2026-06-18", "2026-06-18", "2025-03-06", "2026-11-01"})
    table += std::string("cloud,big,Example,example-gpu,8,80,here,,neocloud,80,,,,,,,,8,,,,") + as_of + ",,list,\n";
  const Result<Catalog> catalog =
      read({{"gpus/example-gpu.json", kGpu}, {"sources.json", kSources}, {"prices_cloud.csv", table}});
  ASSERT_TRUE(catalog) << text_of(catalog.error());
  EXPECT_TRUE(check_catalog(*catalog, "2026-11-20", 1000).stale.empty());
  const std::vector<std::string> stale = check_catalog(*catalog, "2026-11-20", 150).stale;
  ASSERT_EQ(stale.size(), 2u);
  EXPECT_EQ(stale[0], "prices_cloud.csv, cloud, as of 2025-03-06: 1 row");
  EXPECT_EQ(stale[1], "prices_cloud.csv, cloud, as of 2026-06-18: 2 rows");
  // 155 days lie between 2026-06-18 and 2026-11-20: a fact is stale above the limit, not at it.
  EXPECT_EQ(check_catalog(*catalog, "2026-11-20", 155).stale.size(), 1u);
  EXPECT_EQ(check_catalog(*catalog, "2026-11-20", 154).stale.size(), 2u);
}

TEST(CatalogCheck, AskForAProperDate) { EXPECT_FALSE(check_catalog(Catalog{}, "today", 365).problems.empty()); }

}  // namespace
}  // namespace podwright::check_test
