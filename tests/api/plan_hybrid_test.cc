// The parts of a hybrid at their own sizes.
#include <gtest/gtest.h>

#include <string>

#include "api/plan_example.h"

namespace podwright::plan_hybrid_test {
namespace {

using namespace plan_example;

std::string load(double peak, double mean) {
  return R"({"kind":"plan","workloads":[{"name":"c","type":"serving","model":"llama-3.1-70b","peak_requests_per_s":)" +
         std::to_string(peak) + R"(,"mean_requests_per_s":)" + std::to_string(mean) +
         R"(,"input_tokens":2048,"output_tokens":512,"ttft_s_p95_max":2,"tpot_s_p95_max":0.05}],
      "constraints":{"gpus":["b200-sxm"]},"economics":{"load":0.75,"price_policy":{"price":"lowest"}},"options":{"draws":0,"top":1}})";
}

double hybrid(const JsonNode& answer, const char* key) { return number(answer, {"plans", "0", "cost", "hybrid", key}); }

// The owned part costs what a cluster of its size costs, whose two machines have a smaller network.
TEST(PlanHybrid, TheOwnedPartIsAClusterOfItsOwn) {
  const JsonNode whole = answer_of(load(50, 35));
  const JsonNode part = answer_of(load(25, 15));
  ASSERT_EQ(hybrid(whole, "own_gpus"), number(part, {"plans", "0", "architecture", "gpus"}));
  const auto owned = [&](const char* key) { return number(part, {"plans", "0", "cost", "on_premises", key}); };
  EXPECT_NEAR(hybrid(whole, "own_usd_per_year"), owned("annual_usd"), 1e-6 * owned("annual_usd"));
  EXPECT_NEAR(hybrid(whole, "capex_usd"), owned("capex_usd"), 1e-6 * owned("capex_usd"));
}

// An offer for large orders is that of the whole, and not that of a few machines beside owned ones.
TEST(PlanHybrid, TheRentedPartHasAnOfferOfItsOwn) {
  Catalog catalog = embedded_catalog_facts();
  const JsonNode listed = answer_of(catalog, load(50, 40));
  CloudPrice bulk;
  for (const CloudPrice& row : catalog.cloud_prices)
    if (row.gpu_id == "b200-sxm" && row.on_demand && !row.network.empty() && row.machine_gpus == 8) bulk = row;
  bulk.provider = "bulk";
  bulk.min_gpus = number(listed, {"plans", "0", "gpu_count"});
  bulk.on_demand =
      usd_per_hour(number(listed, {"plans", "0", "cost", "cloud", "usd_per_gpu_hour"}) * 0.7 * bulk.gpu_count);
  catalog.cloud_prices.push_back(bulk);
  const JsonNode answer = answer_of(catalog, load(50, 40));
  EXPECT_EQ(find(answer, {"plans", "0", "cost", "cloud", "provider"})->text, "bulk");
  EXPECT_NE(find(answer, {"plans", "0", "cost", "hybrid", "rented_part", "provider"})->text, "bulk");
  const double price = number(answer, {"plans", "0", "cost", "hybrid", "rented_part", "usd_per_gpu_hour"});
  EXPECT_NEAR(hybrid(answer, "rent_usd_per_year"), 8760 * hybrid(answer, "rented_gpus_mean") * price, 1);
}

}  // namespace
}  // namespace podwright::plan_hybrid_test
