#include <gtest/gtest.h>

#include <random>
#include <set>

#include "support/ask.h"

namespace podwright::fabric_test {
namespace {

/// The example of the contract.
const std::string kH100 = R"({"kind":"fabric","nodes":127,"rails":8,"switch_ports":64,"nodes_per_unit":32,"planes":1,
    "oversubscription":1.0,"link_gb_per_s":50,"manager_links":4})";

TEST(FabricAnswer, OfTheH100BuildOfFourUnits) {
  const Reply asked = ask(kH100, R"({"ports_per_cage":2})");
  EXPECT_EQ(asked.outcome, Outcome::answer);
  EXPECT_EQ(number_at(asked.answer, "/fabric/tiers"), 2);
  EXPECT_EQ(number_at(asked.answer, "/fabric/leaf/total"), 32);
  EXPECT_EQ(number_at(asked.answer, "/fabric/spine/per_plane"), 16);
  EXPECT_EQ(number_at(asked.answer, "/fabric/core/total"), 0);
  EXPECT_EQ(number_at(asked.answer, "/fabric/node_leaf_links"), 1016);
  EXPECT_EQ(number_at(asked.answer, "/fabric/manager_links"), 4);
  EXPECT_EQ(number_at(asked.answer, "/fabric/leaf_spine_links"), 1024);
  EXPECT_EQ(number_at(asked.answer, "/fabric/spine_core_links"), 0);
  EXPECT_EQ(number_at(asked.answer, "/fabric/oversubscription"), 1);
  EXPECT_EQ(number_at(asked.answer, "/fabric/bisection_tb_per_s"), 25.6);
  EXPECT_EQ(number_at(asked.answer, "/fabric/injection_per_node_gb_per_s"), 400);
  EXPECT_EQ(number_at(asked.answer, "/fabric/max_nodes_two_tiers"), 256);
  EXPECT_EQ(number_at(asked.answer, "/fabric/switch_transceivers"), 1536);
  EXPECT_EQ(number_at(asked.answer, "/fabric/node_transceivers"), 508);
  EXPECT_EQ(number_at(asked.answer, "/next_step/nodes"), 128);
  EXPECT_EQ(number_at(asked.answer, "/next_step/scalable_units"), 5);
}

TEST(FabricAnswer, TwoPlanesShareACage) {
  const Reply asked =
      ask(R"({"kind":"fabric","nodes":64,"rails":8,"switch_ports":128,"nodes_per_unit":64,"planes":2})");
  EXPECT_EQ(number_at(asked.answer, "/fabric/leaf/per_plane"), 8);
  EXPECT_EQ(number_at(asked.answer, "/fabric/leaf/total"), 16);
  EXPECT_EQ(number_at(asked.answer, "/fabric/spine/total"), 8);
  EXPECT_EQ(number_at(asked.answer, "/fabric/node_leaf_links"), 1024);
  EXPECT_EQ(number_at(asked.answer, "/fabric/node_leaf_cables"), 512);
  EXPECT_EQ(number_at(asked.answer, "/fabric/leaf_spine_cables"), 512);
  EXPECT_EQ(asked.answer.find("fabric")->find("bisection_tb_per_s"), nullptr);
}

TEST(FabricAnswer, WithoutAPortForTheManagerThereAreWaysOut) {
  const Reply asked = ask(kH100, R"({"nodes":128})");
  EXPECT_EQ(asked.outcome, Outcome::infeasible);
  EXPECT_FALSE(asked.answer.find("feasible")->boolean);
  const JsonNode& reason = asked.answer.find("reasons")->items.front();
  EXPECT_EQ(reason.find("code")->text, "manager-ports");
  const JsonNode& ways = *reason.find("ways_out");
  ASSERT_EQ(ways.items.size(), 2u);
  EXPECT_EQ(number_at(ways, "/0/nodes"), 127);
  for (const JsonNode& patch : ways.items)
    EXPECT_EQ(ask(json_text(merged(*parse_json(kH100), patch))).outcome, Outcome::answer);
}

TEST(FabricAnswer, ALargerSwitchOfTheCatalogIsAWayOut) {
  const std::string small = R"({"kind":"fabric","nodes":256,"rails":8,"switch_ports":8,"nodes_per_unit":32})";
  const Reply asked = ask(small);
  EXPECT_EQ(asked.outcome, Outcome::infeasible);
  const JsonNode& ways = *asked.answer.find("reasons")->items.front().find("ways_out");
  ASSERT_EQ(ways.items.size(), 1u);
  EXPECT_EQ(number_at(ways, "/0/switch_ports"), 40);
  EXPECT_EQ(ask(json_text(merged(*parse_json(small), ways.items.front()))).outcome, Outcome::answer);
}

