#include "export/topology_svg.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "architecture/cable_schedule.h"
#include "architecture/fabric.h"
#include "export/svg_check.h"
#include "export/svg_parts.h"
#include "export/topology_facts.h"

namespace podwright::topology_svg_test {
namespace {

using test::b300_spectrum;
using test::built;
using test::gb200;
using test::h100;
using test::h100_with_manager;
using test::need;
using test::of_class;
using test::sum_of;
using test::SvgElement;
using test::switch_pair;

SvgElement drawn(const FabricNeed<NoTrace>& need, const TopologyDrawing& options = {}) {
  std::string fault;
  SvgElement root = test::parse_svg(topology_svg(need, built(need), options), fault);
  EXPECT_EQ(fault, "");
  return root;
}

double links(const SvgElement& root, std::string_view tier) { return sum_of(of_class(root, tier), "data-links"); }

std::vector<std::string> states(const SvgElement& root) {
  std::vector<std::string> found;
  for (const SvgElement* unit : of_class(root, "unit"))
    found.push_back(unit->attribute("id") + " " + unit->attribute("data-state"));
  return found;
}

/// Everything that the fabric has is in the drawing once.
void expect_counts(const SvgElement& root, const FabricNeed<NoTrace>& need, const Fabric<NoTrace>& fabric) {
  EXPECT_EQ(links(root, "node-leaf"), fabric.node_leaf_links);
  EXPECT_EQ(links(root, "leaf-spine"), fabric.leaf_spine_links);
  EXPECT_EQ(links(root, "spine-core"), fabric.spine_core_links);
  EXPECT_EQ(links(root, "pair"), fabric.inter_switch_links);
  EXPECT_EQ(links(root, "manager"), need.manager_links);
  EXPECT_EQ(sum_of(of_class(root, "leaf"), "data-count"), fabric.leaf.total);
  EXPECT_EQ(sum_of(of_class(root, "spine"), "data-count"), fabric.spine.total);
  EXPECT_EQ(sum_of(of_class(root, "core"), "data-count"), fabric.core.total);
  EXPECT_EQ(sum_of(of_class(root, "node"), "data-count"), need.nodes);
  EXPECT_EQ(sum_of(of_class(root, "node"), "data-free"), fabric.nodes_of_shell - need.nodes);
  EXPECT_EQ(sum_of(of_class(root, "unit"), "data-nodes"), need.nodes);
}

void expect_drawn(const FabricNeed<NoTrace>& need, const TopologyDrawing& options = {}) {
  const SvgElement root = drawn(need, options);
  expect_counts(root, need, built(need));
  EXPECT_EQ(test::label_faults(root), std::vector<std::string>());
}

FabricNeed<NoTrace> a100() {
  FabricNeed<NoTrace> fabric = need(140, 8, 40, 20);
  fabric.topology = FabricTopology::rail_groups;
  fabric.units_per_group = 7;
  return fabric;
}

FabricNeed<NoTrace> four_planes() {
  FabricNeed<NoTrace> fabric = need(70, 2, 64, 32);
  fabric.planes = 4;
  return fabric;
}

TEST(TopologySvg, HoldsEveryPartOfEachTopologyOnce) {
  for (const double nodes : {31.0, 127.0, 300.0, 2048.0}) expect_drawn(h100_with_manager(nodes));
  for (const double nodes : {64.0, 256.0, 1500.0}) expect_drawn(b300_spectrum(nodes));
  for (const double units : {1.0, 2.0, 16.0}) expect_drawn(gb200(units));
  expect_drawn(a100());
  expect_drawn(four_planes());
  expect_drawn(switch_pair(12, 8, 128));
  expect_drawn(switch_pair(7, 3, 64));
  expect_drawn(need(7, 8, 64, 8));
  expect_drawn(need(600, 3, 36, 10));
}

TEST(TopologySvg, SaysTheConclusionInItsTitle) {
  EXPECT_EQ(drawn(h100_with_manager(127)).children[0].text,
            "127 nodes on 48 switches in two tiers: non-blocking, 204.8 Tb/s of bisection bandwidth");
  EXPECT_EQ(drawn(h100_with_manager(2048)).children[0].text,
            "2,048 nodes on 1,280 switches in three tiers: non-blocking, 3,276.8 Tb/s of bisection bandwidth");
  FabricNeed<NoTrace> thin = h100(64);
  thin.oversubscription = 2;
  const std::string title = drawn(thin).children[0].text;
  EXPECT_NE(title.find("oversubscribed 2 to 1"), std::string::npos) << title;
  EXPECT_EQ(drawn(need(7, 8, 64, 8)).children[0].text, "7 nodes on 1 switch in one tier: non-blocking");
}

TEST(TopologySvg, OpensUnitsBySize) {
  EXPECT_EQ(states(drawn(h100_with_manager(31))), (std::vector<std::string>{"unit-1 open"}));
  EXPECT_EQ(states(drawn(h100_with_manager(63))), (std::vector<std::string>{"unit-1 open", "unit-2 open"}));
  EXPECT_EQ(states(drawn(h100_with_manager(127))),
            (std::vector<std::string>{"unit-1 open", "unit-2 collapsed", "unit-3 collapsed", "unit-4 collapsed"}));
  EXPECT_EQ(states(drawn(h100_with_manager(2048))),
            (std::vector<std::string>{"unit-1 open", "unit-2 collapsed", "unit-3 collapsed", "unit-4 collapsed",
                                      "unit-5-64 collapsed"}));
}

TEST(TopologySvg, OpensTheUnitsThatAreAskedFor) {
  EXPECT_EQ(states(drawn(h100_with_manager(127), {.open_units = {{2, 4, 99}}})),
            (std::vector<std::string>{"unit-1 collapsed", "unit-2 open", "unit-3 collapsed", "unit-4 open"}));
  EXPECT_EQ(states(drawn(h100_with_manager(2048), {.open_units = {{30}}})),
            (std::vector<std::string>{"unit-1 collapsed", "unit-2 collapsed", "unit-3 collapsed", "unit-4 collapsed",
                                      "unit-5-28 collapsed", "unit-29 collapsed", "unit-30 open",
                                      "unit-31-32 collapsed", "unit-33-64 collapsed"}));
  for (const std::uint32_t unit : {1U, 2U, 17U, 64U}) expect_drawn(h100_with_manager(2048), {.open_units = {{unit}}});
}

TEST(TopologySvg, AnOpenUnitNamesItsNodesAndLeaves) {
  const std::vector<std::string> texts = test::texts_of(drawn(h100_with_manager(31)));
  const std::set<std::string> seen(texts.begin(), texts.end());
  for (const char* name : {"n00001", "n00031", "free", "p1-u001-r1-l1", "p1-u001-r8-l1", "p1-s001", "p1-s004",
                           "31 of 32", "256 \xC3\x97 400 Gb/s", "Fabric manager: m1 to m4"})
    EXPECT_EQ(seen.count(name), 1u) << name;
}

/// Words of the drawing that look like labels.
std::vector<std::string> labels_in(const SvgElement& root) {
  std::vector<std::string> labels;
  for (const std::string& text : test::texts_of(root))
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find(' ', begin), text.size());
      const std::string word = text.substr(begin, end - begin);
      const bool node =
          word.size() >= 6 && word[0] == 'n' && word.find_first_not_of("0123456789", 1) == std::string::npos;
      const bool device = word.size() > 3 && word[0] == 'p' && word[1] >= '1' && word[1] <= '9' && word[2] == '-';
      if (node || device) labels.push_back(word);
      begin = end + 1;
    }
  return labels;
}

