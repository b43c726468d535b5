#include "export/slurm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <sstream>

#include "architecture/cable_schedule.h"
#include "architecture/fabric.h"
#include "architecture/fabric_needs.h"
#include "architecture/wiring_checks.h"
#include "export/h100_design.h"
#include "export/yaml_subset.h"

namespace podwright::slurm_test {
namespace {

/// As `scontrol show hostnames` writes them.
std::vector<std::string> expanded(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < list.size();) {
    std::size_t end = at;
    for (int depth = 0; end < list.size() && (list[end] != ',' || depth > 0); ++end)
      depth += list[end] == '[' ? 1 : list[end] == ']' ? -1 : 0;
    const std::string part = list.substr(at, end - at);
    at = end + 1;
    const std::size_t open = part.find('[');
    if (open == std::string::npos) {
      names.push_back(part);
      continue;
    }
    EXPECT_EQ(part.back(), ']');
    std::istringstream ranges(part.substr(open + 1, part.size() - open - 2));
    for (std::string range; std::getline(ranges, range, ',');) {
      const std::string first = range.substr(0, range.find('-'));
      const std::string last = range.substr(range.find('-') + 1);
      EXPECT_EQ(first.size(), last.size()) << range;
      for (int number = std::stoi(first); number <= std::stoi(last); ++number) {
        std::string digits = std::to_string(number);
        if (digits.size() < first.size()) digits.insert(0, first.size() - digits.size(), '0');
        names.push_back(part.substr(0, open) + digits);
      }
    }
  }
  return names;
}

TEST(Hostlist, IsShort) {
  EXPECT_EQ(hostlist({"n00001", "n00002", "n00003"}), "n[00001-00003]");
  EXPECT_EQ(hostlist({"n00001", "n00003", "n00004", "n00009"}), "n[00001,00003-00004,00009]");
  EXPECT_EQ(hostlist({"n9", "n10", "n11"}), "n9,n[10-11]");
  EXPECT_EQ(hostlist({"login", "rack-1-a", "rack-1-b"}), "login,rack-1-a,rack-1-b");
  EXPECT_EQ(hostlist({"r1-compute-01", "r1-compute-02", "r2-compute-01"}), "r1-compute-[01-02],r2-compute-01");
  EXPECT_EQ(hostlist({}), "");
}

struct Line {
  std::string name;
  bool leaf = false;
  std::vector<std::string> children;
};

std::vector<Line> parsed(const std::string& conf) {
  std::vector<Line> lines;
  std::istringstream stream(conf);
  for (std::string line; std::getline(stream, line);) {
    if (line[0] == '#') continue;
    EXPECT_EQ(line.rfind("SwitchName=", 0), 0u) << line;
    const std::size_t space = line.find(' ');
    const std::size_t sign = line.find('=', space);
    const std::string word = line.substr(space + 1, sign - space - 1);
    EXPECT_TRUE(word == "Nodes" || word == "Switches") << word;
    lines.push_back({line.substr(11, space - 11), word == "Nodes", expanded(line.substr(sign + 1))});
    EXPECT_LE(lines.back().name.size(), 64u);
  }
  return lines;
}

/// Every node in one leaf, every switch below one other, one root; children before their parents.
void expect_tree(const std::vector<Line>& lines, double nodes) {
  std::set<std::string> leaves, below, known;
  for (const Line& line : lines) {
    for (const std::string& child : line.children) {
      if (line.leaf) {
        EXPECT_TRUE(leaves.insert(child).second) << child;
        continue;
      }
      EXPECT_EQ(known.count(child), 1u) << child;
      EXPECT_TRUE(below.insert(child).second) << child;
    }
    EXPECT_TRUE(known.insert(line.name).second) << line.name;
  }
  EXPECT_EQ(static_cast<double>(leaves.size()), nodes);
  EXPECT_EQ(below.size() + 1, known.size());
}

std::vector<Line> conf_of(const FabricNeed<NoTrace>& need) {
  return parsed(slurm_topology(compute_wiring(need, test::built(need), test::padded_labels("n", need.nodes)))[0].text);
}

TEST(Slurm, UnitsAreLeavesOfATwoTierFabric) {
  const FabricNeed<NoTrace> need = test::h100(127, 4);
  const NetworkWiring wiring = compute_wiring(need, test::built(need), test::padded_labels("n", 127));
  const std::vector<ExportFile> files = slurm_topology(wiring);
  EXPECT_EQ(files[0].text,
            "# TopologyPlugin=topology/tree in slurm.conf\n"
            "SwitchName=su001 Nodes=n[00001-00032]\n"
            "SwitchName=su002 Nodes=n[00033-00064]\n"
            "SwitchName=su003 Nodes=n[00065-00096]\n"
            "SwitchName=su004 Nodes=n[00097-00127]\n"
            "SwitchName=spine Switches=su[001-004]\n");
  EXPECT_EQ(files[1].text.rfind("---\n- topology: compute\n  cluster_default: true\n  tree:\n    switches:\n"
                                "      - switch: su001\n        nodes: n[00001-00032]\n      - switch: su002\n",
                                0),
            0u);
  test::yaml_lines(files[1].text);
}

TEST(Slurm, OfOtherFabrics) {
  const auto names = [](const FabricNeed<NoTrace>& need) {
    const std::vector<Line> lines = conf_of(need);
    expect_tree(lines, need.nodes);
    std::string words;
    for (const Line& line : lines) words += line.name + " ";
    return words;
  };
  EXPECT_EQ(names(test::h100(32)), "su001 ");
  EXPECT_EQ(names(test::switch_pair(8, 8, 64)), "leaf001 ");
  EXPECT_EQ(names(test::switch_pair(8, 1, 64)), "leaf001 leaf002 pair ");
  EXPECT_EQ(names(test::need(8, 8, 64, 8)), "leaf001 ");
  // A unit of 8 racks: each rack's trays have their leaves in common, spines join the racks, cores the units.
  const std::vector<Line> racks = conf_of(test::gb200(2));
  expect_tree(racks, 288);
  ASSERT_EQ(racks.size(), 19u);
  EXPECT_EQ(racks[0].name, "su001-l1");
  EXPECT_EQ(racks[0].children.size(), 18u);
  EXPECT_EQ(racks[16].name, "su001");
  EXPECT_EQ(racks[18].name, "core");
  EXPECT_EQ(racks[18].children, (std::vector<std::string>{"su001", "su002"}));
  // Three tiers: pods of 32 leaves are four units.
  const std::vector<Line> pods = conf_of(test::h100(512));
  expect_tree(pods, 512);
  ASSERT_EQ(pods.size(), 16u + 4u + 1u);
  EXPECT_EQ(pods[16].name, "pod001");
  EXPECT_EQ(pods[16].children, (std::vector<std::string>{"su001", "su002", "su003", "su004"}));
}

TEST(Slurm, OfRandomSizes) {
  std::mt19937_64 random(8);
  const auto pick = [&](int low, int high) { return low + static_cast<int>(random() % (high - low + 1)); };
  int whole = 0;
  for (int round = 0; round < 120 && !testing::Test::HasFailure(); ++round) {
    FabricNeed<NoTrace> need = test::need(pick(1, round % 6 == 0 ? 5000 : 600), pick(1, 8), pick(8, 144), pick(1, 160));
    need.topology = static_cast<FabricTopology>(random() % 3);
    need.units_per_group = pick(1, 5);
    need.planes = pick(1, 2);
    const Fabric<NoTrace> fabric = test::built(need);
    if (!fabric_refusals(need, fabric).empty()) continue;
    ++whole;
    expect_tree(conf_of(need), need.nodes);
  }
  EXPECT_GE(whole, 30);
}

/// The keys of block topologies: topology.conf(5) and topology.yaml(5) of Slurm 25.05.
struct Blocks {
  std::vector<Line> blocks;
  std::vector<std::size_t> sizes;
};

std::vector<std::size_t> sizes_of(const std::string& list) {
  std::vector<std::size_t> sizes;
  std::istringstream stream(list);
  for (std::string size; std::getline(stream, size, ',');) sizes.push_back(std::stoul(size));
  return sizes;
}

Blocks parsed_blocks(const std::string& conf) {
  Blocks parsed;
  std::istringstream stream(conf);
  for (std::string line; std::getline(stream, line);) {
    if (line[0] == '#') continue;
    if (line.rfind("BlockSizes=", 0) == 0) {
      parsed.sizes = sizes_of(line.substr(11));
      continue;
    }
    EXPECT_EQ(line.rfind("BlockName=", 0), 0u) << line;
    const std::size_t nodes = line.find(" Nodes=");
    EXPECT_NE(nodes, std::string::npos) << line;
    parsed.blocks.push_back({line.substr(10, nodes - 10), true, expanded(line.substr(nodes + 7))});
  }
  return parsed;
}

/// Every node in one block, names once, no block below the first size, each size a power of two above the one before.
void expect_blocks(const Blocks& found, double nodes) {
  std::set<std::string> names, members;
  ASSERT_FALSE(found.sizes.empty());
  for (const Line& block : found.blocks) {
    EXPECT_TRUE(names.insert(block.name).second) << block.name;
    EXPECT_GE(block.children.size(), found.sizes.front());
    for (const std::string& node : block.children) EXPECT_TRUE(members.insert(node).second) << node;
  }
  EXPECT_EQ(static_cast<double>(members.size()), nodes);
  for (std::size_t i = 1; i < found.sizes.size(); ++i) {
    EXPECT_EQ(found.sizes[i] % found.sizes[i - 1], 0u);
    const std::size_t times = found.sizes[i] / found.sizes[i - 1];
    EXPECT_TRUE(times > 1 && (times & (times - 1)) == 0) << times;
  }
}

NetworkWiring wired(const FabricNeed<NoTrace>& need) {
  return compute_wiring(need, test::built(need), test::padded_labels("n", need.nodes));
}

TEST(Slurm, NvlinkDomainsAreBlocks) {
  const std::vector<ExportFile> files = slurm_topology(wired(test::gb200(2)), 18);
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files[1].name, "slurm/topology-block.conf");
  const Blocks blocks = parsed_blocks(files[1].text);
  expect_blocks(blocks, 288);
  ASSERT_EQ(blocks.blocks.size(), 16u);
  EXPECT_EQ(blocks.blocks[15].children.size(), 18u);
  EXPECT_EQ(blocks.sizes, (std::vector<std::size_t>{18, 144}));  // a rack, and a scalable unit of eight
  EXPECT_EQ(files[2].text.rfind("---\n- topology: nvlink\n  cluster_default: true\n  block:\n"
                                "    block_sizes: [18,144]\n    blocks:\n      - block: nvl001\n"
                                "        nodes: n[00001-00018]\n",
                                0),
            0u);
  EXPECT_NE(files[2].text.find("- topology: compute\n  cluster_default: false\n  tree:\n"), std::string::npos);
  // The tree is as it is without blocks.
  EXPECT_EQ(files[0].text, slurm_topology(wired(test::gb200(2)))[0].text);
}

