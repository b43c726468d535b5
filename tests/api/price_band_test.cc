#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "api/plan_example.h"
#include "catalog/catalog.h"

namespace podwright::api_price_band_test {
namespace {

using namespace plan_example;

/// Of neoclouds in the first plan; null where the answer has no quartiles of them.
const JsonNode* band_of(const JsonNode& answer) {
  const JsonNode* bands = find(answer, {"plans", "0", "cost", "cloud", "bands"});
  if (bands == nullptr) return nullptr;
  for (const JsonNode& band : bands->items)
    if (band.find("segment")->text == "neocloud")
      return band.find("median_usd_per_gpu_hour") == nullptr ? nullptr : &band;
  return nullptr;
}

// Without its cheapest providers a band may move, and with fewer than three there is none.
TEST(PriceBands, OfTheCatalogAndOfFewerRows) {
  for (const std::string gpu : {"b200-sxm", "h100-sxm5-80gb"}) {
    const std::string request = chat(R"({"gpus":[")" + gpu + R"("],"ownership":"cloud"})", "{}", R"({"draws":0})");
    Catalog catalog = embedded_catalog_facts();
    double providers = 1e9;
    for (int round = 0; round < 20; ++round) {
      const JsonNode answer = answer_of(catalog, request);
      const JsonNode* band = band_of(answer);
      if (band == nullptr) break;
      EXPECT_GE(number(*band, {"providers"}), 3);
      EXPECT_LE(number(*band, {"providers"}), providers);
      providers = number(*band, {"providers"});
      EXPECT_LE(number(*band, {"lower_quartile_usd_per_gpu_hour"}), number(*band, {"median_usd_per_gpu_hour"}));
      EXPECT_LE(number(*band, {"median_usd_per_gpu_hour"}), number(*band, {"upper_quartile_usd_per_gpu_hour"}));
      const std::string first = find(answer, {"plans", "0", "cost", "cloud", "provider"})->text;
      auto& rows = catalog.cloud_prices;
      rows.erase(std::remove_if(rows.begin(), rows.end(), [&](const CloudPrice& row) { return row.provider == first; }),
                 rows.end());
    }
    EXPECT_EQ(providers, 3) << gpu;
  }
}

}  // namespace
}  // namespace podwright::api_price_band_test
