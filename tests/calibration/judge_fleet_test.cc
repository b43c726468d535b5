/// Eight nodes and more, of which each has something else.
#include "calibration/judge_fleet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "measure/sample_summary.h"

namespace podwright::judge_fleet_test {
namespace {

/// A node whose memory copies take this long; `turn` makes each file another one.
FleetNode node(const std::string& name, double seconds, int turn) {
  HardwareProfile profile;
  profile.tool.version = "1.0.0";
  profile.run.started = "2026-03-01T09:30:00Z";
  profile.run.backend = "cuda";
  profile.run.mode = RunMode::quick;
  profile.run.seed = turn;
  profile.environment.os = "linux";
  profile.environment.driver = "580.65.06";
  profile.host.name = "secret-host";
  profile.devices.push_back({.id = "d0", .kind = "gpu", .name = "A device"});
  for (const double bytes : {1e8, 1e9}) {
    ProbeResult result;
    result.probe = "hbm.triad";
    result.devices = {"d0"};
    result.size.bytes = bytes;
    result.counted.bytes = 3 * bytes;
    result.samples_s.assign(24, seconds * bytes / 1e9);
    finish_result(result, {.clock_resolution_s = 1e-9});
    result.flags.clear();
    profile.results.push_back(result);
  }
  return {name, *read_profile(profile_text(profile)), ""};
}

std::vector<FleetNode> healthy(int count) {
  std::vector<FleetNode> nodes;
  for (int i = 0; i < count; ++i) nodes.push_back(node("n" + std::to_string(i), 1 + 0.001 * (i % 3), i));
  return nodes;
}

/// Changed and written again, so that its digest is its own.
void change(FleetNode& node, void (*how)(HardwareProfile&)) {
  HardwareProfile profile = node.read->profile;
  how(profile);
  node.read = *read_profile(profile_text(profile));
}

std::vector<NodeState> states(const FleetJudgement& fleet) {
  std::vector<NodeState> found;
  for (const JudgedNode& one : fleet.nodes) found.push_back(one.state);
  return found;
}

TEST(JudgeFleet, NamesSlowFaultyUnusableAndMissingNodes) {
  std::vector<FleetNode> nodes = healthy(9);
  nodes[2] = node("n2", 1.5, 2);
  change(nodes[4], [](HardwareProfile& one) { one.health_events.push_back({"d0", "xid:79", "fell off the bus"}); });
  change(nodes[5], [](HardwareProfile& one) { one.environment.driver = "570.1"; });
  change(nodes[6], [](HardwareProfile& one) { one.run.complete = false; });
  nodes[7] = {"n7", {}, "The file holds no profile."};
  const FleetJudgement fleet = judge_fleet(Catalog(), nodes, {.names = {"n0", "n1", "n9", "n2"}, .count = {}});
  EXPECT_EQ(states(fleet), (std::vector<NodeState>{NodeState::ok, NodeState::ok, NodeState::slow, NodeState::ok,
                                                   NodeState::fault, NodeState::ok, NodeState::unfinished,
                                                   NodeState::unusable, NodeState::ok, NodeState::missing}));
  EXPECT_TRUE(fleet.compared);
  EXPECT_EQ(fleet.measured, 8U);
  EXPECT_EQ(fleet.exit, ProbeExit::fault);
  EXPECT_EQ(fleet.summary(), "10 nodes: 1 missing, 1 unusable, 1 fault, 1 slow, 1 unfinished, 5 ok.");
  ASSERT_EQ(fleet.nodes[2].slow.size(), 1U);
  EXPECT_EQ(fleet.nodes[2].slow.front().probe, "hbm.triad");
  EXPECT_NEAR(fleet.nodes[2].slow.front().slower_by, 0.5, 0.01);
  EXPECT_EQ(findings_of(fleet.nodes[2]).front(), "d0: hbm.triad takes 50 % longer than on the other nodes.");
  ASSERT_EQ(fleet.mixed.size(), 1U);
  EXPECT_EQ(fleet.mixed.front().of, "driver");
  EXPECT_EQ(fleet.mixed.front().uses.back().nodes, std::vector<std::string>{"n5"});
  // Not expected: n3 to n8.
  EXPECT_EQ(std::count_if(fleet.notes.begin(), fleet.notes.end(),
                          [](const std::string& note) { return note.ends_with("was not expected."); }),
            6);
}

TEST(JudgeFleet, EachStateHasItsExitCode) {
  const auto exit = [](const std::vector<FleetNode>& nodes, const ExpectedNodes& expected = {}) {
    return judge_fleet(Catalog(), nodes, expected).exit;
  };
  std::vector<FleetNode> nodes = healthy(8);
  EXPECT_EQ(exit(nodes), ProbeExit::ok);
  EXPECT_EQ(exit(nodes, {.names = {}, .count = 8}), ProbeExit::ok);
  EXPECT_EQ(exit(nodes, {.names = {}, .count = 9}), ProbeExit::fault);
  nodes[3] = node("n3", 2, 3);
  EXPECT_EQ(exit(nodes), ProbeExit::low);
  nodes[4] = {"n4", {}, "Damaged."};
  EXPECT_EQ(exit(nodes), ProbeExit::wrong_input);
  EXPECT_EQ(exit({}), ProbeExit::ok);
}

TEST(JudgeFleet, FewerThanFourAreJudgedAlone) {
  std::vector<FleetNode> nodes = healthy(3);
  nodes[1] = node("n1", 3, 1);
  const FleetJudgement fleet = judge_fleet(Catalog(), nodes, {});
  EXPECT_FALSE(fleet.compared);
  EXPECT_EQ(states(fleet), std::vector<NodeState>(3, NodeState::unjudged));
  ASSERT_EQ(fleet.notes.size(), 1U);
  EXPECT_NE(fleet.notes.front().find("fewer than four"), std::string::npos);
}

TEST(JudgeFleet, OneFileCountsOnceAndOneNameOnce) {
  std::vector<FleetNode> nodes = healthy(5);
  nodes[3].read = nodes[1].read;
  nodes[4].name = "n0";
  const FleetJudgement fleet = judge_fleet(Catalog(), nodes, {});
  EXPECT_EQ(fleet.nodes[3].state, NodeState::unusable);
  EXPECT_EQ(fleet.nodes[3].problem, "It is the same file as that of n1.");
  EXPECT_EQ(fleet.nodes[4].state, NodeState::unusable);
  EXPECT_EQ(fleet.measured, 3U);
  EXPECT_FALSE(fleet.compared);
}

TEST(JudgeFleet, ProfilesAsOneCarryTheSlowNode) {
  std::vector<FleetNode> nodes = healthy(6);
  nodes[4] = node("n4", 1.3, 4);
  nodes[1] = {"n1", {}, "Damaged."};
  const FleetJudgement fleet = judge_fleet(Catalog(), nodes, {});
  const auto merged = fleet_profile(fleet);
  ASSERT_TRUE(merged);
  const auto again = read_profile(profile_text(*merged));
  ASSERT_TRUE(again) << again.error().front().message;
  EXPECT_FALSE(again->profile.run.complete);
  EXPECT_EQ(again->profile.devices.size(), 5U);
  ASSERT_EQ(again->profile.health_events.size(), 1U);
  EXPECT_EQ(again->profile.health_events.front().device, "n4.d0");
  // As a file of a fleet it is none of a node.
  const FleetJudgement twice = judge_fleet(Catalog(), {{"all", *again, ""}}, {});
  EXPECT_EQ(twice.nodes.front().state, NodeState::unusable);
  EXPECT_FALSE(fleet_profile(twice));
}

TEST(JudgeFleet, LimitedNodesAreToldAndNotBlamed) {
  std::vector<FleetNode> nodes = healthy(5);
  nodes[4] = node("n4", 1.25, 4);
  for (FleetNode& one : nodes)
    change(one, [](HardwareProfile& profile) {
      for (ProbeResult& result : profile.results) result.context.sm_clock_hz = 1.5e9;
    });
  change(nodes[4], [](HardwareProfile& profile) {
    profile.devices.front().clocks_locked = true;
    for (ProbeResult& result : profile.results) result.context.sm_clock_hz = 1.2e9;
  });
  const FleetJudgement fleet = judge_fleet(Catalog(), nodes, {});
  EXPECT_EQ(fleet.nodes[4].state, NodeState::ok);
  EXPECT_EQ(fleet.exit, ProbeExit::ok);
  EXPECT_EQ(findings_of(fleet.nodes[4]),
            std::vector<std::string>{"d0: hbm.triad takes 25 % longer than on the other nodes, which its limited clock "
                                     "accounts for."});
}

}  // namespace
}  // namespace podwright::judge_fleet_test