TEST(Slurm, TheSmallestBlockIsTheBaseSize) {
  FabricNeed<NoTrace> need = test::gb200(1);
  need.nodes = 128;  // seven racks of 18 trays and one of 2
  const Blocks blocks = parsed_blocks(slurm_topology(wired(need), 18)[1].text);
  expect_blocks(blocks, 128);
  EXPECT_EQ(blocks.sizes, std::vector<std::size_t>{2});
}

TEST(Slurm, BlocksOfRandomSizes) {
  std::mt19937_64 random(81);
  const auto pick = [&](int low, int high) { return low + static_cast<int>(random() % (high - low + 1)); };
  int whole = 0;
  for (int round = 0; whole < 200 && round < 2000 && !testing::Test::HasFailure(); ++round) {
    const int domain = pick(2, 36), racks = pick(1, 8);
    FabricNeed<NoTrace> need = test::need(pick(1, 900), pick(1, 8), pick(8, 144), domain * racks);
    need.topology = static_cast<FabricTopology>(random() % 3);
    need.units_per_group = pick(1, 5);
    const Fabric<NoTrace> fabric = test::built(need);
    if (!fabric_refusals(need, fabric).empty()) continue;
    ++whole;
    const std::vector<ExportFile> files = slurm_topology(wired(need), static_cast<std::uint32_t>(domain));
    expect_blocks(parsed_blocks(files[1].text), need.nodes);
    expect_tree(parsed(files[0].text), need.nodes);
    for (const test::YamlLine& line : test::yaml_lines(files[2].text)) {
      constexpr std::string_view kKeys[] = {"topology", "cluster_default", "block",  "block_sizes", "blocks", "nodes",
                                            "tree",     "switches",        "switch", "children"};
      EXPECT_NE(std::find(std::begin(kKeys), std::end(kKeys), line.key), std::end(kKeys)) << line.key;
    }
  }
  EXPECT_EQ(whole, 200);
}

}  // namespace
}  // namespace podwright::slurm_test
