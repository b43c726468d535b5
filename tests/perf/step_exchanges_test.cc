#include "perf/step_exchanges.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "model/layers.h"

namespace podwright::step_exchanges_test {
namespace {

using Collective = StepCollective<NoTrace>;
using Kind = Collective::Kind;

/// Exchanges of DeepSeek-R1 (8 of 256 experts a token) with factors that are easily told apart.
class StepExchanges : public ::testing::Test {
 protected:
  const Gpu& gpu(const std::string& id) const {
    for (const Gpu& gpu : catalog_.gpus)
      if (gpu.id == id) return gpu;
    ADD_FAILURE() << id;
    return catalog_.gpus.front();
  }
  const Model& model() const {
    for (const Model& model : catalog_.models)
      if (model.id == "deepseek-r1") return model;
    ADD_FAILURE();
    return catalog_.models[0];
  }
  /// One attention rank a GPU; the exchange of the experts, absent where the exchanges are not known.
  std::optional<Collective> of_experts(const Gpu& on, double gpus, double expert,
                                       const std::string& precision = "fp8") {
    ServingRun run;
    run.parallelism.attention_data = gpus;
    run.parallelism.expert = expert;
    LinkFactors<NoTrace> factors;
    factors.link_rate = 0.8;
    factors.card_rate = 0.7;
    factors.network = 1;
    factors.per_exchange = 0.9;
    factors.per_group_exchange = 0.5;
    factors.link_start = 3;
    factors.card_start = 4;
    factors.group_start = 2;
    EngineCosts<NoTrace> costs;
    costs.gemm_precision = precision;
    reasons_.clear();
    std::vector<std::string> assumptions;
    NoTrace none;
    if (!add_collectives(none, catalog_, on, model(), layer_stack(model()), run, factors, costs, assumptions, reasons_))
      return {};
    EXPECT_EQ(costs.collectives.size(), 1u);
    return costs.collectives.front();
  }
  /// Bus bandwidth of `ranks` GPUs that are linked to each other.
  BytesPerSecond linked(const Gpu& on, double ranks) const {
    NoTrace none;
    std::vector<std::string> assumptions;
    const auto bandwidth = node_ceiling(none, catalog_, on, "all-reduce-bus-bandwidth", ranks, assumptions);
    EXPECT_TRUE(bandwidth);
    return bandwidth.value_or(BytesPerSecond(0));
  }
  BytesPerSecond network(const Gpu& on) const {
    NoTrace none;
    const System* system = system_with_network(catalog_, on);
    EXPECT_NE(system, nullptr);
    return system == nullptr ? BytesPerSecond(0) : *network_ceiling(none, catalog_, *system);
  }

  const Catalog& catalog_ = embedded_catalog_facts();
  std::vector<Infeasible> reasons_;
};

TEST_F(StepExchanges, InsideARackTokensGoOverLinks) {
  // 16 of 72 linked GPUs. A token's 8 experts miss a given GPU with (15/16)^8, so it goes to 15 (1 - (15/16)^8) others:
  // in 8 bit there, in 16 bit back.
  const Gpu& rack = gpu("gb200");
  ASSERT_GE(node_gpus(catalog_, rack), 16);
  const auto exchange = of_experts(rack, 16, 16);
  ASSERT_TRUE(exchange);
  EXPECT_EQ(exchange->kind, Kind::dispatch);
  const double copies = 15 * (1 - std::pow(15.0 / 16, 8));
  EXPECT_NEAR(exchange->token_share, copies * 1.5 / 16, 1e-12);
  EXPECT_NEAR(raw(exchange->bandwidth), raw(linked(rack, 16)) * 0.8 * 0.5, 1);
}

TEST_F(StepExchanges, SixteenBitProductsGetSixteenBitTokens) {
  const auto exchange = of_experts(gpu("gb200"), 16, 16, "bf16");
  ASSERT_TRUE(exchange);
  EXPECT_NEAR(exchange->token_share, 15 * (1 - std::pow(15.0 / 16, 8)) * 2 / 16, 1e-12);
}

TEST_F(StepExchanges, BetweenNodesTheNetworkCarriesOneCopyForANode) {
  // Four nodes of 8: none of its 8 experts lies on a given other node with (3/4)^8. The network is slower than NVLink
  // by more than the copies are fewer, and has no factor of its own.
  const Gpu& h200 = gpu("h200-sxm5-141gb");
  ASSERT_EQ(node_gpus(catalog_, h200), 8);
  const auto exchange = of_experts(h200, 32, 32);
  ASSERT_TRUE(exchange);
  EXPECT_EQ(exchange->kind, Kind::dispatch);
  EXPECT_NEAR(exchange->token_share, 3 * (1 - std::pow(0.75, 8)) * 1.5 / 32, 1e-12);
  EXPECT_EQ(exchange->bandwidth, network(h200));
}

TEST_F(StepExchanges, BetweenTwoNodesTheLinksInsideThemAreSlower) {
  // One copy at most crosses, and links at 0.8 x 0.5 of what they reach carry six.
  const Gpu& h200 = gpu("h200-sxm5-141gb");
  const auto exchange = of_experts(h200, 16, 16);
  ASSERT_TRUE(exchange);
  const double copies = 15 * (1 - std::pow(15.0 / 16, 8));
  ASSERT_LT((1 - 1.0 / 256) / raw(network(h200)), copies / (raw(linked(h200, 8)) * 0.8 * 0.5));
  EXPECT_NEAR(exchange->token_share, copies * 1.5 / 16, 1e-12);
  EXPECT_NEAR(raw(exchange->bandwidth), raw(linked(h200, 8)) * 0.8 * 0.5, 1);
}

TEST_F(StepExchanges, ThatShareExpertsGatherAllTokens) {
  // Each expert on two GPUs: no kernel sends tokens to halves of experts.
  const auto exchange = of_experts(gpu("gb200"), 16, 8);
  ASSERT_TRUE(exchange);
  EXPECT_EQ(exchange->kind, Kind::group);
  EXPECT_EQ(exchange->token_share, 1);
  EXPECT_NEAR(raw(exchange->bandwidth), raw(linked(gpu("gb200"), 16)) * 0.8 * 0.5, 1);
}

TEST_F(StepExchanges, OfEightGpusGatherAndOfMoreDispatch) {
  const auto eight = of_experts(gpu("gb200"), 8, 8);
  ASSERT_TRUE(eight);
  EXPECT_EQ(eight->kind, Kind::group);
  EXPECT_EQ(eight->token_share, 1);
  const auto nine = of_experts(gpu("gb200"), 9, 9);
  ASSERT_TRUE(nine);
  EXPECT_EQ(nine->kind, Kind::dispatch);
  EXPECT_NEAR(nine->token_share, 8 * (1 - std::pow(8.0 / 9, 8)) * 1.5 / 9, 1e-12);
}

TEST_F(StepExchanges, AreNotKnownWithoutANetwork) {
  Gpu lonely = gpu("h200-sxm5-141gb");
  lonely.id = "h200-without-a-system";
  ASSERT_EQ(system_with_network(catalog_, lonely), nullptr);
  ASSERT_EQ(node_gpus(catalog_, lonely), 8);
  EXPECT_TRUE(of_experts(lonely, 8, 8));
  EXPECT_FALSE(of_experts(lonely, 16, 16));
  ASSERT_EQ(reasons_.size(), 1u);
  EXPECT_EQ(reasons_.front().code, "network-unknown");
}

}  // namespace
}  // namespace podwright::step_exchanges_test
