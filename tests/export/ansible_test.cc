#include "export/ansible.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>
#include <set>

#include "base/slug.h"
#include "export/h100_design.h"
#include "export/yaml_subset.h"

namespace podwright::ansible_test {
namespace {

/// Hosts of every group. The keys are those of the YAML inventory: a group has `hosts`, a mapping of names, and all
/// groups are `children` of `all` (docs.ansible.com, "How to build your inventory").
std::map<std::string, std::set<std::string>> groups_of(const std::string& text) {
  std::map<std::string, std::set<std::string>> groups;
  std::string group;
  const std::vector<test::YamlLine> lines = test::yaml_lines(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const test::YamlLine& line = lines[i];
    EXPECT_TRUE(line.value.empty() && !line.item) << line.key;
    if (i < 2) {
      EXPECT_EQ(line.key, i == 0 ? "all" : "children");
      EXPECT_EQ(line.indent, 2 * i);
    } else if (line.indent == 4) {
      group = line.key;
      EXPECT_EQ(group.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"),
                std::string::npos);
      EXPECT_EQ(groups.count(group), 0u) << group;
      groups[group];
    } else if (line.indent == 6) {
      EXPECT_EQ(line.key, "hosts");
    } else {
      EXPECT_EQ(line.indent, 8u);
      EXPECT_TRUE(groups[group].insert(line.key).second) << line.key;
    }
  }
  return groups;
}

TEST(Ansible, GroupsAreRolesUnitsAndRacks) {
  const test::H100Design design;
  const auto groups = groups_of(ansible_inventory(design.networks(), &design.elevations));
  EXPECT_EQ(groups.find("role_system")->second.size(), 127u);
  EXPECT_EQ(groups.find("role_compute_leaf")->second.size(), 32u);
  EXPECT_EQ(groups.find("role_pdu")->second.count("r001-pdu1"), 1u);
  EXPECT_EQ(groups.find("rack_r001")->second, (std::set<std::string>{"n00001", "n00002", "n00003", "n00004"}));
  // 31 nodes of the last unit and its eight leaves.
  std::size_t nodes = 0;
  for (const std::string& host : groups.find("unit_004")->second) nodes += host[0] == 'n' ? 1 : 0;
  EXPECT_EQ(nodes, 31u);
  EXPECT_EQ(ansible_inventory({}, nullptr), "");
}

TEST(Ansible, EveryDeviceOfRandomDesignsHasOneRole) {
  constexpr const char* kHostile[] = {"",        "\"",  "'",  "\n", "\t",    "${x}",
                                      "{{ x }}", "---", ": ", "#",  "[1:9]", "\xc3\xa9"};
  std::mt19937_64 random(5);
  for (int round = 0; round < 200 && !testing::Test::HasFailure(); ++round) {
    const double nodes = 5 + static_cast<double>(random() % 92);
    test::H100Design design(nodes, std::ceil(nodes / 32));
    const std::string mark =
        std::string(kHostile[random() % std::size(kHostile)]) + (round % 20 == 0 ? std::string(300, 'x') : "");
    for (NetworkWiring& wiring : design.wirings)
      for (WiredDevice& device : wiring.devices) device.label += mark;
    for (RackElevation& rack : design.elevations.racks) {
      rack.label += mark;
      for (RackedDevice& device : rack.devices) device.label += mark;
    }
    std::set<std::string> labels;
    for (const NetworkWiring& wiring : design.wirings)
      for (const WiredDevice& device : wiring.devices) labels.insert(plain_name(device.label));
    for (const RackElevation& rack : design.elevations.racks)
      for (const RackedDevice& device : rack.devices) labels.insert(plain_name(device.label));
    std::map<std::string, std::size_t> roles, racks;
    for (const auto& [group, hosts] : groups_of(ansible_inventory(design.networks(), &design.elevations)))
      for (const std::string& host : hosts) {
        EXPECT_EQ(labels.count(host), 1u) << host;
        if (group.rfind("role_", 0) == 0) ++roles[host];
        if (group.rfind("rack_", 0) == 0) ++racks[host];
      }
    EXPECT_EQ(roles.size(), labels.size());
    for (const auto& [host, times] : roles) EXPECT_EQ(times, 1u) << host;
    for (const auto& [host, times] : racks) EXPECT_EQ(times, 1u) << host;
    EXPECT_EQ(racks.size(), [&] {
      std::size_t placed = 0;
      for (const RackElevation& rack : design.elevations.racks) placed += rack.devices.size();
      return placed;
    }());
  }
}

}  // namespace
}  // namespace podwright::ansible_test