std::size_t ways_that_lead(const std::string& request) {
  const Reply asked = ask(request);
  EXPECT_EQ(asked.outcome, Outcome::infeasible) << request;
  std::size_t ways = 0;
  for (const JsonNode& reason : asked.answer.find("reasons")->items)
    for (const JsonNode& patch : reason.find("ways_out")->items) {
      ++ways;
      EXPECT_EQ(ask(json_text(merged(*parse_json(request), patch))).outcome, Outcome::answer) << json_text(patch);
    }
  return ways;
}

TEST(FabricAnswer, WhatTheRequestSaysOfLeavesCanBeLeftToTheRules) {
  const std::string request =
      R"({"kind":"fabric","nodes":32,"rails":16,"switch_ports":40,"nodes_per_unit":1000,"leaf_ports_down":1})";
  EXPECT_GE(ways_that_lead(request), 1u);
  const Reply asked = ask(request);
  EXPECT_EQ(json_text(asked.answer.find("reasons")->items.front().find("ways_out")->items.front()),
            R"({"leaf_ports_down":null})");
}

TEST(FabricAnswer, WaysOutAreCombinedWhereNoneLeadsAlone) {
  EXPECT_GE(ways_that_lead(R"({"kind":"fabric","nodes":20000,"rails":8,"switch_ports":2,"nodes_per_unit":8,
                               "oversubscription":2,"uplinks":16,"manager_links":4})"),
            1u);
}

TEST(FabricAnswer, EveryInfeasibleRequestHasAWayOutThatLeads) {
  std::mt19937_64 random(21);
  const auto pick = [&](int low, int high) {
    return std::to_string(low + static_cast<int>(random() % (high - low + 1)));
  };
  int infeasible = 0;
  for (int round = 0; round < 250; ++round) {
    std::string request = R"({"kind":"fabric","nodes":)" + pick(1, 30000) + R"(,"rails":)" + pick(1, 16) +
                          R"(,"switch_ports":)" + pick(2, 80) + R"(,"nodes_per_unit":)" + pick(1, 200);
    const char* topologies[] = {"fat-tree", "rail-groups", "switch-pair"};
    request += std::string(R"(,"topology":")") + topologies[random() % 3] + "\"";
    if (random() % 3 == 0) request += R"(,"leaf_ports_down":)" + pick(1, 64);
    if (random() % 3 == 0) request += R"(,"uplinks":)" + pick(1, 64);
    if (random() % 3 == 0) request += R"(,"oversubscription":)" + pick(1, 4);
    if (random() % 3 == 0) request += R"(,"manager_links":)" + pick(0, 8);
    if (random() % 3 == 0) request += R"(,"scalable_units":)" + pick(1, 40);
    request += "}";
    if (ask(request).outcome == Outcome::answer) continue;
    ++infeasible;
    EXPECT_GE(ways_that_lead(request), 1u) << request;
  }
  EXPECT_GE(infeasible, 50);
}

TEST(FabricAnswer, SchedulesEveryLink) {
  const Reply asked = ask(kH100, R"({"nodes":31,"cable_schedule":true})");
  const JsonNode& schedule = *asked.answer.find("cable_schedule");
  std::set<std::string> ends;
  for (const auto& [device, port] : {std::pair("from", "from_port"), std::pair("to", "to_port")}) {
    const auto& devices = schedule.find(device)->items;
    const auto& ports = schedule.find(port)->items;
    EXPECT_EQ(devices.size(), 31u * 8 + 4 + 256);
    ASSERT_EQ(devices.size(), ports.size());
    for (std::size_t i = 0; i < devices.size(); ++i)
      EXPECT_TRUE(ends.insert(devices[i].text + " " + ports[i].text).second) << devices[i].text;
  }
}

TEST(FabricAnswer, ExplainsItsNumbers) {
  const Reply asked = ask(kH100, R"({"explain":true})");
  const JsonNode& trace = *asked.answer.find("trace");
  bool spines = false;
  for (const JsonNode& node : trace.items)
    if (const JsonNode* equation = node.find("equation"); equation != nullptr)
      spines = spines || equation->text.rfind("divisor_from(", 0) == 0;
  EXPECT_TRUE(spines);
}

}  // namespace
}  // namespace podwright::fabric_test
