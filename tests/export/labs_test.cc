#include <gtest/gtest.h>

#include <set>

#include "base/slug.h"
#include "export/containerlab.h"
#include "export/graphviz.h"
#include "export/h100_design.h"
#include "export/yaml_subset.h"

namespace podwright::labs_test {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

TEST(PlainName, KeepsLabelsAndReplacesTheRest) {
  EXPECT_EQ(plain_name("p1-u002-r3-l1"), "p1-u002-r3-l1");
  EXPECT_EQ(plain_name("rack 7/a_b"), "rack-7-a-b");
  EXPECT_EQ(slug_of("Quantum-2 QM9700"), "quantum-2-qm9700");
  EXPECT_EQ(slug_of(" (Hall) 1 "), "hall-1");
  EXPECT_EQ(slug_of("\xE4\xBA\xA4"), short_digest("\xE4\xBA\xA4"));
  EXPECT_EQ(slug_of("a$b"), "a-b-" + short_digest("a$b"));
  EXPECT_EQ(slug_of(std::string(99, 'x'), 40), std::string(31, 'x') + "-" + short_digest(std::string(99, 'x')));
}

TEST(Containerlab, HasEveryDeviceAndLink) {
  const test::H100Design design(31, 1);
  for (const NetworkWiring& wiring : design.wirings) {
    const Result<std::string> text = containerlab_topology(wiring);
    ASSERT_TRUE(text);
    const std::vector<test::YamlLine> lines = test::yaml_lines(*text);
    EXPECT_EQ(lines[0].value, "podwright");
    std::set<std::string> nodes, ends;
    std::size_t links = 0;
    for (const test::YamlLine& line : lines) {
      if (line.indent == 4 && !line.item) nodes.insert(line.key);
      if (line.key != "endpoints") continue;
      ++links;
      // ["a:eth1", "b:eth2"]
      for (std::size_t at = line.value.find('"'); at != std::string::npos;) {
        const std::size_t end = line.value.find('"', at + 1);
        const std::string name = line.value.substr(at + 1, end - at - 1);
        const std::size_t colon = name.find(':');
        EXPECT_EQ(nodes.count(name.substr(0, colon)), 1u) << name;
        EXPECT_TRUE(ends.insert(name).second) << name;
        EXPECT_NE(name.substr(colon + 1), "eth0");
        EXPECT_LE(name.size() - colon - 1, 15u);
        at = line.value.find('"', end + 1);
      }
    }
    EXPECT_EQ(nodes.size(), wiring.devices.size());
    EXPECT_EQ(links, wiring.wires.size());
    EXPECT_EQ(ends.size(), 2 * links);
  }
}

TEST(Containerlab, KeepsThePortsOfSwitches) {
  const test::H100Design design(31, 1);
  const std::string in_band = *containerlab_topology(design.wirings[2]);
  EXPECT_NE(in_band.find("[\"srv1:eth1\", \"in-p001-l1:eth1\"]"), std::string::npos);
  EXPECT_NE(in_band.find("[\"in-p001-l1:eth59\", \"in-p001-l2:eth59\"]"), std::string::npos);
  const std::string compute = *containerlab_topology(design.wirings[0]);
  EXPECT_NE(compute.find("[\"n00002:eth3\", \"p1-u001-r3-l1:eth2\"]"), std::string::npos);
}

TEST(Containerlab, RefusesWhatNoHostRuns) {
  NetworkWiring wiring{.network = "compute", .devices = {}, .ports = {"1"}, .wires = {}};
  for (int i = 0; i <= 2000; ++i) wiring.devices.push_back({"n" + std::to_string(i), "system", 0});
  const Result<std::string> text = containerlab_topology(wiring);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error()[0].code, "out-of-range");
  wiring.devices.pop_back();
  EXPECT_TRUE(containerlab_topology(wiring));
}

TEST(Graphviz, OneByOne) {
  const test::H100Design design(31, 1);
  const std::string dot = graphviz_dot(design.wirings[0]);
  EXPECT_EQ(count(dot, "[label=\"n0"), 31u);
  EXPECT_EQ(count(dot, "rank=same"), 4u);
  // 31 nodes with 8 links each, 4 of the managers (each leaf another), 8 leaves with 8 links to each of 4 spines.
  EXPECT_EQ(count(dot, " -- "), 31u * 8 + 4 + 32);
  EXPECT_EQ(count(dot, "[label=\"8\"]"), 32u);
  EXPECT_EQ(count(dot, "{"), count(dot, "}"));
}

TEST(Graphviz, ByUnit) {
  const test::H100Design design;
  const std::string dot = graphviz_dot(design.wirings[0]);
  EXPECT_NE(dot.find("label=\"su001 system x 32\""), std::string::npos);
  EXPECT_NE(dot.find("label=\"su004 compute-leaf x 8\""), std::string::npos);
  EXPECT_NE(dot.find("label=\"p1 compute-spine x 16\""), std::string::npos);
  EXPECT_NE(dot.find("[label=\"256\"]"), std::string::npos);
  EXPECT_EQ(count(dot, " -- "), 4u + 1 + 4);
  EXPECT_LT(dot.size(), 2000u);
}

}  // namespace
}  // namespace podwright::labs_test
