#include "perf/training_links.h"

#include <gtest/gtest.h>

namespace podwright::training_links_test {
namespace {

const Catalog& facts() { return embedded_catalog_facts(); }

/// Links of a GPU with the constants of the catalog.
struct Setting {
  explicit Setting(std::string_view gpu, bool in_network = false)
      : rates(none, facts(), **find_gpu(facts(), gpu), nullptr, Precision::bf16),
        constants(none, facts().training_efficiency),
        links(none, rates, constants, in_network, Tuning::tuned) {}

  GroupLinks<NoTrace> group(double ranks, double stride, TrainingLinks<NoTrace>::Link operation) {
    GroupLinks<NoTrace> found;
    EXPECT_TRUE(links.group(ranks, stride, operation, found)) << ranks << " ranks " << stride << " apart";
    return found;
  }
  double constant(Efficiency id) const { return facts().training_efficiency[id].value; }

  NoTrace none;
  TrainingRates<NoTrace> rates;
  TrainingConstants<NoTrace> constants;
  TrainingLinks<NoTrace> links;
};
using Link = TrainingLinks<NoTrace>::Link;

TEST(TrainingGroups, StandInsideANodeAsFarAsTheyFit) {
  Setting h100("h100-sxm5-80gb");
  const auto expect = [&](double ranks, double stride, double per_node, double nodes) {
    const auto group = h100.group(ranks, stride, Link::all_reduce);
    EXPECT_EQ(group.ranks_per_node, per_node) << ranks << " ranks " << stride << " apart";
    EXPECT_EQ(group.nodes, nodes) << ranks << " ranks " << stride << " apart";
  };
  expect(8, 1, 8, 1);
  expect(16, 1, 8, 2);
  expect(4, 2, 4, 1);
  expect(4, 4, 2, 2);
  expect(4, 8, 1, 4);
  expect(12, 1, 6, 2);  // equal parts
  expect(7, 1, 7, 1);
  expect(11, 1, 1, 11);
}

TEST(TrainingGroups, OfARackNeedNoNetwork) {
  Setting gb200("gb200");
  EXPECT_EQ(gb200.group(64, 1, Link::all_reduce).nodes, 1);
  EXPECT_EQ(gb200.group(16, 4, Link::all_gather).nodes, 1);
}

TEST(TrainingExchanges, InsideANodeOfH100) {
  Setting h100("h100-sxm5-80gb");
  const auto group = h100.group(8, 1, Link::all_reduce);
  // nccl-tests on eight H100: 468 GB/s.
  const double bandwidth = 468e9 * h100.constant(Efficiency::link_rate);
  const double start = h100.rates.start(8)->base_units() * h100.constant(Efficiency::link_start);
  EXPECT_NEAR(h100.links.all_reduce(group, gib(1)).base_units(), start + 1.75 * 1073741824 / bandwidth, 1e-12);
  const auto gather = h100.group(8, 1, Link::all_gather);
  const double gathered = h100.rates.link(Link::all_gather, 8)->base_units() * h100.constant(Efficiency::link_rate);
  EXPECT_NEAR(h100.links.gather(gather, gib(1)).base_units(), start + 0.875 * 1073741824 / gathered, 1e-12);
}

TEST(TrainingExchanges, AcrossNodesCarryWhatEachRankOwns) {
  Setting h100("h100-sxm5-80gb");
  const auto two = h100.group(16, 1, Link::all_reduce);
  const double inside = h100.links.all_reduce(h100.group(8, 1, Link::all_reduce), gib(1)).base_units();
  const double network = h100.rates.network()->base_units() * h100.constant(Efficiency::network_rate);
  // Two nodes exchange an eighth of the buffer for each rank: 2 x 1/2 x 128 MiB.
  const double across = h100.constant(Efficiency::network_start_s) + 134217728 / network;
  EXPECT_NEAR(h100.links.all_reduce(two, gib(1)).base_units(), inside + across, 1e-12);
  const auto apart = h100.group(4, 8, Link::all_reduce);
  EXPECT_NEAR(h100.links.all_reduce(apart, gib(1)).base_units(),
              h100.constant(Efficiency::network_start_s) + 1.5 * 1073741824 / network, 1e-12);
}

TEST(TrainingExchanges, SwitchesThatAddUpSpareASecondPass) {
  Setting ring("h100-sxm5-80gb");
  Setting adding("h100-sxm5-80gb", true);
  const auto apart = ring.group(8, 8, Link::all_reduce);
  const double network = ring.rates.network()->base_units() * ring.constant(Efficiency::network_rate);
  const double start = ring.constant(Efficiency::network_start_s);
  EXPECT_NEAR(ring.links.all_reduce(apart, gib(1)).base_units(), start + 1.75 * 1073741824 / network, 1e-12);
  EXPECT_NEAR(adding.links.all_reduce(apart, gib(1)).base_units(), start + 1073741824 / network, 1e-12);
  EXPECT_EQ(adding.links.gather(apart, gib(1)), ring.links.gather(apart, gib(1)));
  const auto node = ring.group(8, 1, Link::all_reduce);
  EXPECT_EQ(adding.links.all_reduce(node, gib(1)), ring.links.all_reduce(node, gib(1)));
}

TEST(TrainingExchanges, StagesSendOverTheLinkBetweenThem) {
  Setting h100("h100-sxm5-80gb");
  const auto neighbours = h100.group(2, 4, Link::all_gather);
  const auto nodes = h100.group(2, 8, Link::all_gather);
  EXPECT_EQ(neighbours.nodes, 1);
  EXPECT_EQ(nodes.nodes, 2);
  EXPECT_LT(h100.links.send(neighbours, gib(1)), h100.links.send(nodes, gib(1)));
  EXPECT_EQ(h100.links.transfer(nodes, gib(1)), gib(1) / nodes.across);
}

TEST(TrainingExchanges, OneRankTakesNoTime) {
  Setting h100("h100-sxm5-80gb");
  const auto alone = h100.group(1, 1, Link::all_reduce);
  EXPECT_EQ(alone.nodes, 1);
  EXPECT_EQ(alone.ranks_per_node, 1);
}

TEST(TrainingGroups, NameTheLinkThatIsNotKnown) {
  Setting rtx("rtx-4090");
  GroupLinks<NoTrace> group;
  EXPECT_FALSE(rtx.links.group(64, 1, Link::all_reduce, group));
  EXPECT_EQ(rtx.links.missing_ranks(), 0);  // the network
}

}  // namespace
}  // namespace podwright::training_links_test