TEST(TopologySvg, UsesTheLabelsOfTheCableSchedule) {
  for (const FabricNeed<NoTrace>& wanted : {h100_with_manager(127), b300_spectrum(1500), gb200(2), a100(),
                                            four_planes(), switch_pair(12, 8, 128), need(7, 8, 64, 8)}) {
    const CableSchedule schedule = cable_schedule(wanted, built(wanted));
    std::set<std::string> known;
    for (const FabricLink& link : schedule.links)
      for (const FabricPort& port : {link.from, link.to}) {
        const std::string name = device_label(schedule.layout, port);
        known.insert(name);
        if (port.kind == FabricDevice::spine) known.insert(name.substr(0, name.rfind('-')));
      }
    const std::vector<std::string> labels = labels_in(drawn(wanted));
    EXPECT_GT(labels.size(), 3u);
    for (const std::string& label : labels) EXPECT_EQ(known.count(label), 1u) << label;
  }
}

TEST(TopologySvg, SaysWhyAFabricCannotBe) {
  const SvgElement root = drawn(gb200(20));
  EXPECT_EQ(root.children[0].text, "This fabric cannot be wired");
  EXPECT_NE(root.children[1].text, "");
  EXPECT_TRUE(of_class(root, "unit").empty());
}

TEST(TopologySvg, IsTheSameEachTime) {
  const FabricNeed<NoTrace> wanted = b300_spectrum(1500);
  EXPECT_EQ(topology_svg(wanted, built(wanted)), topology_svg(wanted, built(wanted)));
}

TEST(TopologySvg, StaysSmallForLargeFabrics) {
  const FabricNeed<NoTrace> wanted = h100(16384);
  EXPECT_LT(topology_svg(wanted, built(wanted)).size(), 40000u);
}

/// Each leaf's spines are in the block of its unit, and no unit or group is in two.
void expect_blocks(const FabricNeed<NoTrace>& wanted, const Fabric<NoTrace>& fabric,
                   const std::vector<std::uint32_t>& open) {
  const std::vector<TopologyBlock> blocks = topology_blocks(wanted, fabric, open);
  std::vector<std::size_t> block_of_unit;
  std::uint32_t next_group = 0;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_EQ(blocks[i].first_group, next_group);
    next_group = blocks[i].last_group + 1;
    for (const TopologyRow& row : blocks[i].rows) {
      EXPECT_EQ(row.first, block_of_unit.size());
      block_of_unit.resize(row.last + 1, i);
      EXPECT_TRUE(!row.open || row.units() == 1);
    }
  }
  EXPECT_EQ(block_of_unit.size(), fabric.scalable_units);
  const CableSchedule schedule = cable_schedule(wanted, fabric);
  const FabricLayout& layout = schedule.layout;
  for (const FabricLink& link : schedule.links) {
    if (link.from.kind != FabricDevice::leaf || link.to.kind != FabricDevice::spine) continue;
    const std::uint32_t unit = link.from.device % layout.leaves / (layout.rails * layout.leaves_of_rail);
    const std::uint32_t group =
        layout.spines_per_group == 0 ? 0 : link.to.device % layout.spines / layout.spines_per_group;
    const TopologyBlock& block = blocks[block_of_unit[unit]];
    ASSERT_TRUE(block.first_group <= group && group <= block.last_group) << "unit " << unit << " group " << group;
  }
}

TEST(TopologySvg, OfRandomFabrics) {
  std::mt19937_64 random(11);
  const auto pick = [&](double low, double high) {
    return low + static_cast<double>(random() % static_cast<std::uint64_t>(high - low + 1));
  };
  int refused = 0;
  int with_spines = 0;
  for (int round = 0; round < 300; ++round) {
    const bool large = round % 6 == 0;
    FabricNeed<NoTrace> wanted = large ? need(pick(2000, 20000), pick(1, 8), pick(64, 144), pick(16, 160))
                                       : need(pick(1, 600), pick(1, 9), pick(4, 144), pick(1, 160));
    if (!large) wanted.topology = static_cast<FabricTopology>(random() % 3);
    wanted.planes = pick(1, 3);
    wanted.oversubscription = pick(2, 6) / 2;
    wanted.manager_links = pick(0, 5);
    wanted.units_per_group = pick(1, 5);
    if (random() % 2 == 0) wanted.link = gb_per_s(pick(1, 100));
    if (random() % 4 == 0) wanted.leaf_ports_down = pick(1, wanted.switch_ports);
    if (random() % 4 == 0) wanted.uplinks = pick(1, wanted.switch_ports);
    TopologyDrawing options;
    if (random() % 2 == 0) options.open_units = {{static_cast<std::uint32_t>(pick(1, 9)), 3}};
    SCOPED_TRACE(testing::Message() << "round " << round << " nodes " << wanted.nodes << " rails " << wanted.rails
                                    << " ports " << wanted.switch_ports << " unit " << wanted.nodes_per_unit
                                    << " planes " << wanted.planes << " topology "
                                    << static_cast<int>(wanted.topology));
    const Fabric<NoTrace> fabric = built(wanted);
    if (!fabric_refusals(wanted, fabric).empty()) {
      ++refused;
      EXPECT_EQ(test::label_faults(drawn(wanted, options)), std::vector<std::string>());
      continue;
    }
    expect_drawn(wanted, options);
    if (fabric.spine.total > 0) {
      ++with_spines;
      expect_blocks(wanted, fabric, options.open_units.value_or(std::vector<std::uint32_t>{1}));
    }
    if (testing::Test::HasFailure()) break;
  }
  EXPECT_GT(with_spines, 60);
  EXPECT_GT(refused, 10);
}

}  // namespace
}  // namespace podwright::topology_svg_test
